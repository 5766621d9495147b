import { bootstrapAccount, type FirstAccount } from '../control/bootstrap/first-account.ts'
import { bootstrapProject, type FirstProject } from '../control/bootstrap/first-project.ts'
import { Backoff } from '../kernel/backoff.ts'
import { sleep, systemClock } from '../kernel/clock.ts'
import { createLogger, type Logger } from '../kernel/log.ts'
import { listenUrlOf } from '../settings/derived-settings.ts'
import type { Settings } from '../settings/settings.ts'
import { type Catalog, openCatalog } from '../store/catalog/catalog.ts'
import { trimMemoryWhenQuiet } from '../store/embedded/trim-memory.ts'
import { claimFolder } from '../store/folder-claim.ts'
import { startAdminServer } from './admin-server.ts'
import { makeDataFolder } from './data-folder.ts'
import { FatalError } from './fatal-error.ts'
import { findBadFiles } from './named-files.ts'
import { prepareClickHouse, StoreUnreachable } from './prepare-store.ts'
import { createRoleStarter } from './process-role.ts'
import { createStoreStarter } from './store-role.ts'
import { Supervisor } from './supervisor.ts'
import { openMigratedCatalog } from './with-catalog.ts'

const PREPARE_RETRY = { firstMs: 500, maxMs: 10_000 }

/** `millrace start`: runs the roles of this invocation until SIGTERM or SIGINT. */
export async function start(settings: Settings): Promise<void> {
  process.title = 'millrace'
  const log = createLogger({ role: 'supervisor', level: settings.logLevel })
  makeDataFolder(settings.dataDir)
  checkNamedFiles(settings)
  await claimDataDir(settings.dataDir)
  const supervisor = new Supervisor({ dataDir: settings.dataDir, log })
  const untilStopped = onStopSignal()
  try {
    await startRoles(settings, supervisor, log)
    print([describeService(settings)])
  } catch (error) {
    await supervisor.stop()
    throw error
  }
  const stopTrimming = await trimMemoryWhenQuiet({
    onTrimmed: (resident) => log.debug(resident, 'memory trimmed'),
  })
  await untilStopped
  stopTrimming()
  await supervisor.stop()
  log.info('stopped')
}

/** The keys and the account that the first start creates and prints. */
interface First {
  readonly project: FirstProject | undefined
  readonly customer: FirstAccount | undefined
}

async function startRoles(settings: Settings, supervisor: Supervisor, log: Logger): Promise<void> {
  await startAdminServer(settings, supervisor).then((server) => server.unref())
  // Side by side: the engine starts, the other processes load their modules, and the catalog is migrated.
  const store = startStore(settings, supervisor, log)
  store.catch(() => undefined)
  const others = (['query', 'edge'] as const).filter((role) => settings.roles.includes(role))
  const starters = others.map((name) => ({ name, start: createRoleStarter(name) }))
  warnOfOwnSecrets(settings, log)
  const catalog = await openMigratedCatalog(settings).catch(async (error: unknown) => {
    // Its process is stopped once it runs.
    await store
    throw error
  })
  try {
    await store
    // Printed immediately: they exist even if the start fails later.
    printFirst(await bootstrap(settings, catalog))
    await prepareNowOrLater(settings, log, supervisor.stopping)
    await supervisor.start(starters)
  } finally {
    await catalog.destroy()
  }
}

async function startStore(settings: Settings, supervisor: Supervisor, log: Logger): Promise<void> {
  const { roles, dataDir, clickhouseUrl } = settings
  if (!roles.includes('store') || clickhouseUrl !== undefined) return
  await supervisor.startPatiently({ name: 'store', start: createStoreStarter(dataDir, log) })
}

/** Machines with a shared catalog must be able to verify each other's tokens and decrypt each other's secrets. */
function warnOfOwnSecrets({ databaseUrl, jwtSecret, secretKey }: Settings, log: Logger): void {
  if (databaseUrl === undefined || (jwtSecret !== undefined && secretKey !== undefined)) return
  log.warn(
    'with SERVICE_DATABASE_URL set SERVICE_JWT_SECRET and SERVICE_SECRET_KEY, the same on every machine',
  )
}

async function bootstrap(settings: Settings, catalog: Catalog): Promise<First> {
  const project = await bootstrapProject(catalog, systemClock, {
    publicKey: settings.bootstrapPublicKey,
    privateKey: settings.bootstrapPrivateKey,
  })
  const customer = await bootstrapAccount(catalog, systemClock, {
    email: settings.bootstrapEmail,
    password: settings.bootstrapPassword,
  })
  return { project, customer }
}

/** An unreachable ClickHouse does not block the start: it is prepared once it responds, and events wait in the journal. */
async function prepareNowOrLater(settings: Settings, log: Logger, stopping: AbortSignal): Promise<void> {
  try {
    await prepare(settings, log)
  } catch (error) {
    if (!(error instanceof StoreUnreachable)) throw error
    log.warn({ cause: error.message }, 'ClickHouse cannot be prepared yet; events wait in the journal')
    void prepareLater(settings, log, stopping)
  }
}

async function prepareLater(settings: Settings, log: Logger, stopping: AbortSignal): Promise<void> {
  const backoff = new Backoff(PREPARE_RETRY)
  for (;;) {
    const retryMs = backoff.next()
    await sleep(retryMs, stopping).catch(() => undefined)
    if (stopping.aborted) return
    try {
      return await prepare(settings, log)
    } catch (error) {
      log.warn({ cause: error instanceof Error ? error.message : error }, 'ClickHouse cannot be prepared yet')
    }
  }
}

async function prepare(settings: Settings, log: Logger): Promise<void> {
  const catalog = openCatalog(settings)
  try {
    const done = await prepareClickHouse(settings, catalog)
    if (done.length > 0) log.info({ done }, 'ClickHouse has the schema of this release')
  } finally {
    await catalog.destroy()
  }
}

function checkNamedFiles(settings: Settings): void {
  const problems = findBadFiles(settings)
  if (problems.length > 0) throw new FatalError(problems.join('; '))
}

async function claimDataDir(dataDir: string): Promise<void> {
  if (await claimFolder(dataDir)) return
  throw new FatalError(`another Millrace runs on the data folder ${dataDir}; stop it or set SERVICE_DATA_DIR`)
}

async function onStopSignal(): Promise<void> {
  await new Promise<void>((resolve) => {
    process.once('SIGTERM', () => resolve())
    process.once('SIGINT', () => resolve())
  })
}

/** The address or the roles of this service, in one line. */
function describeService(settings: Settings): string {
  const { roles } = settings
  if (!roles.includes('edge') && !roles.includes('query')) return `Millrace runs ${roles.join(', ')}`
  return `Millrace listens on ${listenUrlOf(settings)}`
}

function printFirst({ project, customer }: First): void {
  const lines: string[] = []
  if (project) {
    lines.push(`public key   ${project.publicKey}`, `private key  ${project.privateKey}`)
  }
  if (customer) {
    const password = customer.generatedPassword ?? '(SERVICE_BOOTSTRAP_PASSWORD)'
    lines.push(`console      ${customer.email}  ${password}`)
  }
  print(lines)
}

function print(lines: readonly string[]): void {
  if (lines.length > 0) process.stdout.write(`${lines.join('\n')}\n`)
}
