import { type ErrorReason, ServiceError } from '../contract/service-error.ts'

/** An `invalid_argument` that names one field. */
export function invalid(field: string, description: string, reason: ErrorReason): ServiceError {
  return new ServiceError({
    code: 'invalid_argument',
    reason,
    message: `${field}: ${description}`,
    violations: [{ field, description }],
  })
}
