import type { ServerHttp2Stream } from 'node:http2'
import type { Answer, HeaderField } from '../../rpc/answer.ts'
import type { BodyBudget, BodyOutcome, Exchange, RequestCount } from '../exchange.ts'
import { isOver } from './is-over.ts'

/** What an exchange is made of. */
export interface Http2ExchangeParts {
  readonly stream: ServerHttp2Stream
  readonly budget: BodyBudget
  readonly count: RequestCount
}

/** One HTTP/2 stream: knows when the client left, and answers at most once. */
export class Http2Exchange implements Exchange {
  readonly #stream: ServerHttp2Stream
  readonly #budget: BodyBudget
  readonly #count: RequestCount
  readonly #onGone: (() => void)[] = []
  #bodyBytes = 0
  #isAnswered = false
  #isCounted = true

  constructor({ stream, budget, count }: Http2ExchangeParts) {
    this.#stream = stream
    this.#budget = budget
    this.#count = count
    count.enter()
    // A reset by the client is reported as an error too; `close` follows in every case.
    stream.on('error', () => undefined)
    // After a reset without an error Node.js waits until all of the answer is taken, which will not be.
    stream.once('end', () => {
      if (stream.closed) stream.destroy()
    })
    // The answer is out; the client may leave the end of its body open, for which nobody has to wait.
    stream.once('finish', () => this.#leave())
    stream.once('close', () => {
      this.#giveBack()
      this.#leave()
      if (!this.#isAnswered) for (const listener of this.#onGone) listener()
    })
  }

  get isOver(): boolean {
    return this.#isAnswered || isOver(this.#stream)
  }

  onGone(listener: () => void): void {
    this.#onGone.push(listener)
  }

  readBody(bytesMax: number, done: (outcome: BodyOutcome) => void): void {
    // A refusal needs nothing of the body, of which there may never be an end.
    if (bytesMax === 0) return done({ refused: 'too_large' })
    const chunks: Buffer[] = []
    let isDone = false
    this.#stream.on('data', (chunk: Buffer) => {
      if (isDone) return
      if (this.#budget.isSpentBeside(this.#bodyBytes)) {
        isDone = true
        chunks.length = 0
        return done({ refused: 'no_budget' })
      }
      this.#bodyBytes += chunk.length
      this.#budget.add(chunk.length)
      chunks.push(chunk)
      if (this.#bodyBytes <= bytesMax) return
      isDone = true
      chunks.length = 0
      done({ refused: 'too_large' })
    })
    this.#stream.once('end', () => {
      // A reset ends a body too, wherever it stands.
      if (isDone || isOver(this.#stream)) return
      isDone = true
      done({ body: chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks) })
    })
  }

  answer(answer: Answer): void {
    if (this.isOver) return
    this.#isAnswered = true
    this.#giveBack()
    const headers = { ':status': answer.status, ...toHeaders(answer.headers) }
    const { trailers } = answer
    if (trailers) {
      this.#stream.once('wantTrailers', () => this.#stream.sendTrailers(toHeaders(trailers)))
      this.#stream.respond(headers, { waitForTrailers: true })
      this.#stream.end(answer.body)
    } else if (answer.body.length === 0) {
      this.#stream.respond(headers, { endStream: true })
    } else {
      this.#stream.respond(headers)
      this.#stream.end(answer.body)
    }
    // A client that sends on after its answer must not fill the window for ever.
    if (!this.#stream.readableEnded) this.#stream.resume()
  }

  #giveBack(): void {
    this.#budget.add(-this.#bodyBytes)
    this.#bodyBytes = 0
  }

  #leave(): void {
    if (!this.#isCounted) return
    this.#isCounted = false
    this.#count.leave()
  }
}

function toHeaders(fields: readonly HeaderField[]): Record<string, string> {
  return Object.fromEntries(fields)
}
