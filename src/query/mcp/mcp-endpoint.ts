import type {
  UniversalHandlerFn,
  UniversalServerRequest,
  UniversalServerResponse,
} from '@connectrpc/connect/protocol'
import { InsightsService } from '../../contract/gen/shared/insights/v1/insights_service_pb.js'
import { ServiceError } from '../../contract/service-error.ts'
import type { Logger } from '../../kernel/log.ts'
import { outcomeKey } from '../../rpc/call-context.ts'
import { MCP_PATH } from '../../rpc/json-rpc-error.ts'
import { methodNotAllowed } from '../../rpc/protocol-errors.ts'
import { chooseRequestId, REQUEST_ID_HEADER } from '../../rpc/request-id.ts'
import type { Authenticate } from '../http/call-checks.ts'
import { createCallMethod, type Handlers } from '../http/call-method.ts'
import { logFailure } from '../http/log-failure.ts'
import { readJsonBody } from '../http/read-json-body.ts'
import { type CheckOrigin, createCheckOrigin, readCredential } from './admission.ts'
import { refuse, writeAnswer } from './http-responses.ts'
import { createServeMessage, type ServeMessage } from './serve-message.ts'
import { createToolList } from './tool-list.ts'

/** Dependencies and limits of the endpoint. */
export interface McpEndpointOptions {
  /** The methods that tools may call, by path. */
  readonly handlers: Handlers
  readonly authenticate: Authenticate
  readonly log: Logger
  /** Public URL of this service. */
  readonly publicUrl: string
  /** The release of this service. */
  readonly version: string
  readonly bodyBytesMax: number
  /** Maximum duration of a call. */
  readonly timeoutMsMax: number
  /** URL of the metadata by which assistants connect; absent when they cannot. */
  readonly resourceMetadataUrl?: string | undefined
}

/** Every tool only reads and requires the same permission as this method. */
const REPRESENTATIVE_METHOD = {
  service: InsightsService.typeName,
  method: InsightsService.method.query.name,
}

/** The method enforces its own deadline; this margin applies when it fails to. */
const ANSWER_MARGIN_MS = 500

interface Endpoint extends McpEndpointOptions {
  readonly checkOrigin: CheckOrigin
  readonly serve: ServeMessage
}

/**
 * The endpoint of the Model Context Protocol: streamable HTTP without sessions. Callers are authenticated before the body is
 * read, and again by each method.
 */
export function createMcpEndpoint(options: McpEndpointOptions): UniversalHandlerFn {
  const { version, publicUrl, log } = options
  const callMethod = createCallMethod(options)
  const onRefused = (error: Error): void => log.debug({ err: error }, 'rejected an MCP message')
  const serve = createServeMessage({ listTools: createToolList(), callMethod, version, onRefused })
  const endpoint: Endpoint = { ...options, checkOrigin: createCheckOrigin(publicUrl), serve }
  return async (request) => {
    const requestId = chooseRequestId(request.header.get(REQUEST_ID_HEADER) ?? undefined)
    const response = await answer(request, requestId, endpoint)
    response.header?.set(REQUEST_ID_HEADER, requestId)
    return response
  }
}

async function answer(
  request: UniversalServerRequest,
  requestId: string,
  endpoint: Endpoint,
): Promise<UniversalServerResponse> {
  try {
    return await admitAndServe(request, requestId, endpoint)
  } catch (thrown) {
    const error = ServiceError.from(thrown)
    logFailure(endpoint.log, requestId, error)
    const outcome = request.contextValues?.get(outcomeKey)
    if (outcome) outcome.code = error.code
    const { resourceMetadataUrl } = endpoint
    return refuse({ error, requestId, sent: request.header, resourceMetadataUrl })
  }
}

async function admitAndServe(
  request: UniversalServerRequest,
  requestId: string,
  { checkOrigin, authenticate, bodyBytesMax, serve, timeoutMsMax }: Endpoint,
): Promise<UniversalServerResponse> {
  if (request.method !== 'POST') throw methodNotAllowed()
  checkOrigin(request.header)
  const headers = acceptJson(readCredential(request.header))
  headers.set(REQUEST_ID_HEADER, requestId)
  await authenticate({ ...REPRESENTATIVE_METHOD, headers, audience: 'mcp' })
  const message = await readJsonBody(request, bodyBytesMax)
  const { signal } = request
  // The handlers below use only its headers and its signal.
  const whole = new Request(`http://localhost${MCP_PATH}`, { method: 'POST', headers, signal })
  const response = await within(timeoutMsMax + ANSWER_MARGIN_MS, serve(whole, message))
  return await writeAnswer(response, headers.get('accept-encoding') ?? '')
}

/** Responses are JSON: a client that accepts it need not accept event streams as well, as the library demands. */
function acceptJson(sent: Headers): Headers {
  const headers = new Headers(sent)
  const takesJson = /^$|\*\/\*|application\/(json|\*)/.test(sent.get('accept') ?? '')
  if (takesJson) headers.set('accept', 'application/json, text/event-stream')
  return headers
}

/** Bounds the wait: a message that cancels its own call is never answered. */
async function within<T>(timeoutMs: number, work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const message = 'the call exceeded the maximum duration'
  const late = new ServiceError({ code: 'deadline_exceeded', reason: 'DEADLINE_EXCEEDED', message })
  const timer = setTimeout(() => reject(late), timeoutMs)
  try {
    return await Promise.race([work, promise])
  } finally {
    clearTimeout(timer)
  }
}
