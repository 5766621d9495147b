import { expect, test } from 'vitest'
import { parseContentType } from './content-type.ts'

const KNOWN = [
  ['application/json', 'connect json unary binary'],
  ['application/proto', 'connect proto unary binary'],
  ['application/connect+json', 'connect json stream binary'],
  ['application/connect+proto', 'connect proto stream binary'],
  ['application/grpc', 'grpc proto unary binary'],
  ['application/grpc+proto', 'grpc proto unary binary'],
  ['application/grpc+json', 'grpc json unary binary'],
  ['application/grpc-web', 'grpc-web proto unary binary'],
  ['application/grpc-web+proto', 'grpc-web proto unary binary'],
  ['application/grpc-web+json', 'grpc-web json unary binary'],
  ['application/grpc-web-text', 'grpc-web proto unary text'],
  ['application/grpc-web-text+proto', 'grpc-web proto unary text'],
  ['application/grpc-web-text+json', 'grpc-web json unary text'],
  ['Application/JSON', 'connect json unary binary'],
  ['application/json; charset=utf-8', 'connect json unary binary'],
  ['application/json;charset=UTF8', 'connect json unary binary'],
  ['application/json ; Charset="utf-8" ; v=1', 'connect json unary binary'],
  ['application/proto; charset=latin1', 'connect proto unary binary'],
  [' application/grpc ; x', 'grpc proto unary binary'],
] as const

test.each(KNOWN)('%s is %s', (text, meaning) => {
  const type = parseContentType(text)
  const words = [
    type?.protocol,
    type?.codec,
    type?.stream ? 'stream' : 'unary',
    type?.isText ? 'text' : 'binary',
  ]
  expect(words.join(' ')).toBe(meaning)
})

test.each([
  '',
  ';',
  'json',
  'text/plain',
  'text/json',
  'application/jsonx',
  'application/json, application/json',
  'application/json; charset=latin1',
  'application/json; charset=',
  'application/connect',
  'application/connect+xml',
  'application/grpc+thrift',
  'application/grpcweb',
  'application/grpc-web-text-base64',
])('%j is not a type of this service', (text) => {
  expect(parseContentType(text)).toBeUndefined()
})

test('the name of a type has no parameters', () => {
  expect(parseContentType('Application/Grpc-Web+JSON; charset=utf-8')?.name).toBe('application/grpc-web+json')
})
