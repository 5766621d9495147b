import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRunQuery, type QueryLimits } from '../../src/query/sql/run.ts'
import type { QueryRunner } from '../../src/query/sql/select.ts'
import {
  type ClickHouse,
  type ClickHouseEndpoint,
  openClickHouse,
} from '../../src/store/clickhouse/client.ts'
import { migrateClickHouse } from '../../src/store/clickhouse/migrate.ts'
import { DATABASE, type Engine, LOCAL_ACCESS, startEngine } from '../../src/store/embedded/engine.ts'

/** An engine of one test file, with the schema of the service. */
export interface OwnEngine {
  readonly engine: Engine
  /** The service's database, as its administrator. */
  readonly endpoint: ClickHouseEndpoint
  /** A connection to the endpoint. */
  readonly clickhouse: ClickHouse
  /** Runs queries within {@link WIDE_LIMITS}. */
  readonly run: QueryRunner
  readonly dataFolder: string
  /** Stops the engine and removes its folder. */
  stop(): Promise<void>
}

const CONNECTIONS_MAX = 4

/** Long enough for what one statement fills with rows. */
const REQUEST_TIMEOUT_MS = 120_000

/** Limits that no query of a test reaches. */
export const WIDE_LIMITS: QueryLimits = {
  timeoutSeconds: 60,
  memoryBytesMax: 2 * 1024 ** 3,
  readRowsMax: 1e9,
  resultRowsMax: 1e6,
  resultBytesMax: 256 * 1024 ** 2,
}

/** Starts an engine in a folder of its own. Throws `EngineStartError`. */
export async function startOwnEngine(): Promise<OwnEngine> {
  const dataFolder = mkdtempSync(join(tmpdir(), 'millrace-engine-'))
  const engine = await startEngine({ dataFolder })
  const { user: username, password } = engine.admin
  const endpoint = { url: engine.url, database: DATABASE, username, password }
  const clickhouse = openClickHouse(endpoint, {
    application: 'millrace-test',
    connectionsMax: CONNECTIONS_MAX,
    requestTimeoutMs: REQUEST_TIMEOUT_MS,
  })
  await migrateClickHouse(clickhouse, LOCAL_ACCESS)
  const runQuery = createRunQuery(clickhouse, WIDE_LIMITS)
  return {
    engine,
    endpoint,
    clickhouse,
    run: async (query) => await runQuery(query, AbortSignal.timeout(REQUEST_TIMEOUT_MS)),
    dataFolder,
    stop: async () => {
      await clickhouse.close()
      await engine.stop()
      rmSync(dataFolder, { recursive: true, force: true })
    },
  }
}
