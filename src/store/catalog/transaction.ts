import { PostgresAdapter } from 'kysely'
import { sleep } from '../../kernel/clock.ts'
import type { Catalog } from './catalog.ts'

/** Of concurrent transactions on the same rows all but one fail: each round of retries completes at least one. */
const ATTEMPTS_MAX = 12

const RETRY_MS_MAX = 50

/** PostgreSQL error codes after which a transaction is retried: serialisation failure and deadlock. */
const RETRIED_CODES: ReadonlySet<unknown> = new Set(['40001', '40P01'])

/** Error codes of a violated key or unique index, of PostgreSQL and SQLite. */
const UNIQUE_CODES: ReadonlySet<unknown> = new Set([
  '23505',
  'SQLITE_CONSTRAINT_UNIQUE',
  'SQLITE_CONSTRAINT_PRIMARYKEY',
])

/**
 * Runs `work` in a serialisable transaction. `work` may run several times, so it uses only the catalog that it receives and
 * has no other effects. Inside another transaction it becomes part of that one.
 */
export async function inTransaction<T>(
  catalog: Catalog,
  work: (transaction: Catalog) => Promise<T>,
): Promise<T> {
  if (catalog.isTransaction) return await work(catalog)
  if (!isPostgres(catalog)) return await catalog.transaction().execute(work)
  for (let attempt = 1; ; attempt++) {
    try {
      return await catalog.transaction().setIsolationLevel('serializable').execute(work)
    } catch (error) {
      if (attempt === ATTEMPTS_MAX || !isConflict(error)) throw error
      await sleep(Math.random() * RETRY_MS_MAX)
    }
  }
}

/** Whether a transaction failed because of a concurrent one, so that it succeeds when it is run again. */
export function isConflict(error: unknown): boolean {
  return RETRIED_CODES.has(codeOf(error))
}

/** Whether a statement failed because a row with the same unique values exists. */
export function isUniqueViolation(error: unknown): boolean {
  return UNIQUE_CODES.has(codeOf(error))
}

/** Whether the catalog is on a PostgreSQL server. */
export function isPostgres(catalog: Pick<Catalog, 'getExecutor'>): boolean {
  return catalog.getExecutor().adapter instanceof PostgresAdapter
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}
