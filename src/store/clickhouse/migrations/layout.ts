/** A table, defined once for every layout. */
export interface TableDefinition {
  readonly name: string
  /** Columns and indices: the text between the parentheses. */
  readonly columns: string
  /** The engine without `Replicated`, and its argument if it has one. */
  readonly engine: string
  /** From `PARTITION BY` to `TTL`. */
  readonly clauses: readonly string[]
  readonly settings: readonly string[]
  /** Sharding key: an expression of inserted columns. Rows with the same value are on the same shard. */
  readonly shardBy: string
}

/** The layout of the tables on one server or a cluster: renders the statements that create them. */
export interface Layout {
  /** ` ON CLUSTER name` or an empty text, after the name of the object that a statement creates or changes. */
  readonly on: string
  /** Creates the table of executed migrations; every node has all of its rows. */
  readonly migrationTable: string
  /** The name of the table with the rows of one node, by the name that queries use. */
  local(table: string): string
  /** The statements that create a table. */
  createTable(table: TableDefinition): readonly string[]
  /** The statements that make a view or table of each node readable under one name. */
  createReader(of: { readonly name: string; readonly columns: string }): readonly string[]
  /** The setting of tables for how many INSERTs the engine remembers, to discard those that repeat one. */
  readonly deduplicationWindow: 'non_replicated_deduplication_window' | 'replicated_deduplication_window'
  /** The operator for ids of another table, which may be on other shards. */
  readonly notIn: 'GLOBAL NOT IN' | 'NOT IN'
  /** Milliseconds since the longest-running INSERT of this node started, plus the delay until its rows are visible. */
  readonly insertSeconds: string
  /** `statement` on one server, where rows may be older than a view on them; none in a cluster, which starts empty. */
  backfill(statement: string): readonly string[]
}

/** The tables of a cluster: replicated with a Keeper; plain without one, where each shard is one node. */
export interface ClusterTables {
  readonly cluster: string
  readonly database: string
  readonly kind: 'plain' | 'replicated'
}

const PLAIN_WINDOW = 'non_replicated_deduplication_window'
const REPLICATED_WINDOW = 'replicated_deduplication_window'

const MIGRATIONS_ENGINE = 'ReplacingMergeTree(applied)'

/** All tables on one server. */
export const SINGLE: Layout = {
  on: '',
  migrationTable: renderMigrationTable({ on: '', engine: MIGRATIONS_ENGINE }),
  local: (table) => table,
  createTable: (table) => [renderTable(table, { name: table.name, on: '', engine: table.engine })],
  createReader: () => [],
  deduplicationWindow: PLAIN_WINDOW,
  notIn: 'NOT IN',
  insertSeconds: `SELECT toInt64(1000 * max(elapsed)) FROM system.processes WHERE query_kind = 'Insert'`,
  backfill: (statement) => [statement],
}

/**
 * Allowance in seconds for clock differences between replicas, on top of the delay that a replica reports: queries look up
 * newer arrivals themselves.
 */
const REPLICA_MARGIN_SECONDS = 60

/**
 * Each node stores the rows of its shard in `<name>_local`; a Distributed table with the plain name reads and writes all
 * shards, so that queries are the same in every layout.
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
        { ...table, settings: clusterSettings(table, kind) },
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
    deduplicationWindow: kind === 'plain' ? PLAIN_WINDOW : REPLICATED_WINDOW,
    notIn: 'GLOBAL NOT IN',
    insertSeconds: kind === 'plain' ? SINGLE.insertSeconds : replicaSeconds({ cluster, database }),
    backfill: () => [],
  }
}

/** Quotes a name from the operator's settings. */
export function quoteName(name: string): string {
  return `\`${name.replaceAll('\\', '\\\\').replaceAll('`', '\\`')}\``
}

/** Quotes a text from the operator's settings. */
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

/** The path contains no generated id, so that a node that is added later runs the same statement. */
function replicate(engine: string, table: string): string {
  const [, name, version] = /^(\w+)(?:\((\w+)\))?$/.exec(engine) ?? []
  const address = [`'/clickhouse/tables/{database}/{shard}/${table}'`, "'{replica}'"]
  return `Replicated${name}(${[...address, ...(version ? [version] : [])].join(', ')})`
}

/** No table discards INSERTs, which a replicated one does by default. */
function clusterSettings({ settings }: TableDefinition, kind: ClusterTables['kind']): readonly string[] {
  const others = settings.filter((setting) => !setting.startsWith(PLAIN_WINDOW))
  return kind === 'plain' ? others : [`${REPLICATED_WINDOW} = 0`, ...others]
}

/** An INSERT may run on any replica, and its rows reach this one later. */
function replicaSeconds({ cluster, database }: Omit<ClusterTables, 'kind'>): string {
  const running = `SELECT max(elapsed) FROM clusterAllReplicas(${quoteText(cluster)}, system.processes) WHERE query_kind = 'Insert'`
  const delay = `SELECT max(absolute_delay) FROM system.replicas WHERE database = ${quoteText(database)} AND table IN ('sessions_local', 'session_arrivals_local')`
  return `SELECT toInt64(1000 * (ifNull((${running}), 0) + ifNull((${delay}), 0) + ${REPLICA_MARGIN_SECONDS}))`
}
