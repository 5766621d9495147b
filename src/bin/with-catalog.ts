import type { Settings } from '../kernel/settings.ts'
import { type Catalog, migrateCatalog, openCatalog } from '../store/catalog/catalog.ts'

/** Runs `work` on the catalog of the data folder, brought to this release's schema. */
export async function withCatalog<T>(settings: Settings, work: (catalog: Catalog) => Promise<T>): Promise<T> {
  const catalog = openCatalog(settings.dataDir)
  try {
    await migrateCatalog(catalog)
    return await work(catalog)
  } finally {
    await catalog.destroy()
  }
}
