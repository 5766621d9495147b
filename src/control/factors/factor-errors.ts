import { ServiceError } from '../../contract/service-error.ts'

/** The code is none of the account, or was used before. */
export function invalidCode(): ServiceError {
  const description =
    'is wrong or was used before; enter the newest code of the authenticator app, or another recovery code'
  return new ServiceError({
    code: 'invalid_argument',
    reason: 'SECOND_FACTOR_INVALID',
    message: `code: ${description}`,
    violations: [{ field: 'code', description }],
  })
}

/** The account has no second factor. */
export function notSetUp(): ServiceError {
  return withoutFactor('the account has no second factor; set one up first')
}

/** The session proved the second factor too long ago. */
export function proofRequired(): ServiceError {
  return new ServiceError({
    code: 'failed_precondition',
    reason: 'SECOND_FACTOR_PROOF_REQUIRED',
    message: 'enter a code of the second factor of the account, then repeat the call within 10 minutes',
  })
}

/** An organisation requires a second factor, which the session has not proved. */
export function secondFactorRequired(): ServiceError {
  return required(
    'this organisation requires a second factor; set one up in the settings of the account, or sign in with it',
  )
}

/** An organisation of the account requires the second factor that the caller wants to remove. */
export function stillRequired(names: readonly string[]): ServiceError {
  return required(
    `${names.join(', ')} requires a second factor; set up another app instead, which replaces it`,
  )
}

/** An admin who has none wants to require a second factor. */
export function ownFactorRequired(): ServiceError {
  return withoutFactor(
    'set up a second factor for your own account first, so that you do not lock yourself out',
  )
}

function withoutFactor(message: string): ServiceError {
  return new ServiceError({ code: 'failed_precondition', reason: 'SECOND_FACTOR_NOT_SET_UP', message })
}

function required(message: string): ServiceError {
  return new ServiceError({ code: 'permission_denied', reason: 'SECOND_FACTOR_REQUIRED', message })
}
