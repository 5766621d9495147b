import { AsyncLocalStorage } from 'node:async_hooks'
import type { AuditActorKind, AuditCredentialKind } from '../schema/audit-tables.ts'

/** The caller, and what the caller asked for. */
export interface AuditScope {
  /** `<object>.<verb>`, for example `dashboard.create`. */
  readonly action: string
  /** The kind of object that the action is about. */
  readonly object: string
  /** Absent for a sign-in or sign-out, which is by the account of its session. */
  readonly actor: { readonly kind: AuditActorKind; readonly id: string; readonly name: string } | undefined
  readonly credential: { readonly kind: AuditCredentialKind; readonly id: string }
  /** IP address of the caller; empty when it is unknown. */
  readonly address: string
  readonly requestId: string
  /** The organisation of the call; absent when only the changed rows or the actor's memberships determine it. */
  readonly organisationId: string | undefined
  readonly projectId: number | undefined
  /** The object as the request names it; empty when only the changed rows do. */
  readonly objectId: string
  readonly timeMs: number
}

const scopes = new AsyncLocalStorage<AuditScope>()

/**
 * Runs `work` so that each transaction in which it changes an audited table has an entry in it. Statements outside of a
 * transaction get one of their own.
 */
export async function recordChanges<T>(scope: AuditScope, work: () => Promise<T>): Promise<T> {
  return await scopes.run(scope, work)
}

/** The scope of the code that runs; `undefined` for work that no caller asked for. */
export function activeScope(): AuditScope | undefined {
  return scopes.getStore()
}
