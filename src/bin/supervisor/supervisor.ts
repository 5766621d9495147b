import { Backoff } from '../../kernel/backoff.ts'
import { monotonicMs, sleep } from '../../kernel/clock.ts'
import type { Logger } from '../../kernel/log.ts'
import { ROLES, type Role } from '../../settings/settings.ts'
import { clearRunFolder, openRunFolder, type RunFolder, removePid, writePid } from '../../store/run-folder.ts'
import { FatalError } from '../environment/fatal-error.ts'
import type { SupervisedRole } from './process-role.ts'
import { countDeath } from './supervisor-metrics.ts'

/** Starts the process of a role, at first and after each crash. */
export interface RoleStarter {
  readonly name: Role
  /** Rejects when the process cannot serve, and soon after the signal aborts. */
  start(stopping: AbortSignal): Promise<SupervisedRole>
}

const RESTART = { firstMs: 100, maxMs: 10_000 }

/** The back-off starts over once a role has served this long. */
const HEALTHY_MS = 60_000

/** Keeps roles running: starts each, restarts it when it dies, and stops all in reverse order. */
export class Supervisor {
  readonly #log: Logger
  readonly #run: RunFolder
  readonly #running = new Map<Role, SupervisedRole>()
  /** Processes that did not respond when their metrics were last read. */
  readonly #silent = new WeakSet<SupervisedRole>()
  readonly #starting = new Set<Promise<void>>()
  readonly #guards: Promise<void>[] = []
  readonly #stopping = new AbortController()

  constructor(options: { readonly dataDir: string; readonly log: Logger }) {
    this.#log = options.log
    this.#run = openRunFolder(options.dataDir)
    clearRunFolder(this.#run)
    writePid(this.#run, 'supervisor', process.pid)
  }

  /** Starts roles in parallel and restarts each when it dies. Throws when one cannot start. */
  async start(starters: readonly RoleStarter[]): Promise<void> {
    const outcomes = await Promise.allSettled(starters.map((starter) => this.#startOne(starter)))
    starters.forEach((starter, index) => {
      if (outcomes[index]?.status === 'fulfilled') this.#guards.push(this.#guard(starter))
    })
    const failed = outcomes.find((outcome) => outcome.status === 'rejected')
    if (failed) throw failed.reason
  }

  /** Starts a role that the others can run without for a while, and retries when the start fails. Throws FatalError. */
  async startPatiently(starter: RoleStarter): Promise<void> {
    try {
      await this.#startOne(starter)
    } catch (error) {
      if (error instanceof FatalError) throw error
      if (this.#stopping.signal.aborted) return
      this.#log.error({ role: starter.name, err: error }, 'a role could not be started; the others continue')
    }
    this.#guards.push(this.#guard(starter))
  }

  /** Aborted when {@link stop} is called. */
  get stopping(): AbortSignal {
    return this.#stopping.signal
  }

  /** Whether the process of a role runs, and responded when its metrics were last read. */
  isUp(role: Role): boolean {
    const running = this.#running.get(role)
    return running !== undefined && !this.#silent.has(running)
  }

  /** Metrics of each running role that responds. */
  async metrics(): Promise<{ readonly role: Role; readonly metrics: readonly object[] }[]> {
    const read = [...this.#running].map(async ([role, running]) => {
      const metrics = await running.metrics()
      if (metrics === undefined) this.#silent.add(running)
      else this.#silent.delete(running)
      return { role, metrics: metrics ?? [] }
    })
    return await Promise.all(read)
  }

  /** Stops every role in reverse order of start; resolves when all processes have ended. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    await Promise.allSettled(this.#starting)
    for (const name of [...ROLES].reverse()) {
      const role = this.#running.get(name)
      if (!role) continue
      this.#log.info({ stopping: name }, 'stopping')
      await role.stop()
      removePid(this.#run, name)
    }
    await Promise.all(this.#guards)
    removePid(this.#run, 'supervisor')
  }

  async #startOne(starter: RoleStarter): Promise<void> {
    const starting = this.#startNow(starter).finally(() => this.#starting.delete(starting))
    this.#starting.add(starting)
    await starting
  }

  async #startNow(starter: RoleStarter): Promise<void> {
    const role = await starter.start(this.#stopping.signal)
    this.#running.set(starter.name, role)
    writePid(this.#run, starter.name, role.pid)
  }

  async #guard(starter: RoleStarter): Promise<void> {
    const backoff = new Backoff(RESTART)
    const { signal } = this.#stopping
    while (!signal.aborted) {
      const role = this.#running.get(starter.name)
      const sinceMs = monotonicMs()
      const cause = role ? await role.exited : 'the start failed'
      if (signal.aborted) return
      if (role && monotonicMs() - sinceMs > HEALTHY_MS) backoff.reset()
      this.#running.delete(starter.name)
      const restartMs = backoff.next()
      countDeath(starter.name)
      this.#log.error({ died: starter.name, cause, restartMs }, 'a role died and will be restarted')
      await sleep(restartMs, signal).catch(() => undefined)
      if (!signal.aborted) await this.#restart(starter)
    }
  }

  async #restart(starter: RoleStarter): Promise<void> {
    try {
      await this.#startOne(starter)
      this.#log.info({ restarted: starter.name }, 'a role was restarted')
    } catch (error) {
      if (this.#stopping.signal.aborted) return
      const shown = error instanceof FatalError ? error.message : error
      this.#log.error({ role: starter.name, err: shown }, 'a role could not be restarted')
    }
  }
}
