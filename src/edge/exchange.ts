import type { HttpResponse } from 'uWebSockets.js'
import type { Answer } from '../rpc/answer.ts'

/** Reason phrases of the status codes that the service uses beyond the ones that uWebSockets.js knows by number. */
const STATUS_LINE: Readonly<Record<number, string>> = {
  200: '200 OK',
  204: '204 No Content',
  400: '400 Bad Request',
  401: '401 Unauthorized',
  403: '403 Forbidden',
  404: '404 Not Found',
  405: '405 Method Not Allowed',
  409: '409 Conflict',
  412: '412 Precondition Failed',
  415: '415 Unsupported Media Type',
  429: '429 Too Many Requests',
  499: '499 Client Closed Request',
  500: '500 Internal Server Error',
  501: '501 Not Implemented',
  502: '502 Bad Gateway',
  503: '503 Service Unavailable',
  504: '504 Gateway Timeout',
}

/** What reading a body came to. */
export type BodyOutcome = { readonly body: Buffer } | { readonly tooLarge: true }

/** Bodies that are being read or worked on, over all connections of the process, in bytes. */
export class BodyBudget {
  readonly #bytesMax: number
  #bytes = 0

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax
  }

  /** Bytes in use. */
  get bytes(): number {
    return this.#bytes
  }

  /** True when no further body should be admitted. */
  get isSpent(): boolean {
    return this.#bytes >= this.#bytesMax
  }

  /** Counts bytes; negative gives them back. */
  add(bytes: number): void {
    this.#bytes += bytes
  }
}

/** One HTTP/1.1 request on uWebSockets.js: knows when the client left, and answers at most once. */
export class Exchange {
  readonly #response: HttpResponse
  readonly #budget: BodyBudget
  readonly #onOver: () => void
  readonly #onGone: (() => void)[] = []
  #bodyBytes = 0
  #isOver = false

  /** `onOver` is called once, when the answer is out or the client left. */
  constructor(response: HttpResponse, budget: BodyBudget, onOver: () => void) {
    this.#response = response
    this.#budget = budget
    this.#onOver = onOver
    response.onAborted(() => {
      if (this.#isOver) return
      this.#finish()
      for (const listener of this.#onGone) listener()
    })
  }

  /** True when the answer is out or the client left: nothing more can be sent. */
  get isOver(): boolean {
    return this.#isOver
  }

  /** Calls back when the client leaves before the answer is out. */
  onGone(listener: () => void): void {
    this.#onGone.push(listener)
  }

  /** Reads the body up to `bytesMax`. Must be called in the same tick as the request came in; calls back once. */
  readBody(bytesMax: number, done: (outcome: BodyOutcome) => void): void {
    let body: Buffer | undefined
    let isDone = false
    this.#response.onData((chunk, isLast) => {
      if (isDone || this.#isOver) return
      const soFar = body?.length ?? 0
      if (soFar + chunk.byteLength > bytesMax) {
        isDone = true
        done({ tooLarge: true })
        return
      }
      // The chunk is only valid during this call.
      const copy = Buffer.from(new Uint8Array(chunk))
      body = body ? Buffer.concat([body, copy]) : copy
      this.#bodyBytes += chunk.byteLength
      this.#budget.add(chunk.byteLength)
      if (!isLast) return
      isDone = true
      done({ body })
    })
  }

  /** Sends a whole answer; does nothing when the client left. */
  answer(answer: Answer): void {
    if (this.#isOver) return
    this.#finish()
    this.#response.cork(() => {
      this.#writeHead(answer.status, answer.headers)
      this.#response.end(answer.body)
    })
  }

  /** Starts an answer of unknown length. */
  begin(status: number, headers: Answer['headers']): void {
    if (this.#isOver) return
    this.#response.cork(() => this.#writeHead(status, headers))
  }

  /** Sends a piece; false means: wait for {@link onWritable} before the next. */
  write(chunk: Buffer): boolean {
    let isTaken = true
    if (!this.#isOver) {
      this.#response.cork(() => {
        isTaken = this.#response.write(chunk)
      })
    }
    return isTaken
  }

  /** Calls back when the client took what was written. */
  onWritable(listener: () => void): void {
    if (this.#isOver) return
    this.#response.onWritable(() => {
      listener()
      return true
    })
  }

  /** Ends an answer of unknown length. */
  end(): void {
    if (this.#isOver) return
    this.#finish()
    this.#response.cork(() => this.#response.end())
  }

  /** Cuts the connection: the only honest end of an answer that broke off. */
  destroy(): void {
    if (this.#isOver) return
    this.#finish()
    this.#response.close()
  }

  #writeHead(status: number, headers: Answer['headers']): void {
    this.#response.writeStatus(STATUS_LINE[status] ?? `${status} Unknown`)
    for (const [name, value] of headers) this.#response.writeHeader(name, value)
  }

  #finish(): void {
    this.#isOver = true
    this.#budget.add(-this.#bodyBytes)
    this.#bodyBytes = 0
    this.#onOver()
  }
}
