import type { HttpResponse } from 'uWebSockets.js'

/**
 * Bytes that may be written within one `cork`. The library buffers 16 KiB; releases before uWebSockets v20.77 (its change
 * 6b7f354) lose any excess while the socket is full, unless it was sent with `tryEnd`. The rest of the 16 KiB is for the lines
 * that the library adds.
 */
export const CORKED_BYTES_MAX = 15 * 1024

/** Outcome of sending a piece of a body. */
interface SentPiece {
  /** Bytes that need not be sent again. */
  readonly bytes: number
  /** False when the socket is full. */
  readonly isTaken: boolean
  /** The answer is complete; the response must not be used afterwards. */
  readonly isLast: boolean
}

/** The framing of a body, which marks its end. All of it is called within a `cork`. */
export interface Framing {
  /** Bytes of the longest piece that may follow that many bytes of a head. */
  pieceBytesMax(headBytes: number): number
  send(piece: Buffer): SentPiece
  /** Sends what follows the last piece; false when its last byte ends a body. */
  finish(): boolean
}

/** Announces the length: the library takes as much as the socket has room for and copies none of the rest. */
export function sized(response: HttpResponse, length: number): Framing {
  return {
    pieceBytesMax: () => Number.POSITIVE_INFINITY,
    send: (piece) => {
      const offset = response.getWriteOffset()
      const [isTaken, isLast] = response.tryEnd(piece, length)
      const bytes = isLast ? piece.length : response.getWriteOffset() - offset
      return { bytes, isTaken, isLast }
    },
    finish: () => {
      if (length === 0) response.end()
      return length === 0
    },
  }
}

/**
 * Sends chunks. The library accepts every piece, and reports a full socket with the next one, so it never holds more than
 * two pieces and a head.
 */
export function chunked(response: HttpResponse): Framing {
  return {
    pieceBytesMax: (headBytes) => CORKED_BYTES_MAX - headBytes,
    send: (piece) => ({ bytes: piece.length, isTaken: response.write(piece), isLast: false }),
    finish: () => {
      response.end()
      return true
    },
  }
}

/** A head alone, which may give the length that a body would have. */
export function bodiless(response: HttpResponse, length: number | undefined): Framing {
  return {
    pieceBytesMax: () => Number.POSITIVE_INFINITY,
    send: (piece) => ({ bytes: piece.length, isTaken: true, isLast: false }),
    finish: () => {
      // With a length as its argument the library closes the connection after the answer.
      if (length !== undefined) response.writeHeader('content-length', String(length))
      response.endWithoutBody()
      return true
    },
  }
}

/** The head of an answer; shorter than {@link CORKED_BYTES_MAX}. */
export interface AnswerHead {
  readonly bytes: number
  /** Called within a `cork`. */
  write(): void
}

/** Options for sending a body. */
export interface AnswerBodyParts {
  readonly response: HttpResponse
  readonly framing: Framing
  readonly head: AnswerHead
  /** Called when the library has the whole answer. */
  readonly onDone: () => void
  /** Called when there is room after {@link AnswerBody.write} answered false. */
  readonly onWritable: () => void
}

/** The body of one answer, which waits here while the client takes nothing. */
export class AnswerBody {
  readonly #parts: AnswerBodyParts
  #head: AnswerHead | undefined
  #unsent: Buffer[] = []
  #isWaiting = false
  #isWatched = false
  #isEnding = false
  #isOver = false

  constructor(parts: AnswerBodyParts) {
    this.#parts = parts
    this.#head = parts.head
  }

  /** Sends a chunk, which must not change afterwards; false means to wait for `onWritable` before the next. */
  write(chunk: Buffer): boolean {
    if (this.#isOver) return true
    if (chunk.length > 0) this.#unsent.push(chunk)
    this.#send()
    return !this.#isWaiting
  }

  /** Nothing follows. */
  end(): void {
    if (this.#isOver) return
    this.#isEnding = true
    this.#send()
  }

  /** The client left. */
  drop(): void {
    this.#isOver = true
    this.#unsent = []
  }

  #send(): void {
    for (let chunk = this.#unsent[0]; chunk && !this.#isWaiting; chunk = this.#unsent[0]) {
      const { bytes, isTaken, isLast } = this.#sendPiece(chunk)
      if (isLast) return this.#finish()
      if (bytes === chunk.length) this.#unsent.shift()
      else this.#unsent[0] = chunk.subarray(bytes)
      this.#isWaiting = !isTaken
      this.#watch()
    }
    if (this.#isEnding && this.#unsent.length === 0 && this.#corked(({ finish }) => finish())) this.#finish()
  }

  #sendPiece(chunk: Buffer): SentPiece {
    const bytesMax = this.#parts.framing.pieceBytesMax(this.#head?.bytes ?? 0)
    return this.#corked(({ send }) => send(chunk.subarray(0, bytesMax)))
  }

  /** The head goes out with the first bytes of the body. */
  #corked<T>(write: (framing: Framing) => T): T {
    const { response, framing } = this.#parts
    const results: T[] = []
    response.cork(() => {
      this.#head?.write()
      this.#head = undefined
      results.push(write(framing))
    })
    return results[0] as T
  }

  /**
   * Set from the first piece on, because the library does not report whether all of a `cork` went out. Without a handler it
   * sends the rest by itself, and closes the connection if nothing follows within ten seconds.
   */
  #watch(): void {
    if (this.#isWatched) return
    this.#isWatched = true
    this.#parts.response.onWritable(() => {
      this.#resume()
      return true
    })
  }

  #resume(): void {
    if (this.#isOver) return
    const hasWaited = this.#isWaiting
    this.#isWaiting = false
    // An empty cork flushes the library's buffer, and makes it call again if bytes remain.
    if (this.#unsent.length === 0) this.#parts.response.cork(() => undefined)
    else this.#send()
    if (hasWaited && !this.#isWaiting) this.#parts.onWritable()
  }

  #finish(): void {
    this.drop()
    this.#parts.onDone()
  }
}
