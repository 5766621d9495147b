import type { CustomerId } from '../../contract/ids.ts'
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

/** The response of a passkey is not valid for this call. */
export function invalidPasskey(cause?: unknown): ServiceError {
  const description =
    'is not a valid response to the newest options, has expired, or was used before; start again'
  return new ServiceError({
    code: 'invalid_argument',
    reason: 'PASSKEY_INVALID',
    message: `passkey: ${description}`,
    violations: [{ field: 'passkey', description }],
    cause,
  })
}

/** The counter of a passkey went back: a copy of it exists. The audit log has an entry about it. */
export class CopiedPasskeyError extends ServiceError {
  /** The account of the passkey. */
  readonly customerId: CustomerId

  constructor(customerId: CustomerId) {
    const description =
      'has a lower counter than its last response, so a copy of it may exist; use another proof, then remove this passkey'
    super({
      code: 'invalid_argument',
      reason: 'PASSKEY_COPIED',
      message: `passkey: ${description}`,
      violations: [{ field: 'passkey', description }],
    })
    this.customerId = customerId
  }
}

/** The public URL allows no passkeys. */
export function noPasskeysHere(): ServiceError {
  return new ServiceError({
    code: 'failed_precondition',
    reason: 'PASSKEYS_NOT_AVAILABLE',
    message:
      'browsers allow passkeys at https addresses with a host name and at http://localhost only; the operator sets SERVICE_PUBLIC_URL to such an address',
  })
}

/** The passkey is stored already, for this account or another one. */
export function passkeyInUse(): ServiceError {
  return new ServiceError({
    code: 'already_exists',
    reason: 'PASSKEY_IN_USE',
    message: 'this passkey was added before',
  })
}

/** The account has no such passkey. */
export function passkeyNotFound(): ServiceError {
  return new ServiceError({
    code: 'not_found',
    reason: 'PASSKEY_NOT_FOUND',
    message: 'the account has no such passkey',
  })
}

/** The account has as many passkeys as it may have. */
export function tooManyPasskeys(max: number): ServiceError {
  return new ServiceError({
    code: 'failed_precondition',
    reason: 'LIMIT_REACHED',
    message: `an account has at most ${max} passkeys; remove one first`,
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
    message: 'prove the second factor of the account, then repeat the call within 10 minutes',
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
  return required(`${names.join(', ')} requires a second factor; set up another one first`)
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
