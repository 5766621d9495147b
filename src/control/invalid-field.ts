import { ServiceError } from '../contract/service-error.ts'

/** An `invalid_argument` that names one field. */
export function invalidField(field: string, description: string): ServiceError {
  return new ServiceError({
    code: 'invalid_argument',
    reason: 'INVALID_REQUEST',
    message: `${field}: ${description}`,
    violations: [{ field, description }],
  })
}
