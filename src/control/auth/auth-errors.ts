import { ServiceError } from '../../contract/service-error.ts'

/** A sign-in failed; it says nothing about what was wrong, or whether the account exists. */
export function invalidCredentials(): ServiceError {
  return new ServiceError({
    code: 'unauthenticated',
    reason: 'INVALID_CREDENTIALS',
    message: 'the address and the password, or the credential, are not valid',
  })
}

/** A link is not one of ours, was used before, or is too old. */
export function invalidLink(): ServiceError {
  return new ServiceError({
    code: 'unauthenticated',
    reason: 'INVALID_TOKEN',
    message: 'the link is not valid any more; ask for a new one',
  })
}

/** A refresh token is not one of ours, was used before, or its session has ended. */
export function invalidRefreshToken(): ServiceError {
  return new ServiceError({
    code: 'unauthenticated',
    reason: 'INVALID_TOKEN',
    message: 'the session has ended; sign in again',
  })
}

/** Somebody without an account may not make one. Only who receives mail at the address is told. */
export function signUpNotAllowed(): ServiceError {
  return new ServiceError({
    code: 'permission_denied',
    reason: 'SIGN_UP_NOT_ALLOWED',
    message: 'this address has no account; ask an admin of an organisation for an invitation',
  })
}

/** A way to sign in is not set up. */
export function signInNotConfigured(message: string): ServiceError {
  return new ServiceError({ code: 'failed_precondition', reason: 'SIGN_IN_NOT_CONFIGURED', message })
}

/** `timezone` names no time zone. */
export function unknownTimeZone(name: string): ServiceError {
  const description = `"${name.slice(0, 64)}" is no IANA time zone`
  return new ServiceError({
    code: 'invalid_argument',
    reason: 'INVALID_TIMEZONE',
    message: `timezone: ${description}`,
    violations: [{ field: 'timezone', description }],
  })
}
