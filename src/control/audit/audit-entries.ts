import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { OrganisationId } from '../../contract/ids.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import type { AuditEntryTable } from '../../store/catalog/schema/audit-tables.ts'
import { isPostgres } from '../../store/catalog/transaction.ts'

/** An entry with what its actor is called. */
export type AuditEntryRow = Selectable<AuditEntryTable> & { readonly email: string | null }

/** Conditions that must all hold; an absent one always does. */
export interface EntryFilter {
  readonly fromMs?: number | undefined
  /** Exclusive. */
  readonly toMs?: number | undefined
  readonly actorId?: string | undefined
  readonly action?: string | undefined
  /** The id of an object, and the other way in which the log may name it. */
  readonly objectIds?: readonly [id: string, other?: string] | undefined
  readonly credentialId?: string | undefined
}

/** The position of an entry in the order of lists. */
export interface EntryPosition {
  readonly timeMs: number
  readonly id: string
}

/** Entries to list: those of an organisation after a position, newest first. */
interface EntryList {
  readonly organisationId: OrganisationId
  readonly filter: EntryFilter
  readonly after: EntryPosition | undefined
  readonly count: number
}

/** Lists entries. */
export async function listEntries(catalog: Catalog, list: EntryList): Promise<AuditEntryRow[]> {
  const [objectId, otherId] = list.filter.objectIds ?? []
  const query = createQuery(catalog, list, objectId)
  if (otherId === undefined) return await query.execute()
  // Each half reads one range of the index; one condition on both ids would read and sort all entries.
  return await catalog
    .selectFrom(query.as('one'))
    .selectAll()
    .unionAll(catalog.selectFrom(createQuery(catalog, list, otherId).as('other')).selectAll())
    .orderBy('time_ms', 'desc')
    .orderBy('id', 'desc')
    .limit(list.count)
    .execute()
}

function createQuery(
  catalog: Catalog,
  { organisationId, filter, after, count }: EntryList,
  objectId: string | undefined,
) {
  const { fromMs, toMs, actorId, action, credentialId } = filter
  let query = inOrder(catalog, organisationId, after)
    .leftJoin('customers', 'customers.id', 'audit_entries.actor_id')
    .selectAll('audit_entries')
    .select('customers.email')
    .limit(count)
  if (fromMs !== undefined) query = query.where('time_ms', '>=', fromMs)
  if (toMs !== undefined) query = query.where('time_ms', '<', toMs)
  const column = objectId === undefined || isPostgres(catalog) ? asIs : keptFromIndexes
  if (actorId !== undefined) query = query.where(column('actor_id'), '=', actorId)
  if (action !== undefined) query = query.where(column('action'), '=', action)
  if (objectId !== undefined) query = query.where('object_id', '=', objectId)
  if (credentialId !== undefined) query = query.where(column('credential_id'), '=', credentialId)
  return query
}

type FilterColumn = 'actor_id' | 'action' | 'credential_id'

const asIs = (name: FilterColumn): RawBuilder<string> => sql.ref<string>(`audit_entries.${name}`)

/**
 * SQLite has no statistics of the catalog and might read all entries of an actor; an object has fewer, and their index has these columns.
 * The plus sign keeps a column out of its choice of an index.
 */
const keptFromIndexes = (name: FilterColumn): RawBuilder<string> => sql<string>`+${asIs(name)}`

/** Entries that one statement deletes: fewer than what would hold up other writers. */
const DELETED_AT_ONCE = 2000

/** Entries that one run deletes; the next hour goes on. */
const DELETED_MAX = 200_000

/** Entries that one statement passes over: it blocks the thread on SQLite. */
const PASSED_AT_ONCE = 20_000

/** Which entries are kept. */
export interface EntryRetention {
  /** Entries from before are deleted. */
  readonly beforeMs: number
  /** Entries of an organisation; beyond that, the oldest are deleted. */
  readonly countMax: number
}

/** Deletes entries that are too old or too many, the oldest first, in short transactions. Returns their number. */
export async function deleteOldEntries(catalog: Catalog, retention: EntryRetention): Promise<number> {
  const organisations = await catalog.selectFrom('organisations').select('id').execute()
  let deleted = 0
  for (const organisationId of ['', ...organisations.map(({ id }) => id)]) {
    const surplusMs = await findSurplus(catalog, organisationId, retention.countMax)
    const beforeMs = Math.max(retention.beforeMs, surplusMs)
    for (;;) {
      const count = await deleteSome(catalog, organisationId, beforeMs)
      deleted += count
      if (deleted >= DELETED_MAX) return deleted
      if (count < DELETED_AT_ONCE) break
    }
  }
  return deleted
}

/** The time of the oldest entry that is not too many; 0 when none are. */
async function findSurplus(catalog: Catalog, organisationId: string, countMax: number): Promise<number> {
  let last: EntryPosition | undefined
  for (let passed = 0; passed < countMax; passed += PASSED_AT_ONCE) {
    const row = await inOrder(catalog, organisationId, last)
      .select(['time_ms', 'audit_entries.id'])
      .limit(1)
      .offset(Math.min(PASSED_AT_ONCE, countMax - passed) - 1)
      .executeTakeFirst()
    if (!row) return 0
    last = { timeMs: row.time_ms, id: row.id }
  }
  return last?.timeMs ?? 0
}

/** The entries of an organisation after a position, newest first. */
function inOrder(catalog: Catalog, organisationId: string, after: EntryPosition | undefined) {
  const query = catalog
    .selectFrom('audit_entries')
    .where('organisation_id', '=', organisationId)
    .orderBy('time_ms', 'desc')
    .orderBy('audit_entries.id', 'desc')
  if (!after) return query
  return query.where(({ eb, refTuple, tuple }) =>
    eb(refTuple('time_ms', 'audit_entries.id'), '<', tuple(after.timeMs, after.id)),
  )
}

async function deleteSome(catalog: Catalog, organisationId: string, beforeMs: number): Promise<number> {
  const oldest = catalog
    .selectFrom('audit_entries')
    .select('id')
    .where('organisation_id', '=', organisationId)
    .where('time_ms', '<', beforeMs)
    .orderBy('time_ms')
    .limit(DELETED_AT_ONCE)
  const { numDeletedRows } = await catalog
    .deleteFrom('audit_entries')
    .where('id', 'in', oldest)
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
