import { type ErrorReason, type FieldViolation, ServiceError } from '../../contract/service-error.ts'
import { assert } from '../../kernel/assert.ts'

/** An `invalid_argument` that names every field of the list; the message is about the first. */
export function invalidFields(violations: readonly FieldViolation[], reason: ErrorReason): ServiceError {
  const [first] = violations
  assert(first, 'a refusal names a field')
  const message = `${first.field}: ${first.description}`
  return new ServiceError({ code: 'invalid_argument', reason, message, violations })
}
