import { findTrailerError } from '@connectrpc/connect/protocol-grpc'
import { trailerParse } from '@connectrpc/connect/protocol-grpc-web'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ErrorInfoSchema, RequestInfoSchema } from '../contract/gen/google/rpc/error_details_pb.js'
import { ServiceError } from '../contract/service-error.ts'
import { fromConnectError } from './connect-adapter/errors.ts'
import { ENVELOPE_HEADER_BYTES } from './envelope.ts'
import {
  encodeGrpcMessage,
  encodeTrailerFrame,
  grpcErrorTrailers,
  OK_TRAILER_FRAME,
} from './grpc-trailers.ts'

const context = { requestId: 'r-1', domain: 'service' }

function decode(error: ServiceError) {
  const trailers = grpcErrorTrailers(error, context).map(([name, value]): [string, string] => [name, value])
  const found = findTrailerError(new Headers(trailers))
  if (found === undefined) throw new Error('the library finds no error')
  return found
}

test('the library decodes code, message, reason, violations and retry time', () => {
  const error = new ServiceError({
    code: 'resource_exhausted',
    reason: 'OVERLOADED',
    message: 'zu viel: 100 % ✗',
    violations: [{ field: 'events[3].kind', description: 'must match' }],
    retryAfterSeconds: 7,
  })
  const found = decode(error)
  expect(found.findDetails(ErrorInfoSchema)).toMatchObject([{ reason: 'OVERLOADED', domain: 'service' }])
  expect(found.findDetails(RequestInfoSchema)).toMatchObject([{ requestId: 'r-1' }])
  const { code, reason, message, violations, retryAfterSeconds } = fromConnectError(found)
  expect({ code, reason, message, violations, retryAfterSeconds }).toEqual({
    code: error.code,
    reason: error.reason,
    message: error.message,
    violations: error.violations,
    retryAfterSeconds: 7,
  })
  expect(found.metadata.get('retry-after')).toBe('7')
})

test.each([
  ['plain text!', 'plain text!'],
  ['100%', '100%25'],
  ['a\r\nb', 'a%0D%0Ab'],
  ['é', '%C3%A9'],
  ['\ud800', '%EF%BF%BD'],
  ['~\u007f', '~%7F'],
])('grpc-message of %j is %s', (message, text) => {
  expect(encodeGrpcMessage(message)).toBe(text)
})

test('a message is printable ASCII on the wire and decodes to itself', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (message) => {
      const text = encodeGrpcMessage(message)
      expect(text).toMatch(/^[ -~]*$/)
      expect(decodeURIComponent(text)).toBe(message.toWellFormed())
    }),
  )
})

test('the trailers of a huge error stay below 8 KiB and keep their reason', () => {
  const violations = Array.from({ length: 500 }, (_, index) => ({
    field: `f${index}`,
    description: 'é'.repeat(200),
  }))
  const error = new ServiceError({
    code: 'invalid_argument',
    reason: 'INVALID_REQUEST',
    message: '%'.repeat(100_000),
    violations,
  })
  const size = grpcErrorTrailers(error, context).reduce(
    (sum, [name, value]) => sum + name.length + value.length,
    0,
  )
  expect(size).toBeLessThan(8192)
  expect(decode(error).findDetails(ErrorInfoSchema)).toMatchObject([{ reason: 'INVALID_REQUEST' }])
})

test('a frame of trailers is a block of header lines that the library parses', () => {
  const error = new ServiceError({ code: 'not_found', reason: 'METHOD_NOT_FOUND', message: 'a: b\r\nc' })
  const frame = encodeTrailerFrame(grpcErrorTrailers(error, context))
  expect(frame[0]).toBe(0x80)
  const trailer = trailerParse(new Uint8Array(frame.subarray(ENVELOPE_HEADER_BYTES)))
  expect(findTrailerError(trailer)).toMatchObject({ rawMessage: 'a: b\r\nc', code: 5 })
  expect(OK_TRAILER_FRAME.subarray(ENVELOPE_HEADER_BYTES).toString()).toBe('grpc-status: 0\r\n')
})
