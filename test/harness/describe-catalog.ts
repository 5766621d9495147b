import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe } from 'vitest'
import {
  type Catalog,
  type CatalogLocation,
  migrateCatalog,
  openCatalog,
} from '../../src/store/catalog/catalog.ts'
import { askSharedServer } from './ask-shared-server.ts'
import { type CatalogServerAccess, TEMPLATE } from './catalog-server.ts'
import { hasPostgres } from './local-postgres.ts'
import { isFastProfile } from './profile.ts'
import { ReusedDatabase } from './reused-database.ts'

/** The catalog that a test of {@link describeCatalog} works on: empty and migrated for each test. */
export interface CatalogUnderTest {
  readonly catalog: Catalog
  /** Opens the same catalog a second time. */
  readonly place: CatalogLocation
}

/**
 * Runs the same suite on SQLite and, but for the fast profile, on PostgreSQL. Without PostgreSQL the second half is skipped,
 * and counted as skipped.
 */
export function describeCatalog(name: string, suite: (under: CatalogUnderTest) => void): void {
  describe(`${name} on SQLite`, () => {
    const template = mkdtempSync(join(tmpdir(), 'catalog-template-'))
    beforeAll(async () => {
      const catalog = openCatalog({ dataDir: template })
      await migrateCatalog(catalog)
      await catalog.destroy()
    })
    afterAll(() => rmSync(template, { recursive: true }))
    runSuite(suite, async (dataDir) => {
      cpSync(template, dataDir, { recursive: true })
      return { dataDir }
    })
  })
  if (isFastProfile()) return
  describe.skipIf(!hasPostgres())(`${name} on PostgreSQL`, () => {
    const database = new ReusedDatabase()
    runSuite(suite, async (dataDir) => {
      const { url } = await askSharedServer<CatalogServerAccess>('/catalog-server')
      return { dataDir, databaseUrl: await database.take(url, TEMPLATE) }
    })
    afterAll(async () => await database.close())
  })
}

function runSuite(
  suite: (under: CatalogUnderTest) => void,
  create: (dataDir: string) => Promise<CatalogLocation>,
): void {
  const under: { -readonly [Key in keyof CatalogUnderTest]?: CatalogUnderTest[Key] } = {}
  let dataDir = ''
  beforeEach(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'catalog-'))
    under.place = await create(dataDir)
    under.catalog = openCatalog(under.place)
  })
  afterEach(async () => {
    await under.catalog?.destroy()
    rmSync(dataDir, { recursive: true, force: true })
  })
  suite(under as CatalogUnderTest)
}
