const END_OF_HEAD = Buffer.from('\r\n\r\n')
const EMPTY = Buffer.alloc(0)
const LF = 0x0a
const CRLF_BYTES = 2
const BODILESS = /^HTTP\/1\.1 (?:1\d\d|204|304) /
const CHUNKED = /\r\ntransfer-encoding: *chunked\r\n/i
const LENGTH = /\r\ncontent-length: *(\d+)\r\n/i

/**
 * Counts the answers of the HTTP/1.1 listener, which is part of this process: its answers are well-formed. The answer to HEAD
 * looks like one with a body, so that a connection with such a request must not be followed.
 */
export class AnswerFraming {
  #expects: 'head' | 'body' | 'chunk size' | 'chunk' | 'nothing' = 'head'
  #bytesLeft = 0
  #held: Buffer = EMPTY
  #count = 0

  /** Answers that have ended. */
  get count(): number {
    return this.#count
  }

  /** Takes the next bytes. */
  push(chunk: Buffer): void {
    const bytes = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk])
    let offset = 0
    while (offset < bytes.length) {
      const next = this.#step(bytes, offset)
      if (next === offset) break
      offset = next
    }
    this.#held = offset === bytes.length ? EMPTY : Buffer.from(bytes.subarray(offset))
  }

  /** The offset of the next element; `offset` itself when more bytes are needed. */
  #step(bytes: Buffer, offset: number): number {
    if (this.#expects === 'head') return this.#readHead(bytes, offset)
    // Nothing is counted any more once an answer has no visible end.
    if (this.#expects === 'nothing') return bytes.length
    if (this.#expects === 'chunk size') return this.#readSize(bytes, offset)
    const taken = Math.min(this.#bytesLeft, bytes.length - offset)
    this.#bytesLeft -= taken
    if (this.#bytesLeft > 0) return offset + taken
    if (this.#expects === 'chunk') this.#expects = 'chunk size'
    else this.#end()
    return offset + taken
  }

  #readHead(bytes: Buffer, offset: number): number {
    const end = bytes.indexOf(END_OF_HEAD, offset)
    if (end === -1) return offset
    const head = bytes.toString('latin1', offset, end + CRLF_BYTES)
    const length = LENGTH.exec(head)?.[1]
    this.#bytesLeft = Number(length ?? 0)
    if (BODILESS.test(head) || (length !== undefined && this.#bytesLeft === 0)) this.#end()
    else if (length !== undefined) this.#expects = 'body'
    else this.#expects = CHUNKED.test(head) ? 'chunk size' : 'nothing'
    return end + END_OF_HEAD.length
  }

  /** The size of a chunk in its line; the last chunk ends with an empty line. */
  #readSize(bytes: Buffer, offset: number): number {
    const end = bytes.indexOf(LF, offset) + 1
    if (end === 0) return offset
    const size = Number.parseInt(bytes.toString('latin1', offset, end), 16)
    if (Number.isNaN(size)) this.#expects = 'nothing'
    if (size !== 0) {
      this.#bytesLeft = size + CRLF_BYTES
      if (size > 0) this.#expects = 'chunk'
      return end
    }
    if (end + CRLF_BYTES > bytes.length) return offset
    this.#end()
    return end + CRLF_BYTES
  }

  #end(): void {
    this.#count++
    this.#expects = 'head'
  }
}
