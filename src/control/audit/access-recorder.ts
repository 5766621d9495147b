import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { entriesUpTo } from '../../kernel/cache-limit.ts'
import type { AuditScope } from '../../store/catalog/audit/audit-scope.ts'
import { callOf, countEntries } from '../../store/catalog/audit/write-entries.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'

const HOUR_MS = 3_600_000

/** Objects of an actor and action in an hour with an entry of their own, per process; further ones share one without an object. */
const OBJECTS_PER_HOUR_MAX = 500

/** Remembered entries and counters; a forgotten one costs an INSERT without effect. */
const REMEMBERED_MAX = 50_000

/**
 * Records reads and what is called as often: one entry for an actor, action and object in an hour. Its id is a digest of these, so
 * that several processes write one.
 */
export class AccessRecorder {
  readonly #catalog: Catalog
  readonly #written = new LRUCache<string, true>(entriesUpTo(REMEMBERED_MAX))
  readonly #counts = new LRUCache<string, number>(entriesUpTo(REMEMBERED_MAX))

  constructor(catalog: Catalog) {
    this.#catalog = catalog
  }

  /** Writes the entry of an access, unless it exists. */
  async record(scope: AuditScope): Promise<void> {
    const hour = Math.floor(scope.timeMs / HOUR_MS)
    const subject = [scope.action, scope.actor?.id, scope.organisationId, scope.projectId, hour].join('\n')
    const id = idOf(subject, scope.objectId)
    if (this.#written.has(id)) return
    const count = this.#counts.get(subject) ?? 0
    if (count >= OBJECTS_PER_HOUR_MAX) return await this.#write(idOf(subject, ''), { ...scope, objectId: '' })
    this.#counts.set(subject, count + 1)
    await this.#write(id, scope)
  }

  async #write(id: string, scope: AuditScope): Promise<void> {
    if (this.#written.has(id)) return
    const organisation_id = await findOrganisation(this.#catalog, scope)
    await countEntries(async () => {
      const { numInsertedOrUpdatedRows = 0n } = await this.#catalog
        .insertInto('audit_entries')
        .values({ ...callOf(scope), id, organisation_id, object_name: '', changes: '[]' })
        .onConflict((conflict) => conflict.column('id').doNothing())
        .executeTakeFirstOrThrow()
      return Number(numInsertedOrUpdatedRows)
    })
    this.#written.set(id, true)
  }
}

/** The organisation of a call; empty when it is about none. */
export async function findOrganisation(
  catalog: Catalog,
  { organisationId, projectId }: Pick<AuditScope, 'organisationId' | 'projectId'>,
): Promise<string> {
  if (organisationId !== undefined) return organisationId
  if (projectId === undefined) return ''
  const row = await catalog
    .selectFrom('projects')
    .select('organisation_id')
    .where('id', '=', projectId)
    .executeTakeFirst()
  return row?.organisation_id ?? ''
}

function idOf(subject: string, objectId: string): string {
  return createHash('sha256').update(`${subject}\n${objectId}`).digest('base64url').slice(0, 22)
}
