import { Backoff } from '../../kernel/backoff.ts'
import { sleep } from '../../kernel/clock.ts'
import { createLogger, type Logger } from '../../kernel/log.ts'
import { trimMemoryWhenQuiet } from '../../kernel/memory/trim-memory.ts'
import { listenUrlOf } from '../../settings/derived-settings.ts'
import type { Settings } from '../../settings/settings.ts'
import { claimFolder } from '../../store/folder-claim.ts'
import { makeDataFolder } from '../environment/data-folder.ts'
import { FatalError, StoreUnreachable } from '../environment/fatal-error.ts'
import { findBadFiles } from '../environment/named-files.ts'
import { startAdminServer } from './admin-server.ts'
import type { PreparationOptions } from './prepare-stores.ts'
import { createRoleStarter, type ProcessRoleStarter } from './process-role.ts'
import { createStoreStarter } from './store-role.ts'
import { Supervisor } from './supervisor.ts'

const PREPARE_RETRY = { firstMs: 500, maxMs: 10_000 }

/** `millrace start`: runs the roles of this invocation until SIGTERM or SIGINT. */
export async function start(settings: Settings): Promise<void> {
  process.title = 'millrace'
  const log = createLogger({ role: 'supervisor', level: settings.logLevel })
  makeDataFolder(settings.dataDir)
  await checkNamedFiles(settings)
  await claimDataDir(settings.dataDir)
  const supervisor = new Supervisor({ dataDir: settings.dataDir, log })
  const untilStopped = onStopSignal()
  try {
    const serving = serve(settings, supervisor, log)
    // A start may wait for minutes, for a lease or a migration.
    await Promise.race([untilStopped, serving.then(() => untilStopped)])
  } finally {
    await supervisor.stop()
  }
  log.info('stopped')
}

async function serve(settings: Settings, supervisor: Supervisor, log: Logger): Promise<void> {
  await startRoles(settings, supervisor, log)
  process.stdout.write(`${describeService(settings)}\n`)
  await trimMemoryWhenQuiet({ onTrimmed: (resident) => log.debug(resident, 'memory trimmed') })
}

async function startRoles(settings: Settings, supervisor: Supervisor, log: Logger): Promise<void> {
  await startAdminServer(settings, { supervisor, log }).then((server) => server.unref())
  // Side by side: the engine starts, the other processes load their modules, and one of them migrates the catalog.
  const store = startStore(settings, supervisor, log)
  store.catch(() => undefined)
  const others = (['query', 'edge'] as const).filter((role) => settings.roles.includes(role))
  const starters = others.map((name) => createRoleStarter(name))
  warnOfOwnSecrets(settings, log)
  await prepareNowOrLater({ settings, log, storeStarted: store }, starters[0], supervisor.stopping)
  await supervisor.start(starters)
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

/**
 * One of the other processes prepares the stores, if there is one, because it has loaded what that takes. An unreachable ClickHouse
 * does not block the start: it is prepared once it responds, and events wait in the journal.
 */
async function prepareNowOrLater(
  options: PreparationOptions,
  first: ProcessRoleStarter | undefined,
  stopping: AbortSignal,
): Promise<void> {
  try {
    await (first ? first.prepareStores(options.storeStarted) : prepareHere(options))
  } catch (error) {
    if (!(error instanceof StoreUnreachable)) throw error
    options.log.warn(
      { cause: error.message },
      'ClickHouse cannot be prepared yet; events wait in the journal',
    )
    void prepareLater(options, stopping)
  }
}

async function prepareLater(options: PreparationOptions, stopping: AbortSignal): Promise<void> {
  const backoff = new Backoff(PREPARE_RETRY)
  for (;;) {
    const retryMs = backoff.next()
    await sleep(retryMs, stopping).catch(() => undefined)
    if (stopping.aborted) return
    try {
      return await prepareHere(options)
    } catch (error) {
      const cause = error instanceof Error ? error.message : error
      options.log.warn({ cause }, 'ClickHouse cannot be prepared yet')
    }
  }
}

/** Loads the code first, which this process then keeps. */
async function prepareHere(options: PreparationOptions): Promise<void> {
  await (await import('./prepare-stores.ts')).prepareStores(options)
}

async function checkNamedFiles(settings: Settings): Promise<void> {
  const problems = await findBadFiles(settings)
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
