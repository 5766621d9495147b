import { constants, type ServerHttp2Stream } from 'node:http2'
import type { Answer, HeaderField } from '../../rpc/answer.ts'
import { type BodyBudget, type BodyOwner, type BodyRoom, NO_OWNER } from '../body-budget.ts'
import type { BodyOutcome, Exchange, RequestCount } from '../exchange.ts'
import { isOver } from './is-over.ts'

/** The parts of an exchange. */
export interface Http2ExchangeParts {
  readonly stream: ServerHttp2Stream
  /** Names the connection, for its share of the room for bodies. */
  readonly connection: string
  /** Length of the body according to the head; 0 if absent. */
  readonly announcedBytes: number
  readonly budget: BodyBudget
  readonly count: RequestCount
}

/** One HTTP/2 stream: notices when the client disconnects, and answers at most once. */
export class Http2Exchange implements Exchange {
  readonly #stream: ServerHttp2Stream
  readonly #connection: string
  readonly #announcedBytes: number
  readonly #budget: BodyBudget
  readonly #count: RequestCount
  readonly #onGone: (() => void)[] = []
  #room: BodyRoom | undefined
  #isAnswered = false
  #isCounted = true

  constructor({ stream, connection, announcedBytes, budget, count }: Http2ExchangeParts) {
    this.#stream = stream
    this.#connection = connection
    this.#announcedBytes = announcedBytes
    this.#budget = budget
    this.#count = count
    count.enter()
    // A reset by the client is reported as an error too; `close` follows in every case.
    stream.on('error', () => undefined)
    // After a reset without an error Node.js waits until all of the answer is taken, which will not be.
    stream.once('end', () => {
      if (stream.closed) stream.destroy()
    })
    // The answer is out; there is no need to wait for the end of the body, which the client may leave open.
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

  readBody(bytesMax: number, done: (outcome: BodyOutcome) => void, owner: BodyOwner = NO_OWNER): void {
    // A refusal needs nothing of the body, of which there may never be an end.
    if (bytesMax === 0 || this.#announcedBytes > bytesMax) return done({ refused: 'too_large' })
    const chunks: Buffer[] = []
    let isDone = false
    const end = (outcome: BodyOutcome): void => {
      isDone = true
      this.#room?.rest()
      chunks.length = 0
      done(outcome)
    }
    this.#stream.on('data', (chunk: Buffer) => {
      if (isDone) return
      this.#room ??= this.#openRoom(owner)
      if (!this.#room.take(chunk.length)) return end({ refused: 'no_budget' })
      if (this.#room.bytes > bytesMax) return end({ refused: 'too_large' })
      chunks.push(chunk)
    })
    this.#stream.once('end', () => {
      // A reset ends a body too, wherever it stands.
      if (isDone || isOver(this.#stream)) return
      end({ body: chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks) })
    })
  }

  #openRoom(owner: BodyOwner): BodyRoom {
    return this.#budget.open(owner, {
      connection: this.#connection,
      letGo: () => {
        this.#stream.close(constants.NGHTTP2_ENHANCE_YOUR_CALM)
        this.#stream.destroy()
      },
      keep: () => undefined,
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
    // A client that sends on after its answer must not keep the window full.
    if (!this.#stream.readableEnded) this.#stream.resume()
  }

  #giveBack(): void {
    this.#room?.close()
    this.#room = undefined
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
