import { create, toBinary } from '@bufbuild/protobuf'
import { Code, ConnectError, createClient, createConnectRouter } from '@connectrpc/connect'
import { encodeEnvelope, type UniversalClientFn, type UniversalHandlerFn } from '@connectrpc/connect/protocol'
import {
  createTransport as createConnectTransport,
  endStreamFromJson,
  errorFromJsonBytes,
} from '@connectrpc/connect/protocol-connect'
import { createTransport as createGrpcTransport, findTrailerError } from '@connectrpc/connect/protocol-grpc'
import {
  createTransport as createGrpcWebTransport,
  trailerParse,
} from '@connectrpc/connect/protocol-grpc-web'
import { describe, expect, test } from 'vitest'
import { ErrorInfoSchema, RequestInfoSchema } from '../../contract/gen/google/rpc/error_details_pb.js'
import {
  GetByExternalIdRequestSchema,
  ProfilesService,
} from '../../contract/gen/shared/profiles/v1/profiles_service_pb.js'
import { ServiceError } from '../../contract/service-error.ts'
import { decodeBase64Body, encodeBase64Body } from '../base64-body.ts'
import { compress } from '../compression.ts'
import { collectBytes, streamBytes } from './byte-stream.ts'
import { CONNECT_COMPRESSIONS } from './compression.ts'
import { toConnectError } from './errors.ts'
import { adaptHandler } from './handler.ts'

const BYTES_MAX = 10_000
const OPTIONS = { domain: 'service', bytesMax: BYTES_MAX, timeoutMsMax: 60_000 }

const router = createConnectRouter({
  acceptCompression: [...CONNECT_COMPRESSIONS],
  readMaxBytes: BYTES_MAX,
  requestGate: ({ requestHeader }) => {
    if (requestHeader.get('x-api-key') !== 'bad') return
    throw toConnectError(
      new ServiceError({ code: 'unauthenticated', reason: 'INVALID_API_KEY', message: 'no' }),
      { requestId: requestHeader.get('x-request-id') ?? 'none', domain: 'service' },
    )
  },
}).service(ProfilesService, {
  get: ({ id }) => {
    if (id === 'crash') throw new TypeError('secret')
    if (id === 'state') throw new ConnectError('not now', Code.FailedPrecondition)
    return { profile: { id, externalId: id.repeat(100) } }
  },
  async *list({ pageToken }, context) {
    yield { nextPageToken: pageToken }
    if (pageToken === 'crash') throw new TypeError('secret')
    if (pageToken === 'wait') {
      await new Promise((resolve) => context.signal.addEventListener('abort', resolve, { once: true }))
      throw context.signal.reason
    }
  },
})

const wrapped = new Map(
  router.handlers.map((handler) => [handler.requestPath, adaptHandler(handler, OPTIONS)]),
)

function findHandler(url: string): UniversalHandlerFn {
  const handler = wrapped.get(new URL(url).pathname)
  if (handler === undefined) throw new Error(`nothing at ${url}`)
  return handler
}

/** A transport without sockets; like one with, it has the trailers when the body has ended. */
const httpClient: UniversalClientFn = async ({
  url,
  method,
  header,
  body = streamBytes(Buffer.alloc(0)),
  signal,
}) => {
  const never = new AbortController().signal
  const response = await findHandler(url)({
    httpVersion: '2.0',
    method,
    url,
    header,
    body,
    signal: signal ?? never,
  })
  const trailer = new Headers()
  async function* readBody() {
    yield* response.body ?? []
    for (const [name, value] of response.trailer ?? []) trailer.set(name, value)
  }
  return { status: response.status, header: response.header ?? new Headers(), body: readBody(), trailer }
}

const TRANSPORTS = {
  connect: createConnectTransport,
  grpc: createGrpcTransport,
  'grpc-web': createGrpcWebTransport,
}

const CLIENTS = (['connect', 'grpc', 'grpc-web'] as const).flatMap((protocol) =>
  [undefined, ...CONNECT_COMPRESSIONS].flatMap((compression) =>
    [true, false].map((useBinaryFormat) => ({
      protocol,
      codec: useBinaryFormat ? 'proto' : 'json',
      coding: compression?.name ?? 'identity',
      client: createClient(
        ProfilesService,
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

async function failureOf(call: Promise<unknown> | AsyncIterable<unknown>): Promise<ConnectError> {
  try {
    if (Symbol.asyncIterator in call) for await (const _message of call);
    else await call
  } catch (thrown) {
    return ConnectError.from(thrown)
  }
  throw new Error('the call did not fail')
}

function summarize(error: ConnectError) {
  const [info] = error.findDetails(ErrorInfoSchema)
  const [request] = error.findDetails(RequestInfoSchema)
  return { code: error.code, reason: info?.reason, domain: info?.domain, requestId: request?.requestId }
}

describe.each(CLIENTS)('over $protocol in $codec and $coding', ({ client }) => {
  const headers = { 'x-request-id': 'mine' }
  const fact = (code: Code, reason: string) => ({ code, reason, domain: 'service', requestId: 'mine' })

  test('a unary call succeeds', async () => {
    const { profile } = await client.get({ id: 'person' })
    expect(profile).toMatchObject({ id: 'person', externalId: 'person'.repeat(100) })
  })

  test('a stream succeeds', async () => {
    const pages = []
    for await (const page of client.list({ pageToken: 'next' })) pages.push(page.nextPageToken)
    expect(pages).toEqual(['next'])
  })

  test('an error before the handler keeps its details', async () => {
    const bad = { headers: { ...headers, 'x-api-key': 'bad' } }
    const expected = fact(Code.Unauthenticated, 'INVALID_API_KEY')
    expect(summarize(await failureOf(client.get({ id: 'a' }, bad)))).toEqual(expected)
    expect(summarize(await failureOf(client.list({}, bad)))).toEqual(expected)
  })

  test('an unexpected error of a handler is internal and hides its message', async () => {
    const unary = await failureOf(client.get({ id: 'crash' }, { headers }))
    const stream = await failureOf(client.list({ pageToken: 'crash' }, { headers }))
    expect([unary, stream].map(summarize)).toEqual([
      fact(Code.Internal, 'INTERNAL'),
      fact(Code.Internal, 'INTERNAL'),
    ])
    expect([unary.rawMessage, stream.rawMessage]).toEqual(['internal error', 'internal error'])
  })

  test('an unknown method is unimplemented', async () => {
    expect(summarize(await failureOf(client.delete({ id: 'a' }, { headers })))).toEqual(
      fact(Code.Unimplemented, 'NOT_IMPLEMENTED'),
    )
  })

  test('a message above the limit is rejected', async () => {
    const id = Array.from({ length: 20_000 }, (_, index) => Math.imul(index, 2654435761).toString(36)).join(
      '',
    )
    const expected = fact(Code.ResourceExhausted, 'BODY_TOO_LARGE')
    expect(summarize(await failureOf(client.get({ id }, { headers })))).toEqual(expected)
    expect(summarize(await failureOf(client.list({ pageToken: id }, { headers })))).toEqual(expected)
  })
})

interface Sent {
  readonly path?: string
  readonly type: string
  readonly body?: Uint8Array | string
  readonly headers?: Readonly<Record<string, string>>
  readonly method?: string
}

async function send({ path = 'Get', type, body = '{}', headers = {}, method = 'POST' }: Sent) {
  const url = `http://service/shared.profiles.v1.ProfilesService/${path}`
  const header = new Headers({
    ...(type === '' ? {} : { 'content-type': type }),
    'x-request-id': 'mine',
    ...headers,
  })
  const signal = new AbortController().signal
  const response = await findHandler(url)({
    httpVersion: '2.0',
    method,
    url,
    header,
    signal,
    body: streamBytes(Buffer.from(body)),
  })
  const read = await collectBytes(response.body ?? streamBytes(Buffer.alloc(0)), 1e6)
  if (!read.ok) throw read.error
  return {
    status: response.status,
    header: response.header ?? new Headers(),
    trailer: response.trailer,
    body: read.value,
  }
}

const FALLBACK = new ConnectError('no error on the wire', Code.Unknown)

/** The error in an answer, wherever its protocol puts it. */
function readError({ header, trailer, body }: Awaited<ReturnType<typeof send>>): ConnectError {
  const type = header.get('content-type') ?? ''
  const bytes = new Uint8Array(body)
  if (type === 'application/json') return errorFromJsonBytes(bytes, undefined, FALLBACK)
  if (type.startsWith('application/connect+')) return endStreamFromJson(bytes.subarray(5)).error ?? FALLBACK
  if (type.startsWith('application/grpc-web-text')) {
    const decoded = decodeBase64Body(bytes)
    return (
      (decoded.ok && findTrailerError(trailerParse(new Uint8Array(decoded.value.subarray(5))))) || FALLBACK
    )
  }
  if (type.startsWith('application/grpc-web'))
    return findTrailerError(trailerParse(bytes.subarray(5))) ?? FALLBACK
  return findTrailerError(trailer ?? new Headers()) ?? FALLBACK
}

const INVALID = {
  code: Code.InvalidArgument,
  reason: 'INVALID_REQUEST',
  domain: 'service',
  requestId: 'mine',
}
const UNIMPLEMENTED = { ...INVALID, code: Code.Unimplemented }

const GARBAGE = Buffer.from([0x0a, 0xff, 0xff])
const NOT_UTF8 = Buffer.from([0x22, 0xff, 0x22])

const framed = (data: Uint8Array | string) => encodeEnvelope(0, Buffer.from(data))

test.each<[string, Sent, object, number]>([
  ['malformed JSON', { type: 'application/json', body: '{"id":' }, INVALID, 400],
  ['an empty JSON body', { type: 'application/json', body: '' }, INVALID, 400],
  ['JSON of a wrong type', { type: 'application/json', body: '{"id":5}' }, INVALID, 400],
  ['JSON with a duplicate key', { type: 'application/json', body: '{"id":"a","id":"b"}' }, INVALID, 400],
  [
    'JSON that is not UTF-8',
    { type: 'application/json', body: Buffer.concat([Buffer.from('{"id":'), NOT_UTF8, Buffer.from('}')]) },
    INVALID,
    400,
  ],
  ['a lone surrogate', { type: 'application/json', body: '{"id":"\\ud800"}' }, INVALID, 400],
  ['malformed protobuf', { type: 'application/proto', body: GARBAGE }, INVALID, 400],
  [
    'a string that is not UTF-8',
    { type: 'application/proto', body: Buffer.from([0x0a, 1, 0xff]) },
    INVALID,
    400,
  ],
  [
    'corrupt compression',
    { type: 'application/json', headers: { 'content-encoding': 'gzip' } },
    INVALID,
    400,
  ],
  [
    'compression cut off',
    {
      type: 'application/json',
      body: compress(Buffer.from('{}'), 'gzip').subarray(0, -1),
      headers: { 'content-encoding': 'gzip' },
    },
    INVALID,
    400,
  ],
  [
    'an unknown coding',
    { type: 'application/json', headers: { 'content-encoding': 'snappy' } },
    { ...UNIMPLEMENTED, reason: 'UNSUPPORTED_ENCODING' },
    501,
  ],
  ['a bad timeout', { type: 'application/json', headers: { 'connect-timeout-ms': 'soon' } }, INVALID, 400],
  [
    'a later version',
    { type: 'application/json', headers: { 'connect-protocol-version': '2' } },
    INVALID,
    400,
  ],
  [
    'a wrong state',
    { type: 'application/json', body: '{"id":"state"}' },
    { ...INVALID, code: Code.FailedPrecondition },
    412,
  ],
  ['no content type', { type: '' }, { ...UNIMPLEMENTED, reason: 'UNSUPPORTED_MEDIA_TYPE' }, 415],
  [
    'a stream type for a unary method',
    { type: 'application/connect+json' },
    { ...UNIMPLEMENTED, reason: 'UNSUPPORTED_MEDIA_TYPE' },
    415,
  ],
  [
    'a unary type for a stream',
    { path: 'List', type: 'application/json' },
    { ...UNIMPLEMENTED, reason: 'UNSUPPORTED_MEDIA_TYPE' },
    415,
  ],
  [
    'GET',
    { type: 'application/json', method: 'GET' },
    { ...UNIMPLEMENTED, reason: 'METHOD_NOT_ALLOWED' },
    405,
  ],
  ['no frame in a stream', { path: 'List', type: 'application/connect+json', body: '' }, UNIMPLEMENTED, 200],
  [
    'two frames in a stream',
    { path: 'List', type: 'application/connect+json', body: Buffer.concat([framed('{}'), framed('{}')]) },
    UNIMPLEMENTED,
    200,
  ],
  [
    'bad JSON in a stream',
    { path: 'List', type: 'application/connect+json', body: framed('[') },
    INVALID,
    200,
  ],
  [
    'bad protobuf in a stream',
    { path: 'List', type: 'application/connect+proto', body: framed(GARBAGE) },
    INVALID,
    200,
  ],
  [
    'JSON of a wrong type in a stream',
    { path: 'List', type: 'application/connect+json', body: framed('{"pageToken":5}') },
    INVALID,
    200,
  ],
  ['bad protobuf in gRPC', { type: 'application/grpc', body: framed(GARBAGE) }, INVALID, 200],
  ['a cut frame in gRPC', { type: 'application/grpc', body: framed('abc').subarray(0, 6) }, INVALID, 200],
  ['no frame in gRPC', { type: 'application/grpc', body: '' }, UNIMPLEMENTED, 200],
  [
    'a compressed frame without a coding',
    { type: 'application/grpc', body: encodeEnvelope(1, Buffer.from('x')) },
    INVALID,
    200,
  ],
  [
    'an unknown coding in gRPC',
    { type: 'application/grpc', body: framed(''), headers: { 'grpc-encoding': 'snappy' } },
    { ...UNIMPLEMENTED, reason: 'UNSUPPORTED_ENCODING' },
    200,
  ],
  [
    'a bad timeout in gRPC',
    { type: 'application/grpc', body: framed(''), headers: { 'grpc-timeout': '1' } },
    INVALID,
    200,
  ],
  ['bad protobuf in gRPC-Web', { type: 'application/grpc-web+proto', body: framed(GARBAGE) }, INVALID, 200],
  ['bad JSON in gRPC-Web', { type: 'application/grpc-web+json', body: framed('{') }, INVALID, 200],
  [
    'bad protobuf in gRPC-Web text',
    { type: 'application/grpc-web-text', body: encodeBase64Body(framed(GARBAGE)) },
    INVALID,
    200,
  ],
  ['bad base64 in gRPC-Web text', { type: 'application/grpc-web-text', body: '????' }, INVALID, 200],
])('%s has the right error with details', async (_name, sent, expected, status) => {
  const answer = await send(sent)
  expect(summarize(readError(answer))).toEqual(expected)
  expect(answer.status).toBe(status)
  expect(answer.header.get('x-request-id')).toBe('mine')
})

test('gRPC-Web text encodes the request and the response', async () => {
  const message = toBinary(
    GetByExternalIdRequestSchema,
    create(GetByExternalIdRequestSchema, { externalId: 'ab' }),
  )
  const answer = await send({
    type: 'application/grpc-web-text+proto',
    body: encodeBase64Body(framed(message)),
  })
  expect(answer.header.get('content-type')).toBe('application/grpc-web-text+proto')
  const text = answer.body.toString()
  const segments = text.match(/[^=]+={0,2}/g) ?? []
  expect(segments.map((segment) => Buffer.from(segment, 'base64').toString()).join('')).toContain(
    'ab'.repeat(100),
  )
  expect(decodeBase64Body(answer.body)).toMatchObject({ ok: true })
})

test('a deadline ends a stream with details', async () => {
  const answer = await send({
    path: 'List',
    type: 'application/connect+json',
    body: framed('{"pageToken":"wait"}'),
    headers: { 'connect-timeout-ms': '20' },
  })
  const first = 5 + answer.body.readUInt32BE(1)
  const { error } = endStreamFromJson(new Uint8Array(answer.body.subarray(first + 5)))
  expect(error && summarize(error)).toEqual({
    ...INVALID,
    code: Code.DeadlineExceeded,
    reason: 'DEADLINE_EXCEEDED',
  })
})

test('a timeout above the maximum counts as the maximum', async () => {
  const headers = { 'connect-timeout-ms': '9999999999' }
  expect(await send({ type: 'application/json', body: '{"id":"a"}', headers })).toMatchObject({ status: 200 })
  const grpc = await send({
    type: 'application/grpc+json',
    body: framed('{"id":"a"}'),
    headers: { 'grpc-timeout': '99999999H' },
  })
  expect(grpc.trailer?.get('grpc-status')).toBe('0')
})

test('a response has the coding with the highest weight', async () => {
  const body = JSON.stringify({ id: 'large'.repeat(4) })
  const headers = { 'accept-encoding': 'gzip;q=0.9, br;q=0.1, identity;q=0.2' }
  const answer = await send({ type: 'application/json; charset=utf-8', body, headers })
  expect(answer.header.get('content-encoding')).toBe('gzip')
  const plain = await send({ type: 'application/json', body, headers: { 'accept-encoding': 'gzip;q=0' } })
  expect(plain.header.get('content-encoding')).toBeNull()
})

test('unknown fields are ignored, and both naming styles are accepted', async () => {
  const list = await send({
    path: 'List',
    type: 'application/connect+json',
    body: framed('{"page_token":"x","nobody":1}'),
  })
  expect(list.body.toString()).toContain('"nextPageToken":"x"')
})

test('an unexpected error is logged, and a service error is not', async () => {
  const told: string[] = []
  const [handler] = createConnectRouter({
    interceptors: [
      (next) => async (request) => {
        if (request.header.get('x-api-key') === null) return await next(request)
        throw toConnectError(ServiceError.from(new Error('known')), { requestId: 'mine', domain: 'service' })
      },
    ],
  }).rpc(ProfilesService.method.get, () => {
    throw new TypeError('unknown')
  }).handlers
  if (handler === undefined) throw new Error('no handler')
  const onUnexpected = (cause: ConnectError, requestId: string) => told.push(`${requestId} ${cause.code}`)
  const wrappedHandler = adaptHandler(handler, { ...OPTIONS, onUnexpected })
  const call = (headers: Record<string, string>) =>
    wrappedHandler({
      httpVersion: '1.1',
      method: 'POST',
      url: `http://service${handler.requestPath}`,
      header: new Headers({ 'content-type': 'application/json', 'x-request-id': 'mine', ...headers }),
      signal: new AbortController().signal,
      body: streamBytes(Buffer.from('{}')),
    })
  expect(await call({ 'x-api-key': 'any' })).toMatchObject({ status: 500 })
  expect(told).toEqual([])
  expect(await call({})).toMatchObject({ status: 500 })
  expect(told).toEqual([`mine ${Code.Internal}`])
})

test('a client that leaves before the end of its request is no unexpected error', async () => {
  const told: unknown[] = []
  const [handler] = createConnectRouter({}).rpc(ProfilesService.method.get, () => ({})).handlers
  if (handler === undefined) throw new Error('no handler')
  const wrappedHandler = adaptHandler(handler, { ...OPTIONS, onUnexpected: (cause) => told.push(cause) })
  async function* cutOff(): AsyncGenerator<Uint8Array> {
    yield Buffer.from('{')
    throw Object.assign(new Error('aborted'), { code: 'ECONNRESET' })
  }
  const answer = await wrappedHandler({
    httpVersion: '1.1',
    method: 'POST',
    url: `http://service${handler.requestPath}`,
    header: new Headers({ 'content-type': 'application/json' }),
    signal: new AbortController().signal,
    body: cutOff(),
  })
  expect(answer).toMatchObject({ status: 499 })
  expect(told).toEqual([])
})
