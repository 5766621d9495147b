import { randomBytes } from 'node:crypto'
import type { CompiledQuery, DatabaseConnection, Insertable, Kysely } from 'kysely'
import { countersOf } from '../../../kernel/metrics.ts'
import type { AuditEntryTable } from '../schema/audit-tables.ts'
import type { CatalogSchema } from '../schema/catalog-schema.ts'
import { isConflict } from '../transaction.ts'
import type { AuditScope } from './audit-scope.ts'
import { type ChangedRow, changesOf, idOf, textOf } from './changed-row.ts'

/** A new row of the audit log. */
export type NewEntry = Insertable<AuditEntryTable>

/** Objects that belong to an account: every organisation of the account reads about them. */
const OF_ACCOUNTS: ReadonlySet<string> = new Set(['account', 'session', 'identity'])

/** Organisations that get an entry about an account. */
export const ORGANISATIONS_MAX = 100

const ID_BYTES = 16

/** The connection of a transaction, and the writer of statements for it. */
interface EntryPorts {
  readonly connection: DatabaseConnection
  readonly builder: Kysely<CatalogSchema>
}

const entries = countersOf(
  'millrace_audit_entries_total',
  'Entries of the audit log, by outcome: written, or failed. A change or a read whose entry fails does not happen; a failed sign-in does.',
  { label: 'outcome', values: ['written', 'failed'] },
)

/** Counts the entries that `write` reports to have written, and its failure. */
export async function countEntries(write: () => Promise<number>): Promise<number> {
  try {
    const count = await write()
    entries.inc({ outcome: 'written' }, count)
    return count
  } catch (error) {
    if (!isConflict(error)) countLostEntry()
    throw error
  }
}

/** Counts an entry that is given up. */
export function countLostEntry(): void {
  entries.inc({ outcome: 'failed' })
}

/** Writes the entries of a transaction in it: one for each organisation that may read it. Returns their number. */
export async function writeEntries(
  ports: EntryPorts,
  { scope, rows }: { readonly scope: AuditScope; readonly rows: readonly ChangedRow[] },
): Promise<number> {
  const entry = entryOf(scope, rows)
  const organisations = await findOrganisations(ports, { scope, rows, actorId: entry.actor_id })
  const values = organisations.map((organisation_id) => ({ ...entry, id: newEntryId(), organisation_id }))
  await ports.connection.executeQuery(ports.builder.insertInto('audit_entries').values(values).compile())
  return values.length
}

/** A random id of an entry. */
export function newEntryId(): string {
  return randomBytes(ID_BYTES).toString('base64url')
}

/** The columns of an entry that the caller determines. */
export function callOf(
  scope: AuditScope,
): Omit<NewEntry, 'id' | 'organisation_id' | 'object_name' | 'changes'> {
  const { actor, credential, address, action, objectId, projectId, requestId, timeMs } = scope
  return {
    time_ms: timeMs,
    actor_kind: actor?.kind ?? 'account',
    actor_id: actor?.id ?? '',
    actor_name: textOf(actor?.name),
    credential_kind: credential.kind,
    credential_id: credential.id,
    address,
    action,
    object_id: textOf(objectId),
    project_id: projectId ?? null,
    request_id: textOf(requestId),
  }
}

function entryOf(scope: AuditScope, rows: readonly ChangedRow[]): Omit<NewEntry, 'id' | 'organisation_id'> {
  const object = rows.find(({ table }) => table.object === scope.object) ?? rows[0]
  const name = object?.table.name
  return {
    ...callOf(scope),
    ...(scope.actor ? {} : sessionOf(rows)),
    ...(object ? { object_id: idOf(object) } : {}),
    object_name: name === undefined ? '' : textOf((object?.after ?? object?.before)?.[name]),
    changes: JSON.stringify(changesOf(rows)),
  }
}

/** The account whose session begins or ends: a sign-in and a sign-out prove it by themselves. */
function sessionOf(rows: readonly ChangedRow[]): Partial<NewEntry> {
  const sessions = rows.filter(({ table }) => table.object === 'session')
  const session = sessions.find(({ before }) => before === undefined) ?? sessions[0]
  if (!session) return {}
  return {
    actor_id: textOf((session.after ?? session.before)?.[session.table.account ?? '']),
    credential_kind: 'session',
    credential_id: idOf(session),
  }
}

async function findOrganisations(
  ports: EntryPorts,
  {
    scope,
    rows,
    actorId,
  }: { readonly scope: AuditScope; readonly rows: readonly ChangedRow[]; readonly actorId: string },
): Promise<readonly string[]> {
  if (scope.organisationId !== undefined) return [scope.organisationId]
  const named = new Set(OF_ACCOUNTS.has(scope.object) ? [] : rows.flatMap(organisationOf))
  if (named.size > 0) return [...named].slice(0, ORGANISATIONS_MAX)
  const found =
    scope.projectId === undefined
      ? await listMemberships(ports, actorId)
      : await findOwner(ports, scope.projectId)
  return found.length > 0 ? found : ['']
}

function organisationOf({ table, before, after }: ChangedRow): string[] {
  return table.organisation === undefined ? [] : [textOf((after ?? before)?.[table.organisation])]
}

async function listMemberships({ connection, builder }: EntryPorts, accountId: string): Promise<string[]> {
  const query = builder
    .selectFrom('memberships')
    .select('organisation_id')
    .where('customer_id', '=', accountId)
    .orderBy('created_ms')
    .limit(ORGANISATIONS_MAX)
  return await readIds(connection, query.compile())
}

async function findOwner({ connection, builder }: EntryPorts, projectId: number): Promise<string[]> {
  const query = builder.selectFrom('projects').select('organisation_id').where('id', '=', projectId)
  return await readIds(connection, query.compile())
}

async function readIds(connection: DatabaseConnection, query: CompiledQuery): Promise<string[]> {
  const { rows } = await connection.executeQuery<{ readonly organisation_id: string }>(query)
  return rows.map(({ organisation_id }) => organisation_id)
}
