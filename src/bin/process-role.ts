import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { entryPath } from '../kernel/entry-path.ts'
import { LIMITS } from '../kernel/limits.ts'
import { FatalError } from './fatal-error.ts'
import type { FromRole, ToRole } from './role-messages.ts'

/** A role in a process of its own, as the supervisor sees it. */
export interface SupervisedRole {
  readonly pid: number
  /** Resolves when the process is gone, with what ended it. */
  readonly exited: Promise<string>
  /** Asks it to finish, and kills it when it takes too long; resolves when it is gone. */
  stop(): Promise<void>
  /** Its metrics in prom-client's JSON form. */
  metrics(): Promise<readonly object[]>
}

const METRICS_TIMEOUT_MS = 2000

/**
 * Options of Node.js for a role. What the edge makes for a request dies young or is no garbage at all: with 4 MiB
 * of young generation instead of 16 a collection pauses it for a quarter of the time, and each thread holds 36 MiB less.
 *
 * V8 counts each body that uWebSockets.js shows until the next collection, as if it were in its heap. By itself it lets
 * that grow by 12 MB, which is half of what comes between two collections of the young generation, and then looks
 * through all of the heap seven times a second: a third of the edge's work. Three times the heap is room for it.
 */
const NODE_OPTIONS = {
  edge: ['--max-semi-space-size=4', '--heap-growing-percent=200'],
  query: [],
} as const satisfies Record<string, readonly string[]>

/**
 * Starts a role's process and resolves when it serves. Throws {@link FatalError} when it says that it cannot start, and
 * an ordinary error when it ends or takes too long.
 */
export async function startProcessRole(name: 'edge' | 'query'): Promise<SupervisedRole> {
  const child = fork(entryPath('./role', import.meta.url), [name], {
    execArgv: [...process.execArgv, ...NODE_OPTIONS[name]],
    // uWebSockets.js reads it when it is loaded; with its own 4 KiB it answers longer heads with a page of HTML.
    env: { ...process.env, UWS_HTTP_MAX_HEADERS_SIZE: String(LIMITS.readHeadBytesMax) },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const exited = new Promise<string>((resolve) => {
    child.once('exit', (code, signal) => resolve(signal === null ? `exit code ${code}` : `signal ${signal}`))
    child.once('error', (error) => resolve(error.message))
  })
  try {
    await untilReady(name, child, exited)
  } catch (error) {
    child.kill('SIGKILL')
    throw error
  }
  return {
    pid: child.pid ?? 0,
    exited,
    stop: async () => await stopChild(child, exited),
    metrics: async () => await askMetrics(child),
  }
}

async function untilReady(name: string, child: ChildProcess, exited: Promise<string>): Promise<void> {
  const signal = AbortSignal.timeout(LIMITS.startTimeoutMs)
  const spoke = once(child, 'message', { signal }).then(([message]): FromRole => message)
  const first = await Promise.race([spoke, exited])
  spoke.catch(() => undefined)
  if (typeof first === 'string') throw new Error(`the ${name} process ended before it served: ${first}`)
  if (first.type === 'failed') throw new FatalError(first.message)
}

async function stopChild(child: ChildProcess, exited: Promise<string>): Promise<void> {
  tell(child, { type: 'stop' })
  const timer = setTimeout(() => child.kill('SIGKILL'), LIMITS.stopTimeoutMs)
  await exited
  clearTimeout(timer)
}

let lastMetricsId = 0

async function askMetrics(child: ChildProcess): Promise<readonly object[]> {
  const id = ++lastMetricsId
  return await new Promise((resolve) => {
    const done = (metrics: readonly object[]): void => {
      clearTimeout(timer)
      child.off('message', listen)
      resolve(metrics)
    }
    const listen = (message: FromRole): void => {
      if (message.type === 'metrics' && message.id === id) done(message.metrics)
    }
    const timer = setTimeout(() => done([]), METRICS_TIMEOUT_MS)
    child.on('message', listen)
    tell(child, { type: 'metrics', id })
  })
}

function tell(child: ChildProcess, message: ToRole): void {
  if (child.connected) child.send(message, () => undefined)
}
