import { once } from 'node:events'
import { connect } from 'node:http2'
import {
  create,
  createFileRegistry,
  type DescMethod,
  fromBinary,
  type Message,
  toBinary,
} from '@bufbuild/protobuf'
import { FileDescriptorProtoSchema, FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt'
import { Client, credentials, type StatusObject } from '@grpc/grpc-js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  Health,
  HealthCheckRequestSchema,
  HealthCheckResponse_ServingStatus as Status,
} from '../../src/contract/gen/grpc/health/v1/health_pb.js'
import { ServerReflection } from '../../src/contract/gen/grpc/reflection/v1/reflection_pb.js'
import { ServerReflection as ServerReflectionAlpha } from '../../src/contract/gen/grpc/reflection/v1alpha/reflection_pb.js'
import { SERVICE_NAMES } from '../../src/contract/gen/service-names.js'
import { openRunFolder, readEndpoint } from '../../src/store/run-folder.ts'
import { TestService } from '../harness/service.ts'
import { waitFor } from '../harness/wait.ts'
import { decodeFrames, encodeFrame, encodeHeaders, FLAG, FRAME, OPENING } from './http2-frames.ts'
import { send } from './raw-connection.ts'

const INSIGHTS = 'shared.insights.v1.InsightsService'
const OK = 0
const NOT_FOUND = 5
const UNIMPLEMENTED = 12

let service: TestService
let clients: Readonly<Record<'edge' | 'query', Client>>

beforeAll(async () => {
  service = await TestService.start()
  clients = { edge: open(service.url), query: open(queryUrl()) }
})

afterAll(async () => {
  for (const client of Object.values(clients ?? {})) client.close()
  await service?.destroy()
})

function open(url: string): Client {
  return new Client(new URL(url).host, credentials.createInsecure(), { 'grpc.use_local_subchannel_pool': 1 })
}

function queryUrl(): string {
  const endpoint = readEndpoint(openRunFolder(service.dataDir), 'query')
  if (!endpoint || !('url' in endpoint)) throw new Error('the query process has no address')
  return endpoint.url
}

interface Ended {
  readonly code: number
  readonly messages: readonly Message[]
}

const pathOf = ({ parent, name }: DescMethod): string => `/${parent.typeName}/${name}`

/** Sends requests on one stream, and ends its side at once, or when as many answers are there. */
async function stream(client: Client, method: DescMethod, requests: readonly Message[]): Promise<Ended> {
  const until = method.methodKind === 'bidi_streaming' ? requests.length : 0
  const call = client.makeBidiStreamRequest<Message, Message>(
    pathOf(method),
    (message) => Buffer.from(toBinary(method.input, message)),
    (bytes) => fromBinary(method.output, bytes),
  )
  const messages: Message[] = []
  const ended = new Promise<Ended>((resolve) =>
    call.on('status', ({ code }: StatusObject) => resolve({ code, messages })),
  )
  call.on('error', () => undefined)
  call.on('data', (message: Message) => {
    messages.push(message)
    if (messages.length === until) call.end()
  })
  for (const request of requests) call.write(request)
  if (until === 0) call.end()
  return await ended
}

async function unary(client: Client, path: string): Promise<number> {
  const passOn = (bytes: Buffer): Buffer => bytes
  return await new Promise((resolve) => {
    client.makeUnaryRequest(path, passOn, passOn, Buffer.alloc(0), (error) => resolve(error?.code ?? OK))
  })
}

describe.each(['edge', 'query'] as const)('gRPC on the %s process', (role) => {
  const urlOf = (): string => (role === 'edge' ? service.url : queryUrl())

  test.each([
    '/shared.insights.v1.InsightsService/Unknown',
    '/unknown.v1.UnknownService/Do',
    '/x',
    '/dashboard.later.v1.LaterService/Get',
  ])('%s is unimplemented, in headers that end the stream', async (path) => {
    expect(await unary(clients[role], path)).toBe(UNIMPLEMENTED)
    const request = [
      OPENING,
      encodeFrame({
        type: FRAME.headers,
        flags: FLAG.endHeaders,
        stream: 1,
        payload: encodeHeaders({
          ':method': 'POST',
          ':scheme': 'http',
          ':path': path,
          ':authority': 'localhost',
          'content-type': 'application/grpc',
          te: 'trailers',
        }),
      }),
      encodeFrame({ type: FRAME.data, flags: FLAG.endStream, stream: 1, payload: Buffer.alloc(5) }),
    ]
    const connection = await send(urlOf(), Buffer.concat(request))
    const answer = await waitFor('headers of the answer', () =>
      decodeFrames(connection.received).find(({ stream, type }) => stream === 1 && type === FRAME.headers),
    )
    connection.close()
    expect(answer.flags & FLAG.endStream).toBe(FLAG.endStream)
  })

  test.each(['', INSIGHTS, 'sdk.events.v1.EventsService', Health.typeName])(
    'health: the service %j is served',
    async (name) => {
      expect(
        await stream(clients[role], Health.method.check, [
          create(HealthCheckRequestSchema, { service: name }),
        ]),
      ).toMatchObject({
        code: OK,
        messages: [{ status: Status.SERVING }],
      })
    },
  )

  test('health: a service that does not exist is not found', async () => {
    const request = create(HealthCheckRequestSchema, { service: 'unknown.v1.UnknownService' })
    expect(await stream(clients[role], Health.method.check, [request])).toEqual({
      code: NOT_FOUND,
      messages: [],
    })
  })

  test('health: the list has every service', async () => {
    const { messages } = await stream(clients[role], Health.method.list, [create(Health.method.list.input)])
    const [{ statuses } = { statuses: {} }] = messages as unknown as [
      { statuses: Record<string, { status: Status }> },
    ]
    expect(Object.keys(statuses)).toEqual(expect.arrayContaining(['', ...SERVICE_NAMES]))
    expect(new Set(Object.values(statuses).map(({ status }) => status))).toEqual(new Set([Status.SERVING]))
  })

  test.each([
    [INSIGHTS, Status.SERVING],
    ['unknown.v1.UnknownService', Status.SERVICE_UNKNOWN],
  ])('health: who watches %s is told at once', async (name, status) => {
    const call = clients[role].makeServerStreamRequest<Message, Message>(
      pathOf(Health.method.watch),
      (message) => Buffer.from(toBinary(HealthCheckRequestSchema, message as never)),
      (bytes) => fromBinary(Health.method.watch.output, bytes),
      create(HealthCheckRequestSchema, { service: name }),
    )
    call.on('error', () => undefined)
    const [first] = (await once(call, 'data')) as [Message]
    call.cancel()
    expect(first).toMatchObject({ status })
  })

  describe.each([
    ['v1', ServerReflection],
    ['v1alpha', ServerReflectionAlpha],
  ] as const)('reflection %s', (_version, { method }) => {
    const { serverReflectionInfo } = method

    async function ask(...questions: readonly object[]): Promise<readonly Answer[]> {
      const requests = questions.map((messageRequest) =>
        create(serverReflectionInfo.input, { host: 'h', messageRequest } as never),
      )
      const { code, messages } = await stream(clients[role], serverReflectionInfo, requests)
      expect(code).toBe(OK)
      return messages as unknown as readonly Answer[]
    }

    test('lists the services, and describes each well enough to call it', async () => {
      const [list] = await ask({ case: 'listServices', value: '' })
      const names = list?.messageResponse.value.service?.map(({ name }) => name) ?? []
      expect(names).toEqual(
        expect.arrayContaining([...SERVICE_NAMES, Health.typeName, ServerReflection.typeName]),
      )
      const answers = await ask(...names.map((value) => ({ case: 'fileContainingSymbol', value })))
      const files = answers.flatMap(({ messageResponse }) => messageResponse.value.fileDescriptorProto ?? [])
      const file = files.map((bytes) => fromBinary(FileDescriptorProtoSchema, bytes))
      const unique = [...new Map(file.map((one) => [one.name, one])).values()]
      const registry = createFileRegistry(create(FileDescriptorSetSchema, { file: sortByNeed(unique) }))
      expect(names.filter((name) => registry.getService(name) === undefined)).toEqual([])
      expect(registry.getService(INSIGHTS)?.method.query?.input.field.timeRange?.number).toBe(2)
    })

    test('finds files by name, and by every kind of symbol', async () => {
      const symbols = [
        INSIGHTS,
        `${INSIGHTS}.Query`,
        'shared.insights.v1.QueryRequest',
        'shared.insights.v1.QueryRequest.timezone',
        'shared.insights.v1.UserFlowQuery.NodeKind',
        'shared.insights.v1.UserFlowQuery.NODE_KIND_PROPERTY',
        'common.v1.FILTER_OPERATOR_IN',
        'shared.insights.v1.QueryResponse.result',
        'google.protobuf.Timestamp',
        'buf.validate.field',
      ]
      const answers = await ask(
        { case: 'fileByFilename', value: 'shared/insights/v1/insights_service.proto' },
        ...symbols.map((value) => ({ case: 'fileContainingSymbol', value })),
      )
      expect(answers.map(({ messageResponse }) => messageResponse.case)).toEqual(
        answers.map(() => 'fileDescriptorResponse'),
      )
      expect(answers[0]).toMatchObject({ validHost: 'h', originalRequest: { host: 'h' } })
      const [first] = answers[0]?.messageResponse.value.fileDescriptorProto ?? []
      expect(fromBinary(FileDescriptorProtoSchema, first ?? Buffer.alloc(0)).name).toBe(
        'shared/insights/v1/insights_service.proto',
      )
    })

    test('finds extensions', async () => {
      const answers = await ask(
        { case: 'allExtensionNumbersOfType', value: 'google.protobuf.FieldOptions' },
        { case: 'allExtensionNumbersOfType', value: INSIGHTS },
        {
          case: 'fileContainingExtension',
          value: { containingType: 'google.protobuf.FieldOptions', extensionNumber: 1159 },
        },
      )
      expect(answers[0]?.messageResponse.value.extensionNumber).toContain(1159)
      expect(answers[1]?.messageResponse.value.extensionNumber).toEqual([])
      expect(answers[2]?.messageResponse.case).toBe('fileDescriptorResponse')
    })

    test('answers an unknown name with an error, and the stream continues', async () => {
      const answers = await ask(
        { case: 'fileByFilename', value: 'unknown.proto' },
        { case: 'fileContainingSymbol', value: 'unknown.v1.Message' },
        {
          case: 'fileContainingExtension',
          value: { containingType: 'common.v1.TimeRange', extensionNumber: 9 },
        },
        { case: 'allExtensionNumbersOfType', value: 'unknown.v1.Message' },
        { case: undefined },
        { case: 'listServices', value: '' },
      )
      expect(answers.map(({ messageResponse: { value } }) => value.errorCode)).toEqual([
        5,
        5,
        5,
        5,
        3,
        undefined,
      ])
    })
  })
})

interface Answer {
  readonly messageResponse: {
    readonly case: string
    readonly value: {
      readonly service?: readonly { readonly name: string }[]
      readonly fileDescriptorProto?: readonly Uint8Array[]
      readonly extensionNumber?: readonly number[]
      readonly errorCode?: number
    }
  }
}

function sortByNeed<File extends { readonly name: string; readonly dependency: readonly string[] }>(
  files: readonly File[],
): File[] {
  const byName = new Map(files.map((file) => [file.name, file]))
  const sorted = new Set<File>()
  const visit = (file: File | undefined): void => {
    if (!file || sorted.has(file)) return
    for (const name of file.dependency) visit(byName.get(name))
    sorted.add(file)
  }
  for (const file of files) visit(file)
  return [...sorted]
}

describe('methods that a later release may have', () => {
  const LATER = ['dashboard.later.v1.LaterService/Get']

  test.each(LATER)('%s is unimplemented in Connect, in every codec and version of HTTP', async (method) => {
    for (const type of ['application/json', 'application/proto']) {
      const headers = { 'content-type': type, 'connect-protocol-version': '1' }
      const body = type.endsWith('json') ? '{}' : new Uint8Array(0)
      const answer = await fetch(`${service.url}/${method}`, { method: 'POST', headers, body })
      expect(answer.status).toBe(404)
      expect(answer.headers.get('content-type')).toBe('application/json')
      expect(await answer.json()).toMatchObject({ code: 'unimplemented' })
    }
    const session = connect(service.url)
    const call = session.request({
      ':method': 'POST',
      ':path': `/${method}`,
      'content-type': 'application/json',
    })
    const [head] = (await once(call.end('{}'), 'response')) as [Record<string, unknown>]
    session.destroy()
    expect(head[':status']).toBe(404)
  })

  test.each(LATER)('%s is unimplemented in gRPC-Web, as text and not', async (method) => {
    for (const type of ['application/grpc-web+proto', 'application/grpc-web-text']) {
      const body = type.endsWith('text') ? 'AAAAAAA=' : new Uint8Array(5)
      const answer = await fetch(`${service.url}/${method}`, {
        method: 'POST',
        headers: { 'content-type': type },
        body,
      })
      expect(answer.status).toBe(200)
      const text = await answer.text()
      expect(type.endsWith('text') ? Buffer.from(text, 'base64').toString() : text).toContain(
        'grpc-status: 12',
      )
    }
  })
})

test('health needs no gRPC: Connect over HTTP/1.1 does', async () => {
  const answer = await service.call('grpc.health.v1.Health/Check', { service: INSIGHTS }, { 'x-api-key': '' })
  expect(answer).toMatchObject({ status: 200, body: { status: 'SERVING' } })
  const unknown = await service.call('grpc.health.v1.Health/Check', { service: 'x' }, { 'x-api-key': '' })
  expect(unknown).toMatchObject({ status: 404, body: { code: 'not_found' } })
  const watch = await service.call('grpc.health.v1.Health/Watch', {}, { 'x-api-key': '' })
  expect(watch).toMatchObject({ status: 501, body: { code: 'unimplemented' } })
})
