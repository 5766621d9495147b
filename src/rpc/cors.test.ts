import { expect, test } from 'vitest'
import { corsHeaders, preflightAnswer } from './cors.ts'

const ORIGIN = 'https://shop.example'

test.each([
  ['/sdk.events.v1.EventsService/BatchCreate', true],
  ['/public.auth.v1.AuthService/Login', true],
  ['/shared.insights.v1.InsightsService/Query', false],
  ['/dashboard.orgs.v1.OrgsService/List', false],
  ['/sdkx.v1.Service/Method', false],
  ['/mcp', false],
  ['/', false],
])('%s is open to any origin: %s', (path, isOpen) => {
  const names = corsHeaders(path, ORIGIN).map(([name]) => name)
  const preflight = preflightAnswer(path, ORIGIN)
  expect(names.includes('access-control-allow-origin')).toBe(isOpen)
  expect(preflight.status).toBe(204)
  expect(preflight.headers.some(([name]) => name === 'access-control-allow-headers')).toBe(isOpen)
})

test('without an origin there is nothing to say', () => {
  expect(corsHeaders('/sdk.events.v1.EventsService/BatchCreate', '')).toEqual([])
})

test('a preflight allows the headers of Connect, gRPC-Web and this interface', () => {
  const headers = new Map(preflightAnswer('/sdk.x/Y', ORIGIN).headers)
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

test('an answer shows the status of gRPC-Web, the request id, the limits and the zone of its times', () => {
  const exposed = new Map(corsHeaders('/sdk.x/Y', ORIGIN)).get('access-control-expose-headers')?.split(', ')
  expect(exposed).toEqual(
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
