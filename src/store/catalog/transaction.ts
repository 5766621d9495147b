import { PostgresAdapter } from 'kysely'
import { sleep } from '../../kernel/clock.ts'
import type { Catalog } from './catalog.ts'

/** Transactions that touch the same rows at once fail but for one: each round of retries finishes at least one of them. */
const ATTEMPTS_MAX = 12

const RETRY_MS_MAX = 50

/** What PostgreSQL says to a transaction that must be tried again: could not serialise, or a deadlock. */
const RETRIED_STATES: ReadonlySet<unknown> = new Set(['40001', '40P01'])

/** A key or a unique index refused a row: PostgreSQL's state and SQLite's codes. */
const UNIQUE_STATES: ReadonlySet<unknown> = new Set([
  '23505',
  'SQLITE_CONSTRAINT_UNIQUE',
  'SQLITE_CONSTRAINT_PRIMARYKEY',
])

/**
 * Runs `work` as if nobody else used the catalog meanwhile, all of it or nothing: what it reads is still true when it
 * commits. `work` may run several times, uses only the catalog that it is given, and does nothing that cannot be undone.
 * Inside another transaction it is part of that.
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
      if (attempt === ATTEMPTS_MAX || !RETRIED_STATES.has(codeOf(error))) throw error
      await sleep(Math.random() * RETRY_MS_MAX)
    }
  }
}

/** Whether a statement failed because a row with the same unique values is there. */
export function isUniqueViolation(error: unknown): boolean {
  return UNIQUE_STATES.has(codeOf(error))
}

/** Whether the catalog is on a PostgreSQL server. */
export function isPostgres(catalog: Pick<Catalog, 'getExecutor'>): boolean {
  return catalog.getExecutor().adapter instanceof PostgresAdapter
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}
