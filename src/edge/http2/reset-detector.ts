import { constants, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2'
import { monotonicMs } from '../../kernel/clock.ts'
import { isOver } from './is-over.ts'

/** Calls that a client may give up at once on a connection, and each second. People and their programs give up a few. */
const BURST = 100
const PER_SECOND = 20

/**
 * Limits of the library itself, which reads up to 64 KiB before any handler here runs: a thousand calls in one read took a
 * quarter of a second. It closes the connection with `INTERNAL_ERROR` instead of `ENHANCE_YOUR_CALM`.
 */
export const LIBRARY_RESETS = { streamResetBurst: 150, streamResetRate: 20 }

/** Closes a connection on which calls are begun and given up again and again: each costs more than it cost the client. */
export class ResetDetector {
  readonly #session: ServerHttp2Session
  #left = BURST
  #countedMs = monotonicMs()

  constructor(session: ServerHttp2Session) {
    this.#session = session
  }

  /** Watches a call; false when it has already ended and needs no work. */
  admit(stream: ServerHttp2Stream): boolean {
    if (!isOver(stream) && !stream.aborted && !this.#session.destroyed) {
      stream.once('aborted', () => this.#count())
      return true
    }
    stream.on('error', () => undefined)
    stream.destroy()
    this.#count()
    return false
  }

  #count(): void {
    const nowMs = monotonicMs()
    this.#left = Math.min(BURST, this.#left + ((nowMs - this.#countedMs) / 1000) * PER_SECOND) - 1
    this.#countedMs = nowMs
    if (this.#left < 0 && !this.#session.destroyed)
      this.#session.destroy(new Error('too many calls were reset'), constants.NGHTTP2_ENHANCE_YOUR_CALM)
  }
}
