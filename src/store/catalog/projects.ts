import { randomUUID } from 'node:crypto'
import { asProjectId, type ProjectId } from '../../contract/ids.ts'
import type { Clock } from '../../kernel/clock.ts'
import { type ApiKeyKind, generateApiKey, insertApiKey } from './api-keys.ts'
import type { Catalog } from './catalog.ts'
import { type LeaseOptions, withLease } from './lease.ts'
import { inTransaction } from './transaction.ts'

/** A project as lists show it. */
export interface ProjectRow {
  readonly id: ProjectId
  readonly displayName: string
  readonly reportingTimezone: string
}

/** The project that the first start made, and its keys, given or generated. */
export interface Bootstrapped {
  readonly projectId: ProjectId
  readonly publicKey: string
  readonly privateKey: string
}

/** The keys that the first project is to have; those that are not given are generated. */
export interface BootstrapKeys {
  readonly publicKey: string | undefined
  readonly privateKey: string | undefined
}

/** Held while the first project is made: PostgreSQL does not take back the number of one that was not made after all. */
export const BOOTSTRAP_LEASE: LeaseOptions = { name: 'bootstrap', ttlMs: 30_000, waitMs: 60_000 }

/**
 * Creates the first organisation, its project, which is number 1, and a key of each kind, while no organisation exists;
 * several processes may try at once and one succeeds. Answers `undefined` when there was nothing to do.
 */
export async function bootstrapCatalog(
  catalog: Catalog,
  clock: Clock,
  keys: BootstrapKeys,
): Promise<Bootstrapped | undefined> {
  if ((await firstOrganisationId(catalog)) !== undefined) return undefined
  return await withLease(
    catalog,
    clock,
    BOOTSTRAP_LEASE,
    async () =>
      await inTransaction(catalog, async (transaction) => await createFirst(transaction, clock, keys)),
  )
}

async function createFirst(
  transaction: Catalog,
  clock: Clock,
  keys: BootstrapKeys,
): Promise<Bootstrapped | undefined> {
  const organisationId = randomUUID()
  if (!(await insertFirstOrganisation(transaction, clock, organisationId))) return undefined
  const projectId = await insertProject(transaction, clock, {
    organisationId,
    displayName: 'Default',
  })
  const insertKey = async (kind: ApiKeyKind, given: string | undefined): Promise<string> => {
    const text = given ?? generateApiKey(kind)
    await insertApiKey(transaction, clock, { projectId, kind, displayName: 'Bootstrap', text })
    return text
  }
  return {
    projectId,
    publicKey: await insertKey('public', keys.publicKey),
    privateKey: await insertKey('private', keys.privateKey),
  }
}

/** One statement, so that of two processes at once only one finds the table empty. */
async function insertFirstOrganisation(catalog: Catalog, clock: Clock, id: string): Promise<boolean> {
  const row = catalog
    .selectNoFrom(({ val }) => [
      val(id).as('id'),
      val('Default').as('display_name'),
      val(clock.nowMs()).as('created_ms'),
    ])
    .where(({ not, exists }) => not(exists(catalog.selectFrom('organisations').select('id'))))
  const inserted = await catalog
    .insertInto('organisations')
    .columns(['id', 'display_name', 'created_ms'])
    .expression(row)
    .executeTakeFirst()
  return (inserted.numInsertedOrUpdatedRows ?? 0n) > 0n
}

/** Adds a project, which reports in UTC when nothing else is said; names are unique in an organisation. */
export async function insertProject(
  catalog: Catalog,
  clock: Clock,
  project: {
    readonly organisationId: string
    readonly displayName: string
    readonly reportingTimezone?: string
  },
): Promise<ProjectId> {
  const { id } = await catalog
    .insertInto('projects')
    .values({
      organisation_id: project.organisationId,
      display_name: project.displayName,
      reporting_timezone: project.reportingTimezone ?? 'UTC',
      created_ms: clock.nowMs(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return asProjectId(id)
}

/** Every project, in the order of creation. */
export async function listProjects(catalog: Catalog): Promise<ProjectRow[]> {
  const rows = await catalog.selectFrom('projects').selectAll().orderBy('id').execute()
  return rows.map((row) => ({
    id: asProjectId(row.id),
    displayName: row.display_name,
    reportingTimezone: row.reporting_timezone,
  }))
}

/** The organisation that was created first; `undefined` before the first start. */
export async function firstOrganisationId(catalog: Catalog): Promise<string | undefined> {
  const row = await catalog
    .selectFrom('organisations')
    .select('id')
    .orderBy('created_ms')
    .limit(1)
    .executeTakeFirst()
  return row?.id
}
