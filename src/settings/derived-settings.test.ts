import { expect, test } from 'vitest'
import { listenUrlOf, localUrlOf, longestCallSeconds, publicUrlOf } from './derived-settings.ts'

test.each([
  { what: 'a query that waits in the queue', queryTimeoutSeconds: 1, longest: 16 },
  { what: 'a query and a dashboard alike', queryTimeoutSeconds: 15, longest: 30 },
  { what: 'a dashboard', queryTimeoutSeconds: 30, longest: 60 },
])('the longest call is $what', ({ queryTimeoutSeconds, longest }) => {
  expect(longestCallSeconds({ queryTimeoutSeconds })).toBe(longest)
})

const ADDRESS = { serverHost: '0.0.0.0', serverPort: 8080, tlsCert: undefined, publicUrl: undefined }

test.each([
  { what: 'every IPv4 address', change: {}, link: 'http://localhost:8080', local: 'http://127.0.0.1:8080' },
  {
    what: 'every address',
    change: { serverHost: '::' },
    link: 'http://localhost:8080',
    local: 'http://127.0.0.1:8080',
  },
  {
    what: 'an IPv6 address',
    change: { serverHost: '::1' },
    link: 'http://[::1]:8080',
    local: 'http://[::1]:8080',
  },
  {
    what: 'TLS',
    change: { serverHost: 'a.test', tlsCert: '/c.pem' },
    link: 'https://a.test:8080',
    local: 'https://a.test:8080',
  },
  {
    what: 'a public URL',
    change: { publicUrl: 'https://m.test' },
    link: 'https://m.test',
    local: 'http://127.0.0.1:8080',
  },
])('the URLs of a service with $what', ({ change, link, local }) => {
  const settings = { ...ADDRESS, ...change }
  expect({ link: publicUrlOf(settings), local: localUrlOf(settings) }).toEqual({ link, local })
})

test.each([
  ['127.0.0.1', 'http://127.0.0.1:8080'],
  ['0.0.0.0', 'http://0.0.0.0:8080'],
  ['::1', 'http://[::1]:8080'],
  ['::', 'http://[::]:8080'],
  ['[::1]', 'http://[::1]:8080'],
])('a service on %s listens on %s', (serverHost, url) => {
  expect(listenUrlOf({ ...ADDRESS, serverHost })).toBe(url)
})
