import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { Kysely, SqliteDialect } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import Database from 'libsql'
import { tenants } from './migrations/001-tenants.ts'
import { leases } from './migrations/002-leases.ts'
import type { CatalogSchema } from './schema.ts'

/** The relational store. Close it with `destroy()`. */
export type Catalog = Kysely<CatalogSchema>

/** How long a writer waits for another process's transaction, in milliseconds. */
const BUSY_TIMEOUT_MS = 5000

/** Every migration, by name; the order of the names is the order of execution. Append only. */
const MIGRATIONS = { '001-tenants': tenants, '002-leases': leases } as const satisfies Record<
  string,
  Migration
>

/** Opens the embedded catalog of a data folder (SQLite, shared by all processes of the machine). */
export function openCatalog(dataDir: string): Catalog {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const database = new Database(join(dataDir, 'catalog.sqlite'))
  database.pragma(`busy_timeout=${BUSY_TIMEOUT_MS}`)
  database.pragma('journal_mode=WAL')
  database.pragma('synchronous=FULL')
  database.pragma('foreign_keys=ON')
  return new Kysely<CatalogSchema>({ dialect: new SqliteDialect({ database }) })
}

/** Brings the catalog to the newest schema; safe to run by several processes at once. */
export async function migrateCatalog(catalog: Catalog): Promise<void> {
  const migrator = new Migrator({ db: catalog, provider: { getMigrations: async () => MIGRATIONS } })
  const { error } = await migrator.migrateToLatest()
  if (error !== undefined) throw new Error('the catalog could not be migrated', { cause: error })
}
