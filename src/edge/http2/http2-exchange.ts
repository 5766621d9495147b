import type { ServerHttp2Stream } from 'node:http2'
import type { Answer, HeaderField } from '../../rpc/answer.ts'
import type { BodyBudget, BodyOutcome, Exchange, RequestCount } from '../exchange.ts'

/** One HTTP/2 stream: knows when the client left, and answers at most once. */
export class Http2Exchange implements Exchange {
  readonly #stream: ServerHttp2Stream
  readonly #budget: BodyBudget
  readonly #onGone: (() => void)[] = []
  #bodyBytes = 0
  #isAnswered = false

  constructor(stream: ServerHttp2Stream, budget: BodyBudget, count: RequestCount) {
    this.#stream = stream
    this.#budget = budget
    count.enter()
    // A reset by the client is reported as an error too; `close` follows in every case.
    stream.on('error', () => undefined)
    stream.once('close', () => {
      budget.add(-this.#bodyBytes)
      count.leave()
      if (!this.#isAnswered) for (const listener of this.#onGone) listener()
    })
  }

  get isOver(): boolean {
    return this.#isAnswered || this.#stream.destroyed
  }

  onGone(listener: () => void): void {
    this.#onGone.push(listener)
  }

  readBody(bytesMax: number, done: (outcome: BodyOutcome) => void): void {
    const chunks: Buffer[] = []
    let isDone = false
    this.#stream.on('data', (chunk: Buffer) => {
      if (isDone) return
      if (this.#budget.isSpent) {
        isDone = true
        return done({ refused: 'no_budget' })
      }
      this.#bodyBytes += chunk.length
      this.#budget.add(chunk.length)
      chunks.push(chunk)
      if (this.#bodyBytes <= bytesMax) return
      isDone = true
      done({ refused: 'too_large' })
    })
    this.#stream.once('end', () => {
      if (isDone || this.#stream.destroyed) return
      isDone = true
      done({ body: chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks) })
    })
  }

  answer(answer: Answer): void {
    if (this.isOver) return
    this.#isAnswered = true
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
}

function toHeaders(fields: readonly HeaderField[]): Record<string, string> {
  return Object.fromEntries(fields)
}
