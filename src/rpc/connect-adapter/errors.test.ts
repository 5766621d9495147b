import { Code, ConnectError } from '@connectrpc/connect'
import { expect, test } from 'vitest'
import { type ErrorCode, ServiceError } from '../../contract/service-error.ts'
import { HTTP_STATUS } from '../connect-error-wire.ts'
import { classifyConnectError, fromConnectError, toConnectError } from './errors.ts'

const CODES = Object.keys(HTTP_STATUS) as ErrorCode[]

test.each(CODES)('a service error with code %s survives the round trip', (code) => {
  const error = new ServiceError({
    code,
    reason: 'QUERY_TIMEOUT',
    message: 'a message',
    violations: [{ field: 'a.b', description: 'is wrong' }],
    retryAfterSeconds: 2,
    cause: 'why',
  })
  expect(fromConnectError(toConnectError(error, { requestId: 'r', domain: 'd' }))).toEqual(error)
})

test.each<[Code, string, ErrorCode, string]>([
  [Code.Internal, 'parse binary: premature EOF', 'invalid_argument', 'INVALID_REQUEST'],
  [Code.Internal, 'received compressed envelope, but do not know how', 'invalid_argument', 'INVALID_REQUEST'],
  [Code.Internal, 'serialize binary: secret', 'internal', 'INTERNAL'],
  [Code.Unknown, 'secret', 'internal', 'INTERNAL'],
  [Code.Unimplemented, 'unknown compression "x"', 'unimplemented', 'UNSUPPORTED_ENCODING'],
  [Code.Unimplemented, 'a.B.C is not implemented', 'unimplemented', 'NOT_IMPLEMENTED'],
  [Code.InvalidArgument, 'cannot decode field', 'invalid_argument', 'INVALID_REQUEST'],
  [Code.ResourceExhausted, 'message size is larger', 'resource_exhausted', 'BODY_TOO_LARGE'],
  [Code.DeadlineExceeded, 'the operation timed out', 'deadline_exceeded', 'DEADLINE_EXCEEDED'],
  [Code.Canceled, '', 'canceled', 'CANCELED'],
])('%d with %j is %s, %s', (code, message, expected, reason) => {
  const error = fromConnectError(new ConnectError(message, code))
  expect(error).toMatchObject({ code: expected, reason })
  expect(error.message).not.toBe('')
  expect(error.message).not.toContain('secret')
})

test('an unknown code is internal', () => {
  expect(classifyConnectError(99, 'x')).toMatchObject({ code: 'internal', message: 'internal error' })
})
