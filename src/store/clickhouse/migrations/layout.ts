/** A table, defined once for every layout. */
export interface TableDefinition {
  readonly name: string
  /** What stands between the parentheses: columns and indices. */
  readonly columns: string
  /** The engine without `Replicated`, and its argument if it has one. */
  readonly engine: string
  /** From `PARTITION BY` to `TTL`. */
  readonly clauses: readonly string[]
  readonly settings: readonly string[]
  /** Rows with the same value are on the same shard: an expression of columns that are inserted. */
  readonly shardBy: string
  /**
   * In a cluster, INSERTs of several shards that have one token meet in it: none may be taken for a copy of another. Rows
   * that come again must change nothing.
   */
  readonly isFedByAllShards?: true
}

/** How the tables lie on one server or on many; makes the statements that create them. */
export interface Layout {
  /** ` ON CLUSTER name`, or nothing: stands behind the name of what a statement creates or changes. */
  readonly on: string
  /** Creates the table that tells which migrations ran; every node has all of its rows. */
  readonly migrationTable: string
  /** The table that has the rows of one node, by the name that readers use. */
  local(table: string): string
  /** The statements that create a table. */
  createTable(table: TableDefinition): readonly string[]
  /** The statements that show what a view or a table of each node has, under one name. */
  createReader(of: { readonly name: string; readonly columns: string }): readonly string[]
  /** A condition that looks up ids in another table, which may be on other shards. */
  readonly notIn: 'GLOBAL NOT IN' | 'NOT IN'
  /** Seconds that the longest INSERT into this node's rows has been under way, and whatever may delay their sight. */
  readonly insertSeconds: string
  /** `forOne` on one server, where rows may be older than a view of them; a cluster starts without rows. */
  backfill(forOne: string): readonly string[]
}

/** Of which tables a cluster is made: with a Keeper they are replicated, without one each shard is one node. */
export interface ClusterTables {
  readonly cluster: string
  readonly database: string
  readonly kind: 'plain' | 'replicated'
}

const MIGRATIONS_ENGINE = 'ReplacingMergeTree(applied)'

/** Everything on one server, under its own name. */
export const SINGLE: Layout = {
  on: '',
  migrationTable: renderMigrationTable({ on: '', engine: MIGRATIONS_ENGINE }),
  local: (table) => table,
  createTable: (table) => [renderTable(table, { name: table.name, on: '', engine: table.engine })],
  createReader: () => [],
  notIn: 'NOT IN',
  insertSeconds: `SELECT toInt64(1000 * max(elapsed)) FROM system.processes WHERE query_kind = 'Insert'`,
  backfill: (forOne) => [forOne],
}

/**
 * How far a replica may be behind the clocks of the others, in seconds, on top of the delay that it knows of itself:
 * what is newer is looked up by the question.
 */
const REPLICA_MARGIN_SECONDS = 60

/**
 * Each node has the rows of its shard in `<name>_local`; a Distributed table of the plain name reads and writes all
 * shards, so that questions need not know.
 */
export function createClusterLayout({ cluster, database, kind }: ClusterTables): Layout {
  const on = kind === 'plain' ? '' : ` ON CLUSTER ${quoteName(cluster)}`
  const local = (table: string): string => `${table}_local`
  const distribute = (table: string, key: string): string =>
    `ENGINE = Distributed(${quoteText(cluster)}, ${quoteText(database)}, ${local(table)}${key})`
  return {
    on,
    migrationTable: renderMigrationTable({
      on,
      engine:
        kind === 'plain'
          ? MIGRATIONS_ENGINE
          : "ReplicatedReplacingMergeTree('/clickhouse/tables/{database}/migrations', '{shard}-{replica}', applied)",
    }),
    local,
    createTable: (table) => [
      renderTable(
        { ...table, settings: table.settings.map((setting) => toClusterSetting(setting, { table, kind })) },
        {
          name: local(table.name),
          on,
          engine: kind === 'plain' ? table.engine : replicate(table.engine, local(table.name)),
        },
      ),
      `
CREATE TABLE IF NOT EXISTS ${table.name}${on} AS ${local(table.name)}
${distribute(table.name, `, ${table.shardBy}`)}`,
    ],
    createReader: ({ name, columns }) => [
      `
CREATE TABLE IF NOT EXISTS ${name}${on} (${columns})
${distribute(name, '')}`,
    ],
    notIn: 'GLOBAL NOT IN',
    insertSeconds: kind === 'plain' ? SINGLE.insertSeconds : replicaSeconds({ cluster, database }),
    backfill: () => [],
  }
}

/** A name in a statement, of the operator's settings. */
export function quoteName(name: string): string {
  return `\`${name.replaceAll('\\', '\\\\').replaceAll('`', '\\`')}\``
}

/** A text in a statement, of the operator's settings. */
export function quoteText(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}

function renderMigrationTable({ on, engine }: { readonly on: string; readonly engine: string }): string {
  return `
CREATE TABLE IF NOT EXISTS migrations${on} (
  version UInt32,
  name String,
  applied DateTime64(3, 'UTC') DEFAULT now64(3)
)
ENGINE = ${engine}
ORDER BY version`
}

function renderTable(
  { columns, clauses, settings }: TableDefinition,
  { name, on, engine }: { readonly name: string; readonly on: string; readonly engine: string },
): string {
  const tail = settings.length === 0 ? clauses : [...clauses, `SETTINGS\n  ${settings.join(',\n  ')}`]
  return `
CREATE TABLE IF NOT EXISTS ${name}${on} (
  ${columns}
)
${[`ENGINE = ${engine}`, ...tail].join('\n')}`
}

/** The path has no id that only the first node would know: a node that is added runs the same statement. */
function replicate(engine: string, table: string): string {
  const [, name, version] = /^(\w+)(?:\((\w+)\))?$/.exec(engine) ?? []
  const place = [`'/clickhouse/tables/{database}/{shard}/${table}'`, "'{replica}'"]
  return `Replicated${name}(${[...place, ...(version ? [version] : [])].join(', ')})`
}

function toClusterSetting(
  setting: string,
  { table, kind }: { readonly table: TableDefinition; readonly kind: ClusterTables['kind'] },
): string {
  const [, window] = /^non_replicated_deduplication_window = (\d+)$/.exec(setting) ?? []
  if (window === undefined) return setting
  const name = kind === 'plain' ? 'non_replicated_deduplication_window' : 'replicated_deduplication_window'
  return `${name} = ${table.isFedByAllShards ? 0 : window}`
}

/** An INSERT may run on any replica, and its rows come to this one later. */
function replicaSeconds({ cluster, database }: Omit<ClusterTables, 'kind'>): string {
  const running = `SELECT max(elapsed) FROM clusterAllReplicas(${quoteText(cluster)}, system.processes) WHERE query_kind = 'Insert'`
  const delay = `SELECT max(absolute_delay) FROM system.replicas WHERE database = ${quoteText(database)} AND table IN ('sessions_local', 'session_arrivals_local')`
  return `SELECT toInt64(1000 * (ifNull((${running}), 0) + ifNull((${delay}), 0) + ${REPLICA_MARGIN_SECONDS}))`
}
