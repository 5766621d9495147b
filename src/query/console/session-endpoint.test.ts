import type { UniversalHandlerFn } from '@connectrpc/connect/protocol'
import { pino } from 'pino'
import { beforeEach, describe, expect, test } from 'vitest'
import { fromCookieKey } from '../../access/caller.ts'
import { ServiceError } from '../../contract/service-error.ts'
import { streamBytes } from '../../rpc/connect-adapter/byte-stream.ts'
import { encodeConnectError, HTTP_STATUS } from '../../rpc/connect-error-wire.ts'
import { createSessionEndpoints } from './session-endpoint.ts'

const AUTH = '/public.auth.v1.AuthService'

let calls: string[] = []
let endpoints: ReadonlyMap<string, UniversalHandlerFn>
let failure: ServiceError | undefined
let fromCookie: boolean | undefined

async function textOf(body: AsyncIterable<Uint8Array> | undefined): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of body ?? []) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

/** Answers like AuthService: each token is the number of its call. */
function handlerOf(method: string, answer: () => object): [string, UniversalHandlerFn] {
  const handler: UniversalHandlerFn = async ({ body, contextValues }) => {
    fromCookie = contextValues?.get(fromCookieKey)
    calls.push(`${method} ${await textOf(body as AsyncIterable<Uint8Array>)}`)
    const text = failure
      ? encodeConnectError(failure, { requestId: 'r', domain: 'test' })
      : JSON.stringify(answer())
    const status = failure ? HTTP_STATUS[failure.code] : 200
    return { status, header: new Headers(), body: streamBytes(Buffer.from(text)) }
  }
  return [`${AUTH}/${method}`, handler]
}

beforeEach(() => {
  calls = []
  failure = undefined
  fromCookie = undefined
  const issue = (): object => ({ token: `token-${calls.length}`, refreshToken: `refresh-${calls.length}` })
  endpoints = createSessionEndpoints({
    handlers: new Map([
      handlerOf('SignInWithEmail', issue),
      handlerOf('CompleteMagicLink', () => ({ ...issue(), passwordRemoved: true })),
      handlerOf('CompleteOIDCSignIn', () => ({ secondFactor: 'step-1' })),
      handlerOf('StartSecondFactor', () => ({ passkeyOptions: '{}' })),
      handlerOf('CompleteSecondFactor', issue),
      handlerOf('RefreshSession', issue),
      handlerOf('SignOut', () => ({})),
    ]),
    log: pino({ level: 'silent' }),
    errorDomain: 'test',
    publicUrl: 'http://localhost:3000',
    bodyBytesMax: 1_000_000,
    timeoutMsMax: 1000,
  })
})

interface Answered {
  readonly status: number
  readonly json: unknown
  readonly cookie: string | null
}

async function post(
  method: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answered> {
  const endpoint = endpoints.get(`/console/session/${method}`)
  if (!endpoint) throw new Error(`nothing is at ${method}`)
  const answer = await endpoint({
    httpVersion: '1.1',
    method: 'POST',
    url: `http://localhost:3000/console/session/${method}`,
    header: new Headers({ 'content-type': 'application/json', host: 'localhost:3000', ...headers }),
    body: streamBytes(Buffer.from(JSON.stringify(body))),
    signal: new AbortController().signal,
  })
  const json: unknown = JSON.parse(await textOf(answer.body))
  return { status: answer.status, json, cookie: answer.header?.get('set-cookie') ?? null }
}

describe('sign-in', () => {
  test('returns the token and keeps the refresh token in a cookie that scripts cannot read', async () => {
    const answer = await post('SignInWithEmail', { email: 'a@b.c', password: 'p' })
    expect(answer).toMatchObject({ status: 200, json: { token: 'token-1' } })
    expect(answer.cookie).toBe(
      'millrace_session=refresh-1; Path=/console/session; HttpOnly; SameSite=Strict; Max-Age=7776000',
    )
    expect(calls).toEqual(['SignInWithEmail {"email":"a@b.c","password":"p"}'])
  })

  test('of an account that has lost its password reports that, and nothing more', async () => {
    const { json } = await post('CompleteMagicLink', { token: 'of-a-link' })
    expect(json).toEqual({ token: 'token-1', passwordRemoved: true })
    expect((await post('SignInWithEmail', {})).json).toEqual({ token: 'token-2' })
  })

  test('over TLS sets a cookie that is never sent over a plain connection', async () => {
    const { cookie } = await post('SignInWithEmail', {}, { origin: 'https://localhost:3000' })
    expect(cookie).toMatch(/; Secure$/)
  })

  test('fails like the RPC and sets no cookie', async () => {
    failure = new ServiceError({ code: 'unauthenticated', reason: 'INVALID_CREDENTIALS', message: 'no' })
    const answer = await post('SignInWithEmail', {})
    expect(answer).toMatchObject({ status: 401, json: { code: 'unauthenticated' }, cookie: null })
  })
})

describe('a second factor', () => {
  test('that is due reaches the page as a fact, and keeps its step in a cookie that scripts cannot read', async () => {
    const answer = await post('CompleteOIDCSignIn', { code: 'c' })
    expect(answer).toEqual({
      status: 200,
      json: { secondFactor: true },
      cookie: 'millrace_second_factor=step-1; Path=/console/session; HttpOnly; SameSite=Strict; Max-Age=600',
    })
  })

  test('is proved with the step of the cookie, whatever the page sends', async () => {
    const headers = { cookie: 'millrace_second_factor=step-1' }
    const answer = await post('CompleteSecondFactor', { code: '123456', attempt: 'of another' }, headers)
    expect(calls).toEqual(['CompleteSecondFactor {"code":"123456","attempt":"step-1"}'])
    expect(answer.json).toEqual({ token: 'token-1' })
    expect(answer.cookie).toContain('millrace_session=refresh-1;')
    expect(answer.cookie).toContain('millrace_second_factor=; ')
  })

  test('is started with the step of the cookie, which stays there', async () => {
    const headers = { cookie: 'millrace_second_factor=step-1' }
    const answer = await post('StartSecondFactor', { attempt: 'of another' }, headers)
    expect(calls).toEqual(['StartSecondFactor {"attempt":"step-1"}'])
    expect(answer).toEqual({ status: 200, json: { hasTotp: false, passkeyOptions: '{}' }, cookie: null })
  })

  test('is not proved in a browser without the step', async () => {
    await post('CompleteSecondFactor', { code: '123456' })
    expect(calls).toEqual(['CompleteSecondFactor {"code":"123456","attempt":"none"}'])
  })
})

describe('a refresh', () => {
  test('uses the token in the cookie and sets the next one', async () => {
    const answer = await post('RefreshSession', {}, { cookie: 'a=b; millrace_session=old' })
    expect(answer).toMatchObject({ json: { token: 'token-1' } })
    expect(answer.cookie).toContain('millrace_session=refresh-1;')
    expect(calls).toEqual(['RefreshSession {"refreshToken":"old"}'])
  })

  test('marks the token as one of a cookie, which two tabs may send at once', async () => {
    await post('RefreshSession', {}, { cookie: 'millrace_session=old' })
    expect(fromCookie).toBe(true)
  })

  test('without a cookie is unauthenticated and calls no method', async () => {
    expect(await post('RefreshSession', {})).toEqual({ status: 200, json: {}, cookie: null })
    expect(calls).toEqual([])
  })

  test('of an ended session clears the cookie', async () => {
    failure = new ServiceError({ code: 'unauthenticated', reason: 'INVALID_TOKEN', message: 'no' })
    const { json, cookie } = await post('RefreshSession', {}, { cookie: 'millrace_session=old' })
    expect([json, cookie]).toEqual([{}, expect.stringContaining('Max-Age=0')])
  })

  test('keeps the cookie when the service is unavailable, so that a retry works', async () => {
    failure = new ServiceError({ code: 'unavailable', reason: 'STORE_UNAVAILABLE', message: 'later' })
    const headers = { cookie: 'millrace_session=old' }
    expect(await post('RefreshSession', {}, headers)).toMatchObject({ status: 503, cookie: null })
    failure = undefined
    expect(await post('RefreshSession', {}, headers)).toMatchObject({ json: { token: 'token-2' } })
  })
})

test('signing out ends the session and clears the cookie', async () => {
  const { cookie } = await post('SignOut', {}, { cookie: 'millrace_session=old' })
  expect(calls).toEqual(['SignOut {"refreshToken":"old"}'])
  expect(cookie).toContain('Max-Age=0')
})

describe('a request of another page', () => {
  test.each([
    ['from another site', { 'sec-fetch-site': 'cross-site' }],
    ['from another subdomain', { 'sec-fetch-site': 'same-site' }],
    ['with another origin', { origin: 'https://evil.example' }],
    ['without an origin of its own', { origin: 'null' }],
  ])('%s is refused', async (_, headers) => {
    const answer = await post('RefreshSession', {}, { cookie: 'millrace_session=old', ...headers })
    expect(answer).toMatchObject({ status: 403, json: { code: 'permission_denied' }, cookie: null })
    expect(calls).toEqual([])
  })

  test('as a form is rejected: a form cannot send JSON', async () => {
    const answer = await post('SignOut', {}, { 'content-type': 'text/plain', cookie: 'millrace_session=old' })
    expect(answer.status).not.toBe(200)
    expect(calls).toEqual([])
  })
})

test('a body above 64 KiB is rejected before any call', async () => {
  const { status } = await post('SignInWithEmail', { email: 'a'.repeat(65_536) })
  expect(status).toBe(429)
  expect(calls).toEqual([])
})
