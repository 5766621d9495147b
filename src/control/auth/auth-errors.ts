import { ServiceError } from '../../contract/service-error.ts'

/** A sign-in failed; the error reveals neither the reason nor whether the account exists. */
export function invalidCredentials(): ServiceError {
  return new ServiceError({
    code: 'unauthenticated',
    reason: 'INVALID_CREDENTIALS',
    message: 'the email and password, or the credential, are invalid',
  })
}

/** A link is unknown, used or expired. */
export function invalidLink(): ServiceError {
  return new ServiceError({
    code: 'unauthenticated',
    reason: 'INVALID_TOKEN',
    message: 'the link is invalid or has expired; request a new one',
  })
}

/** A refresh token is unknown or used, or its session has ended. */
export function invalidRefreshToken(): ServiceError {
  return new ServiceError({
    code: 'unauthenticated',
    reason: 'INVALID_TOKEN',
    message: 'the session has ended; sign in again',
  })
}

/** The address has no account and may not create one. Only the verified owner of the address gets this error. */
export function signUpNotAllowed(): ServiceError {
  return new ServiceError({
    code: 'permission_denied',
    reason: 'SIGN_UP_NOT_ALLOWED',
    message: 'this address has no account; ask an admin of an organisation for an invitation',
  })
}

/** The inviter may have this link, and the address has an account, which must not open with it. */
export function signInToAccept(): ServiceError {
  return new ServiceError({
    code: 'failed_precondition',
    reason: 'INVITATION_NEEDS_SIGN_IN',
    message: 'the invited address has an account; sign in to it, then open the link again to join',
  })
}

/** The users of the invited address sign in with a provider only. */
export function signInToAcceptWith(label: string): ServiceError {
  return new ServiceError({
    code: 'failed_precondition',
    reason: 'INVITATION_NEEDS_SIGN_IN',
    message: `users of the invited address sign in with ${label} only; sign in, then open the link again to join`,
  })
}

/** A sign-in method is not configured. */
export function signInNotConfigured(message: string): ServiceError {
  return new ServiceError({ code: 'failed_precondition', reason: 'SIGN_IN_NOT_CONFIGURED', message })
}
