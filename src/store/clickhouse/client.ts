import { Readable } from 'node:stream'
import { type ClickHouseClient, ClickHouseError, ClickHouseLogLevel, createClient } from '@clickhouse/client'
import { CLUSTER_SETTINGS, type Cluster } from './cluster.ts'

/** Address and credentials of a ClickHouse server. */
export interface ClickHouseEndpoint {
  readonly url: string
  readonly username?: string
  readonly password?: string
  readonly database?: string
  /** Absent for a single server. */
  readonly cluster?: {
    readonly name: string
    /** Addresses of all nodes, without a Keeper. */
    readonly nodeUrls: readonly string[]
  }
}

/** Options of a connection pool. */
export interface ClickHouseOptions {
  /** Shown in ClickHouse's query log. */
  readonly application: string
  readonly connectionsMax: number
  readonly requestTimeoutMs: number
}

/** A pool of HTTP connections; close it with `close()`. */
export type ClickHouse = ClickHouseClient & { readonly cluster?: Cluster }

/** Opens a pool; no connection is made before the first request. */
export function openClickHouse(endpoint: ClickHouseEndpoint, options: ClickHouseOptions): ClickHouse {
  const client = openNode(endpoint, options)
  if (!endpoint.cluster) return client
  const { name, nodeUrls } = endpoint.cluster
  const nodes = nodeUrls.map((url) => openNode({ ...endpoint, url }, options))
  const closeOne = client.close.bind(client)
  const close = async (): Promise<void> => {
    await Promise.all([closeOne(), ...nodes.map(async (node) => await node.close())])
  }
  return Object.assign(client, { cluster: { name, nodes }, close })
}

function openNode(endpoint: ClickHouseEndpoint, options: ClickHouseOptions): ClickHouseClient {
  return createClient({
    url: endpoint.url,
    ...(endpoint.username === undefined ? {} : { username: endpoint.username }),
    ...(endpoint.password === undefined ? {} : { password: endpoint.password }),
    ...(endpoint.database === undefined ? {} : { database: endpoint.database }),
    ...(endpoint.cluster === undefined ? {} : { clickhouse_settings: CLUSTER_SETTINGS }),
    application: options.application,
    max_open_connections: options.connectionsMax,
    request_timeout: options.requestTimeoutMs,
    keep_alive: { enabled: true, idle_socket_ttl: 2000 },
    // Callers log errors: the client's own log has another format.
    log: { level: ClickHouseLogLevel.OFF },
    compression: { request: false, response: false },
    // Parameters that are too long for a URL are sent in the body.
    use_multipart_params_auto: true,
  })
}

/** A healthy server answers a ping immediately. */
const PING_TIMEOUT_MS = 5000

/** Whether ClickHouse answers at the address; credentials are not checked. */
export async function isReachable(endpoint: ClickHouseEndpoint): Promise<boolean> {
  const clickhouse = openClickHouse(endpoint, {
    application: 'millrace-ping',
    connectionsMax: 1,
    requestTimeoutMs: PING_TIMEOUT_MS,
  })
  try {
    return (await clickhouse.ping()).success
  } finally {
    await clickhouse.close()
  }
}

/** TIMEOUT_EXCEEDED and MEMORY_LIMIT_EXCEEDED. */
const TOO_MUCH: ReadonlySet<string> = new Set(['159', '241'])

/** Whether ClickHouse gave a statement up for its time or its memory: over fewer rows it may succeed. */
export function isTooMuch(error: unknown): boolean {
  return error instanceof ClickHouseError && TOO_MUCH.has(error.code)
}

/** Bytes per write to the socket. */
const WRITE_BYTES = 256 * 1024

/** The rows of one INSERT, in the format of its table's journal. */
export interface InsertRows {
  /** Whole blocks; the server writes them as one part per partition. */
  readonly blocks: readonly Buffer[]
  /** Identifies the data in the server's query log; a retry has the same id. */
  readonly id: string
  readonly signal?: AbortSignal
}

/** One INSERT into a table. */
export interface TableInsert extends InsertRows {
  readonly table: string
}

/** Inserts Native blocks; resolves when the rows are durable. Throws the error of the server or the connection. */
export async function insertNative(clickhouse: ClickHouse, insert: TableInsert): Promise<void> {
  await send(clickhouse, insert, `INSERT INTO ${insert.table} FORMAT Native`)
}

/** Inserts rows of `FORMAT JSONEachRow`; otherwise like {@link insertNative}. */
export async function insertJsonRows(clickhouse: ClickHouse, insert: TableInsert): Promise<void> {
  await send(clickhouse, insert, `INSERT INTO ${insert.table} FORMAT JSONEachRow`)
}

/** Writes a body in slices: a write of megabytes to the socket would block this thread for its whole duration. */
function* slice(blocks: readonly Buffer[]): Generator<Buffer> {
  for (const block of blocks) {
    for (let at = 0; at < block.length; at += WRITE_BYTES) yield block.subarray(at, at + WRITE_BYTES)
  }
}

async function send(
  clickhouse: ClickHouse,
  { blocks, id, signal }: TableInsert,
  query: string,
): Promise<void> {
  const { stream } = await clickhouse.exec({
    query,
    values: Readable.from(slice(blocks), { objectMode: false }),
    ...(signal ? { abort_signal: signal } : {}),
    clickhouse_settings: {
      async_insert: 0,
      // Deduplicating while a part is written takes three quarters of an INSERT; merges and FINAL do it anyway.
      optimize_on_insert: 0,
      log_comment: id,
      wait_end_of_query: 1,
      // Events may have any month from 1970 to 2105; the default limit would reject such a batch on every retry.
      max_partitions_per_insert_block: '0',
    },
  })
  for await (const _ of stream) {
    // The response of an INSERT is empty; reading it to the end returns the connection to the pool.
  }
}
