import type { ServerHttp2Stream } from 'node:http2'
import type { HealthCheckRequest } from '../contract/gen/grpc/health/v1/health_pb.js'
import { ServiceError } from '../contract/service-error.ts'
import { err, type Result } from '../kernel/result.ts'
import type { HeaderField } from '../rpc/answer.ts'
import { decompress } from '../rpc/compression.ts'
import { messageBytesMaxOf } from '../rpc/message-bounds.ts'
import { openUnaryCall } from '../rpc/open-unary-call.ts'
import {
  readHealthCheck,
  type ServiceHealth,
  writeHealthCheck,
  writeHealthList,
} from '../rpc/service-health.ts'
import type { UnaryCall } from '../rpc/unary-call.ts'
import type { EdgeMethod, Exchange, RequestHead } from './exchange.ts'
import { RequestRecorder } from './ingestion-call.ts'
import { unreadBody } from './refusals.ts'

const PACKAGE = '/grpc.health.v1.Health'

/** Path of the method that answers again and again, which takes a stream to answer on. */
export const HEALTH_WATCH_PATH = `${PACKAGE}/Watch`

/** Options of the health methods. */
export interface HealthOptions {
  readonly health: ServiceHealth
  readonly errorDomain: string
  readonly bodyBytesMax: number
}

/** `grpc.health.v1.Health` of the whole service, by path: the edge answers it even without a query process. */
export function healthMethods(options: HealthOptions): readonly (readonly [string, EdgeMethod])[] {
  const { health } = options
  const methods = {
    Check: async (call, request) => writeHealthCheck(call.codec, await health.check(request)),
    List: async (call) => writeHealthList(call.codec, await health.list()),
    Watch: async () => Promise.reject(needsStream()),
  } satisfies Record<string, Answerer>
  return Object.entries(methods).map(([name, answer]) => {
    const path = `${PACKAGE}/${name}`
    return [path, { serve: (head, exchange) => serve(path, { head, exchange }, { ...options, answer }) }]
  })
}

/** An HTTP/2 stream with its request and the headers of its answer. */
export interface HealthWatch {
  readonly stream: ServerHttp2Stream
  readonly head: RequestHead
  readonly exchange: Exchange
}

/** `Watch` in gRPC: a message whenever the status changes, until the client leaves or the process stops. */
export function watchHealth({ stream, head, exchange }: HealthWatch, options: HealthOptions): void {
  readCall(HEALTH_WATCH_PATH, { head, exchange }, options, async (call, request) => {
    if (call.protocol !== 'grpc') throw needsStream()
    const gone = new AbortController()
    stream.once('close', () => gone.abort())
    for await (const response of options.health.watch(request, gone.signal)) {
      const { headers, body, trailers = [] } = call.succeed(writeHealthCheck(call.codec, response))
      if (gone.signal.aborted || stream.destroyed) return undefined
      if (!stream.headersSent) {
        stream.once('wantTrailers', () => stream.sendTrailers(toHeaders(trailers)))
        stream.respond({ ':status': 200, ...toHeaders(headers) }, { waitForTrailers: true })
      }
      stream.write(body)
    }
    stream.end()
    return undefined
  })
}

type Answerer = (call: UnaryCall, request: HealthCheckRequest) => Promise<string | Uint8Array | undefined>

interface Asked {
  readonly head: RequestHead
  readonly exchange: Exchange
}

function serve(
  path: string,
  asked: Asked,
  { answer, ...options }: HealthOptions & { readonly answer: Answerer },
): void {
  readCall(path, asked, options, answer)
}

/** Reads one call and answers it; `answer` has answered itself when it has no message. */
function readCall(path: string, { head, exchange }: Asked, options: HealthOptions, answer: Answerer): void {
  const recorder = new RequestRecorder(path, head)
  const call = openUnaryCall(head, { domain: options.errorDomain })
  recorder.identify(call.requestId)
  if (call.kind === 'refused') {
    recorder.end(call.error.code)
    return exchange.readBody(0, () => exchange.answer(call.answer))
  }
  const fail = (thrown: unknown): void => {
    const error = ServiceError.from(thrown)
    recorder.end(error.code)
    exchange.answer(call.fail(error))
  }
  const bytesMax = messageBytesMaxOf(path, options.bodyBytesMax)
  exchange.readBody(call.bodyBytesMax(bytesMax), (outcome) => {
    if (!('body' in outcome)) return fail(unreadBody(outcome.refused, bytesMax))
    const request = readRequest(call, outcome.body, bytesMax)
    if (!request.ok) return fail(request.error)
    answer(call, request.value).then((message) => {
      recorder.end('ok')
      if (message !== undefined) exchange.answer(call.succeed(message))
    }, fail)
  })
}

function readRequest(
  call: UnaryCall,
  body: Buffer,
  bytesMax: number,
): Result<HealthCheckRequest, ServiceError> {
  const sent = call.readMessage(body, bytesMax)
  if (!sent.ok) return sent
  const message = decompress(sent.value.bytes, sent.value.coding, { bytesMax })
  return message.ok ? readHealthCheck(call.codec, message.value) : err(message.error)
}

function needsStream(): ServiceError {
  return new ServiceError({
    code: 'unimplemented',
    reason: 'NOT_IMPLEMENTED',
    message: 'Watch needs gRPC over HTTP/2; use Check',
  })
}

function toHeaders(fields: readonly HeaderField[]): Record<string, string> {
  return Object.fromEntries(fields)
}
