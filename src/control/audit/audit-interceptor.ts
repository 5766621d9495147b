import type { Interceptor } from '@connectrpc/connect'
import { ServiceError } from '../../contract/service-error.ts'
import type { AuditAction, AuditRule } from '../../domain/audit-actions.ts'
import type { AddressRanges } from '../../kernel/address-ranges.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Logger } from '../../kernel/log.ts'
import type { Sealer } from '../../kernel/sealer.ts'
import { type AuditScope, recordChanges } from '../../store/catalog/audit/audit-scope.ts'
import { callOf, countEntries, newEntryId } from '../../store/catalog/audit/write-entries.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import { findAccessRule } from '../access/role-table.ts'
import { CopiedPasskeyError } from '../factors/factor-errors.ts'
import { AccessRecorder, findOrganisation } from './access-recorder.ts'
import { findAuditRule } from './audit-rules.ts'
import { FailedSignIns } from './failed-sign-ins.ts'
import { personReference } from './person-reference.ts'
import { scopeOfCall, textField } from './scope-of-call.ts'

/** Dependencies of the audit log's recording. */
export interface AuditPorts {
  readonly catalog: Catalog
  readonly clock: Clock
  readonly sealer: Sealer
  readonly trustedProxies: AddressRanges
  readonly log: Logger
}

type Request = Parameters<ReturnType<Interceptor>>[0]
type Answer = Awaited<ReturnType<ReturnType<Interceptor>>>
type Recorded = Exclude<AuditRule, { readonly records: 'nothing' }>

/** A call with its rule. */
interface OpenCall {
  readonly scope: AuditScope
  readonly request: Request
  readonly answer: () => Promise<Answer>
}

/**
 * Records calls as the table of actions says (`domain/audit-actions.ts`). It comes after every check of a call, so that calls
 * that are refused leave no entry.
 */
export function createAuditInterceptor(ports: AuditPorts): Interceptor {
  const accesses = new AccessRecorder(ports.catalog)
  const failures = new FailedSignIns(ports.catalog, ports.log)
  const record = {
    change: async (call: OpenCall) => await recordChange(call, failures),
    call: async (call: OpenCall) => await recordCall(ports, call),
    access: async (call: OpenCall) => await recordAccess(ports, call, accesses),
  } as const satisfies Record<Recorded['records'], (call: OpenCall) => Promise<Answer>>
  return (next) => async (request) => {
    const rule = findAuditRule({ service: request.service.typeName, method: request.method.name })
    try {
      if (rule.records === 'nothing') return await next(request)
      const scope = scopeOf(ports, request, rule.action)
      return await record[rule.records]({ scope, request, answer: async () => await next(request) })
    } catch (error) {
      if (error instanceof CopiedPasskeyError) {
        const { customerId } = error
        failures.record(scopeOf(ports, request, 'account.refuse-passkey'), { customerId })
      }
      throw error
    }
  }
}

function scopeOf({ clock, trustedProxies }: AuditPorts, request: Request, action: AuditAction): AuditScope {
  const { contextValues, header } = request
  const message = request.stream ? undefined : request.message
  const about = findAccessRule({ service: request.service.typeName, method: request.method.name })?.scope
  return scopeOfCall({ contextValues, header, message, about }, { action, clock, trustedProxies })
}

async function recordChange({ scope, request, answer }: OpenCall, failures: FailedSignIns): Promise<Answer> {
  try {
    return await recordChanges(scope, answer)
  } catch (error) {
    const email = request.stream ? undefined : textField(request.message, 'email')
    const isFailedSignIn =
      scope.action === 'session.sign-in' && ServiceError.from(error).code === 'unauthenticated'
    if (isFailedSignIn && email !== undefined)
      failures.record({ ...scope, action: 'session.fail-sign-in' }, { email })
    throw error
  }
}

/** Codes of calls that a handler refused before they had an effect. */
const REFUSALS: ReadonlySet<string> = new Set([
  'invalid_argument',
  'not_found',
  'permission_denied',
  'failed_precondition',
  'resource_exhausted',
])

/**
 * The entry comes first: what happens outside of the catalog must not happen without one. Of a call that is refused, nothing
 * happens, so its entry is withdrawn.
 */
async function recordCall(
  { catalog, sealer }: AuditPorts,
  { scope, request, answer }: OpenCall,
): Promise<Answer> {
  const named = request.stream ? undefined : textField(request.message, 'id')
  const isPerson = scope.object === 'person' && named !== undefined
  const object_id = isPerson ? personReference(sealer, named) : scope.objectId
  const id = newEntryId()
  const entry = { ...callOf(scope), object_id, id, object_name: '', changes: '[]' }
  const organisation_id = await findOrganisation(catalog, scope)
  await countEntries(async () => {
    await catalog
      .insertInto('audit_entries')
      .values({ ...entry, organisation_id })
      .execute()
    return 1
  })
  try {
    return await answer()
  } catch (error) {
    if (REFUSALS.has(ServiceError.from(error).code))
      await catalog.deleteFrom('audit_entries').where('id', '=', id).execute()
    throw error
  }
}

/** Reads that are about one person. */
const OF_ONE_PERSON: ReadonlySet<string> = new Set(['person.view', 'person.export'])

async function recordAccess(
  { sealer }: AuditPorts,
  { scope, request, answer }: OpenCall,
  accesses: AccessRecorder,
): Promise<Answer> {
  if (request.stream) {
    await accesses.record(scope)
    return await answer()
  }
  const answered = await answer()
  const named = OF_ONE_PERSON.has(scope.action) ? personOf(request.message, answered) : undefined
  const objectId = named === undefined ? scope.objectId : personReference(sealer, named)
  await accesses.record({ ...scope, objectId })
  return answered
}

/** The profile that was found, or the id by which the request names a person. */
function personOf(message: object, answered: Answer): string | undefined {
  const profile: unknown = answered.stream ? undefined : Reflect.get(answered.message, 'profile')
  const found = typeof profile === 'object' && profile !== null ? textField(profile, 'id') : undefined
  return (
    found ?? textField(message, 'id') ?? textField(message, 'externalId') ?? textField(message, 'distinctId')
  )
}
