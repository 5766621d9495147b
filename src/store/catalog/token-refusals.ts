import { ServiceError } from '../../contract/service-error.ts'
import type { TokenScope } from '../../contract/token-scope.ts'

/** A personal access token is unknown or revoked. */
export function unknownToken(): ServiceError {
  return new ServiceError({
    code: 'unauthenticated',
    reason: 'INVALID_TOKEN',
    message: 'the personal access token is unknown or revoked',
  })
}

/** A personal access token has expired. */
export function tokenExpired(): ServiceError {
  return new ServiceError({
    code: 'unauthenticated',
    reason: 'INVALID_TOKEN',
    message: 'the token has expired; create or request another one',
  })
}

/** The access token of an assistant is unknown, or its connection has ended. */
export function unknownAccessToken(): ServiceError {
  return new ServiceError({
    code: 'unauthenticated',
    reason: 'INVALID_TOKEN',
    message: 'the access token is unknown, or its assistant was disconnected; connect it again',
  })
}

/** The access token of an assistant was sent to something else than `/mcp`. */
export function notForThisResource(): ServiceError {
  return new ServiceError({
    code: 'unauthenticated',
    reason: 'INVALID_TOKEN',
    message: 'the access token of an assistant is accepted at /mcp only; use a personal access token',
  })
}

/** The scope of a token does not include the call. */
export function scopeTooLow(needed: TokenScope): ServiceError {
  return new ServiceError({
    code: 'permission_denied',
    reason: 'TOKEN_SCOPE_TOO_LOW',
    message: `the call needs a personal access token with the scope ${needed}`,
  })
}

/** The call is about a project that the token is not for, whether or not there is such a project. */
export function otherProject(): ServiceError {
  return new ServiceError({
    code: 'permission_denied',
    reason: 'TOKEN_PROJECT_NOT_ALLOWED',
    message: 'the personal access token is not for the project in the header x-project-id',
  })
}

/** The token is for several projects, and the call names none. */
export function noProjectNamed(): ServiceError {
  return new ServiceError({
    code: 'invalid_argument',
    reason: 'TOKEN_PROJECT_REQUIRED',
    message: 'the header x-project-id is required, unless the personal access token is for one project',
  })
}

/** The project of `x-project-id` does not exist. */
export function projectUnknown(): ServiceError {
  return new ServiceError({
    code: 'not_found',
    reason: 'PROJECT_NOT_FOUND',
    message: 'there is no project with the id in the header x-project-id',
  })
}

/** The owner of the token does not belong to the organisation of the project. */
export function ownerNotAMember(): ServiceError {
  return new ServiceError({
    code: 'permission_denied',
    reason: 'ORG_NOT_A_MEMBER',
    message: 'you are not a member of the organisation of this project',
  })
}

/** The owner of the token has no role that opens the project. */
export function ownerWithoutAccess(): ServiceError {
  return new ServiceError({
    code: 'permission_denied',
    reason: 'PROJECT_ACCESS_DENIED',
    message: 'the owner of the personal access token has no access to this project',
  })
}

/** The role of the owner of a token does not allow to send data. */
export function ownerMayNotSend(): ServiceError {
  return new ServiceError({
    code: 'permission_denied',
    reason: 'ORG_ROLE_FORBIDDEN',
    message: 'a viewer of the project may not do this',
  })
}

/** The organisation of the project requires a second factor, and the owner of the token has none. */
export function ownerWithoutSecondFactor(): ServiceError {
  return new ServiceError({
    code: 'permission_denied',
    reason: 'SECOND_FACTOR_REQUIRED',
    message:
      'the organisation requires a second factor; the owner of the personal access token sets one up in the console under Settings, Account',
  })
}
