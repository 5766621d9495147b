import type { HttpRequest, HttpResponse } from 'uWebSockets.js'
import type { Answer } from '../../rpc/answer.ts'
import { type BodyBudget, type BodyOwner, type BodyRoom, NO_OWNER } from '../body-budget.ts'
import { BodyPieces } from '../body-pieces.ts'
import type { BodyOutcome, Exchange, RequestCount } from '../exchange.ts'
import { AnswerBody, type AnswerHead, bodiless, CORKED_BYTES_MAX, chunked, sized } from './answer-body.ts'

/** Reason phrases of the status codes that uWebSockets.js does not have by number. */
const STATUS_LINE: Readonly<Record<number, string>> = {
  200: '200 OK',
  204: '204 No Content',
  304: '304 Not Modified',
  400: '400 Bad Request',
  401: '401 Unauthorized',
  403: '403 Forbidden',
  404: '404 Not Found',
  405: '405 Method Not Allowed',
  409: '409 Conflict',
  412: '412 Precondition Failed',
  415: '415 Unsupported Media Type',
  429: '429 Too Many Requests',
  431: '431 Request Header Fields Too Large',
  499: '499 Client Closed Request',
  500: '500 Internal Server Error',
  501: '501 Not Implemented',
  502: '502 Bad Gateway',
  503: '503 Service Unavailable',
  504: '504 Gateway Timeout',
}

const EMPTY = Buffer.alloc(0)

/** Bytes of a UTF-8 character at most, for each unit of a string. */
const BYTES_PER_UNIT = 3

/** Bytes of a field around its name and value. */
const FIELD_BYTES = 4

/** Milliseconds that a refusal which closes the connection waits for the rest of the body. */
const WITHHELD_MS = 2000

/** The beginning of an answer that is sent in pieces. */
export interface AnswerStart {
  readonly status: number
  readonly headers: Answer['headers']
  /** Bytes of its body; `undefined` while unknown. */
  readonly length: number | undefined
  /** False for an answer that ends with its head, regardless of its length. */
  readonly hasBody: boolean
  /** Called when there is room after {@link Http1Exchange.write} answered false. */
  readonly onWritable: () => void
}

/** The parts of an exchange; the request is only read while it is created. */
export interface Http1ExchangeParts {
  readonly response: HttpResponse
  readonly request: HttpRequest
  readonly budget: BodyBudget
  readonly count: RequestCount
  /** True when no further request of the connection may be read. */
  readonly isLast?: boolean
}

/** One HTTP/1.1 request on uWebSockets.js: notices when the client disconnects, and answers at most once. */
export class Http1Exchange implements Exchange {
  readonly #response: HttpResponse
  readonly #budget: BodyBudget
  readonly #count: RequestCount
  /** Length of the body according to the head; 0 if absent. */
  readonly #announcedBytes: number
  /** The connection is closed with the answer: the client asked for it, or {@link #closes}. */
  readonly #isLastOfConnection: boolean
  readonly #closes: boolean
  #onGone: (() => void)[] | undefined
  /** Of a body that came in one piece. */
  #bodyBytes = 0
  /** Of a body that comes in pieces. */
  #room: BodyRoom | undefined
  #isBodyIn = false
  #isOver = false
  #withheld: Answer | undefined
  #withholding: NodeJS.Timeout | undefined
  #body: AnswerBody | undefined

  constructor({ response, request, budget, count, isLast = false }: Http1ExchangeParts) {
    this.#response = response
    this.#budget = budget
    this.#count = count
    this.#announcedBytes = Number(request.getHeader('content-length'))
    this.#closes = isLast
    this.#isLastOfConnection = isLast || request.getHeader('connection').toLowerCase() === 'close'
    count.enter()
    response.onAborted(() => this.#abort())
    if (this.#isLastOfConnection) response.onData((_, isLast) => this.#bodyComes(isLast))
  }

  get isOver(): boolean {
    return this.#isOver
  }

  onGone(listener: () => void): void {
    this.#onGone = [...(this.#onGone ?? []), listener]
  }

  readBody(bytesMax: number, done: (outcome: BodyOutcome) => void, owner: BodyOwner = NO_OWNER): void {
    // Without a listener the library skips the body, and after ten seconds closes the connection of a client that sends on.
    if (this.#announcedBytes > bytesMax) return done({ refused: 'too_large' })
    let pieces: BodyPieces | undefined
    let isDone = false
    const end = (outcome: BodyOutcome): void => {
      isDone = true
      this.#room?.rest()
      done(outcome)
    }
    this.#response.onData((chunk, isLast) => {
      this.#bodyComes(isLast)
      if (isDone || this.#isOver) return
      const { byteLength } = chunk
      const isWhole = isLast && this.#room === undefined
      if (!(isWhole ? this.#takeWhole(byteLength) : this.#takePiece(byteLength, owner)))
        return end({ refused: 'no_budget' })
      if ((this.#room?.bytes ?? byteLength) > bytesMax) return end({ refused: 'too_large' })
      // The chunk is only valid during this call.
      const bytes = byteLength === 0 ? EMPTY : Buffer.from(chunk)
      if (isWhole) return end({ body: bytes })
      pieces ??= new BodyPieces()
      pieces.add(bytes)
      if (isLast) pieces.use((body) => end({ body }))
    })
  }

  #takeWhole(bytes: number): boolean {
    if (bytes > 0 && this.#budget.isSpent) return false
    this.#bodyBytes = bytes
    this.#budget.add(bytes)
    return true
  }

  #takePiece(bytes: number, owner: BodyOwner): boolean {
    this.#room ??= this.#budget.open(owner, {
      connection: undefined,
      letGo: () => this.destroy(),
      keep: () => this.#keepOpen(),
    })
    return this.#room.take(bytes)
  }

  /** The library drops clients that send less than 16 KB a second, and starts counting again after a pause. */
  #keepOpen(): void {
    if (this.#isOver) return
    this.#response.pause()
    this.#response.resume()
  }

  answer(answer: Answer): void {
    this.#afterParsing(() => {
      if (this.#isLastOfConnection && !this.#isBodyIn) this.#withhold(answer)
      else this.#send(answer)
    })
  }

  /** The library cuts a connection that brings the next request before the answer to its last one, and only then. */
  #afterParsing(proceed: () => void): void {
    const unlessOver = (): void => {
      if (!this.#isOver && !this.#body) proceed()
    }
    if (this.#closes) setImmediate(unlessOver)
    else unlessOver()
  }

  /**
   * Withholds a refusal until the body has arrived, which is discarded: closing a connection while bytes are on their
   * way resets it, and the answer may be lost. The wait is bounded.
   */
  #withhold(answer: Answer): void {
    this.#withheld = answer
    this.#withholding = setTimeout(() => this.#sendWithheld(), WITHHELD_MS)
    this.#isOver = true
    this.#giveBack()
  }

  #bodyComes(isLast: boolean): void {
    if (!isLast) return
    this.#isBodyIn = true
    this.#sendWithheld()
  }

  #sendWithheld(): void {
    clearTimeout(this.#withholding)
    const answer = this.#withheld
    if (!answer) return
    this.#withheld = undefined
    this.#isOver = false
    this.#afterParsing(() => this.#send(answer))
  }

  #abort(): void {
    if (this.#withheld) {
      clearTimeout(this.#withholding)
      this.#withheld = undefined
      this.#count.leave()
    }
    if (this.#isOver) return
    this.#body?.drop()
    this.#finish()
    for (const listener of this.#onGone ?? []) listener()
  }

  #send(answer: Answer): void {
    const { status, headers, body } = answer
    const bytesMax = typeof body === 'string' ? body.length * BYTES_PER_UNIT : body.length
    if (headBytes(headers) + bytesMax > CORKED_BYTES_MAX) return this.#sendLong(answer)
    this.#finish()
    this.#response.cork(() => {
      this.#writeHead(status, headers)
      // With the flag the library adds `Connection: close` by itself.
      this.#response.end(body, this.#isClosing)
    })
  }

  #sendLong({ status, headers, body }: Answer): void {
    const bytes = Buffer.from(body)
    this.begin({ status, headers, length: bytes.length, hasBody: true, onWritable: () => undefined })
    this.write(bytes)
    this.end()
  }

  /** Starts an answer that comes in pieces. Nothing goes out before the first. */
  begin({ status, headers, length, hasBody, onWritable }: AnswerStart): void {
    if (this.#isOver || this.#body) return
    this.#stopReading()
    const response = this.#response
    const framing = length === undefined ? chunked(response) : sized(response, length)
    this.#body = new AnswerBody({
      response,
      framing: hasBody ? framing : bodiless(response, length),
      head: this.#headOf(status, headers),
      onDone: () => this.#finish(),
      onWritable,
    })
  }

  /** Sends a piece; false means: wait for `onWritable` before the next. */
  write(chunk: Buffer): boolean {
    return this.#body?.write(chunk) ?? true
  }

  /** Ends an answer that came in pieces. */
  end(): void {
    this.#stopReading()
    this.#body?.end()
  }

  /** Cuts the connection: the only honest end of an answer that broke off. */
  destroy(): void {
    if (this.#isOver) return
    this.#body?.drop()
    this.#finish()
    this.#response.close()
  }

  /**
   * The library cannot close a connection at the end of a chunked answer. Instead reading stops, which a full socket
   * undoes, and the keep-alive timeout closes the connection.
   */
  #stopReading(): void {
    if (this.#closes && !this.#isOver) this.#response.pause()
  }

  get #isClosing(): boolean {
    return this.#closes || this.#count.isDraining
  }

  #headOf(status: number, headers: Answer['headers']): AnswerHead {
    const fields: Answer['headers'] = this.#isClosing ? [...headers, ['connection', 'close']] : headers
    const bytes = headBytes(fields)
    if (bytes <= CORKED_BYTES_MAX / 2) return { bytes, write: () => this.#writeHead(status, fields) }
    this.#response.cork(() => this.#writeHead(status, []))
    for (const field of fields) this.#response.cork(() => this.#writeHead(status, [field]))
    return { bytes: 0, write: () => undefined }
  }

  #writeHead(status: number, headers: Answer['headers']): void {
    // 200 is what uWebSockets.js writes by itself.
    if (status !== 200) this.#response.writeStatus(STATUS_LINE[status] ?? `${status} Unknown`)
    for (const [name, value] of headers) this.#response.writeHeader(name, value)
  }

  #finish(): void {
    this.#isOver = true
    this.#giveBack()
    this.#count.leave()
  }

  #giveBack(): void {
    this.#budget.add(-this.#bodyBytes)
    this.#bodyBytes = 0
    this.#room?.close()
    this.#room = undefined
  }
}

/** Bytes of header fields as they are sent. */
function headBytes(headers: Answer['headers']): number {
  let bytes = 0
  for (const [name, value] of headers) bytes += name.length + value.length * BYTES_PER_UNIT + FIELD_BYTES
  return bytes
}
