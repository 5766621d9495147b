import { type ErrorReason, type FieldViolation, ServiceError } from '../contract/service-error.ts'
import { assert } from '../kernel/assert.ts'

/** An `invalid_argument` about one field. */
export function invalidField(field: string, description: string): ServiceError {
  return invalidFields([{ field, description }], 'INVALID_REQUEST')
}

/** An `invalid_argument` that lists every violation; the message describes the first. */
export function invalidFields(violations: readonly FieldViolation[], reason: ErrorReason): ServiceError {
  const [first] = violations
  assert(first, 'there is at least one violation')
  const message = `${first.field}: ${first.description}`
  return new ServiceError({ code: 'invalid_argument', reason, message, violations })
}
