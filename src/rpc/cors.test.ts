import { expect, test } from 'vitest'
import { corsHeaders, preflightAnswer } from './cors.ts'

const ORIGIN = 'https://shop.example'
const LISTED = 'https://app.example'
const ALLOWED = new Set([LISTED])
const BATCH_CREATE = '/sdk.events.v1.EventsService/BatchCreate'

test.each([
  [BATCH_CREATE],
  ['/sdk.profiles.v1.ProfilesSDKService/Identify'],
  ['/sdk.devices.v1.DevicesService/Subscribe'],
])('%s allows every origin by name, with credentials', (path) => {
  for (const origin of [ORIGIN, LISTED, 'null', 'http://localhost:9']) {
    const expected = {
      'access-control-allow-origin': origin,
      'access-control-allow-credentials': 'true',
      vary: 'Origin',
    }
    expect(Object.fromEntries(corsHeaders({ path, origin }))).toMatchObject(expected)
    expect(Object.fromEntries(preflightAnswer({ path, origin }).headers)).toMatchObject(expected)
  }
})

test.each([
  ['/shared.insights.v1.InsightsService/Query', true],
  ['/dashboard.orgs.v1.OrgsService/List', true],
  ['/public.auth.v1.AuthService/SignInWithEmail', true],
  ['/millrace.sessions.v1.SessionsService/List', true],
  ['/sdkx.v1.Service/Method', false],
  ['/console/session/SignInWithEmail', false],
  ['/grpc.health.v1.Health/Check', false],
  ['/mcp', false],
  ['/', false],
])('%s allows a listed origin: %s, and no other', (path, isOpen) => {
  const listed = corsHeaders({ path, origin: LISTED }, ALLOWED)
  const preflight = preflightAnswer({ path, origin: LISTED }, ALLOWED)
  expect(new Map(listed).get('access-control-allow-origin')).toBe(isOpen ? LISTED : undefined)
  expect(new Map(preflight.headers).get('access-control-allow-origin')).toBe(isOpen ? LISTED : undefined)
  expect(new Map(listed).has('access-control-allow-credentials')).toBe(false)
  expect(corsHeaders({ path, origin: ORIGIN }, ALLOWED)).toEqual([])
  expect(corsHeaders({ path, origin: LISTED })).toEqual([])
  expect(preflightAnswer({ path, origin: ORIGIN }, ALLOWED)).toEqual({
    status: 204,
    headers: [
      ['allow', 'POST, OPTIONS'],
      ['vary', 'Origin'],
    ],
    body: '',
  })
})

test.each(['', 'shop.example', 'https://shop.example\u0100', 'https://a b', `https://${'a'.repeat(300)}`])(
  'the origin %j is not echoed',
  (origin) => {
    expect(corsHeaders({ path: BATCH_CREATE, origin })).toEqual([])
  },
)

test('a preflight allows the headers of Connect, gRPC-Web and this interface', () => {
  const headers = new Map(preflightAnswer({ path: BATCH_CREATE, origin: ORIGIN }).headers)
  const allowed = headers.get('access-control-allow-headers')?.split(', ')
  expect(allowed).toEqual(
    expect.arrayContaining([
      'authorization',
      'connect-protocol-version',
      'connect-timeout-ms',
      'content-type',
      'grpc-timeout',
      'x-api-key',
      'x-grpc-web',
      'x-project-id',
      'x-request-id',
      'x-user-agent',
    ]),
  )
  expect(headers.get('access-control-max-age')).toBe('7200')
})

test('a response exposes the gRPC-Web status, the request id, the limits and its time zone', () => {
  const headers = new Map(corsHeaders({ path: BATCH_CREATE, origin: ORIGIN }))
  expect(headers.get('access-control-expose-headers')?.split(', ')).toEqual(
    expect.arrayContaining([
      'grpc-message',
      'grpc-status',
      'grpc-status-details-bin',
      'retry-after',
      'x-request-id',
      'x-time-zone',
    ]),
  )
})
