import { createLogger } from '../kernel/log.ts'
import { trimMemoryWhenQuiet } from '../kernel/memory/trim-memory.ts'
import { metricsAsJson } from '../kernel/metrics.ts'
import { parseSettings } from '../settings/settings.ts'
import { asFatal, FatalError, StoreUnreachable } from './environment/fatal-error.ts'
import type { PreparationOptions } from './supervisor/prepare-stores.ts'
import type { FromRole, RunningRole, StartRole, ToRole } from './supervisor/role-contract.ts'
import { startTracing } from './tracing/start-tracing.ts'

/** A process loads the modules of its own role only: those of the other would take a tenth of its memory. */
const ROLES = {
  edge: async () => (await import('./edge/start-edge.ts')).startEdge,
  query: async () => (await import('./query/start-query.ts')).startQuery,
} as const satisfies Record<string, () => Promise<StartRole>>

await runRole(process.argv[2] === 'edge' ? 'edge' : 'query')

async function runRole(name: keyof typeof ROLES): Promise<void> {
  process.title = `millrace ${name}`
  const settings = parseSettings(process.env)
  if (!settings.ok) return await fail(settings.error)
  const log = createLogger({ role: name, level: settings.value.logLevel })
  const tracing = await startTracing(process.env, name, log)
  let stopping = false
  let running: RunningRole | undefined
  const stop = async (): Promise<void> => {
    if (stopping) return
    stopping = true
    await running?.stop()
    await tracing.stop()
    process.exit(0)
  }
  // The supervisor decides the order of the stop, even when the whole process group gets the signal. Without it the channel closes.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined)
  process.on('disconnect', () => void stop())
  const storeStarted = Promise.withResolvers<void>()
  const mayServe = Promise.withResolvers<void>()
  process.on('message', (message: ToRole) => {
    if (message.type === 'metrics') {
      void metricsAsJson().then((metrics) => send({ type: 'metrics', id: message.id, metrics }))
    } else if (message.type === 'prepare') {
      void prepare({ settings: settings.value, log, storeStarted: storeStarted.promise }).then(send)
    } else if (message.type === 'beat') void send({ type: 'alive' })
    else if (message.type === 'store-started') storeStarted.resolve()
    else if (message.type === 'serve') mayServe.resolve()
    else void stop()
  })
  try {
    const startRole = await ROLES[name]()
    await mayServe.promise
    running = await startRole(settings.value, log)
    await send({ type: 'ready' })
    await trimMemoryWhenQuiet({
      release: async () => await running?.releaseMemory?.(),
      onTrimmed: (resident) => log.debug(resident, 'memory trimmed'),
    })
  } catch (thrown) {
    const error = asFatal(thrown, `the ${name} process could not start`)
    if (!(error instanceof FatalError)) throw error
    await fail(error.message)
  }
}

/** Prepares the stores for all roles of this invocation. */
async function prepare(options: PreparationOptions): Promise<FromRole> {
  try {
    await (await import('./supervisor/prepare-stores.ts')).prepareStores(options)
    return { type: 'prepared' }
  } catch (thrown) {
    const error = asFatal(thrown, 'the stores could not be prepared')
    if (!(error instanceof FatalError)) throw error
    return { type: error instanceof StoreUnreachable ? 'unreachable' : 'failed', message: error.message }
  }
}

async function fail(message: string): Promise<void> {
  await send({ type: 'failed', message })
  process.exit(1)
}

async function send(message: FromRole): Promise<void> {
  await new Promise<void>((resolve) => {
    if (process.send) process.send(message, undefined, {}, () => resolve())
    else resolve()
  })
}
