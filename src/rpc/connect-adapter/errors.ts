import { Code, ConnectError } from '@connectrpc/connect'
import {
  BadRequestSchema,
  ErrorInfoSchema,
  RetryInfoSchema,
} from '../../contract/gen/google/rpc/error_details_pb.js'
import { type ErrorCode, type ErrorReason, ServiceError } from '../../contract/service-error.ts'
import { type ErrorContext, errorDetails } from '../connect-error-wire.ts'

const CODES = {
  canceled: Code.Canceled,
  invalid_argument: Code.InvalidArgument,
  deadline_exceeded: Code.DeadlineExceeded,
  not_found: Code.NotFound,
  already_exists: Code.AlreadyExists,
  permission_denied: Code.PermissionDenied,
  resource_exhausted: Code.ResourceExhausted,
  failed_precondition: Code.FailedPrecondition,
  unimplemented: Code.Unimplemented,
  internal: Code.Internal,
  unavailable: Code.Unavailable,
  unauthenticated: Code.Unauthenticated,
} as const satisfies Record<ErrorCode, Code>

/** The error as a ConnectError, details included. */
export function toConnectError(error: ServiceError, context: ErrorContext): ConnectError {
  const metadata = new Headers()
  if (error.retryAfterSeconds !== undefined) metadata.set('retry-after', String(error.retryAfterSeconds))
  const details = errorDetails(error, context).map(({ schema, message }) => ({
    desc: schema,
    value: message,
  }))
  return new ConnectError(error.message, CODES[error.code], metadata, details, error.cause)
}

interface Meaning {
  readonly code: ErrorCode
  readonly reason: ErrorReason
}

/** Our code and reason for an error of connect-es, by its code alone. */
const MEANINGS = {
  [Code.Canceled]: { code: 'canceled', reason: 'CANCELED' },
  [Code.Unknown]: { code: 'internal', reason: 'INTERNAL' },
  [Code.InvalidArgument]: { code: 'invalid_argument', reason: 'INVALID_REQUEST' },
  [Code.DeadlineExceeded]: { code: 'deadline_exceeded', reason: 'DEADLINE_EXCEEDED' },
  [Code.NotFound]: { code: 'not_found', reason: 'INVALID_REQUEST' },
  [Code.AlreadyExists]: { code: 'already_exists', reason: 'INVALID_REQUEST' },
  [Code.PermissionDenied]: { code: 'permission_denied', reason: 'INVALID_REQUEST' },
  [Code.ResourceExhausted]: { code: 'resource_exhausted', reason: 'BODY_TOO_LARGE' },
  [Code.FailedPrecondition]: { code: 'failed_precondition', reason: 'INVALID_REQUEST' },
  [Code.Aborted]: { code: 'unavailable', reason: 'STORE_UNAVAILABLE' },
  [Code.OutOfRange]: { code: 'invalid_argument', reason: 'INVALID_REQUEST' },
  [Code.Unimplemented]: { code: 'unimplemented', reason: 'NOT_IMPLEMENTED' },
  [Code.Internal]: { code: 'internal', reason: 'INTERNAL' },
  [Code.Unavailable]: { code: 'unavailable', reason: 'STORE_UNAVAILABLE' },
  [Code.DataLoss]: { code: 'internal', reason: 'INTERNAL' },
  [Code.Unauthenticated]: { code: 'unauthenticated', reason: 'INVALID_REQUEST' },
} as const satisfies Record<Code, Meaning>

/** Prefixes of connect-es messages that are more specific than their code. */
const MEANINGS_BY_MESSAGE: readonly (readonly [prefix: string, meaning: Meaning])[] = [
  ['parse binary: ', { code: 'invalid_argument', reason: 'INVALID_REQUEST' }],
  ['received compressed envelope', { code: 'invalid_argument', reason: 'INVALID_REQUEST' }],
  ['unknown compression', { code: 'unimplemented', reason: 'UNSUPPORTED_ENCODING' }],
  ['protocol error: missing input message', { code: 'unimplemented', reason: 'INVALID_REQUEST' }],
  ['protocol error: received extra input', { code: 'unimplemented', reason: 'INVALID_REQUEST' }],
  ['protocol error: ', { code: 'invalid_argument', reason: 'INVALID_REQUEST' }],
]

/** Converts a ConnectError: from our details when it has them, else from its code and message. Total. */
export function fromConnectError(error: ConnectError): ServiceError {
  const [info] = error.findDetails(ErrorInfoSchema)
  if (info === undefined) return classifyConnectError(error.code, error.rawMessage, error)
  const [retry] = error.findDetails(RetryInfoSchema)
  const violations = error.findDetails(BadRequestSchema).flatMap((request) => request.fieldViolations)
  return new ServiceError({
    code: meaningOf(error.code).code,
    // Only this service writes ErrorInfo, from a ServiceError.
    reason: info.reason as ErrorReason,
    message: error.rawMessage,
    violations: violations.map(({ field, description }) => ({ field, description })),
    ...(retry?.retryDelay === undefined ? {} : { retryAfterSeconds: Number(retry.retryDelay.seconds) }),
    cause: error.cause,
  })
}

/**
 * Converts an error that connect-es raised itself, without details: malformed input, for which it partly uses `internal`, is
 * `invalid_argument`; an unexpected error loses its message.
 */
export function classifyConnectError(code: number, message: string, cause?: unknown): ServiceError {
  const meaning = MEANINGS_BY_MESSAGE.find(([prefix]) => message.startsWith(prefix))?.[1] ?? meaningOf(code)
  return new ServiceError({ ...meaning, message: shownMessage(meaning.code, message), cause })
}

function shownMessage(code: ErrorCode, message: string): string {
  if (code === 'internal') return 'internal error'
  return message === '' ? code.replaceAll('_', ' ') : message
}

function meaningOf(code: number): Meaning {
  return Object.hasOwn(MEANINGS, code) ? MEANINGS[code as Code] : MEANINGS[Code.Internal]
}
