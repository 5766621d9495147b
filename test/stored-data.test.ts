import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Catalog, migrateCatalog, openCatalog } from '../src/store/catalog/catalog.ts'
import { TENANT_TABLES } from '../src/store/clickhouse/tenant-tables.ts'

const PAGE = readFileSync(resolve(import.meta.dirname, '../docs/stored-data.md'), 'utf8')

/** Names in the first column of the tables of a section. */
function namesIn(title: string): ReadonlySet<string> {
  const [, section = ''] = PAGE.split(`\n## ${title}\n`)
  const [own = ''] = section.split('\n## ')
  const cells = own.split('\n').flatMap((line) => (line.startsWith('| ') ? [line.split('|')[1] ?? ''] : []))
  return new Set(cells.flatMap((cell) => [...cell.matchAll(/`(\w+)`/g)].map(([, name = '']) => name)))
}

const dataDir = mkdtempSync(join(tmpdir(), 'millrace-stored-data-'))
let catalog: Catalog

beforeAll(async () => {
  catalog = openCatalog({ dataDir })
  await migrateCatalog(catalog)
})

afterAll(async () => {
  await catalog.destroy()
  rmSync(dataDir, { recursive: true })
})

test('the page names every table of ClickHouse with rows of projects', () => {
  const named = namesIn('ClickHouse')
  expect(['events', ...Object.keys(TENANT_TABLES)].filter((table) => !named.has(table))).toEqual([])
})

test('the page names every table of the catalog, and no other', async () => {
  const tables = (await catalog.introspection.getTables()).map(({ name }) => name)
  expect(tables.length).toBeGreaterThan(40)
  const ofMigrations = tables.filter((name) => /migration|sqlite/.test(name))
  const stored = tables.filter((name) => !ofMigrations.includes(name)).sort()
  expect([...namesIn('The catalog')].sort()).toEqual(stored)
})
