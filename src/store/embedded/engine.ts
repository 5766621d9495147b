import { setTimeout as delay } from 'node:timers/promises'
import { type EngineChild, type EngineExit, spawnEngine } from './child.ts'
import { createEndpoint, type EngineEndpoint, removeEngineEndpoint, writeEngineEndpoint } from './endpoint.ts'
import { type AttemptFacts, EngineStartError, explainExit, explainPort, explainRefusal } from './failure.ts'
import { locateLibraryHere } from './platform.ts'
import { findFreePort, isListening, isPortFree, runStatement } from './readiness.ts'
import { prepareStoreFolder, type StoreFolder } from './store-folder.ts'
import { DATABASE } from './users.ts'
import type { XmlElements } from './xml.ts'

export type { EngineExit } from './child.ts'
export { type EngineEndpoint, type EngineUser, readEngineEndpoint } from './endpoint.ts'
export { EngineStartError, type EngineStartReason } from './failure.ts'
export { engineBackupsFolder } from './store-folder.ts'
export { DATABASE, LOCAL_ACCESS, LOCAL_COLLECTION } from './users.ts'

/** A log line about the engine. */
export type EngineLogLine = { readonly level: 'info' | 'warn' | 'error'; readonly message: string }

/** Options of an engine's start. */
export type EngineOptions = {
  /** The service's data folder; the engine owns `store` and `run/store.json` in it. */
  readonly dataFolder: string
  /** Port on 127.0.0.1; a free one when left out. */
  readonly httpPort?: number
  /** Port of the native protocol on 127.0.0.1; closed when left out. */
  readonly tcpPort?: number
  /** Additional configuration elements, for example the servers of a cluster. */
  readonly config?: XmlElements
  readonly onLog?: (line: EngineLogLine) => void
  /** Timeout from the call until the engine answers a query; default 30 s. */
  readonly startTimeoutMs?: number
  /** Timeout from closing its stdin until it is killed; default 30 s. */
  readonly stopTimeoutMs?: number
  /** Ends a start that is not over. */
  readonly signal?: AbortSignal
}

/** A running engine. */
export type Engine = EngineEndpoint & {
  readonly exited: Promise<EngineExit>
  /** Stops the engine cleanly, or kills it after the stop timeout; resolves when the process has ended. */
  stop(): Promise<void>
}

const TIMEOUT_MS = 30_000
const PORT_ATTEMPTS = 3
const POLL_MS_MIN = 10
const POLL_MS_MAX = 200

/**
 * Starts the embedded engine on a data folder and waits until its database answers.
 * Throws EngineStartError.
 */
export async function startEngine(options: EngineOptions): Promise<Engine> {
  const library = locateLibraryHere()
  if (!library.ok) throw new EngineStartError('unsupported_platform', library.message)
  await assertPortsFree([options.httpPort, options.tcpPort])
  const folder = prepareStoreFolder(options.dataFolder, options.config)
  for (let attempt = 1; ; attempt += 1) {
    const httpPort = options.httpPort ?? (await findFreePort())
    try {
      return await startOnPort({ options, folder, libraryPath: library.libraryPath, httpPort })
    } catch (error) {
      // Another process has taken the previously free port.
      const retry = isPortTaken(error) && options.httpPort === undefined && attempt < PORT_ATTEMPTS
      if (!retry) throw error
    }
  }
}

// The engine itself would fail too, but only after another server on the port had answered in its place.
async function assertPortsFree(ports: readonly (number | undefined)[]): Promise<void> {
  for (const port of ports) {
    if (port !== undefined && !(await isPortFree(port))) throw explainPort(port)
  }
}

type Attempt = {
  readonly options: EngineOptions
  readonly folder: StoreFolder
  readonly libraryPath: string
  readonly httpPort: number
}

async function startOnPort(attempt: Attempt): Promise<Engine> {
  const { options, folder } = attempt
  options.signal?.throwIfAborted()
  const child = spawnEngine(
    {
      libraryPath: attempt.libraryPath,
      configPath: folder.configPath,
      readablePaths: [folder.configPath, folder.usersConfigPath, attempt.libraryPath],
      logFolder: folder.logFolder,
      tablesFolder: folder.tablesFolder,
      lockPath: folder.lockPath,
      httpPort: attempt.httpPort,
      tcpPort: options.tcpPort,
    },
    (message) => options.onLog?.({ level: 'warn', message }),
  )
  const at = { url: `http://127.0.0.1:${attempt.httpPort}`, pid: child.pid }
  const tcp = options.tcpPort === undefined ? {} : { tcpPort: options.tcpPort }
  const endpoint = createEndpoint({ ...at, ...tcp }, folder.passwords)
  const interrupt = () => void child.stop(options.stopTimeoutMs ?? TIMEOUT_MS)
  options.signal?.addEventListener('abort', interrupt)
  try {
    await waitUntilReady(child, endpoint, attempt)
  } finally {
    options.signal?.removeEventListener('abort', interrupt)
  }
  return publish(child, endpoint, options)
}

async function waitUntilReady(child: EngineChild, endpoint: EngineEndpoint, attempt: Attempt): Promise<void> {
  const timeoutMs = attempt.options.startTimeoutMs ?? TIMEOUT_MS
  const ended = child.exited.then((exit) => explainExit(exit, describeAttempt(attempt)))
  const abort = new AbortController()
  const late = delay(timeoutMs, undefined, { signal: abort.signal }).then(
    () =>
      new EngineStartError(
        'failed',
        `embedded ClickHouse did not respond within ${timeoutMs} ms: see ${attempt.folder.logFolder}`,
      ),
    () => undefined,
  )
  // A broken connection means that the process is ending, and `ended` has the reason.
  const ready = pollUntilReady(endpoint, abort.signal).catch(() => ended)
  const failure = await Promise.race([ready, ended, late])
  abort.abort()
  if (failure === undefined) return
  await child.kill()
  throw failure
}

async function pollUntilReady(
  endpoint: EngineEndpoint,
  signal: AbortSignal,
): Promise<EngineStartError | undefined> {
  for (let waitMs = POLL_MS_MIN; !signal.aborted; waitMs = Math.min(waitMs * 1.2, POLL_MS_MAX)) {
    if (await isListening(endpoint.url)) return createDatabase(endpoint)
    await delay(waitMs)
  }
  return undefined
}

async function createDatabase(endpoint: EngineEndpoint): Promise<EngineStartError | undefined> {
  for (const sql of ['SELECT 1', `CREATE DATABASE IF NOT EXISTS ${DATABASE}`]) {
    const answer = await runStatement(endpoint.url, endpoint.admin, sql)
    if (answer.status !== 200) return explainRefusal({ sql, answer, url: endpoint.url })
  }
  return undefined
}

function publish(child: EngineChild, endpoint: EngineEndpoint, options: EngineOptions): Engine {
  writeEngineEndpoint(options.dataFolder, endpoint)
  const exited = child.exited.then((exit) => {
    removeEngineEndpoint(options.dataFolder, child.pid)
    return exit
  })
  const stop = async () => {
    await child.stop(options.stopTimeoutMs ?? TIMEOUT_MS)
    await exited
  }
  return { ...endpoint, exited, stop }
}

function describeAttempt(attempt: Attempt): AttemptFacts {
  const { options, folder, httpPort } = attempt
  return { dataFolder: options.dataFolder, logFolder: folder.logFolder, httpPort }
}

function isPortTaken(error: unknown): boolean {
  return error instanceof EngineStartError && error.reason === 'port_in_use'
}
