import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ClickHouse, openClickHouse } from '../src/store/clickhouse/client.ts'
import { commandEverywhere } from '../src/store/clickhouse/cluster.ts'
import { listStatements } from '../src/store/clickhouse/migrate.ts'
import { createClusterLayout } from '../src/store/clickhouse/migrations/layout.ts'
import { DATABASE } from '../src/store/embedded/engine.ts'
import { hasZookeeper, type LocalZookeeper, startLocalZookeeper } from './harness/local-zookeeper.ts'
import { REPLICA_CLUSTER, type ReplicaEngines, startReplicaEngines } from './harness/replica-engines.ts'

const START_MS_MAX = 120_000

const layout = createClusterLayout({ cluster: REPLICA_CLUSTER, database: DATABASE, kind: 'replicated' })

let zookeeper: LocalZookeeper
let engines: ReplicaEngines
let clickhouse: ClickHouse

/**
 * Every statement that creates a part of the schema, as the queue of a Keeper brings it to a node. What alters a table needs
 * a replica that takes writes: the embedded engine has no server from which another replica could fetch.
 */
function creationsOfANode(): readonly string[] {
  const all = [layout.migrationTable, ...[...listStatements(layout).values()].flat()]
  return all.filter((statement) => !/^\s*ALTER /.test(statement)).map((one) => one.replace(layout.on, ''))
}

/** Where the replicated tables of all nodes meet. */
async function placesOf(condition: string): Promise<readonly { readonly table: string }[]> {
  const nodes = `clusterAllReplicas('${REPLICA_CLUSTER}', system.replicas)`
  const result = await clickhouse.query({
    query: `SELECT table, zookeeper_path AS path, replica_name AS replica FROM ${nodes} WHERE database = '${DATABASE}' AND ${condition} ORDER BY table, replica`,
    format: 'JSONEachRow',
  })
  return await result.json()
}

describe.skipIf(!hasZookeeper())('replicated tables of two shards', () => {
  beforeAll(async () => {
    zookeeper = await startLocalZookeeper()
    engines = await startReplicaEngines(
      [
        { shard: 1, replica: '1a' },
        { shard: 1, replica: '1b' },
        { shard: 2, replica: '2a' },
      ],
      ({ replica }) => ({
        zookeeper: {
          node: { host: '127.0.0.1', port: zookeeper.port },
          // The embedded engine has no id of its own that would keep sessions apart.
          sessions_path: `/clickhouse/sessions/${replica}`,
        },
      }),
    )
    clickhouse = openClickHouse(engines.endpoint(0), {
      application: 'millrace-test',
      connectionsMax: 4,
      requestTimeoutMs: 60_000,
    })
  }, START_MS_MAX)

  afterAll(async () => {
    await clickhouse?.close()
    await engines?.close()
    await zookeeper?.stop()
  })

  test('every node creates every part of the schema, and takes the statements again', {
    timeout: START_MS_MAX,
  }, async () => {
    const statements = creationsOfANode()
    expect(statements.length).toBeGreaterThan(30)
    expect(statements.filter((statement) => statement.includes('ON CLUSTER'))).toEqual([])
    for (const statement of [...statements, ...statements]) await commandEverywhere(clickhouse, statement)
  })

  test('the replicas of a shard share one path per table, and shards have different ones', async () => {
    const rows = await placesOf("table != 'migrations'")
    const tables = [...new Set(rows.map(({ table }) => table))]
    expect(tables.length).toBeGreaterThan(10)
    const place = (table: string, shard: number): string => `/clickhouse/tables/${DATABASE}/${shard}/${table}`
    expect(rows).toEqual(
      tables.flatMap((table) => [
        { table, path: place(table, 1), replica: '1a' },
        { table, path: place(table, 1), replica: '1b' },
        { table, path: place(table, 2), replica: '2a' },
      ]),
    )
  })

  test('all nodes share the rows that tell which migrations ran', async () => {
    const at = { table: 'migrations', path: `/clickhouse/tables/${DATABASE}/migrations` }
    expect(await placesOf("table = 'migrations'")).toEqual(
      ['1-1a', '1-1b', '2-2a'].map((replica) => ({ ...at, replica })),
    )
  })
})
