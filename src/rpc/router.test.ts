import { expect, test } from 'vitest'
import { EVERY_PATH, Router, route } from './router.ts'

const routes = [
  route('OPTIONS', EVERY_PATH, 'preflight'),
  route('GET', '/healthz', 'health'),
  route('any', '/x.v1.XService/Get', 'call'),
]
const router = new Router(routes, 'rest')

test.each([
  ['GET', '/healthz', 'health'],
  ['HEAD', '/healthz', 'rest'],
  ['POST', '/healthz', 'rest'],
  ['OPTIONS', '/healthz', 'preflight'],
  ['get', '/healthz', 'rest'],
  ['POST', '/x.v1.XService/Get', 'call'],
  ['DELETE', '/x.v1.XService/Get', 'call'],
  ['OPTIONS', '/x.v1.XService/Get', 'preflight'],
  ['GET', '/', 'rest'],
  ['any', '/other', 'rest'],
])('%s %s reaches the target %s', (method, path, target) => {
  expect(router.find(method, path)).toBe(target)
})

test('a route of any method precedes the rest on every path', () => {
  const open = new Router([route('any', EVERY_PATH, 'all'), route('GET', '/', 'page')], 'rest')
  expect(open.find('GET', '/')).toBe('page')
  expect(open.find('POST', '/')).toBe('all')
  expect(open.find('GET', '/x')).toBe('all')
})
