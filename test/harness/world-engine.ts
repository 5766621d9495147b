import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ClickHouseEndpoint, openClickHouse } from '../../src/store/clickhouse/client.ts'
import { migrateClickHouse } from '../../src/store/clickhouse/migrate.ts'
import { DATABASE, LOCAL_ACCESS, startEngine } from '../../src/store/embedded/engine.ts'
import type { SharedServer } from './shared-servers.ts'

/** How test files reach the shared engine. */
export interface WorldEngineAccess {
  readonly endpoint: ClickHouseEndpoint
  /** Projects from this number on belong to the requesting file. */
  readonly firstProject: number
}

/** More than any file loads. */
const PROJECTS_PER_FILE = 10_000

/** Starts an engine with the schema of the service; each file has separate projects in it. */
export async function startWorldEngine(): Promise<SharedServer<WorldEngineAccess>> {
  const dataFolder = mkdtempSync(join(tmpdir(), 'millrace-worlds-'))
  const engine = await startEngine({ dataFolder })
  const { user: username, password } = engine.admin
  const endpoint = { url: engine.url, database: DATABASE, username, password }
  const clickhouse = openClickHouse(endpoint, {
    application: 'millrace-test',
    connectionsMax: 1,
    requestTimeoutMs: 60_000,
  })
  await migrateClickHouse(clickhouse, LOCAL_ACCESS)
  await clickhouse.close()
  let fileCount = 0
  return {
    access: () => ({ endpoint, firstProject: 1 + fileCount++ * PROJECTS_PER_FILE }),
    stop: async () => {
      await engine.stop()
      rmSync(dataFolder, { recursive: true, force: true })
    },
  }
}
