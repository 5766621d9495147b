import { ServiceError } from '../contract/service-error.ts'
import { bodyTooLarge } from '../rpc/protocol-errors.ts'
import { isPersonalToken } from '../store/catalog/personal-tokens.ts'
import { unknownToken } from '../store/catalog/token-refusals.ts'
import type { BodyRefusal } from './exchange.ts'

/** Seconds after which a refused request is worth sending again. */
const RETRY_AFTER_SECONDS = 1

/** A missing key, or one without a grant. */
export function invalidApiKey(key: string): ServiceError {
  if (isPersonalToken(key)) return unknownToken()
  return new ServiceError({
    code: 'unauthenticated',
    reason: 'INVALID_API_KEY',
    message: key === '' ? 'the header x-api-key is required' : 'the API key is unknown or revoked',
  })
}

/** The process holds as much work as it may. */
export function overloaded(): ServiceError {
  return new ServiceError({
    code: 'resource_exhausted',
    reason: 'OVERLOADED',
    message: 'the service is at its limit; send the request again later',
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  })
}

/** The error for a body that was not read to its end. */
export function unreadBody(refused: BodyRefusal, bytesMax: number): ServiceError {
  return refused === 'too_large' ? bodyTooLarge(bytesMax) : overloaded()
}

/** The key sent more events than it may. */
export function rateLimited(retryAfterSeconds: number): ServiceError {
  return new ServiceError({
    code: 'resource_exhausted',
    reason: 'RATE_LIMITED',
    message: 'the API key sent more events than it may; send the batch again later',
    retryAfterSeconds,
  })
}

/** The client's deadline has passed, and nothing of the call is stored. */
export function deadlineExceeded(timeoutMs: number): ServiceError {
  return new ServiceError({
    code: 'deadline_exceeded',
    reason: 'DEADLINE_EXCEEDED',
    message: `the call took longer than its timeout of ${timeoutMs} ms`,
  })
}

/** A request line or a header that HTTP does not allow. */
export function malformedHead(): ServiceError {
  return new ServiceError({
    code: 'invalid_argument',
    reason: 'INVALID_REQUEST',
    message: 'the request line or a header has characters that HTTP does not allow',
  })
}

/** More headers than a call may have. */
export function headTooLarge(bytes: number, bytesMax: number): ServiceError {
  return new ServiceError({
    code: 'invalid_argument',
    reason: 'INVALID_REQUEST',
    message: `the request line and headers have ${bytes} bytes, and may have ${bytesMax}; send shorter ones`,
  })
}

/** A request whose beginning, end or length is not beyond doubt. */
export function malformedRequest(message: string): ServiceError {
  return new ServiceError({ code: 'invalid_argument', reason: 'INVALID_REQUEST', message })
}

/** A request to open a tunnel. */
export function connectNotSupported(message: string): ServiceError {
  return new ServiceError({ code: 'unimplemented', reason: 'METHOD_NOT_ALLOWED', message })
}

/** The query process is not there. */
export function queryUnavailable(message: string): ServiceError {
  return new ServiceError({
    code: 'unavailable',
    reason: 'QUERY_UNAVAILABLE',
    message: `${message}; try again`,
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  })
}
