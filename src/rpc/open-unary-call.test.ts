import { create, fromBinary, fromJsonString, toBinary, toJsonString } from '@bufbuild/protobuf'
import { Code, ConnectError, createClient } from '@connectrpc/connect'
import type { UniversalClientFn, UniversalClientResponse } from '@connectrpc/connect/protocol'
import { createTransport as createConnectTransport } from '@connectrpc/connect/protocol-connect'
import { createTransport as createGrpcTransport, findTrailerError } from '@connectrpc/connect/protocol-grpc'
import {
  createTransport as createGrpcWebTransport,
  trailerParse,
} from '@connectrpc/connect/protocol-grpc-web'
import { describe, expect, test } from 'vitest'
import { ErrorInfoSchema, RequestInfoSchema } from '../contract/gen/google/rpc/error_details_pb.js'
import {
  BatchCreateRequestSchema,
  BatchCreateResponseSchema,
  EventsService,
} from '../contract/gen/sdk/events/v1/events_service_pb.js'
import { ServiceError } from '../contract/service-error.ts'
import type { Answer } from './answer.ts'
import { decodeBase64Body, encodeBase64Body } from './base64-body.ts'
import { CODINGS } from './coding.ts'
import { decompress } from './compression.ts'
import { collectBytes, streamBytes } from './connect-adapter/byte-stream.ts'
import { CONNECT_COMPRESSIONS } from './connect-adapter/compression.ts'
import type { Codec } from './content-type.ts'
import { encodeEnvelope } from './envelope.ts'
import { openUnaryCall, refuseUnknownMethod } from './open-unary-call.ts'

const settings = { domain: 'service' }
const BYTES_MAX = 64 * 1024
const PATH = '/sdk.events.v1.EventsService/BatchCreate'

/** Answers with as many reasons as there are events, so that an answer can be large. */
function handle(head: Parameters<typeof openUnaryCall>[0], body: Buffer): Answer {
  const call = openUnaryCall(head, settings)
  if (call.kind === 'refused') return call.answer
  const sent = call.readMessage(body, BYTES_MAX)
  if (!sent.ok) return call.fail(sent.error)
  const message = decompress(sent.value.bytes, sent.value.coding, { bytesMax: BYTES_MAX })
  if (!message.ok) return call.fail(message.error)
  const { events } = readRequest(call.codec, message.value)
  if (events[0]?.kind === 'fail') {
    const error = {
      code: 'failed_precondition',
      reason: 'OVERLOADED',
      message: 'nö',
      retryAfterSeconds: 3,
    } as const
    return call.fail(new ServiceError(error))
  }
  const response = create(BatchCreateResponseSchema, {
    accepted: events.length,
    droppedByReason: reasons(events.length),
  })
  const isJson = call.codec === 'json'
  return call.succeed(
    isJson
      ? toJsonString(BatchCreateResponseSchema, response)
      : toBinary(BatchCreateResponseSchema, response),
  )
}

function readRequest(codec: Codec, message: Uint8Array) {
  if (codec === 'proto') return fromBinary(BatchCreateRequestSchema, message)
  return fromJsonString(BatchCreateRequestSchema, Buffer.from(message).toString())
}

function reasons(count: number): Record<string, number> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`reason-${index}`, 1]))
}

const httpClient: UniversalClientFn = async (request): Promise<UniversalClientResponse> => {
  const body = await collectBytes(request.body ?? streamBytes(Buffer.alloc(0)), 1e6)
  if (!body.ok) throw body.error
  const header = (name: string) => request.header.get(name) ?? undefined
  const answer = handle({ method: request.method, path: new URL(request.url).pathname, header }, body.value)
  const toHeaders = (fields: Answer['headers'] = []) =>
    new Headers(fields.map(([name, value]): [string, string] => [name, value]))
  return {
    status: answer.status,
    header: toHeaders(answer.headers),
    trailer: toHeaders(answer.trailers),
    body: streamBytes(Buffer.from(answer.body)),
  }
}

const TRANSPORTS = {
  connect: createConnectTransport,
  grpc: createGrpcTransport,
  'grpc-web': createGrpcWebTransport,
}

const CASES = (['connect', 'grpc', 'grpc-web'] as const).flatMap((protocol) =>
  [undefined, ...CONNECT_COMPRESSIONS].flatMap((compression) =>
    [true, false].map((useBinaryFormat) => ({
      protocol,
      codec: useBinaryFormat ? 'proto' : 'json',
      coding: compression?.name ?? 'identity',
      client: createClient(
        EventsService,
        TRANSPORTS[protocol]({
          httpClient,
          baseUrl: 'http://service',
          useBinaryFormat,
          interceptors: [],
          acceptCompression: compression === undefined ? [] : [compression],
          sendCompression: compression ?? null,
          compressMinBytes: 0,
          readMaxBytes: 1e6,
          writeMaxBytes: 1e6,
        }),
      ),
    })),
  ),
)

describe.each(CASES)("the library's client over $protocol in $codec and $coding", ({ client }) => {
  test('gets a response', async () => {
    expect(await client.batchCreate({ events: [{ kind: 'a' }] })).toMatchObject({ accepted: 1 })
  })

  test('gets a large response', async () => {
    const events = Array.from({ length: 300 }, () => ({ kind: 'a' }))
    const answer = await client.batchCreate({ events }, { timeoutMs: 5000 })
    expect(Object.keys(answer.droppedByReason)).toHaveLength(300)
  })

  test('gets an error with its details', async () => {
    const error = await client.batchCreate({ events: [{ kind: 'fail' }] }).catch(ConnectError.from)
    if (!(error instanceof ConnectError)) throw new Error('no error came')
    expect(error.code).toBe(Code.FailedPrecondition)
    expect(error.rawMessage).toBe('nö')
    expect(error.findDetails(ErrorInfoSchema)).toMatchObject([{ reason: 'OVERLOADED', domain: 'service' }])
    expect(error.findDetails(RequestInfoSchema)[0]?.requestId).toMatch(/^[A-Za-z0-9_-]{12}-[0-9a-z]+$/)
    expect(error.metadata.get('retry-after')).toBe('3')
  })

  test('gets an error when its message is too large', async () => {
    const events = Array.from({ length: 9000 }, (_, index) => ({
      kind: `kind_${index}_${Math.imul(index, 2654435761)}`,
    }))
    const error = await client.batchCreate({ events }).catch(ConnectError.from)
    expect(error).toMatchObject({ code: Code.ResourceExhausted })
  })
})

function open(
  headers: Record<string, string>,
  rest: { method?: string; hasTrailers?: boolean; isBeacon?: boolean } = {},
) {
  const header = (name: string) => headers[name] ?? ''
  return openUnaryCall({ method: 'POST', path: PATH, header, ...rest }, settings)
}

const JSON_TYPE = { 'content-type': 'application/json' }
const GRPC_TYPE = { 'content-type': 'application/grpc' }

test.each<[string, ReturnType<typeof open>, { status: number; reason: string; header?: [string, string] }]>([
  [
    'GET',
    open(JSON_TYPE, { method: 'GET' }),
    { status: 405, reason: 'METHOD_NOT_ALLOWED', header: ['allow', 'POST'] },
  ],
  ['no content type', open({}), { status: 415, reason: 'UNSUPPORTED_MEDIA_TYPE' }],
  [
    'an unknown content type',
    open({ 'content-type': 'text/html' }),
    { status: 415, reason: 'UNSUPPORTED_MEDIA_TYPE' },
  ],
  [
    'text without a beacon',
    open({ 'content-type': 'text/plain' }),
    { status: 415, reason: 'UNSUPPORTED_MEDIA_TYPE' },
  ],
  [
    'a stream',
    open({ 'content-type': 'application/connect+json' }),
    { status: 415, reason: 'UNSUPPORTED_MEDIA_TYPE' },
  ],
  [
    'a later version',
    open({ ...JSON_TYPE, 'connect-protocol-version': '2' }),
    { status: 400, reason: 'INVALID_REQUEST' },
  ],
  [
    'a bad timeout',
    open({ ...JSON_TYPE, 'connect-timeout-ms': '1s' }),
    { status: 400, reason: 'INVALID_REQUEST' },
  ],
  [
    'an unknown coding',
    open({ ...JSON_TYPE, 'content-encoding': 'snappy' }),
    { status: 501, reason: 'UNSUPPORTED_ENCODING', header: ['accept-encoding', CODINGS.join(',')] },
  ],
  [
    'an unknown gRPC coding',
    open({ ...GRPC_TYPE, 'grpc-encoding': 'snappy' }),
    { status: 200, reason: 'UNSUPPORTED_ENCODING', header: ['grpc-accept-encoding', CODINGS.join(',')] },
  ],
  [
    'a bad gRPC timeout',
    open({ ...GRPC_TYPE, 'grpc-timeout': '1' }),
    { status: 200, reason: 'INVALID_REQUEST', header: ['grpc-status', '3'] },
  ],
  [
    'gRPC without trailers',
    open(GRPC_TYPE, { hasTrailers: false }),
    { status: 200, reason: 'NOT_IMPLEMENTED', header: ['grpc-status', '12'] },
  ],
])('%s is rejected by the headers', (_name, call, { status, reason, header }) => {
  if (call.kind !== 'refused') throw new Error('it was taken')
  expect(call.error.reason).toBe(reason)
  expect(call.answer.status).toBe(status)
  expect(call.answer.headers).toEqual(
    expect.arrayContaining([['x-request-id', call.requestId], ...(header ? [header] : [])]),
  )
})

test('a call has the values of its headers', () => {
  const call = open({
    'content-type': 'application/grpc-web-text',
    'grpc-encoding': 'gzip',
    'grpc-timeout': '2S',
    'x-request-id': 'mine',
  })
  expect(call).toMatchObject({
    kind: 'call',
    protocol: 'grpc-web',
    codec: 'proto',
    messageCoding: 'gzip',
    timeoutMs: 2000,
    requestId: 'mine',
  })
})

test('a beacon is JSON regardless of its content type', () => {
  expect(open({ 'content-type': 'text/plain;charset=UTF-8' }, { isBeacon: true })).toMatchObject({
    kind: 'call',
    codec: 'json',
  })
})

test('responses and errors of sdk.* are readable from any origin', () => {
  const cors = ['access-control-allow-origin', 'https://shop.example']
  const call = open({ ...JSON_TYPE, origin: 'https://shop.example' })
  if (call.kind !== 'call') throw new Error('it was refused')
  expect(call.succeed('{}').headers).toContainEqual(cors)
  expect(call.fail(ServiceError.from(new Error('x'))).headers).toContainEqual(cors)
  expect(open({ origin: 'https://shop.example' })).toMatchObject({
    answer: { headers: expect.arrayContaining([cors]) },
  })
})

test('an unknown method is 404 in Connect and unimplemented in gRPC', () => {
  const refuse = (type: string) =>
    refuseUnknownMethod(
      { method: 'POST', path: '/a.B/C', header: (name) => (name === 'content-type' ? type : '') },
      settings,
    )
  expect(refuse('application/json').answer.status).toBe(404)
  expect(refuse('').answer.status).toBe(404)
  expect(refuse('application/grpc').answer).toMatchObject({
    status: 200,
    headers: expect.arrayContaining([['grpc-status', '12']]),
  })
})

describe('grpc-web-text', () => {
  const call = open({ 'content-type': 'application/grpc-web-text+proto' })
  if (call.kind !== 'call') throw new Error('it was refused')

  test('a message arrives from any number of padded segments', () => {
    const envelope = encodeEnvelope(0, Buffer.from('message'))
    const cuts = Array.from({ length: envelope.length + 1 }, (_, index) => index)
    const bodies = cuts.map((cut) =>
      Buffer.concat([envelope.subarray(0, cut), envelope.subarray(cut)].map(encodeBase64Body)),
    )
    const messages = bodies.map((body) => call.readMessage(body, 100))
    expect(messages).toEqual(
      cuts.map(() => ({ ok: true, value: { bytes: Buffer.from('message'), coding: 'identity' } })),
    )
  })

  test('responses are base64 of message and trailers', () => {
    const decoded = decodeBase64Body(Buffer.from(call.succeed(Buffer.from('hi')).body))
    expect(decoded).toMatchObject({ ok: true })
    const expected = Buffer.concat([
      encodeEnvelope(0, Buffer.from('hi')),
      encodeEnvelope(0x80, Buffer.from('grpc-status: 0\r\n')),
    ])
    expect(decoded.ok && decoded.value).toEqual(expected)
    expect(call.succeed('').headers).toContainEqual(['content-type', 'application/grpc-web-text+proto'])
  })

  test('an error is a frame of trailers in base64', () => {
    const { body, status } = call.fail(ServiceError.from(new Error('secret')))
    const decoded = decodeBase64Body(Buffer.from(body))
    const trailer = decoded.ok && trailerParse(new Uint8Array(decoded.value.subarray(5)))
    expect(trailer && findTrailerError(trailer)).toMatchObject({
      code: Code.Internal,
      rawMessage: 'internal error',
    })
    expect(status).toBe(200)
  })

  test('garbage is invalid', () => {
    expect(call.readMessage(Buffer.from('!!!!'), 100)).toMatchObject({
      ok: false,
      error: { code: 'invalid_argument' },
    })
  })
})

test('a compressed message without a coding is invalid', () => {
  const call = open(GRPC_TYPE)
  const result = call.kind === 'call' && call.readMessage(encodeEnvelope(1, Buffer.from('x')), 100)
  expect(result).toMatchObject({ ok: false, error: { code: 'invalid_argument' } })
})
