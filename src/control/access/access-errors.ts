import { ServiceError } from '../../contract/service-error.ts'

/** A call of a service for people came without a token. */
export function tokenRequired(): ServiceError {
  return unauthenticated('INVALID_TOKEN', 'a bearer token is required')
}

/** A token is not one of ours, was changed, or has expired. */
export function invalidToken(): ServiceError {
  return unauthenticated('INVALID_TOKEN', 'the token is not valid or has expired')
}

/** A token is one of ours, but the session that it belongs to is over. */
export function sessionEnded(): ServiceError {
  return unauthenticated('INVALID_TOKEN', 'the session of this token has ended; sign in again')
}

/** A call of a service for programs came without a key. */
export function keyRequired(): ServiceError {
  return unauthenticated('INVALID_API_KEY', 'the header x-api-key is required')
}

/** A call of a service for programs and people came with nothing. */
export function credentialRequired(): ServiceError {
  return unauthenticated(
    'INVALID_API_KEY',
    'the header x-api-key with a private key, or a bearer token, is required',
  )
}

/** No project has that key. */
export function invalidKey(): ServiceError {
  return unauthenticated('INVALID_API_KEY', 'the API key is unknown or revoked')
}

/** A public key came where only a private one may. */
export function publicKeyNotAllowed(): ServiceError {
  return new ServiceError({
    code: 'permission_denied',
    reason: 'PUBLIC_KEY_NOT_ALLOWED',
    message: 'a public key may only ingest; use a private key',
  })
}

/** `x-project-id` names no project. */
export function projectNotFound(): ServiceError {
  return new ServiceError({
    code: 'not_found',
    reason: 'PROJECT_NOT_FOUND',
    message: 'there is no project of the id in the header x-project-id',
  })
}

/** `x-project-id` names a project of an organisation that the caller does not belong to. */
export function notAMember(): ServiceError {
  return new ServiceError({
    code: 'permission_denied',
    reason: 'ORG_NOT_A_MEMBER',
    message: 'you are not a member of the organisation of this project',
  })
}

function unauthenticated(reason: 'INVALID_TOKEN' | 'INVALID_API_KEY', message: string): ServiceError {
  return new ServiceError({ code: 'unauthenticated', reason, message })
}
