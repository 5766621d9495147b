import { createHash } from 'node:crypto'
import { create, toJsonString } from '@bufbuild/protobuf'
import { type Timestamp, timestampFromMs, timestampMs } from '@bufbuild/protobuf/wkt'
import type { ConnectRouter, ServiceImpl } from '@connectrpc/connect'
import {
  ActorKind,
  type AuditEntry,
  AuditEntrySchema,
  type AuditFilter,
  AuditLogService,
  CredentialKind,
} from '../../contract/gen/millrace/audit/v1/audit_log_service_pb.js'
import { asOrganisationId, type OrganisationId } from '../../contract/ids.ts'
import type { Sealer } from '../../kernel/sealer.ts'
import { decodePageToken, encodePageToken, invalidPageToken } from '../../rpc/page-token.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import type {
  AuditActorKind,
  AuditChange,
  AuditCredentialKind,
} from '../../store/catalog/schema/audit-tables.ts'
import { type AuditEntryRow, type EntryFilter, type EntryPosition, listEntries } from './audit-entries.ts'
import { personReference } from './person-reference.ts'

/** Dependencies of the audit log's methods. */
export interface AuditLogPorts {
  readonly catalog: Catalog
  readonly sealer: Sealer
}

const PAGE_SIZE = 50
const EXPORT_SIZE = 2000

/** Characters of the changes in an answer. */
const ANSWER_LENGTH_MAX = 2_000_000

/** Registers `millrace.audit.v1.AuditLogService`. */
export function registerAuditLog(router: ConnectRouter, ports: AuditLogPorts): void {
  router.service(AuditLogService, createAuditLogService(ports))
}

/** `millrace.audit.v1.AuditLogService`: reads the audit log of an organisation. */
function createAuditLogService(ports: AuditLogPorts): ServiceImpl<typeof AuditLogService> {
  return {
    list: async ({ orgId, filter, pageSize, pageToken }) => {
      const count = pageSize === 0 ? PAGE_SIZE : pageSize
      const { entries, nextPageToken } = await readPage(ports, { orgId, filter, pageToken, count })
      return { entries, nextPageToken }
    },
    export: async ({ orgId, filter, pageToken }) => {
      const page = await readPage(ports, { orgId, filter, pageToken, count: EXPORT_SIZE })
      const lines = page.entries.map((entry) => `${toJsonString(AuditEntrySchema, entry)}\n`)
      return { jsonLines: lines.join(''), nextPageToken: page.nextPageToken }
    },
  }
}

/** A page that a request asks for. */
interface PageRequest {
  readonly orgId: string
  readonly filter: AuditFilter | undefined
  readonly pageToken: string
  readonly count: number
}

async function readPage(
  { catalog, sealer }: AuditLogPorts,
  { orgId, filter: sent, pageToken, count }: PageRequest,
): Promise<{ readonly entries: AuditEntry[]; readonly nextPageToken: string }> {
  const organisationId = asOrganisationId(orgId)
  const filter = toFilter(sealer, sent)
  const digest = digestOf(organisationId, filter)
  const after = pageToken === '' ? undefined : parseToken(pageToken, digest)
  const found = await listEntries(catalog, { organisationId, filter, after, count: count + 1 })
  const page = found.slice(0, Math.min(count, countWithin(found)))
  const last = found.length > page.length ? page.at(-1) : undefined
  return {
    entries: page.map(toEntry),
    nextPageToken: last ? encodePageToken([digest, last.time_ms, last.id]) : '',
  }
}

/** How many entries, at least one, make an answer of allowed size. */
function countWithin(rows: readonly AuditEntryRow[]): number {
  let length = 0
  const end = rows.findIndex(({ changes }) => {
    length += changes.length
    return length > ANSWER_LENGTH_MAX
  })
  return end === -1 ? rows.length : Math.max(end, 1)
}

function toFilter(sealer: Sealer, filter: AuditFilter | undefined): EntryFilter {
  if (!filter) return {}
  const { from, to, actorId, action, objectId, credentialId } = filter
  return {
    fromMs: toMs(from),
    toMs: toMs(to),
    actorId: actorId || undefined,
    action: action || undefined,
    objectIds: objectId === '' ? undefined : [objectId, personReference(sealer, objectId)],
    credentialId: credentialId || undefined,
  }
}

function toMs(time: Timestamp | undefined): number | undefined {
  return time && Math.floor(timestampMs(time))
}

/** A token continues only the query that it comes from. */
function digestOf(organisationId: OrganisationId, filter: EntryFilter): string {
  const text = JSON.stringify([organisationId, filter])
  return createHash('sha256').update(text).digest('base64url').slice(0, 16)
}

function parseToken(token: string, digest: string): EntryPosition {
  const [sent, timeMs, id] = decodePageToken(token)
  if (
    sent !== digest ||
    typeof timeMs !== 'number' ||
    !Number.isSafeInteger(timeMs) ||
    typeof id !== 'string'
  )
    throw invalidPageToken()
  return { timeMs, id }
}

const ACTORS = {
  account: ActorKind.ACCOUNT,
  key: ActorKind.KEY,
} as const satisfies Record<AuditActorKind, ActorKind>

const CREDENTIALS = {
  session: CredentialKind.SESSION,
  key: CredentialKind.KEY,
  token: CredentialKind.TOKEN,
  '': CredentialKind.UNSPECIFIED,
} as const satisfies Record<AuditCredentialKind, CredentialKind>

function toEntry(row: AuditEntryRow): AuditEntry {
  return create(AuditEntrySchema, {
    id: row.id,
    time: timestampFromMs(row.time_ms),
    actorKind: ACTORS[row.actor_kind],
    actorId: row.actor_id,
    actorName: row.actor_name || (row.email ?? ''),
    credentialKind: CREDENTIALS[row.credential_kind],
    credentialId: row.credential_id,
    address: row.address,
    action: row.action,
    objectId: row.object_id,
    objectName: row.object_name,
    projectId: row.project_id === null ? '' : String(row.project_id),
    changes: parseChanges(row.changes).map(toChange),
    requestId: row.request_id,
  })
}

function parseChanges(text: string): readonly AuditChange[] {
  return JSON.parse(text)
}

function toChange({ object, id, field, before, after }: AuditChange) {
  return {
    object,
    id,
    field,
    ...(before === null ? {} : { before }),
    ...(after === null ? {} : { after }),
  }
}
