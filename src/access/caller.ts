import { createContextKey, type HandlerContext } from '@connectrpc/connect'
import type { CustomerId, OrganisationId, ProjectId } from '../contract/ids.ts'
import type { Role } from '../contract/role.ts'
import { ServiceError } from '../contract/service-error.ts'

/** A project that a signed-in user works in, and their role there. */
export interface ProjectAccess {
  readonly projectId: ProjectId
  readonly organisationId: OrganisationId
  readonly role: Role
}

/** The caller of an RPC, by its credential. */
export type Caller =
  /** A call of a public method, without a credential. */
  | { readonly kind: 'anonymous' }
  /** A program with an API key of a project. */
  | {
      readonly kind: 'key'
      readonly projectId: ProjectId
      readonly keyKind: 'public' | 'private'
      readonly keyId: string
      /** The key as lists show it. */
      readonly masked: string
    }
  /** A program with a personal access token, which acts as its owner in one project. */
  | {
      readonly kind: 'token'
      readonly tokenId: string
      readonly customerId: CustomerId
      readonly project: ProjectAccess
    }
  /** A signed-in user; `project` is the one that the header `x-project-id` names. */
  | {
      readonly kind: 'customer'
      readonly customerId: CustomerId
      /** The sign-in that the token belongs to. */
      readonly sessionId: string
      /** The time at which the session began. */
      readonly signedInMs: number
      readonly project?: ProjectAccess
    }

/** The caller of a call; set before any handler runs. */
export const callerKey = createContextKey<Caller>({ kind: 'anonymous' }, { description: 'caller' })

/** Whether a refresh token comes from a cookie, which a browser may send twice; no field of a request can claim this. */
export const fromCookieKey = createContextKey(false, { description: 'from a cookie' })

/** The endpoint that makes a call for a caller; no field of a request can claim this. */
export const audienceKey = createContextKey<'mcp' | undefined>(undefined, { description: 'audience' })

/** The project of a call. Throws `invalid_argument` when a signed-in user named none. */
export function projectIdOf(context: HandlerContext): ProjectId {
  const caller = context.values.get(callerKey)
  if (caller.kind === 'key') return caller.projectId
  if (caller.kind === 'token') return caller.project.projectId
  if (caller.kind === 'customer' && caller.project) return caller.project.projectId
  throw projectRequired()
}

/** The project that a signed-in user works in. Throws `invalid_argument` when they named none. */
export function projectAccessOf(context: HandlerContext): ProjectAccess {
  const caller = context.values.get(callerKey)
  if (caller.kind === 'customer' && caller.project) return caller.project
  throw projectRequired()
}

/** The account of the signed-in user or of the owner of a token. Throws `unauthenticated` for any other caller. */
export function customerIdOf(context: HandlerContext): CustomerId {
  const caller = context.values.get(callerKey)
  return caller.kind === 'token' ? caller.customerId : customerOf(context).customerId
}

/** The signed-in user and their session. Throws `unauthenticated` for any other caller. */
export function customerOf(context: HandlerContext): Extract<Caller, { kind: 'customer' }> {
  const caller = context.values.get(callerKey)
  if (caller.kind === 'customer') return caller
  throw new ServiceError({
    code: 'unauthenticated',
    reason: 'INVALID_TOKEN',
    message: 'a bearer token is required',
  })
}

/** The account that a change is recorded for; empty for an API key. */
export function accountOf(context: HandlerContext): string {
  const caller = context.values.get(callerKey)
  return caller.kind === 'customer' || caller.kind === 'token' ? caller.customerId : ''
}

/** The error for a call without the header `x-project-id` where one is needed. */
export function projectRequired(): ServiceError {
  const description = 'the header x-project-id is required'
  return new ServiceError({ code: 'invalid_argument', reason: 'INVALID_REQUEST', message: description })
}
