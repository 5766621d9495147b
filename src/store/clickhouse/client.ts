import { Readable } from 'node:stream'
import { type ClickHouseClient, ClickHouseLogLevel, createClient } from '@clickhouse/client'
import { CLUSTER_SETTINGS, type Cluster } from './cluster.ts'

/** Where ClickHouse is and who we are there. */
export interface ClickHouseEndpoint {
  readonly url: string
  readonly username?: string
  readonly password?: string
  readonly database?: string
  /** Absent for a server of its own. */
  readonly cluster?: {
    readonly name: string
    /** Addresses of every node, when there is no Keeper. */
    readonly nodeUrls: readonly string[]
  }
}

/** What differs between the users of a connection. */
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
    // Whoever calls logs: the client's own log is not in the service's form.
    log: { level: ClickHouseLogLevel.OFF },
    compression: { request: false, response: false },
    // Parameters that are too long for an address travel in the body.
    use_multipart_params_auto: true,
  })
}

/** A server that is there answers at once. */
const PING_TIMEOUT_MS = 5000

/** Whether a ClickHouse answers there; nothing is said of users and rights. */
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

/** Bytes that are written at a time. */
const WRITE_BYTES = 256 * 1024

/** One INSERT of Native blocks. */
export interface NativeInsert {
  readonly table: string
  /** Whole Native blocks; the server joins them into one part. */
  readonly blocks: readonly Buffer[]
  /** Names what is inserted, in the query log of the server: the same when it is sent again. */
  readonly id: string
  readonly signal?: AbortSignal
}

/** Inserts and returns when the rows are durable. Throws what the server or the connection says. */
export async function insertNative(clickhouse: ClickHouse, insert: NativeInsert): Promise<void> {
  await send(clickhouse, insert, `INSERT INTO ${insert.table} FORMAT Native`)
}

/** The same for rows of `FORMAT JSONEachRow`. */
export async function insertJsonRows(clickhouse: ClickHouse, insert: NativeInsert): Promise<void> {
  await send(clickhouse, insert, `INSERT INTO ${insert.table} FORMAT JSONEachRow`)
}

/** A body goes out in pieces: the kernel takes megabytes in one write, and so long nothing else happens on this thread. */
function* slice(blocks: readonly Buffer[]): Generator<Buffer> {
  for (const block of blocks) {
    for (let at = 0; at < block.length; at += WRITE_BYTES) yield block.subarray(at, at + WRITE_BYTES)
  }
}

async function send(
  clickhouse: ClickHouse,
  { blocks, id, signal }: NativeInsert,
  query: string,
): Promise<void> {
  const { stream } = await clickhouse.exec({
    query,
    values: Readable.from(slice(blocks), { objectMode: false }),
    ...(signal ? { abort_signal: signal } : {}),
    clickhouse_settings: {
      async_insert: 0,
      // Looking for copies while a part is written cost three quarters of an INSERT; merges and FINAL do it anyway.
      optimize_on_insert: 0,
      // The engine notes a token before the rows: an INSERT that is repeated while the first one runs, or after the engine
      // died in between, would be taken for a copy of rows that never came. Keys collapse copies (docs/adr/0002).
      insert_deduplicate: 0,
      log_comment: id,
      wait_end_of_query: 1,
      // Events may be of any month from 1970 to 2105; the limit would refuse such a batch for ever.
      max_partitions_per_insert_block: '0',
    },
  })
  for await (const _ of stream) {
    // The answer of an INSERT is empty: reading to its end gives the connection back.
  }
}
