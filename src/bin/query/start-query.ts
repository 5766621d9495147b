import type { UniversalHandlerFn } from '@connectrpc/connect/protocol'
import { createLogoutEndpoints } from '../../control/auth/logout-endpoint.ts'
import { openProviderPorts, type ProviderPorts } from '../../control/auth/provider-ports.ts'
import { isShareEmbeddable } from '../../control/dashboards/dashboard-store.ts'
import { Front } from '../../edge/front/front.ts'
import { systemClock } from '../../kernel/clock.ts'
import { releaseVersion } from '../../kernel/installation.ts'
import type { Logger } from '../../kernel/log.ts'
import { collectRuntimeMetrics } from '../../kernel/metrics.ts'
import { Outbound } from '../../kernel/outbound/outbound.ts'
import { Sealer } from '../../kernel/sealer.ts'
import { createQueryServers, type QueryServers } from '../../query/server.ts'
import { registerServices } from '../../query/services.ts'
import { Readiness } from '../../rpc/readiness.ts'
import { longestCallSeconds, publicUrlOf } from '../../settings/derived-settings.ts'
import type { Settings } from '../../settings/settings.ts'
import { type Catalog, openCatalog } from '../../store/catalog/catalog.ts'
import { type LeaseOptions, withLease } from '../../store/catalog/lease.ts'
import type { ClickHouse } from '../../store/clickhouse/client.ts'
import { IdentityRefresher } from '../../store/clickhouse/identity-refresher.ts'
import { NameFiller } from '../../store/clickhouse/name-filler.ts'
import { QuietMerger } from '../../store/clickhouse/quiet-merger.ts'
import { RecentArrivals } from '../../store/clickhouse/recent-arrivals.ts'
import { observeServer } from '../../store/clickhouse/server-metrics.ts'
import { VisitFolder } from '../../store/clickhouse/visit-folder.ts'
import { openRunFolder, writeEndpoint } from '../../store/run-folder.ts'
import { loadSecretKey } from '../../store/secret-files.ts'
import type { ClickHouseUser } from '../environment/clickhouse-endpoint.ts'
import { cannotListen } from '../environment/fatal-error.ts'
import { StoreLink } from '../environment/store-link.ts'
import { findUnreadableSecrets, SECRET_KEY_ADVICE } from '../environment/unreadable-secrets.ts'
import type { RunningRole } from '../supervisor/role-contract.ts'
import { openAccess } from './access.ts'
import { openAssistants } from './assistants.ts'
import { openBackgroundJobs } from './background-jobs.ts'
import { type ControlParts, registerControl } from './control.ts'
import { createReadDevices } from './mail-and-push.ts'
import { openQueryPorts } from './query-ports.ts'
import { createReportEndpoints } from './reports.ts'

const READERS_MAX = 32
/** Deletions, and deliveries of notifications. */
const WRITERS_MAX = 2

/** Connections and seconds for statements of background jobs. */
const JOBS_MAX = 4
const JOB_SECONDS = 600

/** A round of folding visits takes less. */
const FOLD_LEASE = { name: 'fold-visits', ttlMs: 330_000, waitMs: 0 }

/** The names of earlier events are added once: longer than any store needs. */
const FILL_LEASE = { name: 'fill-names', ttlMs: 6 * 3_600_000, waitMs: 0 }

/** A merge of the largest partition takes less. */
const MERGE_LEASE = { name: 'merge-quiet', ttlMs: JOB_SECONDS * 1000, waitMs: 0 }

/** Time that a query's answer may take on top of the query itself. */
const TRANSFER_MARGIN_MS = 5000

/** Runs the query process: every RPC but ingestion. */
export async function startQuery(settings: Settings, log: Logger): Promise<RunningRole> {
  const catalog = openCatalog(settings)
  const reader = openLink(settings, { user: 'reader', connectionsMax: READERS_MAX })
  const writer = openLink(settings, { user: 'admin', connectionsMax: WRITERS_MAX })
  const { errorDomain, bodyBytesMax } = settings
  const { tokens, close: closeAccess, ...access } = openAccess(settings, catalog, log)
  const oidc = openProviders(settings, log)
  const unhurried = openLink(settings, {
    user: 'admin',
    connectionsMax: JOBS_MAX,
    seconds: JOB_SECONDS,
  })
  const jobs = openBackgroundJobs(settings, { catalog, store: unhurried, reader, query: () => ports, log })
  const { deletions, wake: wakeJobs } = jobs
  const ports = openQueryPorts(settings, { reader, writer, catalog, deletions, wakeJobs, log })
  const sealer = openSealer(settings)
  void reportUnreadableSecrets(catalog, sealer, log)
  const readDevicesOf = createReadDevices({ settings, catalog, sealer, store: reader })
  const control = { settings, catalog, tokens, oidc, store: writer, wakeJobs, log }
  const readiness = new Readiness({ clickhouse: () => reader.check() })
  const servers = createQueryServers({
    ...access,
    services: [
      (router) => registerServices(router, { ...ports, catalog, readDevicesOf }),
      (router) => registerControl(router, { ...control, query: ports }),
    ],
    log,
    readiness,
    errorDomain,
    bodyBytesMax,
    longestCallSeconds: longestCallSeconds(settings),
    publicUrl: publicUrlOf(settings),
    allowedOrigins: new Set(settings.corsOrigins),
    googleClientId: settings.oauthGoogleClientId,
    isEmbeddable: async (shareId) => await isShareEmbeddable({ catalog, clock: systemClock }, shareId),
    isBehindEdge: isBehindEdge(settings),
    providers: oidc.providers.map(({ id, label }) => ({ id, label })),
    endpoints: openEndpoints({ ...control, ...access }),
    ...openAssistants({ ...control, ...access }),
    version: releaseVersion(),
  })
  collectRuntimeMetrics()
  observeServer(() => unhurried.clickhouse)
  const front = await listen(servers, settings)
  const arrivals = new RecentArrivals()
  const refresher = new IdentityRefresher({ connect: () => writer.clickhouse, log, arrivals })
  const store = { catalog, store: unhurried, arrivals, log }
  const workers = [jobs, refresher, ...openStoreWorkers(settings, store)]
  for (const worker of workers) worker.start()
  return {
    stop: async () => {
      readiness.stop()
      front.stopAccepting()
      await Promise.all([servers.drain(), ports.days?.stop(), ...workers.map((worker) => worker.stop())])
      front.close()
      await closeAccess()
      await reader.close()
      await writer.close()
      await unhurried.close()
      await catalog.destroy()
    },
  }
}

/** What one process at a time does in the store in the background. */
function openStoreWorkers(
  settings: Settings,
  {
    catalog,
    store,
    arrivals,
    log,
  }: {
    readonly catalog: Catalog
    readonly store: StoreLink
    readonly arrivals: RecentArrivals
    readonly log: Logger
  },
): readonly [VisitFolder, NameFiller, QuietMerger] {
  const connect = (): ClickHouse => store.clickhouse
  const aloneWith =
    (lease: LeaseOptions) =>
    async (work: () => Promise<void>): Promise<void> =>
      await withLease({ ...lease, catalog, clock: systemClock }, work)
  const parts = { connect, log, hasArrivals: () => arrivals.areRecent }
  return [
    new VisitFolder({ ...parts, isOn: settings.visits === 'on', alone: aloneWith(FOLD_LEASE) }),
    new NameFiller({ connect, log, alone: aloneWith(FILL_LEASE) }),
    new QuietMerger({ ...parts, alone: aloneWith(MERGE_LEASE) }),
  ]
}

function openLink(
  settings: Settings,
  {
    user,
    connectionsMax,
    seconds = settings.queryTimeoutSeconds,
  }: { readonly user: ClickHouseUser; readonly connectionsMax: number; readonly seconds?: number },
): StoreLink {
  return new StoreLink(settings, user, {
    application: 'millrace-query',
    connectionsMax,
    requestTimeoutMs: seconds * 1000 + TRANSFER_MARGIN_MS,
  })
}

function openSealer(settings: Settings): Sealer {
  return new Sealer(loadSecretKey(settings.dataDir, settings.secretKey))
}

/** The calls that need such a secret fail: the log says why from the start. */
async function reportUnreadableSecrets(catalog: Catalog, sealer: Sealer, log: Logger): Promise<void> {
  // A catalog that does not respond is reported by every call that needs it.
  const kinds = await findUnreadableSecrets(catalog, sealer).catch(() => [])
  if (kinds.length > 0) log.error(`${kinds.join(', ')} ${SECRET_KEY_ADVICE}`)
}

/** The endpoints that are no methods. */
function openEndpoints(
  parts: Omit<ControlParts, 'query'> & { readonly forgetSessions: () => void },
): ReadonlyMap<string, UniversalHandlerFn> {
  return new Map([
    ...createReportEndpoints({ ...parts, sealer: openSealer(parts.settings) }),
    ...createLogoutEndpoints({ ...parts, clock: systemClock }),
  ])
}

function openProviders(settings: Settings, log: Logger): ProviderPorts {
  return openProviderPorts({
    providers: settings.oidcProviders,
    outbound: new Outbound({ allowed: settings.outboundAllow }),
    clock: systemClock,
    sealer: openSealer(settings),
    log,
    publicUrl: publicUrlOf(settings),
    corsOrigins: settings.corsOrigins,
  })
}

function isBehindEdge({ roles }: Settings): boolean {
  return roles.includes('edge')
}

/** Behind an edge of this machine on a free port, else on the public address. Serves HTTP/1.1 and HTTP/2. */
async function listen(servers: QueryServers, settings: Settings): Promise<Front> {
  const isLocal = isBehindEdge(settings)
  const address = isLocal
    ? { host: '127.0.0.1', port: 0 }
    : { host: settings.serverHost, port: settings.serverPort }
  const { tlsCert, tlsKey, trustedProxies } = settings
  const isTls = !isLocal && tlsCert !== undefined && tlsKey !== undefined
  const front = new Front({
    http1: ({ socket }) => {
      servers.http1.emit('connection', socket)
      socket.resume()
    },
    http2: ({ socket }) => servers.http2.emit('connection', socket),
    isTrustedPeer: (address) => trustedProxies.includes(address),
    ...(isTls ? { tls: { certPath: tlsCert, keyPath: tlsKey } } : {}),
  })
  const port = await front.listen(address.host, address.port).catch((error: unknown) => {
    throw cannotListen({ ...address, setting: 'SERVICE_SERVER' }, error)
  })
  if (isLocal) writeEndpoint(openRunFolder(settings.dataDir), 'query', { url: `http://127.0.0.1:${port}` })
  return front
}
