import { LIMITS } from '../../kernel/limits.ts'
import type { PassedHead } from './passed-head.ts'
import { RepeatedHead } from './repeated-head.ts'
import { toOriginForm } from './request-target.ts'

/** The reason why a request is refused before its server sees it. */
export interface Malformed {
  readonly status: 400 | 431 | 501 | 505
  readonly message: string
}

/** The handle of the bridge goes before the first head, and counts with it in the listener. */
const HEAD_BYTES_MAX = LIMITS.readHeadBytesMax - 64

/**
 * Maximum heads per {@link RequestFraming.push}: a client that pipelines thousands of requests takes turns of a few
 * milliseconds with the other connections.
 */
const HEADS_PER_PUSH_MAX = 64

/** Hexadecimal digits of a chunk's size: 4 GiB, far above every limit of a body. */
const SIZE_DIGITS_MAX = 8

const CR = 0x0d
const LF = 0x0a
const CRLF_BYTES = 2
const END_OF_HEAD = Buffer.from('\r\n\r\n')
const EMPTY = Buffer.alloc(0)

/** RFC 9112 sections 3 and 5: a request line, and at least one field without folds or control characters. */
const HEAD =
  /^[!#$%&'*+.^_`|~\w-]+ [!-~\x80-\xff]+ HTTP\/1\.1\r\n(?:[!#$%&'*+.^_`|~\w-]+:[\t -~\x80-\xff]*\r\n)+$/
const OTHER_VERSION = /^[!#$%&'*+.^_`|~\w-]+ [!-~\x80-\xff]+ HTTP\/(?!1\.1)\d(?:\.\d)?\r\n/
/**
 * A credential or project id outside of ASCII, in a head of lower-case letters. uWebSockets.js trims such bytes from both ends
 * of a value, which would turn another value into a valid one.
 */
const FOREIGN_CREDENTIAL = /\r\n(?:authorization|x-api-key|x-project-id):[^\r]*[\x80-\xff]/
const METHOD_BYTE = /[!#$%&'*+.^_`|~\w-]/
const LENGTH = /^\d{1,15}$/
const SIZE = /^[\dA-Fa-f]{1,8}$/

/** A head that is passed on in other words; offsets are those of the bytes that came. */
interface Rewrite {
  readonly start: number
  readonly end: number
  readonly head: string
}

/**
 * Follows where requests of one connection begin and end, with no leniency at all: a proxy in front and a server behind
 * that read the same bytes differently let one client put words into the request of another (RFC 9112 section 11.2).
 * uWebSockets.js takes any `Transfer-Encoding` for `chunked`, reads `;` as a digit, and does not look at what stands
 * behind a chunk; and it believes a PROXY header before each request. Nothing of that kind passes here.
 */
export class RequestFraming {
  #held: Buffer[] = []
  #heldBytes = 0
  #expects: 'head' | 'body' | 'chunk size' | 'chunk' | 'end of chunk' = 'head'
  #bytesLeft = 0
  #headCount = 0
  #hasMore = false
  #malformed: Malformed | undefined
  #lastHead: PassedHead | undefined
  /** The last head that was read and not only compared. */
  #known: RepeatedHead | undefined
  #hasHeadRequest = false
  /** Heads of the current push that are passed on with another target. */
  #rewrites: Rewrite[] = []

  /** Set once the connection is of no more use. */
  get malformed(): Malformed | undefined {
    return this.#malformed
  }

  /** Heads that passed so far. */
  get headCount(): number {
    return this.#headCount
  }

  /** The last head that passed. */
  get lastHead(): PassedHead | undefined {
    return this.#lastHead
  }

  /** True once a request with the method HEAD has passed. */
  get hasHeadRequest(): boolean {
    return this.#hasHeadRequest
  }

  /** True when {@link push} stopped at its limit of heads: push nothing to go on, after other connections had their turn. */
  get hasMore(): boolean {
    return this.#hasMore
  }

  /** True after the end of a request and before the end of the next head. */
  get isBetweenRequests(): boolean {
    return this.#expects === 'head'
  }

  /** True when a head has begun and its end is not in. */
  get isInHead(): boolean {
    return this.#expects === 'head' && this.#heldBytes > 0 && !this.#hasMore
  }

  /** Takes the next bytes and answers what may go on: heads and sizes of chunks as a whole, all else as it comes. */
  push(chunk: Buffer): Buffer {
    if (this.isInHead && !this.#mayEndHead(chunk)) return this.#hold(chunk)
    const bytes = this.#held.length === 0 ? chunk : Buffer.concat([...this.#held, chunk])
    this.#held = []
    this.#heldBytes = 0
    let offset = 0
    const headCountMax = this.#headCount + HEADS_PER_PUSH_MAX
    this.#hasMore = false
    while (offset < bytes.length && this.#malformed === undefined) {
      this.#hasMore = this.#expects === 'head' && this.#headCount === headCountMax
      const next = this.#hasMore ? offset : this.#step(bytes, offset)
      if (next === offset) break
      offset = next
    }
    if (!this.#malformed && offset < bytes.length) this.#hold(bytes.subarray(offset))
    return this.#rewrite(offset === bytes.length ? bytes : bytes.subarray(0, offset))
  }

  #rewrite(bytes: Buffer): Buffer {
    if (this.#rewrites.length === 0) return bytes
    const pieces: Buffer[] = []
    let offset = 0
    for (const { start, end, head } of this.#rewrites.splice(0)) {
      pieces.push(bytes.subarray(offset, start), Buffer.from(head, 'latin1'))
      offset = end
    }
    return Buffer.concat([...pieces, bytes.subarray(offset)])
  }

  /** Does not join the held pieces: a head that arrives byte by byte would be copied for each byte. */
  #mayEndHead(chunk: Buffer): boolean {
    const last = Buffer.concat(this.#held.slice(1 - END_OF_HEAD.length))
    const seam = Buffer.concat([last.subarray(1 - END_OF_HEAD.length), chunk])
    return seam.includes(END_OF_HEAD) || this.#heldBytes + chunk.length > HEAD_BYTES_MAX
  }

  #hold(bytes: Buffer): Buffer {
    if (bytes.length > 0) this.#held.push(bytes)
    this.#heldBytes += bytes.length
    return EMPTY
  }

  /** The offset of the next element; `offset` itself when more bytes are needed, or none would help. */
  #step(bytes: Buffer, offset: number): number {
    if (this.#expects === 'head') return this.#readHead(bytes, offset)
    if (this.#expects === 'chunk size') return this.#readSize(bytes, offset)
    if (this.#expects === 'end of chunk') return this.#readEnd(bytes, offset)
    const taken = Math.min(this.#bytesLeft, bytes.length - offset)
    this.#bytesLeft -= taken
    if (this.#bytesLeft === 0) this.#expects = this.#expects === 'chunk' ? 'end of chunk' : 'head'
    return offset + taken
  }

  #readHead(bytes: Buffer, offset: number): number {
    const known = this.#known
    const end = known?.findEnd(bytes, offset) ?? -1
    if (known === undefined || end === -1) return this.#readNewHead(bytes, offset)
    this.#headCount++
    this.#expectBody(known.bodyBytes)
    this.#lastHead = known.repeat()
    return end
  }

  #readNewHead(bytes: Buffer, offset: number): number {
    const end = bytes.indexOf(END_OF_HEAD, offset)
    const length = (end === -1 ? bytes.length : end) - offset
    if (!METHOD_BYTE.test(String.fromCharCode(bytes[offset] ?? 0)))
      return this.#refuse(offset, 400, 'a request must begin with its method')
    if (length > HEAD_BYTES_MAX)
      return this.#refuse(offset, 431, `the head of a request must not exceed ${HEAD_BYTES_MAX} bytes`)
    if (end === -1) return offset
    const head = bytes.toString('latin1', offset, end + CRLF_BYTES)
    if (!HEAD.test(head)) {
      return OTHER_VERSION.test(head)
        ? this.#refuse(offset, 505, 'the version of HTTP must be 1.1 or 2')
        : this.#refuse(offset, 400, 'the head of the request is malformed')
    }
    const target = toOriginForm(head)
    if (target.kind === 'refused') return this.#refuse(offset, target.status, target.message)
    const lowered = head.toLowerCase()
    if (!this.#readFraming(lowered)) return offset
    const isRewritten = target.head !== head
    if (isRewritten) this.#rewrites.push({ start: offset, end: end + CRLF_BYTES, head: target.head })
    this.#headCount++
    this.#hasHeadRequest ||= head.startsWith('HEAD ')
    this.#lastHead = {
      text: target.head,
      lowered: isRewritten ? target.head.toLowerCase() : lowered,
      bodyBytes: this.#expects === 'chunk size' ? undefined : this.#bytesLeft,
    }
    const next = end + END_OF_HEAD.length
    // A head that is passed on in other words needs the rewrite each time.
    this.#known = isRewritten ? undefined : RepeatedHead.keep(this.#lastHead, bytes.subarray(offset, next))
    return next
  }

  /** Reads the framing of the body from the fields of a head; false when it is ambiguous. */
  #readFraming(head: string): boolean {
    const length = findOnly(head, '\r\ncontent-length:')
    const coding = findOnly(head, '\r\ntransfer-encoding:')
    if (length === 'several' || coding === 'several' || findOnly(head, '\r\nhost:') === 'several') {
      this.#refuse(0, 400, 'Host, Content-Length and Transfer-Encoding must not be repeated')
    } else if (FOREIGN_CREDENTIAL.test(head)) {
      this.#refuse(0, 400, 'Authorization, X-Api-Key and X-Project-Id must be ASCII')
    } else if (length !== undefined && coding !== undefined) {
      this.#refuse(0, 400, 'Content-Length and Transfer-Encoding exclude each other')
    } else if (coding !== undefined) {
      if (coding !== 'chunked') this.#refuse(0, 400, 'Transfer-Encoding must be `chunked`')
      this.#expects = 'chunk size'
    } else if (length !== undefined) {
      if (!LENGTH.test(length)) this.#refuse(0, 400, 'Content-Length must be a decimal number')
      this.#expectBody(Number(length))
    }
    return this.#malformed === undefined
  }

  #expectBody(bytes: number): void {
    this.#bytesLeft = bytes
    if (bytes > 0) this.#expects = 'body'
  }

  #readSize(bytes: Buffer, offset: number): number {
    const end = bytes.indexOf(CR, offset)
    const digits = bytes.toString(
      'latin1',
      offset,
      Math.min(end === -1 ? bytes.length : end, offset + SIZE_DIGITS_MAX + 1),
    )
    if (!SIZE.test(digits)) return this.#refuse(offset, 400, 'the size of a chunk is malformed')
    if (end === -1) return offset
    const size = Number.parseInt(digits, 16)
    const behind = this.#afterCrlf(bytes, end)
    // The listener ends a body at a size of 0, so the empty line that follows must have arrived.
    const next = size > 0 || behind === undefined ? behind : this.#afterCrlf(bytes, behind)
    if (next === undefined) return offset
    this.#bytesLeft = size
    this.#expects = size > 0 ? 'chunk' : 'head'
    return next
  }

  #readEnd(bytes: Buffer, offset: number): number {
    const next = this.#afterCrlf(bytes, offset)
    if (next === undefined) return offset
    this.#expects = 'chunk size'
    return next
  }

  /** The offset behind an end of line; `undefined` when it is not in, or something else is. */
  #afterCrlf(bytes: Buffer, offset: number): number | undefined {
    const [first, second] = [bytes[offset], bytes[offset + 1]]
    const isPossible = (first === undefined || first === CR) && (second === undefined || second === LF)
    if (!isPossible) this.#refuse(offset, 400, 'a chunk must end with CRLF, and the body with its last chunk')
    return isPossible && second === LF ? offset + CRLF_BYTES : undefined
  }

  #refuse(offset: number, status: Malformed['status'], message: string): number {
    this.#malformed ??= { status, message }
    return offset
  }
}

/** The value of a field in a head of lower-case letters. */
function findOnly(head: string, start: string): string | 'several' | undefined {
  const at = head.indexOf(start)
  if (at === -1) return undefined
  if (head.indexOf(start, at + start.length) !== -1) return 'several'
  const from = at + start.length
  return head.slice(from, head.indexOf('\r\n', from)).trim()
}
