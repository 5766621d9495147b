import type { DescMethod } from '@bufbuild/protobuf'
import { Code, ConnectError, type ContextValues, createContextValues } from '@connectrpc/connect'
import type { UniversalHandlerFn } from '@connectrpc/connect/protocol'
import { errorFromJsonBytes } from '@connectrpc/connect/protocol-connect'
import { ServiceError } from '../../contract/service-error.ts'
import type { Logger } from '../../kernel/log.ts'
import { err, ok, type Result } from '../../kernel/result.ts'
import { outcomeKey, requestIdKey } from '../../rpc/call-context.ts'
import { streamBytes } from '../../rpc/connect-adapter/byte-stream.ts'
import { fromConnectError } from '../../rpc/connect-adapter/errors.ts'
import { REQUEST_ID_HEADER } from '../../rpc/request-id.ts'
import { toInterruption } from '../sql/interruption.ts'
import { logFailure } from './log-failure.ts'

/** An in-process call of an RPC on behalf of the caller of another request. */
export interface MethodCall {
  readonly method: DescMethod
  /** The request message as JSON. */
  readonly request: Readonly<Record<string, unknown>>
  /** Headers of the original request: they mean the same for this call. */
  readonly headers: Headers
  /** Aborts when the original caller leaves. */
  readonly signal: AbortSignal
  /** Context of the call that no request can set. */
  readonly values?: ContextValues
}

/** Calls a method; the answer is its response as JSON text. */
export type CallMethod = (call: MethodCall) => Promise<Result<string, ServiceError>>

/** The handlers of RPCs, by path. */
export type Handlers = ReadonlyMap<string, UniversalHandlerFn>

/** Headers that describe the body or the protocol of the original request. */
const OF_THE_REQUEST_ITSELF =
  /^(accept|accept-encoding|content-encoding|content-length|transfer-encoding|origin|connect-.*|grpc-.*|mcp-.*)$/

/** Dependencies of {@link createCallMethod}. */
export interface CallMethodOptions {
  readonly handlers: Handlers
  /** Deadline of a call, in milliseconds. */
  readonly timeoutMsMax: number
  readonly log: Logger
}

/** Invokes an RPC in-process through its real handler, so authentication, validation and errors are identical. */
export function createCallMethod(options: CallMethodOptions): CallMethod {
  return async (call) => {
    try {
      return await callHandler(call, options)
    } catch (thrown) {
      if (call.signal.aborted) return err(toInterruption(call.signal.reason, thrown))
      const error = ServiceError.from(thrown)
      logFailure(options.log, requestIdOf(call.headers), error)
      return err(error)
    }
  }
}

/** The path at which a method is served. */
export function pathOf(method: DescMethod): string {
  return `/${method.parent.typeName}/${method.name}`
}

async function callHandler(
  { method, request, headers, signal, values = createContextValues() }: MethodCall,
  { handlers, timeoutMsMax }: CallMethodOptions,
): Promise<Result<string, ServiceError>> {
  const path = pathOf(method)
  const handler = handlers.get(path)
  if (!handler) throw new Error(`nothing is served at ${path}`)
  const { status, body } = await handler({
    httpVersion: '2',
    method: 'POST',
    url: `http://localhost${path}`,
    header: headersFor(headers, timeoutMsMax),
    body: streamBytes(Buffer.from(JSON.stringify(request))),
    signal,
    contextValues: values.set(requestIdKey, requestIdOf(headers)).set(outcomeKey, { code: 'ok' }),
  })
  const bytes = await readWhole(body)
  return status === 200 ? ok(bytes.toString()) : err(readError(bytes))
}

function requestIdOf(headers: Headers): string {
  return headers.get(REQUEST_ID_HEADER) ?? ''
}

function headersFor(sent: Headers, timeoutMs: number): Headers {
  const headers = new Headers([...sent].filter(([name]) => !OF_THE_REQUEST_ITSELF.test(name)))
  headers.set('content-type', 'application/json')
  headers.set('connect-protocol-version', '1')
  headers.set('connect-timeout-ms', String(timeoutMs))
  return headers
}

async function readWhole(body: AsyncIterable<Uint8Array> | undefined): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of body ?? []) chunks.push(chunk)
  return Buffer.concat(chunks)
}

function readError(bytes: Buffer): ServiceError {
  const unreadable = new ConnectError('the error of a method is not readable', Code.Internal)
  return fromConnectError(errorFromJsonBytes(bytes, undefined, unreadable))
}
