import { expect, test } from 'vitest'
import { dialectCors, dialectPreflight } from './foreign-call.ts'

const named = (headers: readonly (readonly [string, string])[]): Readonly<Record<string, string>> =>
  Object.fromEntries(headers)

test.each(['https://shop.example', 'http://localhost:8080', 'capacitor://localhost', 'null'])(
  'a page of %s may read every answer, with the time after which to send again',
  (origin) => {
    expect(named(dialectCors(origin))).toEqual({
      'access-control-allow-origin': origin,
      'access-control-allow-credentials': 'true',
      'access-control-expose-headers': expect.stringContaining('retry-after'),
      vary: 'Origin',
    })
  },
)

test.each(['', '*', 'shop.example', 'https://a.test\r\nset-cookie: a=b', `https://${'a'.repeat(300)}`])(
  'what is no origin is not repeated: %j',
  (origin) => {
    expect(dialectCors(origin)).toEqual([])
  },
)

test('a preflight allows the methods of the SDKs, the headers that were asked for, and the origin', () => {
  const { status, headers } = dialectPreflight('https://shop.example', 'authorization, content-type')
  expect(status).toBe(204)
  expect(named(headers)).toMatchObject({
    'access-control-allow-origin': 'https://shop.example',
    'access-control-allow-methods': 'GET, POST, OPTIONS',
    'access-control-allow-headers': 'authorization, content-type',
    'access-control-max-age': '7200',
  })
  expect(named(dialectPreflight('https://shop.example', 'a\r\nb: c').headers)).not.toHaveProperty(
    'access-control-allow-headers',
  )
})
