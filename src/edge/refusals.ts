import { ServiceError } from '../contract/service-error.ts'

/** Seconds after which a refused request is worth sending again. */
const RETRY_AFTER_SECONDS = 1

/** No key, or one that grants nothing. */
export function invalidApiKey(key: string): ServiceError {
  return new ServiceError({
    code: 'unauthenticated',
    reason: 'INVALID_API_KEY',
    message: key === '' ? 'the header x-api-key is required' : 'the API key is unknown or revoked',
  })
}

/** A content type that the RPC does not take; HTTP status 415. */
export function unsupportedType(contentType: string): ServiceError {
  return new ServiceError({
    code: 'unimplemented',
    reason: 'UNSUPPORTED_MEDIA_TYPE',
    message:
      contentType === ''
        ? 'the header content-type is required'
        : 'the content type must be application/json',
  })
}

/** A content coding that the service does not know. */
export function unsupportedEncoding(encoding: string): ServiceError {
  return new ServiceError({
    code: 'unimplemented',
    reason: 'UNSUPPORTED_ENCODING',
    message: `the content encoding ${JSON.stringify(encoding.slice(0, 32))} is not supported; use identity`,
  })
}

/** A version of the Connect protocol that does not exist yet. */
export function unsupportedVersion(): ServiceError {
  return new ServiceError({
    code: 'invalid_argument',
    reason: 'INVALID_REQUEST',
    message: 'connect-protocol-version must be 1',
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

/** A body beyond `SERVICE_MAX_BODY_BYTES`. */
export function bodyTooLarge(bytesMax: number): ServiceError {
  return new ServiceError({
    code: 'resource_exhausted',
    reason: 'BODY_TOO_LARGE',
    message: `a request body has at most ${bytesMax} bytes`,
  })
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
