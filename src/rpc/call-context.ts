import { createContextKey, type HandlerContext } from '@connectrpc/connect'
import type { CustomerId, OrganisationId, ProjectId } from '../contract/ids.ts'
import type { Role } from '../contract/role.ts'
import { type ErrorCode, ServiceError } from '../contract/service-error.ts'
import type { EdgeNotes } from './edge-notes.ts'

/** A project that a signed-in customer works in, and what they may do there. */
export interface ProjectAccess {
  readonly projectId: ProjectId
  readonly organisationId: OrganisationId
  readonly role: Role
}

/** Who calls. */
export type Caller =
  /** A call that asks for no credential. */
  | { readonly kind: 'nobody' }
  /** A program with an API key of a project. */
  | { readonly kind: 'key'; readonly projectId: ProjectId; readonly keyKind: 'public' | 'private' }
  /** A customer who signed in; `project` is the one that the header `x-project-id` names. */
  | {
      readonly kind: 'customer'
      readonly customerId: CustomerId
      /** The sign-in that the token belongs to. */
      readonly sessionId: string
      /** When it began. */
      readonly signedInMs: number
      readonly project?: ProjectAccess
    }

/** Id of the request, from the edge. */
export const requestIdKey = createContextKey('', { description: 'request id' })

/** How a call ended, for metrics and traces. */
export interface CallOutcome {
  /** A code of Connect, or `ok`. */
  code: ErrorCode | 'ok'
}

/** How the call ended; whoever wants to know sets an object of their own. */
export const outcomeKey = createContextKey<CallOutcome>({ code: 'ok' }, { description: 'outcome' })

/** Notes for the edge of this machine; absent where calls come from elsewhere. */
export const edgeNotesKey = createContextKey<EdgeNotes | undefined>(undefined, { description: 'edge notes' })

/** Whether a refresh token comes from a cookie, which a browser may send again; nothing in a request can say so. */
export const fromCookieKey = createContextKey(false, { description: 'from a cookie' })

/** Who calls; set before any handler runs. */
export const callerKey = createContextKey<Caller>({ kind: 'nobody' }, { description: 'caller' })

/** The project of a call. Throws `invalid_argument` when a customer named none. */
export function projectIdOf(context: HandlerContext): ProjectId {
  const caller = context.values.get(callerKey)
  if (caller.kind === 'key') return caller.projectId
  if (caller.kind === 'customer' && caller.project) return caller.project.projectId
  throw projectRequired()
}

/** The project that a signed-in customer works in. Throws `invalid_argument` when they named none. */
export function projectAccessOf(context: HandlerContext): ProjectAccess {
  const caller = context.values.get(callerKey)
  if (caller.kind === 'customer' && caller.project) return caller.project
  throw projectRequired()
}

/** The customer of a call. Throws `unauthenticated` when there is none. */
export function customerIdOf(context: HandlerContext): CustomerId {
  return customerOf(context).customerId
}

/** The customer of a call, and their sign-in. Throws `unauthenticated` when there is none. */
export function customerOf(context: HandlerContext): Extract<Caller, { kind: 'customer' }> {
  const caller = context.values.get(callerKey)
  if (caller.kind === 'customer') return caller
  throw new ServiceError({
    code: 'unauthenticated',
    reason: 'INVALID_TOKEN',
    message: 'a bearer token is required',
  })
}

/** A customer named no project where one is needed. */
export function projectRequired(): ServiceError {
  const description = 'the header x-project-id is required'
  return new ServiceError({ code: 'invalid_argument', reason: 'INVALID_REQUEST', message: description })
}
