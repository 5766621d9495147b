import { ServiceError } from '../../contract/service-error.ts'

/** What an error says about a provider. */
export interface AboutProvider {
  /** The name of the provider on its button. */
  readonly label: string
  readonly cause?: unknown
}

/** The address belongs to a domain whose users sign in with a provider only. */
export function ssoRequired({
  domain,
  label,
}: {
  readonly domain: string
  readonly label: string
}): ServiceError {
  return new ServiceError({
    code: 'failed_precondition',
    reason: 'SSO_REQUIRED',
    message: `accounts of ${domain} sign in with ${label} only`,
  })
}

/** No provider has this id. */
export function unknownProvider(): ServiceError {
  const message = 'no sign-in provider with this id is set up'
  return new ServiceError({ code: 'failed_precondition', reason: 'SIGN_IN_NOT_CONFIGURED', message })
}

/** The response does not belong to a sign-in that this browser started within the last minutes. */
export function invalidAttempt(): ServiceError {
  const message =
    'this sign-in was started in another browser or with another provider, was completed before, or has expired; start again'
  return new ServiceError({ code: 'unauthenticated', reason: 'SIGN_IN_ATTEMPT_INVALID', message })
}

/** The provider or this service has seen the code before, or it has expired. */
export function invalidCode({ label, cause }: AboutProvider): ServiceError {
  const message = `${label} does not accept the code of this sign-in: it was used or has expired; start again`
  return new ServiceError({ code: 'unauthenticated', reason: 'SIGN_IN_CODE_INVALID', message, cause })
}

/** The provider returned an error instead of a code. */
export function refusedByProvider({
  label,
  error,
}: AboutProvider & { readonly error: string }): ServiceError {
  // Only the form of an error code (RFC 6749, section 4.1.2.1) is repeated.
  const shown = /^[\w.-]{1,64}$/.test(error) ? ` (${error})` : ''
  return new ServiceError({
    code: 'permission_denied',
    reason: 'PROVIDER_REFUSED',
    message: `${label} did not sign you in${shown}`,
  })
}

/** The response of the provider is not what it must be. */
export function invalidResponse({ label, cause }: AboutProvider): ServiceError {
  const message = `the response of ${label} is not valid for this service; start again, or tell the operator if it happens again`
  return new ServiceError({ code: 'unauthenticated', reason: 'PROVIDER_RESPONSE_INVALID', message, cause })
}

/** The times in the response of the provider are too far from the time of this service. */
export function wrongClock({ label, cause }: AboutProvider): ServiceError {
  const message = `the response of ${label} has expired or is from the future; the clock of ${label} or of this service is wrong, tell the operator`
  return new ServiceError({ code: 'unauthenticated', reason: 'PROVIDER_CLOCK_WRONG', message, cause })
}

/** The provider cannot be reached, or rejects this service. */
export function providerUnavailable({ label, cause }: AboutProvider): ServiceError {
  return new ServiceError({
    code: 'unavailable',
    reason: 'IDENTITY_PROVIDER_UNAVAILABLE',
    message: `${label} is unavailable; try again`,
    cause,
  })
}

/** The provider rejects the client id or secret of this service. */
export function clientRejected({ label, cause }: AboutProvider): ServiceError {
  const message = `${label} rejects the client id or secret of this service; tell the operator`
  return new ServiceError({ code: 'unavailable', reason: 'IDENTITY_PROVIDER_UNAVAILABLE', message, cause })
}

/** The provider names no address, or one that it has not verified. */
export function unverifiedEmail({ label }: AboutProvider): ServiceError {
  const message = `${label} names no verified mail address for you; verify it there, then sign in again`
  return new ServiceError({ code: 'permission_denied', reason: 'EMAIL_NOT_VERIFIED', message })
}

/** An account has the address, but no identity of this provider. */
export function notConnected({ label }: AboutProvider): ServiceError {
  const message = `an account with your address exists and is not connected to ${label}; sign in to it as before, then connect ${label} in the settings of the account`
  return new ServiceError({ code: 'failed_precondition', reason: 'ACCOUNT_NOT_CONNECTED', message })
}

/** The account is connected to another user of this provider. */
export function identityChanged({ label }: AboutProvider): ServiceError {
  const message = `the account with your address is connected to another user of ${label}; sign in to it another way and disconnect that user, or ask the operator`
  return new ServiceError({ code: 'permission_denied', reason: 'IDENTITY_CHANGED', message })
}

/** The user of the provider is connected to another account. */
export function identityInUse({ label }: AboutProvider): ServiceError {
  const message = `this user of ${label} is connected to another account; disconnect it there first`
  return new ServiceError({ code: 'failed_precondition', reason: 'IDENTITY_IN_USE', message })
}

/** The account has no such identity. */
export function identityNotFound(): ServiceError {
  return new ServiceError({
    code: 'not_found',
    reason: 'IDENTITY_NOT_FOUND',
    message: 'the account has no such identity',
  })
}
