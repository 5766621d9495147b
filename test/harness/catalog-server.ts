import { tmpdir } from 'node:os'
import { migrateCatalog, openCatalog } from '../../src/store/catalog/catalog.ts'
import { runPostgres, startLocalPostgres } from './local-postgres.ts'
import type { SharedServer } from './shared-servers.ts'

/** The migrated database from which each test gets a copy. */
export const TEMPLATE = 'migrated'

/** How test files reach the shared PostgreSQL. */
export interface CatalogServerAccess {
  /** URL of a database from which others are created. */
  readonly url: string
}

/** Starts a PostgreSQL with a migrated catalog that tests copy. */
export async function startCatalogServer(): Promise<SharedServer<CatalogServerAccess>> {
  const postgres = await startLocalPostgres()
  try {
    const url = postgres.urlOf('postgres')
    await runPostgres(url, `CREATE DATABASE ${TEMPLATE}`)
    const catalog = openCatalog({ dataDir: tmpdir(), databaseUrl: postgres.urlOf(TEMPLATE) })
    await migrateCatalog(catalog)
    await catalog.destroy()
    return { access: () => ({ url }), stop: postgres.destroy }
  } catch (error) {
    await postgres.destroy()
    throw error
  }
}
