import { mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import Database from 'libsql'
import { type ClickHouse, openClickHouse } from '../../src/store/clickhouse/client.ts'
import { DATABASE, startEngine } from '../../src/store/embedded/engine.ts'

const FIXTURES = resolve(import.meta.dirname, '../fixtures')

/** As releases made it, word for word; what is in these files never changes. */
const MIGRATIONS = readdirSync(join(FIXTURES, 'clickhouse'))
  .sort()
  .map((file) => ({
    version: Number.parseInt(file, 10),
    name: file.replace(/^\d+-|\.sql$/g, ''),
    statements: readFileSync(join(FIXTURES, 'clickhouse', file), 'utf8')
      .split(/;\n/)
      .map((text) => text.trim()),
  }))

const MIGRATION_TABLE = `
CREATE TABLE IF NOT EXISTS migrations (
  version UInt32,
  name String,
  applied DateTime64(3, 'UTC') DEFAULT now64(3)
)
ENGINE = ReplacingMergeTree(applied)
ORDER BY version`

/** The schemas that releases had, oldest first. */
export const OLD_SCHEMAS: readonly number[] = MIGRATIONS.map(({ version }) => version)

/** A data folder as a release with this schema of ClickHouse left it, with a few events. */
export async function makeOldDataFolder(schema: number): Promise<string> {
  const dataDir = mkdtempSync(join(tmpdir(), 'millrace-old-'))
  const catalog = new Database(join(dataDir, 'catalog.sqlite'))
  catalog.exec(readFileSync(join(FIXTURES, 'catalog-013.sql'), 'utf8'))
  catalog.close()
  await withStore(dataDir, async (clickhouse) => {
    await clickhouse.command({ query: MIGRATION_TABLE })
    for (const migration of MIGRATIONS.filter(({ version }) => version <= schema)) {
      await apply(clickhouse, migration)
    }
    await clickhouse.command({
      query: readFileSync(join(FIXTURES, 'events.sql'), 'utf8').replace(/;\s*$/, ''),
    })
  })
  return dataDir
}

async function apply(
  clickhouse: ClickHouse,
  { version, name, statements }: (typeof MIGRATIONS)[number],
): Promise<void> {
  for (const query of statements.filter((text) => text !== '')) await clickhouse.command({ query })
  await clickhouse.command({ query: `INSERT INTO migrations (version, name) VALUES (${version}, '${name}')` })
}

/** Works on the embedded ClickHouse of a data folder that no service runs on. */
export async function withStore(
  dataDir: string,
  work: (clickhouse: ClickHouse) => Promise<void>,
): Promise<void> {
  const engine = await startEngine({ dataFolder: dataDir })
  const clickhouse = openClickHouse(
    { url: engine.url, database: DATABASE, username: engine.admin.user, password: engine.admin.password },
    { application: 'test', connectionsMax: 1, requestTimeoutMs: 30_000 },
  )
  try {
    await work(clickhouse)
  } finally {
    await clickhouse.close()
    await engine.stop()
  }
}
