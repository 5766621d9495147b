import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import type { JobHandlers } from '../../src/jobs/job-handler.ts'
import { JobRunner } from '../../src/jobs/job-runner.ts'
import { RecurringDispatcher } from '../../src/jobs/recurring-dispatcher.ts'
import { createRecurringJobHandlers, type RecurringHandlers } from '../../src/jobs/recurring-jobs.ts'
import { type Clock, sleep } from '../../src/kernel/clock.ts'
import { createLogger, type Logger } from '../../src/kernel/log.ts'
import type { Prng } from '../../src/kernel/prng.ts'
import { Sealer } from '../../src/kernel/sealer.ts'
import { type Catalog, type CatalogLocation, openCatalog } from '../../src/store/catalog/catalog.ts'
import { waitFor } from '../harness/wait.ts'

/** Where and when processes work, and where their notifications go. */
export interface Race {
  readonly place: CatalogLocation
  readonly receiverUrl: string
  /** An instant of the machine's clock, and the same one of the run's, which is faster. */
  readonly machineMs: number
  readonly startMs: number
  readonly speed: number
}

/** Another run: `FAULT_SEED=7 npx vitest run test/faults/alerts.test.ts`; a long one has `FAULT_KILLS=500`. */
export const FAULT_SEED = Number(process.env.FAULT_SEED ?? Math.floor(Math.random() * 2 ** 32))
const KILLS = Number(process.env.FAULT_KILLS ?? 12)

/** Longest time between two kills. */
const PAUSE_MS_MAX = 700

/** A process takes about a second to start. */
export const RACE_MS_MAX = 60_000 + KILLS * (PAUSE_MS_MAX * 2 + 1500)

/** The secrets of a race. */
export const SEALER = new Sealer(Buffer.alloc(32, 1))

/** The clock of a race. */
export function clockOf({ machineMs, startMs, speed }: Race): Clock {
  return { nowMs: () => Math.floor(startMs + (Date.now() - machineMs) * speed) }
}

const PROCESSES = 2

/** Processes that run the same background jobs, of which one is killed after a random time, again and again. */
export class RacingJobs {
  readonly #module: string
  readonly #processes: ChildProcess[] = []

  /** The module runs {@link runJobs} when it is the entry of a process. */
  constructor(module: string) {
    this.#module = module
  }

  /** Resolves when all kills are done, and then all jobs. */
  async run(
    race: Race,
    { catalog, prng }: { readonly catalog: Catalog; readonly prng: Prng },
  ): Promise<void> {
    for (let index = 0; index < PROCESSES; index++) this.#processes.push(await this.#start(race))
    for (let kills = 0; kills < KILLS; kills++) {
      await sleep(prng.below(PAUSE_MS_MAX))
      const index = prng.below(PROCESSES)
      await kill(this.#processes[index])
      this.#processes[index] = await this.#start(race)
    }
    for (const child of this.#processes) child.send('stop')
    await waitFor(
      'all jobs to end',
      async () => {
        const jobs = await catalog.selectFrom('jobs').select('id').execute()
        return jobs.length === 0 ? true : undefined
      },
      30_000,
    )
  }

  async destroy(): Promise<void> {
    for (const child of this.#processes) await kill(child)
  }

  async #start(race: Race): Promise<ChildProcess> {
    const child = fork(this.#module, [JSON.stringify(race)], { execArgv: [] })
    await once(child, 'message')
    return child
  }
}

async function kill(child: ChildProcess | undefined): Promise<void> {
  if (!child || child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}

/** Claims last for a second of the machine, so that those of a killed process end, and long work is done twice. */
const LEASE_MACHINE_MS = 1000
const POLL_MS = 20

/** The dependencies of jobs in a process of a race. */
export interface RacingParts {
  readonly race: Race
  readonly catalog: Catalog
  readonly clock: Clock
  readonly log: Logger
}

/** Runs jobs in this process until it is killed. A message stops it from beginning recurring ones. */
export function runJobs(
  [text = '']: readonly string[],
  createHandlers: (parts: RacingParts) => {
    readonly recurring: RecurringHandlers
    readonly handlers: JobHandlers
  },
): void {
  const race: Race = JSON.parse(text)
  const parts = {
    catalog: openCatalog(race.place),
    clock: clockOf(race),
    log: createLogger({ role: 'test', level: 'silent' }),
  }
  const { recurring, handlers } = createHandlers({ ...parts, race })
  const tuning = {
    pollMs: POLL_MS,
    leaseMs: LEASE_MACHINE_MS * race.speed,
    retry: { firstMs: 1, maxMs: race.speed * POLL_MS },
  }
  const dispatcher = new RecurringDispatcher({
    ...parts,
    standing: [],
    pollMs: POLL_MS,
    kinds: Object.keys(recurring),
    wakeJobs: () => undefined,
  })
  const { catalog } = parts
  const wrapped = createRecurringJobHandlers(recurring, { catalog, wakeDispatcher: () => undefined })
  new JobRunner({ ...parts, handlers: { ...wrapped, ...handlers }, tuning }).start()
  dispatcher.start()
  process.on('message', () => void dispatcher.stop())
  process.send?.('ready')
}
