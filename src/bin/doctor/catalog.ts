import { openCatalog, readPostgresVersion } from '../../store/catalog/catalog.ts'
import { type Check, fail, ok } from './check.ts'

/** The oldest release that PostgreSQL still supports. */
const MAJOR_MIN = 14

/** Whether the catalog's server responds and is new enough. */
export const checkCatalog: Check = async ({ settings }) => {
  if (settings.databaseUrl === undefined)
    return ok('SERVICE_DATABASE_URL is not set: the catalog is in the data folder')
  const catalog = openCatalog(settings)
  try {
    const { text, major } = await readPostgresVersion(catalog)
    if (major >= MAJOR_MIN) return ok(`PostgreSQL ${text}`)
    return fail(`PostgreSQL ${text}; ${MAJOR_MIN} or newer is needed`)
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
    return fail(`PostgreSQL does not respond: ${cause instanceof Error ? cause.message : String(cause)}`)
  } finally {
    await catalog.destroy()
  }
}
