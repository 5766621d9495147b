import { generateKeyPairSync } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type HttpDouble, startHttpDouble } from '../../../test/harness/http-double.ts'
import { LOOPBACK, rangesOf } from '../../../test/harness/loopback.ts'
import {
  googleError,
  type PushService,
  type RefuseMessage,
  startPushService,
} from '../../../test/harness/push-service.ts'
import { Outbound } from '../../kernel/outbound/outbound.ts'
import { type FcmAccount, parseFcmAccount } from '../projects/fcm-account.ts'
import { openFcmClient, type SendOutcome } from './fcm-client.ts'
import { FcmTokens } from './fcm-tokens.ts'

const NO_SIGNAL = new AbortController().signal
const MESSAGE = { message: { token: 'device' } }

let nowMs: number
let refuse: RefuseMessage
let service: PushService
let tokens: FcmTokens
let account: FcmAccount
const doubles: HttpDouble[] = []

const clock = { nowMs: () => nowMs }

beforeEach(async () => {
  nowMs = Math.floor(performance.timeOrigin + performance.now())
  refuse = () => undefined
  service = await startPushService((message) => refuse(message))
  tokens = new FcmTokens({ clock, fcmUrl: service.url, outbound: LOOPBACK })
  account = parseFcmAccount(service.account)
})

afterEach(async () => {
  await service.stop()
  await Promise.all(doubles.splice(0).map((double) => double.stop()))
})

async function send(as = account): Promise<SendOutcome> {
  const retry = { firstMs: 1, maxMs: 2 }
  const client = await openFcmClient({ url: service.url, tokens, clock, retry }, as, NO_SIGNAL)
  return await client(MESSAGE, NO_SIGNAL)
}

test('a message is sent with a token from the exchange of the signed assertion', async () => {
  expect(await send()).toEqual({ kind: 'sent' })
  expect(service.taken).toEqual([{ token: 'device' }])
})

test('a token is used until a minute before it expires', async () => {
  await send()
  nowMs += 3_539_000
  await send()
  expect(service.tokens).toHaveLength(1)
  nowMs += 1000
  await send()
  expect(service.tokens).toHaveLength(2)
})

test('an account with a wrong key is rejected permanently', async () => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  const other = { ...account, privateKey: pem }
  await expect(send(other)).rejects.toThrow('rejected the service account (status 400)')
  await expect(send({ ...account, privateKey: '-----BEGIN PRIVATE KEY-----\nx\n' })).rejects.toMatchObject({
    name: 'PushRefusedError',
  })
})

test('the token endpoint uses TLS or has the origin of the push service', async () => {
  const double = await startHttpDouble(() => ({ status: 200, body: { access_token: 't', expires_in: 3600 } }))
  doubles.push(double)
  await expect(send({ ...account, tokenUri: `${double.url}/token` })).rejects.toThrow('token_uri')
  expect(double.requests).toEqual([])
})

test('the token endpoint has a public address or one that the operator allows', async () => {
  tokens = new FcmTokens({
    clock,
    fcmUrl: service.url,
    outbound: new Outbound({ allowed: rangesOf('none') }),
  })
  await expect(send()).rejects.toThrow('token_uri of the service account has no public address')
  const metadata = { ...account, tokenUri: 'https://169.254.169.254/token' }
  await expect(send(metadata)).rejects.toMatchObject({ name: 'PushRefusedError' })
  expect(service.tokens).toEqual([])
})

test('a token service that redirects is not followed', async () => {
  const double = await startHttpDouble(() => ({
    status: 307,
    headers: { location: `${service.url}/token` },
  }))
  doubles.push(double)
  tokens = new FcmTokens({ clock, fcmUrl: double.url, outbound: LOOPBACK })
  await expect(send({ ...account, tokenUri: double.url })).rejects.toMatchObject({ name: 'PushRefusedError' })
  expect(service.tokens).toEqual([])
})

test.each([
  [500, 'PushUnavailableError'],
  [429, 'PushUnavailableError'],
  [200, 'PushRefusedError'],
  [403, 'PushRefusedError'],
])('a response %i of the token service without a token: %s', async (status, name) => {
  const double = await startHttpDouble(() => ({ status, body: {} }))
  doubles.push(double)
  tokens = new FcmTokens({ clock, fcmUrl: double.url, outbound: LOOPBACK })
  await expect(send({ ...account, tokenUri: double.url })).rejects.toMatchObject({ name })
})

test.each<[number, string, SendOutcome]>([
  [404, 'UNREGISTERED', { kind: 'unregistered' }],
  [400, 'INVALID_ARGUMENT', { kind: 'refused' }],
  [403, 'SENDER_ID_MISMATCH', { kind: 'refused' }],
  [429, 'QUOTA_EXCEEDED', { kind: 'later', retryAfterMs: 0 }],
  [503, 'UNAVAILABLE', { kind: 'later', retryAfterMs: 0 }],
])('%i %s', async (status, code, outcome) => {
  refuse = () => googleError(status, code)
  expect(await send()).toEqual(outcome)
})

test('a rejected project is not an unregistered device', async () => {
  refuse = () => googleError(403, 'PERMISSION_DENIED')
  await expect(send()).rejects.toMatchObject({ name: 'PushRefusedError' })
  refuse = () => ({ status: 404, body: 'not the push service' })
  await expect(send()).rejects.toMatchObject({ name: 'PushRefusedError' })
})

test('a message is retried, and accepted when the service recovers', async () => {
  let count = 0
  refuse = () => (++count < 3 ? googleError(503, 'UNAVAILABLE') : undefined)
  expect(await send()).toEqual({ kind: 'sent' })
  expect(count).toBe(3)
  count = -100
  expect((await send()).kind).toBe('later')
  expect(count).toBe(-96)
})

test('a short requested delay is waited for, and a long one is returned', async () => {
  const startedMs = performance.now()
  let count = 0
  refuse = () => (++count === 1 ? googleError(429, 'QUOTA_EXCEEDED', { 'retry-after': '1' }) : undefined)
  expect(await send()).toEqual({ kind: 'sent' })
  expect(performance.now() - startedMs).toBeGreaterThanOrEqual(990)
  refuse = () => googleError(429, 'QUOTA_EXCEEDED', { 'retry-after': '90' })
  expect(await send()).toEqual({ kind: 'later', retryAfterMs: 90_000 })
  const date = new Date(Math.ceil(nowMs / 1000) * 1000 + 120_000).toUTCString()
  refuse = () => googleError(503, 'UNAVAILABLE', { 'retry-after': date })
  const outcome = await send()
  expect(outcome.kind === 'later' && outcome.retryAfterMs).toBeGreaterThan(119_000)
})

test('a rejected token is replaced', async () => {
  await send()
  refuse = () => googleError(401, 'UNAUTHENTICATED')
  await expect(send()).rejects.toMatchObject({ name: 'PushUnavailableError' })
  refuse = () => undefined
  expect(await send()).toEqual({ kind: 'sent' })
  expect(service.tokens).toHaveLength(2)
})

test('an unreachable service postpones the message', async () => {
  await send()
  await service.stop()
  expect(await send()).toEqual({ kind: 'later', retryAfterMs: 0 })
  service = await startPushService()
})
