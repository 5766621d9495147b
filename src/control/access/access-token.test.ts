import { type JWTPayload, SignJWT, UnsecuredJWT } from 'jose'
import { expect, test } from 'vitest'
import { asCustomerId } from '../../contract/ids.ts'
import { AccessTokens } from './access-token.ts'

/** Long enough for every algorithm of the family. */
const SECRET = Buffer.alloc(64, 1)
const NOW_MS = 1_800_000_000_000
const ALICE = { customerId: asCustomerId('c-1'), sessionId: 's-1', signedInMs: NOW_MS - 120_000 }
const CLAIMS = {
  iss: 'millrace',
  aud: 'millrace-console',
  sub: 'c-1',
  sid: 's-1',
  auth_time: NOW_MS / 1000 - 120,
  exp: NOW_MS / 1000 + 60,
}
const HEADER = { alg: 'HS256', typ: 'at+jwt' }

function tokensAt(nowMs: number): AccessTokens {
  return new AccessTokens(SECRET, { nowMs: () => nowMs })
}

test('a token has its customer and is valid for an hour', async () => {
  const token = await tokensAt(NOW_MS).issue(ALICE)
  expect(await tokensAt(NOW_MS + 3_599_000).read(token)).toEqual(ALICE)
  await expect(tokensAt(NOW_MS + 3_600_000).read(token)).rejects.toMatchObject({
    code: 'unauthenticated',
    reason: 'INVALID_TOKEN',
  })
})

test('a token that the same secret signed for this service is read', async () => {
  const token = await new SignJWT(CLAIMS).setProtectedHeader(HEADER).sign(SECRET)
  expect(await tokensAt(NOW_MS).read(token)).toEqual(ALICE)
})

test('a token without the time of the sign-in is not a recent sign-in', async () => {
  const claims = { ...CLAIMS, auth_time: undefined }
  const token = await new SignJWT(claims).setProtectedHeader(HEADER).sign(SECRET)
  expect(await tokensAt(NOW_MS).read(token)).toEqual({ ...ALICE, signedInMs: 0 })
})

test.each([
  ['another issuer', { ...CLAIMS, iss: 'other' }, HEADER],
  ['another audience', { ...CLAIMS, aud: 'other' }, HEADER],
  ['no end', { ...CLAIMS, exp: undefined }, HEADER],
  ['no subject', { ...CLAIMS, sub: undefined }, HEADER],
  ['no session', { ...CLAIMS, sid: undefined }, HEADER],
  ['a session that is no text', { ...CLAIMS, sid: 1 }, HEADER],
  ['a start in the future', { ...CLAIMS, nbf: NOW_MS / 1000 + 10 }, HEADER],
  ['another type', CLAIMS, { ...HEADER, typ: 'JWT' }],
  ['no type', CLAIMS, { alg: 'HS256' }],
  ['another algorithm', CLAIMS, { ...HEADER, alg: 'HS512' }],
])('a token with %s is rejected', async (_, claims, header) => {
  const token = await new SignJWT(claims as JWTPayload).setProtectedHeader(header).sign(SECRET)
  await expect(tokensAt(NOW_MS).read(token)).rejects.toMatchObject({ reason: 'INVALID_TOKEN' })
})

test('an unsigned, foreign, modified or malformed token is rejected', async () => {
  const token = await tokensAt(NOW_MS).issue(ALICE)
  const forged = await new AccessTokens(Buffer.alloc(32, 2), { nowMs: () => NOW_MS }).issue(ALICE)
  const [header = '', , signature = ''] = token.split('.')
  const other = Buffer.from(JSON.stringify({ ...CLAIMS, sub: 'c-2' })).toString('base64url')
  const sent = [new UnsecuredJWT(CLAIMS).encode(), forged, `${header}.${other}.${signature}`, 'a.b.c', '']
  const read = await Promise.allSettled(sent.map(async (text) => await tokensAt(NOW_MS).read(text)))
  expect(read.map((outcome) => outcome.status === 'rejected' && outcome.reason.reason)).toEqual(
    sent.map(() => 'INVALID_TOKEN'),
  )
})
