import type { ClickHouseClient, ClickHouseSettings } from '@clickhouse/client'
import { quoteName, quoteText } from './migrations/layout.ts'

/** The ClickHouse cluster that a connection is part of. */
export interface Cluster {
  /** As `remote_servers` of each node names it. */
  readonly name: string
  /** Every node, when there is no Keeper that carries statements to them; else none. */
  readonly nodes: readonly ClickHouseClient[]
}

/** A connection, and its cluster if it has one. */
type Connection = ClickHouseClient & { readonly cluster?: Cluster | undefined }

/** A replica that is further behind is not asked, even when no other one answers. */
const REPLICA_DELAY_SECONDS_MAX = 30

/** Below the timeout of the request that waits for it. */
const DDL_SECONDS_MAX = 25

/** What every statement in a cluster needs to be exact: a whole answer or none. docs/adr/0008 has the reasons. */
export const CLUSTER_SETTINGS: ClickHouseSettings = {
  distributed_foreground_insert: 1,
  // Two Distributed tables would be read as they are on each shard, then.
  parallel_distributed_insert_select: '0',
  distributed_product_mode: 'global',
  // A filter with GLOBAL IN loses rows when it is pushed below a union of Distributed tables (26.7).
  query_plan_filter_push_down: 0,
  skip_unavailable_shards: 0,
  optimize_skip_unused_shards: 0,
  optimize_distributed_group_by_sharding_key: 0,
  max_replica_delay_for_distributed_queries: String(REPLICA_DELAY_SECONDS_MAX),
  fallback_to_stale_replicas_for_distributed_queries: 0,
  distributed_ddl_task_timeout: String(DDL_SECONDS_MAX),
  distributed_ddl_output_mode: 'throw',
}

/** The table that has the rows of a node. */
export function localTable({ cluster }: Connection, table: string): string {
  return cluster ? `${table}_local` : table
}

/** ` ON CLUSTER name` where a Keeper carries statements to all nodes, else nothing. */
export function onCluster({ cluster }: Connection): string {
  return cluster && cluster.nodes.length === 0 ? ` ON CLUSTER ${quoteName(cluster.name)}` : ''
}

/** A table of the engine's own, as all nodes have it. */
export function onEveryNode({ cluster }: Connection, table: `system.${string}`): string {
  return cluster ? `clusterAllReplicas(${quoteText(cluster.name)}, ${table})` : table
}

/**
 * The statement as a cluster needs it: what `IN` looks up is gathered once and sent to every shard, instead of each shard
 * asking all others. `distributed_product_mode` does that for one table behind an `IN`, and fails for a union of several.
 * The text has no values of a request in it: these are parameters.
 */
export function toClusterStatement({ cluster }: Connection, text: string): string {
  return cluster ? text.replace(/\b((?:NOT )?IN \((?:SELECT|WITH)\b)/g, 'GLOBAL $1') : text
}

/** What may be said of a statement that goes to all nodes. */
export interface EverywhereOptions {
  readonly query_params?: Record<string, unknown>
  readonly clickhouse_settings?: ClickHouseSettings
  readonly abort_signal?: AbortSignal
}

/** Runs a statement that has {@link onCluster} in it; resolves when all nodes have done it. */
export async function commandEverywhere(
  clickhouse: Connection,
  query: string,
  options: EverywhereOptions = {},
): Promise<void> {
  const nodes = clickhouse.cluster?.nodes ?? []
  const asked = nodes.length === 0 ? [clickhouse] : nodes
  await Promise.all(asked.map(async (node) => await node.command({ query, ...options })))
}
