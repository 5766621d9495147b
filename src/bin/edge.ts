import { BatchCreate } from '../edge/batch-create.ts'
import { BodyBudget } from '../edge/exchange.ts'
import { Forwarder } from '../edge/forward.ts'
import { Readiness } from '../edge/readiness.ts'
import { EdgeServer } from '../edge/server.ts'
import { LIMITS } from '../kernel/limits.ts'
import type { Logger } from '../kernel/log.ts'
import { collectRuntimeMetrics, observedGauge } from '../kernel/metrics.ts'
import type { Settings } from '../kernel/settings.ts'
import { ValidationPool } from '../pipeline/pool.ts'
import { Shipper } from '../pipeline/ship.ts'
import { openCatalog } from '../store/catalog/catalog.ts'
import { KeyResolver } from '../store/catalog/key-resolver.ts'
import { type ClickHouse, openClickHouse } from '../store/clickhouse/client.ts'
import { openRunFolder, readEndpoint } from '../store/run-folder.ts'
import { findClickHouse } from './clickhouse-endpoint.ts'
import { FatalError } from './fatal-error.ts'
import type { RunningRole } from './role.ts'

/** An INSERT may wait for a merge or for a busy disk; after this it is sent again, with the same token. */
const INSERT_TIMEOUT_MS = 60_000

/** Seconds without a byte from the query process beyond the limit of a query. */
const FORWARD_MARGIN_SECONDS = 10

/** Runs the edge: the public address, the validation pool and delivery to ClickHouse. */
export async function startEdge(settings: Settings, log: Logger): Promise<RunningRole> {
  const catalog = openCatalog(settings.dataDir)
  const clickhouse = openClickHouse(findClickHouse(settings, 'admin'), {
    application: 'millrace-edge',
    connectionsMax: LIMITS.insertsInFlightMax + 1,
    requestTimeoutMs: INSERT_TIMEOUT_MS,
  })
  const { batchRowsMax, batchBytesMax, batchMs } = settings
  const shipper = new Shipper({ clickhouse, log, batchRowsMax, batchBytesMax, batchMs })
  const pool = new ValidationPool({
    workers: settings.workers,
    takeBlock: (block, rowCount) => shipper.add(block, rowCount),
  })
  const { server, forwarder } = createServer({
    settings,
    log,
    clickhouse,
    pool,
    shipper,
    keys: new KeyResolver(catalog),
  })
  observeEdge(shipper, pool)
  if (!(await server.listen(settings.serverHost, settings.serverPort))) {
    throw new FatalError(
      `cannot listen on ${settings.serverHost}:${settings.serverPort}: the address is taken or not this machine's; set SERVICE_SERVER_PORT or SERVICE_SERVER_HOST`,
    )
  }
  return {
    stop: async () => {
      await server.drain()
      await pool.close()
      const lost = await shipper.drain(LIMITS.stopTimeoutMs / 2)
      if (lost > 0) log.error({ rows: lost }, 'ClickHouse did not take the last rows before the stop')
      forwarder.close()
      await clickhouse.close()
      await catalog.destroy()
    },
  }
}

function createServer(parts: {
  readonly settings: Settings
  readonly log: Logger
  readonly clickhouse: ClickHouse
  readonly pool: ValidationPool
  readonly shipper: Shipper
  readonly keys: KeyResolver
}): { readonly server: EdgeServer; readonly forwarder: Forwarder } {
  const { settings, log, clickhouse } = parts
  const { bodyBytesMax, errorDomain } = settings
  const budget = new BodyBudget(LIMITS.inFlightBodyBytesMax)
  const findQuery = createQueryLocator(settings)
  const batchCreate = new BatchCreate({
    ...parts,
    errorDomain,
    bodyBytesMax,
    isOverloaded: () => budget.isSpent,
  })
  const idleTimeoutMs = (settings.queryTimeoutSeconds + FORWARD_MARGIN_SECONDS) * 1000
  const forwarder = new Forwarder({ target: findQuery, log, errorDomain, idleTimeoutMs })
  const readiness = new Readiness({
    clickhouse: () => checkClickHouse(clickhouse),
    query: () => checkQuery(findQuery()),
  })
  const server = new EdgeServer({ batchCreate, forwarder, readiness, budget, bodyBytesMax, errorDomain })
  return { server, forwarder }
}

/** Where the query process listens now: its port changes when it is started again. */
function createQueryLocator(settings: Settings): () => string | undefined {
  if (settings.queryUrl !== undefined) return () => settings.queryUrl
  const run = openRunFolder(settings.dataDir)
  return () => readEndpoint(run, 'query')?.url
}

async function checkClickHouse(clickhouse: ClickHouse): Promise<void> {
  const ping = await clickhouse.ping()
  if (!ping.success) throw ping.error
}

async function checkQuery(url: string | undefined): Promise<void> {
  if (url === undefined) throw new Error('the query process has not started')
  const response = await fetch(new URL('/healthz', url), { signal: AbortSignal.timeout(2000) })
  if (!response.ok) throw new Error(`the query process answers ${response.status}`)
}

function observeEdge(shipper: Shipper, pool: ValidationPool): void {
  collectRuntimeMetrics()
  observedGauge(
    'millrace_ship_backlog_bytes',
    'Encoded rows that ClickHouse does not have yet.',
    () => shipper.backlogBytes,
  )
  observedGauge('millrace_pool_waiting_requests', 'Requests that wait for a worker.', () => pool.waitingCount)
}
