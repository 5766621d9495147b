import { mkdirSync } from 'node:fs'
import { INGESTION_SERVICES } from '../../contract/ingestion-services.ts'
import { BATCH_CREATE_PATH, BatchCreate } from '../../edge/batch-create.ts'
import { BodyBudget } from '../../edge/body-budget.ts'
import { releaseBodyPieces } from '../../edge/body-pieces.ts'
import { ClientFactsReader } from '../../edge/client-facts.ts'
import { edgeRoutes, FORWARD } from '../../edge/edge-routes.ts'
import { type EdgeMethod, observeIntake, RequestCount } from '../../edge/exchange.ts'
import { openDialects } from '../../edge/foreign/foreign-ingestion.ts'
import { ClientHandles } from '../../edge/front/client-handles.ts'
import { connectionsMaxOf } from '../../edge/front/connection-limits.ts'
import { healthMethods } from '../../edge/health.ts'
import { Http1Forwarder } from '../../edge/http1/http1-forward.ts'
import { Http1Server, type Http1ServerOptions } from '../../edge/http1/http1-server.ts'
import { Http2Forwarder } from '../../edge/http2/http2-forward.ts'
import { Http2Server } from '../../edge/http2/http2-server.ts'
import { IDENTIFY_PATH, Identify } from '../../edge/identify.ts'
import { Ingestion } from '../../edge/ingestion.ts'
import { RateLimiter } from '../../edge/rate-limit.ts'
import { TokenGuesses } from '../../edge/token-guesses.ts'
import { UpstreamPulse } from '../../edge/upstream-pulse.ts'
import { UpstreamRooms } from '../../edge/upstream-rooms.ts'
import { monotonicMs, systemClock } from '../../kernel/clock.ts'
import { isOneDisk } from '../../kernel/disk-space.ts'
import { LIMITS } from '../../kernel/limits.ts'
import type { Logger } from '../../kernel/log.ts'
import { openFilesMax } from '../../kernel/machine.ts'
import { collectRuntimeMetrics } from '../../kernel/metrics.ts'
import { observePool } from '../../pipeline/ingest-metrics.ts'
import { DiskReserve, reserveBytes } from '../../pipeline/journal/disk-reserve.ts'
import { type Journal, openJournal } from '../../pipeline/journal/journal.ts'
import { journalBounds } from '../../pipeline/journal/journal-bounds.ts'
import { type JournalFolders, journalFolders } from '../../pipeline/journal/journal-folders.ts'
import { observeJournals } from '../../pipeline/journal/journal-metrics.ts'
import { ValidationPool } from '../../pipeline/pool.ts'
import { JOURNAL_INSERTS } from '../../pipeline/ship/journal-inserts.ts'
import type { WarningNotes } from '../../pipeline/warnings/warning-collector.ts'
import { Readiness } from '../../rpc/readiness.ts'
import { Router } from '../../rpc/router.ts'
import { ServiceHealth } from '../../rpc/service-health.ts'
import { longestCallSeconds } from '../../settings/derived-settings.ts'
import type { Settings } from '../../settings/settings.ts'
import { openCatalog } from '../../store/catalog/catalog.ts'
import { KeyResolver } from '../../store/catalog/key-resolver.ts'
import { TokenUses } from '../../store/catalog/token-uses.ts'
import { claimFolder } from '../../store/folder-claim.ts'
import { MeasuredTokens } from '../../store/state/measured-state-store.ts'
import { openSharedStateStore } from '../../store/state/open-state-store.ts'
import { PERSISTENCE_ADVICE } from '../../store/state/redis-persistence.ts'
import { FatalError } from '../environment/fatal-error.ts'
import { StoreLink } from '../environment/store-link.ts'
import { workerSettings } from '../environment/worker-settings.ts'
import type { RunningRole } from '../supervisor/role-contract.ts'
import { type Identifies, openIdentifies } from './identifies.ts'
import { openListeners } from './listeners.ts'
import { checkQuery, createQueryLocator, isQuerySilent, type QueryLocator } from './query-locator.ts'
import { shipWhenPrepared } from './shipping.ts'
import { openWarnings } from './warnings.ts'

/** An INSERT may wait for a merge or for a busy disk; after this it is sent again, and copies collapse. */
const INSERT_TIMEOUT_MS = 60_000

/** Timeout of the delivery at a stop; the next start delivers the rest. */
const DRAIN_TIMEOUT_MS = 4000

/** Seconds without a byte from the query process beyond its longest call. */
const FORWARD_MARGIN_SECONDS = 10

/** Runs the edge: the public address, the validation pool and delivery to ClickHouse. */
export async function startEdge(settings: Settings, log: Logger): Promise<RunningRole> {
  const catalog = openCatalog(settings)
  const store = new StoreLink(settings, 'admin', {
    application: 'millrace-edge',
    connectionsMax: LIMITS.insertsInFlightMax + 1,
    requestTimeoutMs: INSERT_TIMEOUT_MS,
  })
  const folders = await claimJournal(settings.dataDir)
  const reserve = openReserve(settings, { folder: folders.folder, log })
  const journal = await openJournal({
    ...folders,
    ...journalBounds('events', settings),
    reserve,
    sync: settings.journalSync,
    batchRowsMax: settings.batchRowsMax,
    batchBytesMax: settings.batchBytesMax,
    log,
  })
  void journal.failed.then((error) => endProcess(log, error))
  const shipping = shipWhenPrepared(store, { journal, log, ...JOURNAL_INSERTS.events })
  const pool = new ValidationPool({
    workers: settings.workers,
    settings: workerSettings(settings),
    commitBlock: (block, rowCount) => journal.append(block, rowCount),
    // Requests come after the journal of identifies is open.
    commitIdentifies: (rows, rowCount) => identifies.journal.append(rows, rowCount),
    log,
  })
  collectRuntimeMetrics()
  await warnOfPersistence(settings, log)
  const tokens = await openTokens(settings, log)
  const rateLimiter = createRateLimiter(settings, tokens)
  const uses = new TokenUses(catalog, systemClock, log)
  const keys = new KeyResolver(catalog, (id) => uses.note(id))
  const identifies = await openIdentifies(settings, { store, pool, reserve, log })
  void identifies.failed.then((error) => endProcess(log, error))
  observePool(pool)
  observeJournals({ events: journal, identifies: identifies.journal })
  const warnings = openWarnings(settings, log)
  const { collector } = warnings
  const guesses = new TokenGuesses({ store: tokens, nowMs: monotonicMs })
  const shared = { settings, log, store, pool, journal, keys, guesses, rateLimiter, identifies }
  const parts = { ...shared, warnings: collector }
  const front = await openFront(parts)
  return {
    releaseMemory: async () => {
      releaseBodyPieces()
      journal.memory.clear()
      identifies.journal.memory.clear()
      await pool.releaseMemory()
    },
    stop: async () => {
      await front.drain()
      await identifies.queue.drain()
      await pool.close()
      await warnings.close()
      await tokens?.close()
      const deliveries = [shipping.drain(DRAIN_TIMEOUT_MS), identifies.drain(DRAIN_TIMEOUT_MS)]
      const left = (await Promise.all(deliveries)).reduce((sum, rows) => sum + rows, 0)
      if (left > 0)
        log.warn({ rows: left }, 'ClickHouse has not accepted the last rows; the journal keeps them')
      await journal.close()
      await identifies.close()
      await store.close()
      await uses.close()
      await catalog.destroy()
    },
  }
}

/**
 * Claims the folder of the journal for this process. An edge whose supervisor died may still be finishing, or hang: events
 * that it acknowledges meanwhile would go into segments that the next edge has already sent and deleted.
 */
async function claimJournal(dataDir: string): Promise<JournalFolders> {
  const folders = journalFolders(dataDir, 'events')
  const { folder } = folders
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  if (await claimFolder(folder)) return folders
  throw new FatalError(
    `an earlier edge still writes the journal in ${folder}; wait until it has ended, or kill it`,
  )
}

/** The reserve of the disk, where the journal shares it with the embedded store. */
function openReserve(
  { clickhouseUrl, dataDir, batchBytesMax }: Settings,
  { folder, log }: { readonly folder: string; readonly log: Logger },
): DiskReserve | undefined {
  if (clickhouseUrl !== undefined || !isOneDisk(folder, dataDir)) return undefined
  return new DiskReserve({ folder: dataDir, bytesMin: reserveBytes(batchBytesMax), log })
}

/** Whether the address of every client is looked up. */
function locatesClients({ geoipPath, botNetworksPath }: Settings): boolean {
  return geoipPath !== undefined || botNetworksPath !== undefined
}

/** After a failed write or sync the content of the disk is unknown, so the process ends and the next start reads it. */
function endProcess(log: Logger, error: Error): void {
  log.fatal({ err: error }, 'the journal failed; the process ends and recovers')
  process.exit(1)
}

/** Warns about a Redis that persists: salts on its disk would outlive their day. */
async function warnOfPersistence(settings: Settings, log: Logger): Promise<void> {
  if (settings.redisUrl === undefined) return
  const redis = await openSharedStateStore({ url: settings.redisUrl, clock: systemClock, log })
  const persistence = await redis.checkPersistence()
  await redis.close()
  if (persistence.status === 'off') return
  const facts = persistence.status === 'on' ? persistence : { persistence: 'unknown' }
  log.warn(facts, PERSISTENCE_ADVICE)
}

/** The handlers to which the front passes requests. */
interface EdgeParts {
  readonly settings: Settings
  readonly log: Logger
  readonly store: StoreLink
  readonly pool: ValidationPool
  readonly journal: Journal
  readonly keys: KeyResolver
  readonly guesses: TokenGuesses
  readonly rateLimiter: RateLimiter | undefined
  readonly identifies: Identifies
  readonly warnings: WarningNotes
}

/** Opens the public address. Its `drain` resolves when every request that came in is answered. */
async function openFront(parts: EdgeParts): Promise<{ drain(): Promise<void> }> {
  const { settings, log, store, journal, pool, identifies } = parts
  const { bodyBytesMax, errorDomain, trustedProxies } = settings
  const budget = new BodyBudget(LIMITS.inFlightBodyBytesMax)
  const count = new RequestCount()
  observeIntake({ budget, count })
  const target = createQueryLocator(settings)
  const clients = new ClientFactsReader(trustedProxies)
  const rooms = new UpstreamRooms(clients)
  rooms.observe()
  const { http1Forwarder, http2Forwarder } = openForwarders(settings, { target, rooms, log })
  const readiness = new Readiness({
    clickhouse: () => store.check(),
    query: () => checkQuery(target()),
  })
  const isOverloaded = (): boolean => budget.isSpent || pool.isFull || journal.isFull
  const serving = { ...parts, clients, clock: systemClock, errorDomain, bodyBytesMax, isOverloaded }
  const batchCreate = new BatchCreate({ pool, clients, locatesClients: locatesClients(settings) })
  const identify = new Identify(identifies.queue)
  const health = {
    health: new ServiceHealth({ readiness, independent: INGESTION_SERVICES }),
    errorDomain,
    bodyBytesMax,
  }
  const ingestion = new Map<string, EdgeMethod>([
    [BATCH_CREATE_PATH, new Ingestion(batchCreate, serving)],
    [IDENTIFY_PATH, new Ingestion(identify, serving)],
    ...healthMethods(health),
  ])
  const isFull = (): boolean => isOverloaded() || identifies.journal.isFull
  const dialects = openDialects({
    ...serving,
    isOverloaded: isFull,
    pool,
    hasTls: settings.tlsCert !== undefined,
  })
  const allowedOrigins = new Set(settings.corsOrigins)
  const shared = {
    ingestion,
    dialects,
    rooms,
    readiness,
    budget,
    count,
    bodyBytesMax,
    errorDomain,
    trustedProxies,
    allowedOrigins,
    log,
  }
  const { http1Options, handles, connectionsMax } = entryOf(settings)
  const http1 = new Http1Server({ ...shared, forwarder: http1Forwarder, ...http1Options })
  const http2 = new Http2Server({ ...shared, health, forwarder: http2Forwarder })
  const http1Clients = { ...shared, router: new Router(edgeRoutes(shared), FORWARD), handles }
  const listeners = await openListeners(settings, { http1, http2, http1Clients, connectionsMax })
  return {
    drain: async () => {
      readiness.stop()
      listeners.stopAccepting()
      http2.goAway()
      await count.drain()
      await listeners.close()
      http2.close()
      http1Forwarder.close()
      http2Forwarder.close()
    },
  }
}

/** What hands calls to the query process. */
function openForwarders(
  settings: Settings,
  parts: { readonly target: QueryLocator; readonly rooms: UpstreamRooms; readonly log: Logger },
): { readonly http1Forwarder: Http1Forwarder; readonly http2Forwarder: Http2Forwarder } {
  const { target, log } = parts
  const { errorDomain } = settings
  const idleTimeoutMs = (longestCallSeconds(settings) + FORWARD_MARGIN_SECONDS) * 1000
  const pulse = new UpstreamPulse({ isSilent: async () => await isQuerySilent(target()), log })
  return {
    http1Forwarder: new Http1Forwarder({ ...parts, pulse, errorDomain, idleTimeoutMs }),
    http2Forwarder: new Http2Forwarder({ ...parts, pulse, idleTimeoutMs }),
  }
}

/** The entry for connections. The front ends TLS and counts connections itself; without one the HTTP/1.1 server does. */
function entryOf(settings: Settings): {
  readonly handles: ClientHandles
  readonly connectionsMax: number
  readonly http1Options: Pick<Http1ServerOptions, 'handles' | 'connectionsMax' | 'tls'>
} {
  const { http2, tlsCert, tlsKey } = settings
  const handles = new ClientHandles()
  const connectionsMax = connectionsMaxOf(http2, openFilesMax())
  if (http2 === 'on') return { handles, connectionsMax, http1Options: { handles } }
  const hasTls = tlsCert !== undefined && tlsKey !== undefined
  const tls = hasTls ? { tls: { certPath: tlsCert, keyPath: tlsKey } } : {}
  return { handles, connectionsMax, http1Options: { connectionsMax, ...tls } }
}

/** The store of the limits that edges share; without Redis a data folder has one edge, so that there is nothing to share. */
async function openTokens({ redisUrl: url }: Settings, log: Logger): Promise<MeasuredTokens | undefined> {
  if (url === undefined) return undefined
  return new MeasuredTokens(await openSharedStateStore({ url, clock: systemClock, log }))
}

/** The limit of each key; `undefined` without one. */
function createRateLimiter(
  { rateLimitEventsPerSecond: eventsPerSecond }: Settings,
  store: MeasuredTokens | undefined,
): RateLimiter | undefined {
  return eventsPerSecond === 0 ? undefined : new RateLimiter({ eventsPerSecond, store, nowMs: monotonicMs })
}
