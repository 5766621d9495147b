import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2'
import {
  type ConnectError,
  type ConnectRouter,
  createConnectRouter,
  createContextValues,
} from '@connectrpc/connect'
import type { UniversalHandlerFn, UniversalServerResponse } from '@connectrpc/connect/protocol'
import { universalRequestFromNodeRequest, universalResponseToNodeResponse } from '@connectrpc/connect-node'
import { Health } from '../contract/gen/grpc/health/v1/health_pb.js'
import { SERVICES } from '../contract/gen/services.js'
import { INGESTION_SERVICES } from '../contract/ingestion-services.ts'
import { monotonicMs } from '../kernel/clock.ts'
import { activeTracer, type Span } from '../kernel/tracing.ts'
import { type Answer, errorAnswer } from '../rpc/answer.ts'
import { type CallOutcome, edgeNotesKey, outcomeKey, requestIdKey } from '../rpc/call-context.ts'
import { CONNECT_COMPRESSIONS } from '../rpc/connect-adapter/compression.ts'
import { adaptHandler } from '../rpc/connect-adapter/handler.ts'
import { type AllowedOrigins, preflightAnswer } from '../rpc/cors.ts'
import { type EdgeNotes, edgeNoteHeaders } from '../rpc/edge-notes.ts'
import { MCP_PATH } from '../rpc/json-rpc-error.ts'
import type { NodeEndpoint } from '../rpc/node-endpoint.ts'
import { refuseUnknownMethod } from '../rpc/open-unary-call.ts'
import { invalidHost } from '../rpc/protocol-errors.ts'
import { LIVENESS, type Readiness } from '../rpc/readiness.ts'
import { registerReflection } from '../rpc/reflection.ts'
import { chooseRequestId, REQUEST_ID_HEADER } from '../rpc/request-id.ts'
import { countRequest, methodLabel, startRpcSpan, UNKNOWN_METHOD } from '../rpc/request-telemetry.ts'
import { EVERY_PATH, type Route, Router, route } from '../rpc/router.ts'
import { ServiceHealth } from '../rpc/service-health.ts'
import type { AssetRequest } from './console/asset-answer.ts'
import { createConsole, type SignInProvider } from './console/console.ts'
import type { IsEmbeddable } from './console/embed-page.ts'
import { createSessionEndpoints } from './console/session-endpoint.ts'
import { type CallCheckOptions, createGate, createInterceptors } from './http/call-checks.ts'
import type { McpEndpointOptions } from './mcp/mcp-endpoint.ts'
import './mcp/tool-metrics.ts'
import { createSdkScripts } from './sdk-script.ts'

/** Dependencies of the RPCs of the query process. */
export interface RpcListenerOptions extends CallCheckOptions {
  /** Registers services; other methods answer `unimplemented`. */
  readonly services: readonly ((router: ConnectRouter) => void)[]
  /** Readiness of the process, for load balancers. */
  readonly readiness: Readiness
  readonly bodyBytesMax: number
  /** Upper bound of a caller's own timeout, in seconds. */
  readonly longestCallSeconds: number
  /** URL of the service for browsers. */
  readonly publicUrl: string
  /** `SERVICE_CORS_ORIGINS`. */
  readonly allowedOrigins?: AllowedOrigins
  /** OAuth client for sign-in with Google; absent when it is not configured. */
  readonly googleClientId?: string | undefined
  /** The OpenID Connect providers that the sign-in page offers. */
  readonly providers?: readonly SignInProvider[]
  /** Whether pages of other sites may show a shared dashboard in a frame. */
  readonly isEmbeddable: IsEmbeddable
  /** Whether every call comes through an edge of this machine, which holds delayed answers. */
  readonly isBehindEdge: boolean
  /** Further endpoints by path, which are no methods. */
  readonly endpoints?: ReadonlyMap<string, UniversalHandlerFn>
  /** Endpoints that answer requests of node:http themselves, by the path of their route. */
  readonly nodeEndpoints?: ReadonlyMap<string, NodeEndpoint>
  /** Where assistants learn how to connect to `/mcp`; absent when they cannot. */
  readonly resourceMetadataUrl?: string | undefined
  /** The release of this service. */
  readonly version: string
}

/** Answers requests of node:http and node:http2 alike. */
export type RpcListener = (
  request: IncomingMessage | Http2ServerRequest,
  response: ServerResponse | Http2ServerResponse,
) => void

/** Seconds on top of the longest call for the work around it. */
const TIMEOUT_MARGIN_SECONDS = 5

/** The first request loads the endpoint: its packages and the schemas of the tools take a tenth of a start. */
function createLateMcpEndpoint(options: McpEndpointOptions): UniversalHandlerFn {
  let endpoint: Promise<UniversalHandlerFn> | undefined
  return async (request) => {
    endpoint ??= import('./mcp/mcp-endpoint.ts').then(({ createMcpEndpoint }) => createMcpEndpoint(options))
    return await (await endpoint)(request)
  }
}

/** Creates the listener that serves every method in every protocol, and those that are tools as tools too. */
export function createRpcListener(options: RpcListenerOptions): RpcListener {
  const { errorDomain, log } = options
  const routes = createRouter(createCalls(options), options)
  return (request, response) => {
    const startedMs = monotonicMs()
    const path = (request.url ?? '').split('?', 1)[0] ?? ''
    const sent = request.headers[REQUEST_ID_HEADER]
    const requestId = chooseRequestId(typeof sent === 'string' ? sent : undefined)
    request.headers[REQUEST_ID_HEADER] = requestId
    const target = routes.find(request.method ?? '', path)
    if (target.kind === 'page') return void sendPage(target.answer, path, { request, response })
    if (!hasValidHost(request)) {
      countRequest({ method: methodLabel(path), code: 'invalid_argument', startedMs })
      return send(errorAnswer(invalidHost(), { requestId, domain: errorDomain }), response)
    }
    if (target.kind === 'call')
      return serveCall(target.serve, { request, response, path, requestId, startedMs }, options)
    void target.serve(request, response).catch((error: unknown) => {
      log.error({ requestId, err: error }, 'a request failed outside of its endpoint')
      response.destroy()
    })
  }
}

/** The handlers of everything that is called, by path: methods in every protocol, and the endpoints beside them. */
function createCalls(options: RpcListenerOptions): ReadonlyMap<string, UniversalHandlerFn> {
  const timeoutMsMax = (options.longestCallSeconds + TIMEOUT_MARGIN_SECONDS) * 1000
  const { bodyBytesMax, errorDomain, log, allowedOrigins } = options
  const router = createConnectRouter({
    requestGate: createGate(options),
    interceptors: createInterceptors(options),
    acceptCompression: [...CONNECT_COMPRESSIONS],
    readMaxBytes: bodyBytesMax,
    // Unknown fields would take an object each and are never read.
    binaryOptions: { readUnknownFields: false },
    maxTimeoutMs: timeoutMsMax,
  })
  for (const register of options.services) register(router)
  registerForTools(router, options.readiness)
  const onUnexpected = (cause: ConnectError, requestId: string): void =>
    log.error({ requestId, err: cause }, 'a call failed outside of its handler')
  const bounds = { domain: errorDomain, bytesMax: bodyBytesMax, timeoutMsMax, allowedOrigins, onUnexpected }
  const methods = new Map<string, UniversalHandlerFn>(
    router.handlers.map((handler) => [handler.requestPath, adaptHandler(handler, bounds)]),
  )
  return new Map([
    ...methods,
    ...createSessionEndpoints({ ...options, handlers: methods, timeoutMsMax }),
    [MCP_PATH, createLateMcpEndpoint({ ...options, handlers: methods, timeoutMsMax })] as const,
    ...createSdkScripts(),
    ...(options.endpoints ?? []),
  ])
}

/** A request that is a call, and its response. */
interface ReceivedCall extends ReceivedRequest {
  readonly path: string
  readonly requestId: string
  readonly startedMs: number
}

/** Answers a call, and counts and traces it. */
function serveCall(
  serve: UniversalHandlerFn,
  { request, response, path, requestId, startedMs }: ReceivedCall,
  { isBehindEdge, log }: RpcListenerOptions,
): void {
  const outcome: CallOutcome = { code: 'ok' }
  const notes: EdgeNotes | undefined = isBehindEdge ? { holdMs: 0, isVerified: false } : undefined
  const values = createContextValues()
    .set(requestIdKey, requestId)
    .set(outcomeKey, outcome)
    .set(edgeNotesKey, notes)
  const span = startSpan(path, requestId, request)
  const run = () => serve(universalRequestFromNodeRequest(request, response, undefined, values))
  const tracer = activeTracer()
  const answered = span && tracer ? tracer.within(span, run) : run()
  answered
    .then((answer) => universalResponseToNodeResponse(withNotes(answer, notes), response))
    .catch((error: unknown) =>
      log.debug({ requestId, err: error }, 'the client left before its answer was sent'),
    )
  // The library does not report that it has sent an answer.
  response.once('close', () => {
    const code = response.writableEnded ? outcome.code : 'canceled'
    countRequest({ method: methodLabel(path), code, startedMs })
    span?.set({ 'rpc.response.status_code': code })
    span?.end(code)
  })
}

function withNotes(answer: UniversalServerResponse, notes: EdgeNotes | undefined): UniversalServerResponse {
  const fields = notes ? edgeNoteHeaders(notes) : []
  if (fields.length === 0) return answer
  const header = new Headers(answer.header)
  for (const [name, value] of fields) header.set(name, value)
  return { ...answer, header }
}

/** Health checks and reflection, for gRPC tools. */
function registerForTools(router: ConnectRouter, readiness: Readiness): void {
  const health = new ServiceHealth({ readiness, independent: [] })
  router.service(Health, {
    check: async (request) => await health.check(request),
    list: async () => await health.list(),
    watch: (request, { signal }) => health.watch(request, signal),
  })
  const served = new Set(router.handlers.map(({ service }) => service))
  // The edge serves these, and they are part of the same interface.
  registerReflection(router, [...served, ...INGESTION_SERVICES.map((name) => SERVICES[name])])
}

/** The library parses the URL of every request, and throws from an event handler when that fails. */
function hasValidHost(request: IncomingMessage | Http2ServerRequest): boolean {
  const host = 'authority' in request ? request.authority : request.headers.host
  return host !== undefined && URL.canParse(`http://${host}`)
}

/** `undefined` when tracing is off. */
function startSpan(
  path: string,
  requestId: string,
  { headers }: IncomingMessage | Http2ServerRequest,
): Span | undefined {
  const tracer = activeTracer()
  if (!tracer) return undefined
  const span = startRpcSpan(tracer, path, { header: (name) => headers[name]?.toString() })
  span.set({ 'millrace.request_id': requestId })
  return span
}

/** Answers a request from its head. */
type AnswerPage = (head: AssetRequest) => Answer | Promise<Answer>

/** The handler of a request: a call has a body and an outcome, a page is answered from its head, and the rest answers by itself. */
type RpcTarget =
  | { readonly kind: 'call'; readonly serve: UniversalHandlerFn }
  | { readonly kind: 'page'; readonly answer: AnswerPage }
  | { readonly kind: 'node'; readonly serve: NodeEndpoint }

/** The routes of the query process. Other requests are for files of the console, or for an unknown method. */
function createRouter(
  calls: ReadonlyMap<string, UniversalHandlerFn>,
  options: RpcListenerOptions,
): Router<RpcTarget> {
  const { errorDomain, readiness, allowedOrigins } = options
  const serveConsole = createConsole(options)
  const preflight: AnswerPage = ({ path, header }) =>
    preflightAnswer({ path, origin: header('origin') ?? '' }, allowedOrigins)
  const fileOrRefusal: AnswerPage = (head) => {
    const file = serveConsole(head)
    if (file) return file
    countRequest({ method: UNKNOWN_METHOD, code: 'unimplemented', startedMs: monotonicMs() })
    return refuseUnknownMethod(head, { domain: errorDomain, allowedOrigins }).answer
  }
  const routes: Route<RpcTarget>[] = [
    route('OPTIONS', EVERY_PATH, { kind: 'page', answer: preflight }),
    route('any', '/healthz', { kind: 'page', answer: () => LIVENESS }),
    route('any', '/readyz', { kind: 'page', answer: async () => await readiness.answer() }),
    ...Array.from(calls, ([path, serve]) => route<RpcTarget>('any', path, { kind: 'call', serve })),
    ...Array.from(options.nodeEndpoints ?? [], ([path, serve]) =>
      route<RpcTarget>('any', path, { kind: 'node', serve }),
    ),
  ]
  return new Router(routes, { kind: 'page', answer: fileOrRefusal })
}

async function sendPage(
  answer: AnswerPage,
  path: string,
  { request, response }: ReceivedRequest,
): Promise<void> {
  const header = (name: string): string | undefined => request.headers[name]?.toString()
  send(await answer({ method: request.method ?? '', path, header }), response)
}

/** A request and its response, of either server. */
interface ReceivedRequest {
  readonly request: IncomingMessage | Http2ServerRequest
  readonly response: ServerResponse | Http2ServerResponse
}

function send(answer: Answer, response: ServerResponse | Http2ServerResponse): void {
  response.statusCode = answer.status
  for (const [name, value] of answer.headers) response.setHeader(name, value)
  // An empty text would make a separate frame, but gRPC requires headers that end the stream when they are the trailers.
  if (answer.body.length === 0) response.end()
  else response.end(answer.body)
}
