import type { UniversalHandlerFn, UniversalServerRequest } from '@connectrpc/connect/protocol'
import { pino } from 'pino'
import { describe, expect, test } from 'vitest'
import type { Caller } from '../../access/caller.ts'
import { asProjectId } from '../../contract/ids.ts'
import { ServiceError } from '../../contract/service-error.ts'
import { streamBytes } from '../../rpc/connect-adapter/byte-stream.ts'
import { encodeConnectError, HTTP_STATUS } from '../../rpc/connect-error-wire.ts'
import type { Authenticate } from '../http/call-checks.ts'
import { pathOf } from '../http/call-method.ts'
import { createMcpEndpoint } from './mcp-endpoint.ts'
import { TOOLS } from './tools.ts'

const KEY: Caller = {
  kind: 'key',
  projectId: asProjectId(1),
  keyKind: 'private',
  keyId: 'k',
  masked: 'prv_…abcd',
}
const CALL = {
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'get_profile', arguments: { id: 'a' } },
}

interface Setup {
  /** Serves `get_profile`. */
  readonly handler?: UniversalHandlerFn
  readonly authenticate?: Authenticate
  readonly timeoutMsMax?: number
}

interface Answered {
  readonly status: number
  readonly json: unknown
  readonly logged: string
}

async function send(
  message: unknown,
  { handler = answerWith('{}'), authenticate = async () => KEY, timeoutMsMax = 60_000 }: Setup,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answered> {
  let logged = ''
  const endpoint = createMcpEndpoint({
    handlers: new Map([[pathOf(TOOLS.get_profile.method), handler]]),
    authenticate,
    log: pino(
      {},
      {
        write: (line: string) => {
          logged += line
        },
      },
    ),
    publicUrl: 'http://localhost:3000',
    version: '1.2.3',
    bodyBytesMax: 100_000,
    timeoutMsMax,
  })
  const { status, body } = await endpoint({
    httpVersion: '1.1',
    method: 'POST',
    url: 'http://localhost/mcp',
    header: new Headers({ 'content-type': 'application/json', ...headers }),
    body: streamBytes(Buffer.from(JSON.stringify(message))),
    signal: new AbortController().signal,
  })
  return { status, json: JSON.parse(await textOf(body)), logged }
}

async function textOf(body: AsyncIterable<Uint8Array> | undefined): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of body ?? []) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

function answerWith(json: string): UniversalHandlerFn {
  return async () => ({ status: 200, header: new Headers(), body: streamBytes(Buffer.from(json)) })
}

function failWith(error: ServiceError): UniversalHandlerFn {
  const body = encodeConnectError(error, { requestId: 'r', domain: 'test' })
  return async () => ({
    status: HTTP_STATUS[error.code],
    header: new Headers(),
    body: streamBytes(Buffer.from(body)),
  })
}

describe('a tool call', () => {
  test('invokes the RPC with the headers of its request, without those of the body', async () => {
    const seen: UniversalServerRequest[] = []
    const handler: UniversalHandlerFn = async (request) => {
      seen.push(request)
      return await answerWith('{"profile":{"id":"a"}}')(request)
    }
    const headers = {
      authorization: 'Bearer prv_k',
      'cache-control': 'no-cache',
      'x-project-id': '1',
      'x-request-id': 'r-1',
      'accept-encoding': 'gzip',
      'mcp-protocol-version': '2025-11-25',
    }
    const { json } = await send(CALL, { handler, timeoutMsMax: 5000 }, headers)
    expect(json).toMatchObject({ result: { structuredContent: { profile: { id: 'a' } } } })
    expect(seen.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'POST http://localhost/shared.profiles.v1.ProfilesService/Get',
    ])
    expect(Object.fromEntries(seen[0]?.header ?? [])).toEqual({
      'cache-control': 'no-cache',
      'connect-protocol-version': '1',
      'connect-timeout-ms': '5000',
      'content-type': 'application/json',
      'x-api-key': 'prv_k',
      'x-project-id': '1',
      'x-request-id': 'r-1',
    })
    expect(await textOf(seen[0]?.body as AsyncIterable<Uint8Array>)).toBe('{"id":"a"}')
  })

  test('without arguments sends an empty request', async () => {
    const bodies: string[] = []
    const handler: UniversalHandlerFn = async (request) => {
      bodies.push(await textOf(request.body as AsyncIterable<Uint8Array>))
      return await answerWith('{}')(request)
    }
    await send({ ...CALL, params: { name: 'get_profile' } }, { handler })
    expect(bodies).toEqual(['{}'])
  })

  test('that fails returns every part of the error', async () => {
    const error = new ServiceError({
      code: 'resource_exhausted',
      reason: 'OVERLOADED',
      message: 'too many',
      violations: [{ field: 'id', description: 'is odd' }],
      retryAfterSeconds: 2,
    })
    const { status, json } = await send(CALL, { handler: failWith(error) }, { 'x-request-id': 'r-1' })
    const { content, isError } = (json as { result: { content: [{ text: string }]; isError: boolean } })
      .result
    expect({ status, isError }).toEqual({ status: 200, isError: true })
    expect(JSON.parse(content[0].text)).toEqual({
      code: 'resource_exhausted',
      reason: 'OVERLOADED',
      message: 'too many',
      violations: [{ field: 'id', description: 'is odd' }],
      retryAfterSeconds: 2,
      requestId: 'r-1',
    })
  })

  test('that fails unexpectedly hides the cause and logs it', async () => {
    const handler: UniversalHandlerFn = async () => {
      throw new Error('secret of the store')
    }
    const { json, logged } = await send(CALL, { handler }, { 'x-request-id': 'r-1' })
    expect(JSON.stringify(json)).toContain('INTERNAL')
    expect(JSON.stringify(json)).not.toContain('secret')
    expect(logged).toMatch(/"requestId":"r-1".*secret of the store/)
  })

  test('that is cancelled in its own batch ends at the deadline', async () => {
    const never: UniversalHandlerFn = async () => await new Promise<never>(() => undefined)
    const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } }
    const { status, json } = await send([CALL, cancelled], { handler: never, timeoutMsMax: 20 })
    expect({ status, json }).toMatchObject({
      status: 504,
      json: { id: null, error: { data: { reason: 'DEADLINE_EXCEEDED' } } },
    })
  })
})

test('an unexpected error of authentication is logged and hidden from the caller', async () => {
  const authenticate = async (): Promise<never> => {
    throw new Error('secret of the store')
  }
  const { status, json, logged } = await send(CALL, { authenticate }, { 'x-request-id': 'r-1' })
  expect({ status, json }).toMatchObject({ status: 500, json: { error: { data: { reason: 'INTERNAL' } } } })
  expect(JSON.stringify(json)).not.toContain('secret')
  expect(logged).toMatch(/"requestId":"r-1".*secret of the store/)
})
