/** Zero bytes behind a body: no scanner takes a NUL for anything, so none gets past them. */
const PAD_BYTES = 64

/** Room for texts that the steps of a row add, beyond what the body itself can need. */
const ADDED_BYTES = 16_384

/** A buffer above this size is given back when the request that needed it is done. */
const KEPT_BYTES_MAX = 4 * 1024 * 1024

const EMPTY = new Uint8Array(0)

/**
 * The body of one request, followed by zeros, followed by texts of the current row that do not stand in the body as they
 * are (unescaped, or set by an enrichment step). A text is named by its offset and length in here; offsets behind the
 * body are valid until the next row. Being a copy, it shows a scanner that runs astray no other request.
 */
export class SourceText {
  bytes: Uint8Array = new Uint8Array(new ArrayBuffer(1024 * 1024))
  view = new DataView(this.bytes.buffer)
  /** Where the next text of the row goes. */
  tail = PAD_BYTES
  #tailStart = PAD_BYTES

  /** Takes in a body; every older offset is void. An unescaped text is never longer than it was: the row has room. */
  load(body: Uint8Array): void {
    this.#fit(body.length * 2 + PAD_BYTES + ADDED_BYTES)
    this.bytes.set(body)
    this.bytes.fill(0, body.length, body.length + PAD_BYTES)
    this.#tailStart = body.length + PAD_BYTES
    this.tail = this.#tailStart
  }

  /** Forgets the texts behind the body. */
  startRow(): void {
    this.tail = this.#tailStart
  }

  /** Adds a text as UTF-8 and answers its byte length; it starts where `tail` stood before. */
  add(text: string): number {
    const bytesMax = text.length * 3
    if (this.tail + bytesMax + PAD_BYTES > this.bytes.length) this.#grow(this.tail + bytesMax + PAD_BYTES)
    const { written } = ENCODER.encodeInto(text, this.bytes.subarray(this.tail))
    this.tail += written
    return written
  }

  /** A piece as a string. */
  text(start: number, length: number): string {
    return Buffer.from(this.bytes.buffer, start, length).toString('utf8')
  }

  /** Gives back what an unusually large body needed. */
  release(): void {
    if (this.bytes.length > KEPT_BYTES_MAX) this.load(EMPTY)
  }

  #fit(byteCount: number): void {
    const isTooLarge = this.bytes.length > KEPT_BYTES_MAX && byteCount <= KEPT_BYTES_MAX
    if (byteCount <= this.bytes.length && !isTooLarge) return
    const size = Math.max(byteCount, 1024 * 1024)
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
