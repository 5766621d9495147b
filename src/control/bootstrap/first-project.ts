import { randomUUID } from 'node:crypto'
import type { ProjectId } from '../../contract/ids.ts'
import type { Clock } from '../../kernel/clock.ts'
import { type ApiKeyKind, generateApiKey, insertApiKey } from '../../store/catalog/api-keys.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import { type LeaseOptions, withLease } from '../../store/catalog/lease.ts'
import { firstOrganisationId, insertProject } from '../../store/catalog/projects.ts'
import { inTransaction } from '../../store/catalog/transaction.ts'

/** The project created by the first start, with its configured or generated keys. */
export interface FirstProject {
  readonly projectId: ProjectId
  readonly publicKey: string
  readonly privateKey: string
}

/** Keys for the first project; missing ones are generated. */
export interface FirstProjectKeys {
  readonly publicKey: string | undefined
  readonly privateKey: string | undefined
}

/** Serialises the creation of the first project: PostgreSQL does not reuse the number of a rolled-back insert. */
export const BOOTSTRAP_LEASE: LeaseOptions = { name: 'bootstrap', ttlMs: 30_000, waitMs: 60_000 }

/**
 * Creates the first organisation, its project, which is number 1, and a key of each kind, while no organisation exists.
 * Of several processes that try at once, one succeeds. Returns `undefined` when an organisation exists.
 */
export async function bootstrapProject(
  catalog: Catalog,
  clock: Clock,
  keys: FirstProjectKeys,
): Promise<FirstProject | undefined> {
  if ((await firstOrganisationId(catalog)) !== undefined) return undefined
  return await withLease(
    { ...BOOTSTRAP_LEASE, catalog, clock },
    async () =>
      await inTransaction(catalog, async (transaction) => await createFirst(transaction, clock, keys)),
  )
}

async function createFirst(
  transaction: Catalog,
  clock: Clock,
  keys: FirstProjectKeys,
): Promise<FirstProject | undefined> {
  const organisationId = randomUUID()
  if (!(await insertFirstOrganisation(transaction, clock, organisationId))) return undefined
  const projectId = await insertProject(transaction, clock, { organisationId, displayName: 'Default' })
  const insertKey = async (kind: ApiKeyKind, configured: string | undefined): Promise<string> => {
    const text = configured ?? generateApiKey(kind)
    await insertApiKey(transaction, clock, { projectId, kind, displayName: 'Bootstrap', text })
    return text
  }
  return {
    projectId,
    publicKey: await insertKey('public', keys.publicKey),
    privateKey: await insertKey('private', keys.privateKey),
  }
}

/** One statement, so that only one of several concurrent processes finds the table empty. */
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
