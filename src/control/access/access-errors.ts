import { ServiceError } from '../../contract/service-error.ts'

/** A call of a service for customers has no token. */
export function tokenRequired(): ServiceError {
  return unauthenticated('INVALID_TOKEN', 'a bearer token is required')
}

/** A token is forged, modified or expired. */
export function invalidToken(): ServiceError {
  return unauthenticated('INVALID_TOKEN', 'the token is invalid or has expired')
}

/** A key was sent where a token of a session belongs. */
export function keyAsBearer(): ServiceError {
  return unauthenticated(
    'INVALID_TOKEN',
    'this is no token of a session; send API keys and personal access tokens in the header x-api-key',
  )
}

/** A token is valid, but its session has ended. */
export function sessionEnded(): ServiceError {
  return unauthenticated('INVALID_TOKEN', 'the session of this token has ended; sign in again')
}

/** A call of a service for programs has no key. */
export function keyRequired(): ServiceError {
  return unauthenticated('INVALID_API_KEY', 'the header x-api-key is required')
}

/** A call of a service for programs and customers has no credential. */
export function credentialRequired(): ServiceError {
  return unauthenticated(
    'INVALID_API_KEY',
    'the header x-api-key with a private key or a personal access token, or a bearer token, is required',
  )
}

/** The key is unknown or revoked. */
export function invalidKey(): ServiceError {
  return unauthenticated('INVALID_API_KEY', 'the API key is unknown or revoked')
}

/** A public key was used where a private one is required. */
export function publicKeyNotAllowed(): ServiceError {
  return new ServiceError({
    code: 'permission_denied',
    reason: 'PUBLIC_KEY_NOT_ALLOWED',
    message: 'a public key may only ingest; use a private key',
  })
}

/** The project of `x-project-id` does not exist. */
export function projectNotFound(): ServiceError {
  return new ServiceError({
    code: 'not_found',
    reason: 'PROJECT_NOT_FOUND',
    message: 'there is no project with the id in the header x-project-id',
  })
}

/** The project of `x-project-id` belongs to an organisation without the caller. */
export function notAMember(): ServiceError {
  return new ServiceError({
    code: 'permission_denied',
    reason: 'ORG_NOT_A_MEMBER',
    message: 'you are not a member of the organisation of this project',
  })
}

/** The caller is a member of the organisation of the project, and has no role that opens it. */
export function projectClosed(): ServiceError {
  return new ServiceError({
    code: 'permission_denied',
    reason: 'PROJECT_ACCESS_DENIED',
    message: 'you have no access to this project; ask one of its admins for a role',
  })
}

function unauthenticated(reason: 'INVALID_TOKEN' | 'INVALID_API_KEY', message: string): ServiceError {
  return new ServiceError({ code: 'unauthenticated', reason, message })
}
