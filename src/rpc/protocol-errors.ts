import { ServiceError } from '../contract/service-error.ts'

/** A content type that the RPC does not support; HTTP status 415. */
export function unsupportedMediaType(contentType: string): ServiceError {
  return new ServiceError({
    code: 'unimplemented',
    reason: 'UNSUPPORTED_MEDIA_TYPE',
    message:
      contentType === ''
        ? 'the header content-type is required'
        : `the content type ${quote(contentType)} is not supported by this method`,
  })
}

/** An invalid `Host` header, which RFC 9112 section 3.2 requires servers to refuse. */
export function invalidHost(): ServiceError {
  return new ServiceError({
    code: 'invalid_argument',
    reason: 'INVALID_REQUEST',
    message: 'the header host must name a host',
  })
}

/** An HTTP method other than POST; HTTP status 405. */
export function methodNotAllowed(): ServiceError {
  return new ServiceError({
    code: 'unimplemented',
    reason: 'METHOD_NOT_ALLOWED',
    message: 'the HTTP method must be POST',
  })
}

/** An unknown method; HTTP status 404 on the Connect wire. */
export function methodNotFound(path: string): ServiceError {
  return new ServiceError({
    code: 'unimplemented',
    reason: 'METHOD_NOT_FOUND',
    message: `there is no method at ${quote(path)}`,
  })
}

/** An unknown compression; `accepted` lists the supported ones. */
export function unsupportedCoding(coding: string, accepted: readonly string[]): ServiceError {
  return new ServiceError({
    code: 'unimplemented',
    reason: 'UNSUPPORTED_ENCODING',
    message: `the encoding ${quote(coding)} is not supported; use ${accepted.join(', ')}`,
  })
}

/** A request whose connection ended before its body; only logs and metrics see it. */
export function requestCutOff(cause: unknown): ServiceError {
  return new ServiceError({
    code: 'canceled',
    reason: 'CANCELED',
    message: 'the connection ended before the request',
    cause,
  })
}

/** An unknown version of the Connect protocol. */
export function unsupportedVersion(): ServiceError {
  return invalidRequest('connect-protocol-version must be 1')
}

/** gRPC over a transport without HTTP trailers. */
export function needsTrailers(): ServiceError {
  return new ServiceError({
    code: 'unimplemented',
    reason: 'NOT_IMPLEMENTED',
    message: 'gRPC needs HTTP/2; use gRPC-Web or Connect over HTTP/1.1',
  })
}

/** A request message beyond `bytesMax`, before or after decompression. */
export function bodyTooLarge(bytesMax: number): ServiceError {
  return new ServiceError({
    code: 'resource_exhausted',
    reason: 'BODY_TOO_LARGE',
    message: `the request body must have at most ${bytesMax} bytes`,
  })
}

/** A compressed message that decompresses beyond `ratioMax` times its bytes. */
export function unpacksTooFar(ratioMax: number): ServiceError {
  return new ServiceError({
    code: 'resource_exhausted',
    reason: 'BODY_TOO_LARGE',
    message: `the request decompresses to more than ${ratioMax} times its bytes; send it in parts or uncompressed`,
  })
}

/** A batch within the limit of bytes with more parts than it may have. */
export function batchTooLarge(message: string): ServiceError {
  return new ServiceError({ code: 'resource_exhausted', reason: 'BODY_TOO_LARGE', message })
}

/** A call with no or several messages of a method that takes one; gRPC "Status codes" prescribes `unimplemented`. */
export function wrongMessageCount(message: string): ServiceError {
  return new ServiceError({ code: 'unimplemented', reason: 'INVALID_REQUEST', message })
}

/** A request that breaks a rule of its protocol. */
export function invalidRequest(message: string, cause?: unknown): ServiceError {
  return new ServiceError({ code: 'invalid_argument', reason: 'INVALID_REQUEST', message, cause })
}

/** Untrusted text for an error message: shortened and in quotes. */
function quote(text: string): string {
  return JSON.stringify(text.slice(0, 64))
}
