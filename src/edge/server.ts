import {
  App,
  type HttpRequest,
  type HttpResponse,
  type TemplatedApp,
  type us_listen_socket,
  us_listen_socket_close,
} from 'uWebSockets.js'
import { errorAnswer, jsonAnswer } from '../rpc/answer.ts'
import { chooseRequestId, REQUEST_ID_HEADER } from '../rpc/request-id.ts'
import { BATCH_CREATE_PATH, type BatchCreate, type BatchCreateHead } from './batch-create.ts'
import { type BodyBudget, Exchange } from './exchange.ts'
import type { Forwarder } from './forward.ts'
import type { Readiness } from './readiness.ts'
import { bodyTooLarge } from './refusals.ts'

/** What the HTTP/1.1 front is made of. */
export interface EdgeServerOptions {
  readonly batchCreate: BatchCreate
  readonly forwarder: Forwarder
  readonly readiness: Readiness
  readonly budget: BodyBudget
  readonly bodyBytesMax: number
  readonly errorDomain: string
}

/** `LIBUS_LISTEN_EXCLUSIVE_PORT`: without it two processes could listen on one port, each with a part of the traffic. */
const EXCLUSIVE_PORT = 1

/** The overload with a host and options, which the library has and its types leave out. */
interface ListensExclusively {
  listen(
    host: string,
    port: number,
    options: number,
    done: (socket: us_listen_socket | false) => void,
  ): unknown
}

/** The public HTTP/1.1 address: ingestion is served here, everything else is forwarded. */
export class EdgeServer {
  readonly #options: EdgeServerOptions
  readonly #app: TemplatedApp
  #socket: us_listen_socket | undefined
  #inFlight = 0
  #onIdle: (() => void) | undefined

  constructor(options: EdgeServerOptions) {
    this.#options = options
    this.#app = App()
      .get('/healthz', (response) => this.#track(response).answer(jsonAnswer(200, { status: 'ok' })))
      .get('/readyz', (response) => void this.#answerReadiness(this.#track(response)))
      .post(BATCH_CREATE_PATH, (response, request) => this.#ingest(this.#track(response), request))
      .any('/*', (response, request) => this.#forward(this.#track(response), response, request))
  }

  /** Listens; false when the port is taken. */
  async listen(host: string, port: number): Promise<boolean> {
    const app = this.#app as unknown as ListensExclusively
    return await new Promise((resolve) => {
      app.listen(host, port, EXCLUSIVE_PORT, (socket) => {
        this.#socket = socket || undefined
        resolve(this.#socket !== undefined)
      })
    })
  }

  /** Stops accepting and resolves when every request that came in is answered. */
  async drain(): Promise<void> {
    this.#options.readiness.stop()
    if (this.#socket) us_listen_socket_close(this.#socket)
    this.#socket = undefined
    if (this.#inFlight > 0) {
      await new Promise<void>((resolve) => {
        this.#onIdle = resolve
      })
    }
    this.#app.close()
  }

  #track(response: HttpResponse): Exchange {
    this.#inFlight++
    return new Exchange(response, this.#options.budget, () => {
      this.#inFlight--
      if (this.#inFlight === 0) this.#onIdle?.()
    })
  }

  async #answerReadiness(exchange: Exchange): Promise<void> {
    const missing = await this.#options.readiness.missing()
    exchange.answer(jsonAnswer(missing.length === 0 ? 200 : 503, { ready: missing.length === 0, missing }))
  }

  #ingest(exchange: Exchange, request: HttpRequest): void {
    const { batchCreate, bodyBytesMax } = this.#options
    const head = readHead(request)
    const refusal = batchCreate.refuseEarly(head)
    exchange.readBody(refusal ? 0 : bodyBytesMax, (outcome) => {
      if (refusal) exchange.answer(refusal)
      else if ('tooLarge' in outcome) exchange.answer(batchCreate.refuseTooLarge(head))
      else void batchCreate.handle(head, outcome.body).then((answer) => exchange.answer(answer))
    })
  }

  #forward(exchange: Exchange, response: HttpResponse, request: HttpRequest): void {
    const { forwarder, bodyBytesMax, errorDomain } = this.#options
    const headers: [string, string][] = []
    request.forEach((name, value) => {
      headers.push([name, value])
    })
    const query = request.getQuery()
    const forwarded = {
      method: request.getCaseSensitiveMethod(),
      target: query ? `${request.getUrl()}?${query}` : request.getUrl(),
      headers,
      peer: Buffer.from(response.getRemoteAddressAsText()).toString('latin1'),
      requestId: chooseRequestId(request.getHeader(REQUEST_ID_HEADER) || undefined),
    }
    exchange.readBody(bodyBytesMax, (outcome) => {
      if ('body' in outcome) forwarder.forward({ ...forwarded, body: outcome.body }, exchange)
      else
        exchange.answer(
          errorAnswer(bodyTooLarge(bodyBytesMax), { requestId: forwarded.requestId, domain: errorDomain }),
        )
    })
  }
}

function readHead(request: HttpRequest): BatchCreateHead {
  return {
    requestId: chooseRequestId(request.getHeader(REQUEST_ID_HEADER) || undefined),
    apiKey: request.getHeader('x-api-key'),
    contentType: request.getHeader('content-type'),
    contentEncoding: request.getHeader('content-encoding'),
    protocolVersion: request.getHeader('connect-protocol-version'),
  }
}
