import { expect, test } from 'vitest'
import { type ErrorCode, type ErrorReason, ServiceError } from '../../../contract/service-error.ts'
import type { ForeignHead, ForeignRoute } from '../foreign/dialect.ts'
import { SEGMENT } from './segment.ts'

interface Sent {
  readonly path?: string
  readonly method?: string
  readonly query?: string
  readonly hasTls?: boolean
  readonly headers?: Readonly<Record<string, string>>
}

function route({ path = '/v1/batch', method = 'POST', query = '', hasTls = false, headers = {} }: Sent) {
  const head: ForeignHead = {
    method,
    path,
    query: new URLSearchParams(query),
    hasTls,
    nowMs: 0,
    header: (name) => headers[name],
  }
  return SEGMENT.route(head)
}

function eventsRoute(sent: Sent): Extract<ForeignRoute, { readonly kind: 'events' }> {
  const found = route(sent)
  if (found?.kind !== 'events') throw new Error('the route has no events')
  return found
}

const basic = (user: string): Readonly<Record<string, string>> => ({
  authorization: `Basic ${Buffer.from(`${user}:`).toString('base64')}`,
})

test.each<[string, Sent, string]>([
  ['Basic authentication', { headers: basic('pub_a') }, 'pub_a'],
  ['the query of a beacon', { path: '/beacon/v1/batch', query: 'writeKey=pub_b' }, 'pub_b'],
  ['neither: the body has it', {}, ''],
  ['a private key, which does not count', { headers: basic('prv_a') }, ''],
  ['authentication of another form', { headers: { authorization: 'Bearer pub_a' } }, ''],
])('the key is in %s', (_, sent, key) => {
  expect(eventsRoute(sent).key).toBe(key)
})

test.each([
  ['/v1/p', 'page'],
  ['/v1/identify', 'identify'],
  ['/v1/import', 'batch'],
  ['/beacon/v1/batch', 'batch'],
])('%s takes the form %s', (path, form) => {
  expect(eventsRoute({ path }).form).toBe(form)
})

test.each<[Sent]>([
  [{ path: '/v1/constructor' }],
  [{ path: '/v2/batch' }],
  [{ path: '/v1/track', method: 'GET' }],
  [{ path: '/v1/projects/a%2Fb/settings', method: 'GET' }],
])('nothing is served at %j', (sent) => {
  expect(route(sent)).toBeUndefined()
})

test.each<[ErrorReason, ErrorCode, number]>([
  ['OVERLOADED', 'resource_exhausted', 429],
  ['RATE_LIMITED', 'resource_exhausted', 429],
  ['STORE_UNAVAILABLE', 'unavailable', 503],
  ['INTERNAL', 'internal', 500],
  ['INVALID_API_KEY', 'unauthenticated', 401],
  ['INVALID_REQUEST', 'invalid_argument', 400],
  ['BODY_TOO_LARGE', 'resource_exhausted', 413],
  ['UNSUPPORTED_ENCODING', 'unimplemented', 415],
])('%s is answered so that the SDKs repeat it, or drop what they must', (reason, code, status) => {
  const error = new ServiceError({ code, reason, message: 'because', retryAfterSeconds: 3 })
  const answer = eventsRoute({}).refuse(error)
  expect(answer.status).toBe(status)
  expect(JSON.parse(String(answer.body))).toEqual({ success: false, code, message: 'because' })
  expect(answer.headers).toContainEqual(['retry-after', '3'])
})

test.each<[string, Omit<Sent, 'path'>, { readonly apiHost: string; readonly protocol: string } | undefined]>([
  ['a plain request', { headers: { host: 'a.test:3000' } }, { apiHost: 'a.test:3000', protocol: 'http' }],
  [
    'a service with TLS',
    { hasTls: true, headers: { host: 'a.test' } },
    { apiHost: 'a.test', protocol: 'https' },
  ],
  [
    'HTTP/2 from a page over https',
    { headers: { ':authority': 'a.test', origin: 'https://b.test' } },
    { apiHost: 'a.test', protocol: 'https' },
  ],
  [
    'a proxy that ends TLS',
    { headers: { host: 'inner', 'x-forwarded-host': 'a.test, b', 'x-forwarded-proto': 'https' } },
    { apiHost: 'a.test', protocol: 'https' },
  ],
  ['an IPv6 address', { headers: { host: '[::1]:80' } }, { apiHost: '[::1]:80', protocol: 'http' }],
  ['a host that is none', { headers: { host: 'a.test/"><script>' } }, undefined],
])('the settings for %s', (_, sent, expected) => {
  const found = route({ ...sent, method: 'GET', path: '/v1/projects/pub_a/settings' })
  const answer = found?.kind === 'fixed' ? found.answer : undefined
  const body = answer?.body ? JSON.parse(String(answer.body)) : {}
  const settings = expected && { apiKey: 'pub_a', ...expected, apiHost: `${expected.apiHost}/segment/v1` }
  expect(answer?.status).toBe(expected ? 200 : 400)
  expect(body.integrations?.['Segment.io']).toEqual(settings)
})

test('a source of RudderStack has no destinations, and reports nothing about the SDK', () => {
  const found = route({ method: 'GET', path: '/sourceConfig', query: 'p=npm&writeKey=pub_a' })
  const body = found?.kind === 'fixed' ? JSON.parse(String(found.answer.body)) : undefined
  expect(body.source).toMatchObject({ writeKey: 'pub_a', enabled: true, destinations: [] })
  expect(body.source.config.statsCollection).toEqual({
    errors: { enabled: false },
    metrics: { enabled: false },
  })
})
