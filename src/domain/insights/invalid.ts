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

/** The same error for a message that a field holds: its violations name their fields from there. */
export function violationsBelow(field: string, error: ServiceError): ServiceError {
  const { code, reason, message, violations, cause } = error
  return new ServiceError({
    code,
    reason,
    message: violations.length === 0 ? message : `${field}.${message}`,
    violations: violations.map((violation) => ({ ...violation, field: `${field}.${violation.field}` })),
    cause,
  })
}
