import { Code } from '@connectrpc/connect'
import { endStreamFromJson } from '@connectrpc/connect/protocol-connect'
import { expect, test } from 'vitest'
import { ServiceError } from '../contract/service-error.ts'
import { errorAnswer } from './answer.ts'
import { fromConnectError } from './connect-adapter/errors.ts'
import { encodeConnectEndStream } from './connect-error-wire.ts'
import { ENVELOPE_HEADER_BYTES } from './envelope.ts'

const context = { requestId: 'r-1', domain: 'service' }
const error = new ServiceError({
  code: 'failed_precondition',
  reason: 'OVERLOADED',
  message: 'später',
  violations: [{ field: 'a', description: 'b' }],
  retryAfterSeconds: 9,
})

test('the library decodes the end of a stream, metadata included', () => {
  const envelope = encodeConnectEndStream(error, context, { 'x-more': ['1'] })
  expect(envelope[0]).toBe(2)
  expect(envelope.readUInt32BE(1)).toBe(envelope.length - ENVELOPE_HEADER_BYTES)
  const end = endStreamFromJson(new Uint8Array(envelope.subarray(ENVELOPE_HEADER_BYTES)))
  expect(end.metadata.get('retry-after')).toBe('9')
  expect(end.metadata.get('x-more')).toBe('1')
  expect(end.error?.code).toBe(Code.FailedPrecondition)
  expect(end.error && fromConnectError(end.error)).toEqual(error)
})

test('a state that forbids a unary call is 412 with a retry time', () => {
  const answer = errorAnswer(error, context)
  expect(answer.status).toBe(412)
  expect(answer.headers).toContainEqual(['retry-after', '9'])
})
