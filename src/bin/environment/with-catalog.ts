import { ServiceError } from '../../contract/service-error.ts'
import type { Settings } from '../../settings/settings.ts'
import { type Catalog, migrateCatalog, openCatalog } from '../../store/catalog/catalog.ts'
import { assertFolderAccess } from './data-folder.ts'
import { FatalError } from './fatal-error.ts'

/** Opens the catalog and migrates it to this release's schema. Throws {@link FatalError} when it is unusable. */
export async function openMigratedCatalog(settings: Settings): Promise<Catalog> {
  if (settings.databaseUrl === undefined) assertFolderAccess(settings.dataDir, 'write')
  const catalog = openUsableCatalog(settings)
  try {
    await migrateCatalog(catalog)
    return catalog
  } catch (error) {
    await catalog.destroy()
    throw unusableCatalog(settings, error)
  }
}

/** Opens the catalog as it is. Throws {@link FatalError} when its file is no database. */
export function openUsableCatalog(settings: Settings): Catalog {
  try {
    return openCatalog(settings)
  } catch (error) {
    throw unusableCatalog(settings, error)
  }
}

/** The words of SQLite for a file that was cut off, overwritten or damaged by a disk. */
const DAMAGED = /file is not a database|malformed/

function unusableCatalog({ databaseUrl }: Settings, error: unknown): FatalError {
  const location = databaseUrl === undefined ? 'in SERVICE_DATA_DIR' : 'of SERVICE_DATABASE_URL'
  const reason = rootCauseOf(error)
  const remedy = DAMAGED.test(reason) ? '; restore catalog.sqlite from a backup' : ''
  return new FatalError(`cannot use the catalog ${location}: ${reason}${remedy}`, { cause: error })
}

/**
 * Runs `work` on the catalog, migrated to this release's schema. Throws {@link FatalError} when it is unusable, and for a
 * {@link ServiceError} of the work.
 */
export async function withCatalog<T>(settings: Settings, work: (catalog: Catalog) => Promise<T>): Promise<T> {
  const catalog = await openMigratedCatalog(settings)
  try {
    return await work(catalog)
  } catch (error) {
    throw error instanceof ServiceError ? new FatalError(error.message, { cause: error }) : error
  } finally {
    await catalog.destroy()
  }
}

/** The innermost cause, in one line. */
function rootCauseOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.cause !== undefined) return rootCauseOf(error.cause)
  const code = 'code' in error ? String(error.code) : error.name
  return (error.message || code).split('\n')[0] ?? ''
}
