import { monotonicMs, sleep } from '../../src/kernel/clock.ts'
import { createRunQuery, type RunQuery } from '../../src/query/sql/run.ts'
import { type ClickHouse, openClickHouse } from '../../src/store/clickhouse/client.ts'
import { migrateClickHouse } from '../../src/store/clickhouse/migrate.ts'
import { DATABASE, type EngineEndpoint, LOCAL_ACCESS, startEngine } from '../../src/store/embedded/engine.ts'
import type { Teardown } from '../teardown.ts'

/** A running engine, as cases look at it. */
export interface BenchStore {
  readonly enginePid: number
  readonly clickhouse: ClickHouse
  /** Runs queries as the query process does. */
  readonly run: RunQuery
}

const QUERY_LIMITS = {
  timeoutSeconds: 30,
  memoryBytesMax: 1024 ** 3,
  readRowsMax: 1_000_000_000,
  resultRowsMax: 1_000_000,
  resultBytesMax: 256 * 1024 * 1024,
}
const WAIT_MS_MAX = 60_000

/** Looking costs the engine CPU time too, about 5 ms each. */
const LOOK_EVERY_MS = 300

/** Merges start a moment after the insert that gives rise to them: this many looks in a row must find none. */
const QUIET_LOOKS = 2

/** Starts a separate engine in a temporary folder, with the schema of the service. */
export async function startStore(teardown: Teardown): Promise<BenchStore> {
  const engine = await startEngine({ dataFolder: teardown.temporaryFolder() })
  teardown.defer(async () => await engine.stop())
  const store = connectStore(engine, teardown)
  await migrateClickHouse(store.clickhouse, LOCAL_ACCESS)
  return store
}

/** Connects to an engine that runs. */
export function connectStore(engine: EngineEndpoint, teardown: Teardown): BenchStore {
  const clickhouse = openClickHouse(
    { url: engine.url, database: DATABASE, username: engine.admin.user, password: engine.admin.password },
    { application: 'millrace-bench', connectionsMax: 2, requestTimeoutMs: WAIT_MS_MAX },
  )
  teardown.defer(async () => await clickhouse.close())
  return { enginePid: engine.pid, clickhouse, run: createRunQuery(clickhouse, QUERY_LIMITS) }
}

/** Resolves when at least `rowCount` rows are in the table, copies included, and no merge of it is under way. */
export async function untilSettled(
  { clickhouse }: BenchStore,
  rowCount: number,
  waitMsMax = WAIT_MS_MAX,
): Promise<void> {
  const endMs = monotonicMs() + waitMsMax
  let quietLooks = 0
  for (;;) {
    const { rows, merges } = await look(clickhouse)
    quietLooks = rows >= rowCount && merges === 0 ? quietLooks + 1 : 0
    if (quietLooks >= QUIET_LOOKS) return
    if (monotonicMs() > endMs) throw new Error(`only ${rows} of ${rowCount} acknowledged rows were stored`)
    await sleep(LOOK_EVERY_MS)
  }
}

/** Rows of events that are in the table, copies that did not collapse yet included. */
export async function countRows({ clickhouse }: BenchStore): Promise<number> {
  return (await look(clickhouse)).rows
}

async function look(clickhouse: ClickHouse): Promise<{ readonly rows: number; readonly merges: number }> {
  const result = await clickhouse.query({
    query: `SELECT
      (SELECT sum(rows) FROM system.parts WHERE active AND database = {database:String} AND table = 'events') AS rows,
      (SELECT count() FROM system.merges WHERE database = {database:String} AND table = 'events') AS merges`,
    query_params: { database: DATABASE },
    format: 'JSONEachRow',
  })
  const [row] = await result.json<{ rows: string | number; merges: string | number }>()
  return { rows: Number(row?.rows ?? 0), merges: Number(row?.merges ?? 0) }
}
