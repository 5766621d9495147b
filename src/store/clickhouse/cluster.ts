import type { ClickHouseClient, ClickHouseSettings } from '@clickhouse/client'
import { quoteName, quoteText } from './migrations/layout.ts'

/** The ClickHouse cluster that a connection is part of. */
export interface Cluster {
  /** The name in `remote_servers` of each node. */
  readonly name: string
  /** All nodes, without a Keeper that distributes statements to them; with one, none. */
  readonly nodes: readonly ClickHouseClient[]
}

/** A connection, and its cluster if it has one. */
type Connection = ClickHouseClient & { readonly cluster?: Cluster | undefined }

/** Replicas that lag further behind are not queried, even when no other one answers. */
const REPLICA_DELAY_SECONDS_MAX = 30

/** Shorter than the timeout of the request that waits for it. */
const DDL_SECONDS_MAX = 25

/** Settings that make every statement in a cluster exact: a complete result or an error. Reasons: docs/adr/0008. */
export const CLUSTER_SETTINGS: ClickHouseSettings = {
  distributed_foreground_insert: 1,
  // Otherwise each shard would read only its own part of two Distributed tables.
  parallel_distributed_insert_select: '0',
  distributed_product_mode: 'global',
  // ClickHouse 26.7 loses rows when a filter with GLOBAL IN is pushed below a union of Distributed tables.
  query_plan_filter_push_down: 0,
  skip_unavailable_shards: 0,
  optimize_skip_unused_shards: 0,
  optimize_distributed_group_by_sharding_key: 0,
  max_replica_delay_for_distributed_queries: String(REPLICA_DELAY_SECONDS_MAX),
  fallback_to_stale_replicas_for_distributed_queries: 0,
  distributed_ddl_task_timeout: String(DDL_SECONDS_MAX),
  distributed_ddl_output_mode: 'throw',
}

/** The name of the table with the rows of one node. */
export function localTable({ cluster }: Connection, table: string): string {
  return cluster ? `${table}_local` : table
}

/** ` ON CLUSTER name` where a Keeper distributes statements to all nodes, else an empty text. */
export function onCluster({ cluster }: Connection): string {
  return cluster && cluster.nodes.length === 0 ? ` ON CLUSTER ${quoteName(cluster.name)}` : ''
}

/** A system table, read from all nodes. */
export function onEveryNode({ cluster }: Connection, table: `system.${string}`): string {
  return cluster ? `clusterAllReplicas(${quoteText(cluster.name)}, ${table})` : table
}

/**
 * Rewrites a statement for a cluster: the subquery of an `IN`, or of a `JOIN` with `events`, runs once and its result is sent
 * to every shard, instead of each shard querying all others. `distributed_product_mode` does that for a subquery of one
 * table, and fails for a union of several. Safe on SQL text, because values of requests are parameters.
 */
export function toClusterStatement({ cluster }: Connection, text: string): string {
  return cluster ? text.replace(/\b((?:(?:NOT )?IN|LEFT ANY JOIN) \((?:SELECT|WITH)\b)/g, 'GLOBAL $1') : text
}

/** Options of a statement that runs on all nodes. */
export interface EverywhereOptions {
  readonly query_params?: Record<string, unknown>
  readonly clickhouse_settings?: ClickHouseSettings
  readonly abort_signal?: AbortSignal
}

/** Runs a statement that contains {@link onCluster}; resolves when all nodes have run it. */
export async function commandEverywhere(
  clickhouse: Connection,
  query: string,
  options: EverywhereOptions = {},
): Promise<void> {
  const nodes = clickhouse.cluster?.nodes ?? []
  const targets = nodes.length === 0 ? [clickhouse] : nodes
  await Promise.all(targets.map(async (node) => await node.command({ query, ...options })))
}
