import { copyBytes } from './copy-bytes.ts'

/** Zero padding after a body: scanners accept no NUL, so none gets past it. */
const PAD_BYTES = 64

/** Room for texts that enrichment adds, beyond the unescaped body. */
const ADDED_BYTES = 16_384

/** Room for a body and its texts, so that most bodies need no other buffer. */
const LOADED_BYTES_MIN = 1024 * 1024

/** A larger buffer is freed after its request. */
const REUSED_BYTES_MAX = 4 * 1024 * 1024

/** Texts up to this length are encoded in a loop while they are ASCII, which is faster than a call into native code. */
const LOOP_CHARACTERS_MAX = 128

const EMPTY = new Uint8Array(0)

/**
 * The body of one request, zero padding, and then the texts of the current row that are not in the body as such (unescaped,
 * or set by enrichment). Texts are addressed by offset and length; offsets after the body are valid until the next row. The
 * body is a copy, so that a scanner with a bug cannot read other requests.
 */
export class SourceText {
  bytes: Uint8Array
  view: DataView
  /** Offset of the next added text. */
  tail = PAD_BYTES
  #tailStart = PAD_BYTES

  /** Begins with room for some bytes of added texts. */
  constructor(initialBytes = LOADED_BYTES_MIN) {
    this.bytes = new Uint8Array(new ArrayBuffer(initialBytes + PAD_BYTES))
    this.view = new DataView(this.bytes.buffer)
  }

  /** Loads a body; invalidates all offsets. Reserves room for its texts once more, since unescaping never lengthens them. */
  load(body: Uint8Array): void {
    this.#fit(body.length * 2 + PAD_BYTES + ADDED_BYTES)
    copyBytes(body, body.length, this.bytes, 0)
    this.bytes.fill(0, body.length, body.length + PAD_BYTES)
    this.#tailStart = body.length + PAD_BYTES
    this.tail = this.#tailStart
  }

  /** Removes the texts after the body. */
  startRow(): void {
    this.tail = this.#tailStart
  }

  /** Adds a text as UTF-8 at `tail`; returns its byte length. */
  add(text: string): number {
    const bytesMax = text.length * 3
    if (this.tail + bytesMax + PAD_BYTES > this.bytes.length) this.#grow(this.tail + bytesMax + PAD_BYTES)
    const asciiLength = text.length > LOOP_CHARACTERS_MAX ? -1 : this.#addAscii(text)
    if (asciiLength >= 0) return asciiLength
    const { written } = ENCODER.encodeInto(text, this.bytes.subarray(this.tail))
    this.tail += written
    return written
  }

  /** Adds a text of ASCII characters; returns -1 without an effect for others. */
  #addAscii(text: string): number {
    const { bytes, tail } = this
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at)
      if (code > 0x7f) return -1
      bytes[tail + at] = code
    }
    this.tail = tail + text.length
    return text.length
  }

  /** A span as a string. */
  text(start: number, length: number): string {
    return Buffer.from(this.bytes.buffer, start, length).toString('utf8')
  }

  /** Frees the memory of an unusually large body. */
  release(): void {
    if (this.bytes.length > REUSED_BYTES_MAX) this.load(EMPTY)
  }

  #fit(byteCount: number): void {
    const isTooLarge = this.bytes.length > REUSED_BYTES_MAX && byteCount <= REUSED_BYTES_MAX
    if (byteCount <= this.bytes.length && !isTooLarge) return
    const size = Math.max(byteCount, LOADED_BYTES_MIN)
    this.bytes = new Uint8Array(new ArrayBuffer(size))
    this.view = new DataView(this.bytes.buffer)
  }

  #grow(byteCount: number): void {
    const grown = new Uint8Array(new ArrayBuffer(Math.max(byteCount, this.bytes.length * 2)))
    grown.set(this.bytes)
    this.bytes = grown
    this.view = new DataView(grown.buffer)
  }
}

const ENCODER = new TextEncoder()
