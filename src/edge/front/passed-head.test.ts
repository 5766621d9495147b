import { expect, test } from 'vitest'
import { FrontHead } from './passed-head.ts'
import { RequestFraming } from './request-framing.ts'

function headOf(text: string): FrontHead {
  const framing = new RequestFraming()
  framing.push(Buffer.from(text, 'latin1'))
  const { lastHead } = framing
  if (!lastHead) throw new Error('the head did not pass')
  return new FrontHead(lastHead, '192.0.2.7')
}

test.each([
  ['POST /x HTTP/1.1', { method: 'POST', path: '/x', query: '' }],
  ['GET /x/y?a=b?c&d HTTP/1.1', { method: 'GET', path: '/x/y', query: 'a=b?c&d' }],
  ['GET /x? HTTP/1.1', { method: 'GET', path: '/x', query: '' }],
  ['GET http://o.example/x?y HTTP/1.1', { method: 'GET', path: '/x', query: 'y' }],
  ['OPTIONS * HTTP/1.1', { method: 'OPTIONS', path: '/*', query: '' }],
  ['GET /\xc3\xbc?\xc3\xa4 HTTP/1.1', { method: 'GET', path: '/ü', query: 'ä' }],
])('the line %j is read', (line, expected) => {
  expect(headOf(`${line}\r\nhost: h\r\n\r\n`)).toMatchObject(expected)
})

test.each([
  ['X-Api-Key: pub_aB', 'x-api-key', 'pub_aB'],
  ['a:\t b c \t', 'a', 'b c'],
  ['a:', 'a', ''],
  ['a: b:c', 'a', 'b:c'],
  ['a: 1\r\nb: 2\r\nA: 3', 'a', '1, 3'],
  ['ab: 1', 'b', undefined],
  ['note: a: b', 'a', undefined],
  ['user-agent: \xc3\xbc', 'user-agent', 'ü'],
])('of the fields %j, %s is %j', (fields, name, value) => {
  expect(headOf(`POST /x HTTP/1.1\r\n${fields}\r\nhost: h\r\n\r\n`).header(name)).toBe(value)
})

test.each([
  ['close', true],
  ['Close', true],
  ['keep-alive', false],
])('a request with `connection: %s` is the last: %s', (value, isLast) => {
  expect(headOf(`POST /x HTTP/1.1\r\nconnection: ${value}\r\n\r\n`).isLast).toBe(isLast)
})
