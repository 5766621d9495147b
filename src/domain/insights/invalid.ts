import { type ErrorReason, type FieldViolation, ServiceError } from '../../contract/service-error.ts'

/** An `invalid_argument` that names one field. */
export function invalid(field: string, description: string, reason: ErrorReason): ServiceError {
  return new ServiceError({
    code: 'invalid_argument',
    reason,
    message: `${field}: ${description}`,
    violations: [{ field, description }],
  })
}

/** The `invalid_argument` that names every field which violates a rule; `undefined` without violations. */
export function refusalOf(
  violations: readonly FieldViolation[],
  reason: ErrorReason,
): ServiceError | undefined {
  const [first] = violations
  if (!first) return undefined
  const message = `${first.field === '' ? 'the request' : first.field}: ${first.description}`
  return new ServiceError({ code: 'invalid_argument', reason, message, violations })
}
