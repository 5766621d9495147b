import { type ChildProcess, fork } from 'node:child_process'
import { sleep } from '../../kernel/clock.ts'
import { entryPath } from '../../kernel/installation.ts'
import { LIMITS } from '../../kernel/limits.ts'
import { FatalError, StoreUnreachable } from '../environment/fatal-error.ts'
import { Heartbeat } from './heartbeat.ts'
import type { FromRole, ToRole } from './role-contract.ts'
import type { RoleStarter } from './supervisor.ts'

/** A role in a separate process, as the supervisor sees it. */
export interface SupervisedRole {
  readonly pid: number
  /** Resolves when the process has ended, with the exit code, signal or error. */
  readonly exited: Promise<string>
  /** Requests a graceful stop and kills the process after a timeout; resolves when it has ended. */
  stop(): Promise<void>
  /** The metrics of the process in prom-client's JSON form; `undefined` when it does not respond. */
  metrics(): Promise<readonly object[] | undefined>
}

/** A role that is a process of this program; the store has an entry of its own. */
export type ProcessRole = 'edge' | 'query'

const METRICS_TIMEOUT_MS = 2000

/**
 * Options of Node.js for each role. Objects that the edge creates for a request either die young or stay for long: with a
 * young generation of 4 MiB instead of 16, a collection pauses for a quarter of the time, and each thread uses 36 MiB less.
 *
 * V8 counts each body that uWebSockets.js exposes as part of its heap until the next collection. By default it lets the
 * heap grow by 12 MB, half of what arrives between two collections of the young generation, and then collects the whole
 * heap seven times a second, a third of the edge's CPU time. Growth to three times the heap leaves room for these bodies.
 */
const NODE_OPTIONS = {
  edge: ['--max-semi-space-size=4', '--heap-growing-percent=200'],
  query: ['--max-semi-space-size=4'],
} as const satisfies Record<ProcessRole, readonly string[]>

/** A process that loads the modules of its role. */
interface LoadingRole {
  readonly name: ProcessRole
  readonly child: ChildProcess
  readonly exited: Promise<string>
  readonly started: Promise<MessageOf<'ready' | 'failed'>>
  readonly prepared: Promise<MessageOf<'prepared' | 'unreachable' | 'failed'>>
}

type MessageOf<Type extends FromRole['type']> = Extract<FromRole, { readonly type: Type }>

/** Starts a role whose first process can prepare the stores. */
export interface ProcessRoleStarter extends RoleStarter {
  /**
   * Has the first process prepare the stores, which spares the supervisor the code and its memory. Call it before the start.
   * Throws {@link StoreUnreachable} when ClickHouse does not respond, {@link FatalError} when the operator must act first, and
   * the error of `storeStarted`.
   */
  prepareStores(storeStarted: Promise<void>): Promise<void>
}

/**
 * Creates the starter of a role. Its first process begins at once to load its modules, beside the preparation of the stores,
 * and serves when it is started. The start throws {@link FatalError} when the process reports one, and an ordinary error when
 * the process ends or takes too long.
 */
export function createRoleStarter(name: ProcessRole): ProcessRoleStarter {
  const first = loadRole(name)
  let next: LoadingRole | undefined = first
  return {
    name,
    prepareStores: async (storeStarted) => await prepareIn(first, storeStarted),
    start: async (stopping) => {
      const role = next ?? loadRole(name)
      next = undefined
      return await serveRole(role, stopping)
    },
  }
}

function loadRole(name: ProcessRole): LoadingRole {
  const child = fork(entryPath('bin/role'), [name], {
    execArgv: [...process.execArgv, ...NODE_OPTIONS[name]],
    // Read when uWebSockets.js is loaded. With the default of 4 KiB it answers longer heads with an HTML page.
    env: { ...process.env, UWS_HTTP_MAX_HEADERS_SIZE: String(LIMITS.readHeadBytesMax) },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const exited = new Promise<string>((resolve) => {
    // Comes after the last message, unlike `exit`.
    child.once('close', (code, signal) => resolve(signal === null ? `exit code ${code}` : `signal ${signal}`))
    child.once('error', (error) => resolve(error.message))
  })
  return {
    name,
    child,
    exited,
    started: nextMessage(child, ['ready', 'failed']),
    prepared: nextMessage(child, ['prepared', 'unreachable', 'failed']),
  }
}

async function nextMessage<Type extends FromRole['type']>(
  child: ChildProcess,
  types: readonly Type[],
): Promise<MessageOf<Type>> {
  const isExpected = (message: FromRole): message is MessageOf<Type> =>
    types.some((type) => type === message.type)
  return await new Promise((resolve) => {
    const listen = (message: FromRole): void => {
      if (!isExpected(message)) return
      child.off('message', listen)
      resolve(message)
    }
    child.on('message', listen)
  })
}

async function prepareIn(role: LoadingRole, storeStarted: Promise<void>): Promise<void> {
  const { name, child, exited, prepared } = role
  send(child, { type: 'prepare' })
  await storeStarted
  send(child, { type: 'store-started' })
  const outcome = await Promise.race([prepared, exited])
  if (typeof outcome === 'string') {
    throw new FatalError(`the ${name} process ended while it prepared the stores: ${outcome}`)
  }
  if (outcome.type === 'failed') throw new FatalError(outcome.message)
  if (outcome.type === 'unreachable') throw new StoreUnreachable(outcome.message)
}

async function serveRole(role: LoadingRole, stopping: AbortSignal): Promise<SupervisedRole> {
  const { child, exited } = role
  // A process that does not serve yet has nothing to finish.
  const kill = (): void => void child.kill('SIGKILL')
  stopping.addEventListener('abort', kill)
  try {
    stopping.throwIfAborted()
    send(child, { type: 'serve' })
    await untilReady(role)
  } catch (error) {
    kill()
    throw error
  } finally {
    stopping.removeEventListener('abort', kill)
  }
  return {
    pid: child.pid ?? 0,
    exited: watchRole(role),
    stop: async () => await stopChild(child, exited),
    metrics: async () => await readMetrics(child),
  }
}

/** Kills a process that hangs; resolves when it has ended, with the cause. */
async function watchRole({ child, exited }: LoadingRole): Promise<string> {
  let silence = ''
  const heartbeat = new Heartbeat({
    beat: () => send(child, { type: 'beat' }),
    onSilent: () => {
      silence = `, because it did not respond for ${Heartbeat.silentSeconds} s`
      child.kill('SIGKILL')
    },
  })
  child.on('message', ({ type }: FromRole) => {
    if (type === 'alive') heartbeat.answered()
  })
  const cause = await exited
  heartbeat.stop()
  return `${cause}${silence}`
}

async function untilReady({ name, exited, started }: LoadingRole): Promise<void> {
  const abort = new AbortController()
  const late = sleep(LIMITS.startTimeoutMs, abort.signal).then(
    () => `no answer within ${LIMITS.startTimeoutMs} ms`,
    () => '',
  )
  const first = await Promise.race([started, exited, late])
  abort.abort()
  if (typeof first === 'string') throw new Error(`the ${name} process was not ready: ${first}`)
  if (first.type === 'failed') throw new FatalError(first.message)
}

async function stopChild(child: ChildProcess, exited: Promise<string>): Promise<void> {
  send(child, { type: 'stop' })
  const timer = setTimeout(() => child.kill('SIGKILL'), LIMITS.stopTimeoutMs)
  await exited
  clearTimeout(timer)
}

let lastMetricsId = 0

async function readMetrics(child: ChildProcess): Promise<readonly object[] | undefined> {
  const id = ++lastMetricsId
  return await new Promise((resolve) => {
    const done = (metrics: readonly object[] | undefined): void => {
      clearTimeout(timer)
      child.off('message', listen)
      resolve(metrics)
    }
    const listen = (message: FromRole): void => {
      if (message.type === 'metrics' && message.id === id) done(message.metrics)
    }
    const timer = setTimeout(() => done(undefined), METRICS_TIMEOUT_MS)
    child.on('message', listen)
    send(child, { type: 'metrics', id })
  })
}

function send(child: ChildProcess, message: ToRole): void {
  if (child.connected) child.send(message, () => undefined)
}
