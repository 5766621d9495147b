import { Code, ConnectError } from '@connectrpc/connect'
import type { ErrorCode, ServiceError } from '../contract/service-error.ts'
import { type ErrorContext, errorDetails } from './connect-error-wire.ts'

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

/** The error as the Connect library takes it, details included. */
export function toConnectError(error: ServiceError, context: ErrorContext): ConnectError {
  const metadata = new Headers()
  if (error.retryAfterSeconds !== undefined) metadata.set('retry-after', String(error.retryAfterSeconds))
  const details = errorDetails(error, context).map(({ schema, message }) => ({
    desc: schema,
    value: message,
  }))
  return new ConnectError(error.message, CODES[error.code], metadata, details, error.cause)
}
