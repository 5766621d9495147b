import { isIP } from 'node:net'
import type { ContextValues } from '@connectrpc/connect'
import { type Caller, callerKey } from '../../access/caller.ts'
import { objectOfAction } from '../../domain/audit-actions.ts'
import type { AccessRule } from '../../domain/role-rules.ts'
import { type AddressRanges, clientAddress } from '../../kernel/address-ranges.ts'
import type { Clock } from '../../kernel/clock.ts'
import { requestIdKey } from '../../rpc/call-context.ts'
import type { AuditScope } from '../../store/catalog/audit/audit-scope.ts'

/** The form of ids that this service assigns: other texts of a request may be secrets. */
const ASSIGNED_ID = /^([0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|\d{1,9})$/i

/** A call to record. */
export interface CallToRecord {
  readonly contextValues: ContextValues
  readonly header: Headers
  /** The request; absent for one that is a stream. */
  readonly message: object | undefined
  /** The scope of its access rule; absent for a public method. */
  readonly about: AccessRule['scope'] | undefined
}

/** Fields of requests with the id of their object, in the order of precedence. */
const ID_FIELDS = [
  'id',
  'customerId',
  'invitationId',
  'apiKeyId',
  'keyId',
  'dashboardId',
  'cohortId',
  'importId',
] as const

/** The scope of a call: its caller, and the object that its request names. */
export function scopeOfCall(
  { contextValues, header, message, about }: CallToRecord,
  {
    action,
    clock,
    trustedProxies,
  }: { readonly action: string; readonly clock: Clock; readonly trustedProxies: AddressRanges },
): AuditScope {
  const caller = contextValues.get(callerKey)
  const object = objectOfAction(action)
  // The console names the project that it shows in calls about anything.
  const projectId = about === 'project' ? projectOf(caller) : undefined
  return {
    ...callerOf(caller),
    action,
    object,
    address: addressOf(header, trustedProxies),
    requestId: contextValues.get(requestIdKey),
    organisationId: about === 'organisation' ? textField(message, 'orgId') : organisationOf(caller, about),
    projectId,
    objectId: object === 'project' ? String(projectId ?? '') : objectIdOf(object, message),
    timeMs: clock.nowMs(),
  }
}

/** A text in a message; `undefined` when it is empty or missing. */
export function textField(message: object | undefined, field: string): string | undefined {
  const value: unknown = message === undefined ? undefined : Reflect.get(message, field)
  return typeof value === 'string' && value !== '' ? value : undefined
}

function addressOf(header: Headers, trustedProxies: AddressRanges): string {
  const address = clientAddress(header.get('x-forwarded-for') ?? '', trustedProxies)
  return isIP(address) === 0 ? '' : address
}

function callerOf(caller: Caller): Pick<AuditScope, 'actor' | 'credential'> {
  switch (caller.kind) {
    case 'customer':
      return {
        actor: { kind: 'account', id: caller.customerId, name: '' },
        credential: { kind: 'session', id: caller.sessionId },
      }
    case 'key':
      return {
        actor: { kind: 'key', id: caller.keyId, name: caller.masked },
        credential: { kind: 'key', id: caller.keyId },
      }
    case 'token':
      return {
        actor: { kind: 'account', id: caller.customerId, name: '' },
        credential: { kind: 'token', id: caller.tokenId },
      }
    case 'anonymous':
      return { actor: undefined, credential: { kind: '', id: '' } }
  }
}

function organisationOf(caller: Caller, about: CallToRecord['about']): string | undefined {
  if (about !== 'project') return undefined
  if (caller.kind === 'token') return caller.project.organisationId
  return caller.kind === 'customer' ? caller.project?.organisationId : undefined
}

function projectOf(caller: Caller): number | undefined {
  if (caller.kind === 'key') return caller.projectId
  if (caller.kind === 'token') return caller.project.projectId
  return caller.kind === 'customer' ? caller.project?.projectId : undefined
}

function objectIdOf(object: string, message: object | undefined): string {
  // Requests name people by ids that may be mail addresses.
  if (object === 'person' || object === 'erasure') return ''
  for (const field of ID_FIELDS) {
    const id = textField(message, field)
    if (id !== undefined && ASSIGNED_ID.test(id)) return id
  }
  return ''
}
