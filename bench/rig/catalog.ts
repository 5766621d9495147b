import { type Catalog, migrateCatalog, openCatalog } from '../../src/store/catalog/catalog.ts'
import { startLocalPostgres } from '../../test/harness/local-postgres.ts'
import type { Teardown } from '../teardown.ts'

/** Opens an empty catalog in SQLite, or in a PostgreSQL server of its own. */
export async function openEmptyCatalog(
  teardown: Teardown,
  { postgres: isPostgres }: { readonly postgres: boolean },
): Promise<Catalog> {
  const dataDir = teardown.temporaryFolder()
  const postgres = isPostgres ? await startLocalPostgres() : undefined
  if (postgres) teardown.defer(async () => await postgres.destroy())
  const catalog = openCatalog({
    dataDir,
    ...(postgres ? { databaseUrl: await postgres.createDatabase() } : {}),
  })
  teardown.defer(async () => await catalog.destroy())
  await migrateCatalog(catalog)
  return catalog
}
