import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ClickHouse, openClickHouse } from '../src/store/clickhouse/client.ts'
import { commandEverywhere } from '../src/store/clickhouse/cluster.ts'
import { REPLICA_CLUSTER, type ReplicaEngines, startReplicaEngines } from './harness/replica-engines.ts'
import { waitFor } from './harness/wait.ts'

/** Three engines start, and stop, one after the other. */
const TIMEOUT_MS = 180_000
const ROWS = 1000
/** The engine chooses a replica at random. */
const ASKED = 20
const NO_ANSWER = 'an error'

let engines: ReplicaEngines
let clickhouse: ClickHouse
const everSaid = new Set<number | string>()

beforeAll(async () => {
  engines = await startReplicaEngines([
    { shard: 1, replica: '1a' },
    { shard: 2, replica: '2a' },
    { shard: 1, replica: '1b' },
  ])
  clickhouse = openClickHouse(engines.endpoint(1), {
    application: 'millrace-test',
    connectionsMax: 4,
    requestTimeoutMs: 60_000,
  })
  await commandEverywhere(clickhouse, 'CREATE TABLE numbers_local (a UInt32) ENGINE = MergeTree ORDER BY a')
  await commandEverywhere(
    clickhouse,
    `CREATE TABLE numbers_all AS numbers_local ENGINE = Distributed(${REPLICA_CLUSTER}, currentDatabase(), numbers_local, a)`,
  )
  await clickhouse.command({ query: `INSERT INTO numbers_all SELECT number FROM numbers(${ROWS})` })
}, TIMEOUT_MS)

afterAll(async () => {
  await clickhouse?.close()
  await engines?.close()
})

/** The result of a query over both shards: the count of rows, or that there is no answer. */
async function ask(): Promise<number | string> {
  const answer = await countRows()
  everSaid.add(answer)
  return answer
}

async function countRows(): Promise<number | string> {
  try {
    const query = 'SELECT toUInt32(count()) AS rows FROM numbers_all'
    const result = await clickhouse.query({ query, format: 'JSONEachRow' })
    const [row] = await result.json<{ readonly rows: number }>()
    return row?.rows ?? 'nothing'
  } catch {
    return NO_ANSWER
  }
}

/** Everything that is said when it is asked often, once it is `first`: others learn of an engine after a moment. */
async function askOften(first: number | string): Promise<readonly (number | string)[]> {
  await waitFor(`the answer ${first}`, async () => {
    await engines.revive()
    return (await clickhouse.ping()).success && (await ask()) === first ? true : undefined
  })
  const answers = new Set<number | string>()
  for (let asked = 0; asked < ASKED; asked++) answers.add(await ask())
  return [...answers]
}

test(
  'a replica that is away is not missed, and a shard that is away is an error and never a part of an answer',
  async () => {
    expect(await askOften(ROWS)).toEqual([ROWS])
    const startSecond = await engines.stop(2)
    expect(await askOften(ROWS)).toEqual([ROWS])
    const startFirst = await engines.stop(0)
    expect(await askOften(NO_ANSWER)).toEqual([NO_ANSWER])
    expect((await clickhouse.ping()).success).toBe(true)
    await startSecond()
    expect(await askOften(ROWS)).toEqual([ROWS])
    await startFirst()
    expect(await askOften(ROWS)).toEqual([ROWS])
    expect(everSaid).toEqual(new Set([ROWS, NO_ANSWER]))
  },
  TIMEOUT_MS,
)
