import type { ClickHouse } from '../../store/clickhouse/client.ts'
import { onEveryNode } from '../../store/clickhouse/cluster.ts'
import { haveSameTables, readSchemaVersion } from '../../store/clickhouse/migrate.ts'
import { type Check, type Finding, fail, ok, skip, warn } from './check.ts'

/** The cluster's nodes in `remote_servers`, and how many of them have another database. */
interface Nodes {
  readonly nodes: number
  readonly foreign: number
}

/** Whether every node of the cluster responds, has its own macros, and has the same tables. */
export const checkCluster: Check = async ({ clickhouse, settings }) => {
  const name = settings.clickhouseCluster
  if (name === undefined) return ok('SERVICE_CLICKHOUSE_CLUSTER is not set: one server')
  if (clickhouse.status !== 'answers') return skip('ClickHouse does not respond')
  const { client } = clickhouse
  const { nodes, foreign } = await readNodes(client, name)
  if (nodes === 0) return fail(`remote_servers of the contacted node has no cluster ${name}`)
  if (foreign > 0)
    return fail(
      `default_database in remote_servers differs from the database of SERVICE_CLICKHOUSE_URL on ${foreign} of ${nodes} nodes`,
    )
  if (settings.clickhouseNodes.length > 0 && settings.clickhouseNodes.length !== nodes)
    return fail(
      `SERVICE_CLICKHOUSE_NODES has ${settings.clickhouseNodes.length} addresses, ${name} has ${nodes} nodes`,
    )
  const missing = settings.clickhouseNodes.length === 0 ? await countMissingMacros(client, nodes) : 0
  if (missing > 0) return fail(`${missing} of ${nodes} nodes have no distinct macros shard and replica`)
  return await compareSchemas(client, { name, nodes })
}

async function readNodes(client: ClickHouse, cluster: string): Promise<Nodes> {
  const [row] = await read<Nodes>(
    client,
    `SELECT toUInt32(count()) AS nodes, toUInt32(countIf(default_database != currentDatabase())) AS foreign
    FROM system.clusters WHERE cluster = {cluster:String}`,
    { cluster },
  )
  return row ?? { nodes: 0, foreign: 0 }
}

/** Both macros form the path of a replicated table: two nodes with the same values would be one replica. */
async function countMissingMacros(client: ClickHouse, nodes: number): Promise<number> {
  const [row] = await read<{ replicas: number }>(
    client,
    `SELECT toUInt32(uniqExact(shard_and_replica)) AS replicas
    FROM (
      SELECT groupArraySorted(2)((macro, substitution)) AS shard_and_replica
      FROM ${onEveryNode(client, 'system.macros')}
      WHERE macro IN ('shard', 'replica')
      GROUP BY _shard_num
      HAVING count() = 2
    )`,
  )
  return nodes - (row?.replicas ?? 0)
}

async function compareSchemas(
  client: ClickHouse,
  { name, nodes }: { readonly name: string; readonly nodes: number },
): Promise<Finding> {
  if (await haveSameTables(client))
    return ok(`${nodes} nodes of ${name}, schema ${await readSchemaVersion(client)}`)
  return warn(
    `the nodes of ${name} have different tables; the next start, or millrace migrate, upgrades them`,
  )
}

async function read<T>(
  client: ClickHouse,
  query: string,
  query_params: Record<string, unknown> = {},
): Promise<T[]> {
  return await (await client.query({ query, query_params, format: 'JSONEachRow' })).json<T>()
}
