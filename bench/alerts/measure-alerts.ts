// What alerts cost: a round of 1,000 hourly alerts on 300 questions over the traffic of the insights benchmark, and a dashboard that
// people ask meanwhile, beside the same dashboard without alerts.
import { parseArgs } from 'node:util'
import { asProjectId } from '../../src/contract/ids.ts'
import { CHECK_ALERTS } from '../../src/control/alerts/alert-jobs.ts'
import type { RunPayload } from '../../src/jobs/recurring-jobs.ts'
import { monotonicMs, sleep, systemClock } from '../../src/kernel/clock.ts'
import { type Catalog, openCatalog } from '../../src/store/catalog/catalog.ts'
import { insertJob } from '../../src/store/catalog/job-store.ts'
import { LAST_WEEK } from '../insights/queries/create-request.ts'
import { holdsWorld, openWorld } from '../insights/world/world.ts'
import { runCommand } from '../rig/run-command.ts'
import type { BenchService } from '../rig/service.ts'
import { percentile } from '../rig/steady-load.ts'
import {
  createTwentyTiles,
  queryDashboard,
  type Shown,
  startOnWorld,
  type TwentyTiles,
} from '../rig/twenty-tiles.ts'
import { Teardown } from '../teardown.ts'
import { ALERTS, alertContents } from './alert-mix.ts'

const USAGE = 'npm run bench:alerts -- [--data folder] [--events N] [--rounds N]'

/** The bootstrap creates it, and the insights benchmark fills it. */
const PROJECT = asProjectId(1)

const HOUR_MS = 3_600_000

/** Rounds are about this hour, the afternoon of the last day, and those after it. */
const FIRST_HOUR_MS = LAST_WEEK.toMs - 12 * HOUR_MS
const ROUNDS_MAX = 11

const ROUND_MS_MAX = 600_000
const LOOK_EVERY_MS = 100

/** Of a round: enough for a percentile, and few enough that the command ends within minutes. */
const DASHBOARDS_MAX = 30

/** Between two dashboards: how long a user looks at one. */
const PAUSE_MS = 500

const IDLE_MS_MAX = 300_000
const IDLE_LOOK_MS = 3000
const IDLE_CORES = 0.1

const SHOWN: Shown = {
  timeRange: { from: toTime(LAST_WEEK.fromMs), to: toTime(LAST_WEEK.toMs) },
  granularity: 'GRANULARITY_DAY',
}

await runCommand(USAGE, async (teardown) => {
  const { values } = parseArgs({
    options: {
      data: { type: 'string' },
      events: { type: 'string', default: '20000000' },
      rounds: { type: 'string', default: '1' },
    },
  })
  const rounds = Number(values.rounds)
  if (!(rounds >= 1 && rounds < ROUNDS_MAX)) throw new Error(`rounds must be 1 to ${ROUNDS_MAX - 1}`)
  const folder = values.data ?? teardown.temporaryFolder()
  if (!holdsWorld(folder)) await prepareWorld(teardown, { folder, events: Number(values.events) })
  const service = await startOnWorld(teardown, folder)
  const catalog = openCatalog({ dataDir: folder })
  teardown.defer(async () => await catalog.destroy())
  const tiles = await createTwentyTiles(service, String(PROJECT))
  const alerts = await createAlerts(teardown, { catalog, tiles })
  await untilIdle(service)
  await measureRound(service, async () => await alerts.run(0))
  // The first look reads the disk.
  await askDashboard(tiles)
  await measureDashboards({ tiles, alerts, rounds })
})

/** Fills an empty folder. */
async function prepareWorld(
  teardown: Teardown,
  { folder, events }: { readonly folder: string; readonly events: number },
): Promise<void> {
  const building = new Teardown()
  teardown.defer(async () => await building.run())
  const onProgress = (line: string): void => void process.stderr.write(`${line} ...\n`)
  const world = await openWorld(
    { plan: { events, project: PROJECT }, folder, threads: 2, onProgress },
    building,
  )
  await world.become('members')
  await building.run()
}

/** The alerts of a service. */
interface Alerts {
  /** Checks all of them about an hour, as the service does when it ends; each round needs a later one. */
  run(round: number): Promise<void>
}

async function createAlerts(
  teardown: Teardown,
  { catalog, tiles }: { readonly catalog: Catalog; readonly tiles: TwentyTiles },
): Promise<Alerts> {
  const removeAll = async (): Promise<void> => {
    await catalog.deleteFrom('alerts').where('project_id', '=', PROJECT).execute()
    await catalog.deleteFrom('recurring_jobs').where('kind', '=', CHECK_ALERTS).execute()
  }
  await removeAll()
  teardown.defer(removeAll)
  for (const content of alertContents())
    await tiles.call('millrace.alerts.v1.AlertsService/Create', { content })
  const { id: recurringId } = await catalog
    .selectFrom('recurring_jobs')
    .select('id')
    .where('kind', '=', CHECK_ALERTS)
    .executeTakeFirstOrThrow()
  // Only the hours of the traffic are checked, not those of the clock.
  const never = { next_ms: Number.MAX_SAFE_INTEGER }
  await catalog.updateTable('recurring_jobs').set(never).where('id', '=', recurringId).execute()
  return {
    run: async (round) => {
      const fromMs = FIRST_HOUR_MS + round * HOUR_MS
      const payload: RunPayload = { recurringId, fromMs, toMs: fromMs + HOUR_MS, timeZone: 'UTC' }
      await runJob(catalog, payload)
      await requireChecked(catalog, payload.toMs)
    },
  }
}

/** Resolves when the service has done the job. */
async function runJob(catalog: Catalog, payload: RunPayload): Promise<void> {
  const id = await insertJob(catalog, {
    kind: CHECK_ALERTS,
    projectId: PROJECT,
    payload,
    nowMs: systemClock.nowMs(),
  })
  const endMs = monotonicMs() + ROUND_MS_MAX
  while (monotonicMs() < endMs) {
    const job = await catalog
      .selectFrom('jobs')
      .select(['state', 'error'])
      .where('id', '=', id)
      .executeTakeFirst()
    if (!job) return
    if (job.error !== '') throw new Error(`the checks failed: ${job.error}`)
    await sleep(LOOK_EVERY_MS)
  }
  throw new Error(`the checks take longer than ${ROUND_MS_MAX / 1000} s`)
}

async function requireChecked(catalog: Catalog, toMs: number): Promise<void> {
  const checks = await catalog
    .selectFrom('alert_checks')
    .select(['outcome', 'error'])
    .where('to_ms', '=', toMs)
    .execute()
  const failed = checks.find(({ outcome }) => outcome === 'failed')
  if (failed) throw new Error(`a check failed: ${failed.error}`)
  const numberCount = checks.filter(({ outcome }) => outcome !== 'no-number').length
  if (checks.length !== ALERTS || numberCount < ALERTS / 2)
    throw new Error(`only ${numberCount} of ${checks.length} checks found a number`)
}

/** A service that has just started fills tables from the events before it. */
async function untilIdle(service: BenchService): Promise<void> {
  const endMs = monotonicMs() + IDLE_MS_MAX
  while (monotonicMs() < endMs) {
    const before = sum(service.cpuSeconds())
    await sleep(IDLE_LOOK_MS)
    if ((sum(service.cpuSeconds()) - before) / (IDLE_LOOK_MS / 1000) < IDLE_CORES) return
  }
  throw new Error('the service did not become idle')
}

async function measureRound({ cpuSeconds }: BenchService, run: () => Promise<void>): Promise<void> {
  const [before, startMs] = [cpuSeconds(), monotonicMs()]
  await run()
  const seconds = (monotonicMs() - startMs) / 1000
  const after = cpuSeconds()
  const cores = (role: string): string =>
    (((after.get(role) ?? 0) - (before.get(role) ?? 0)) / seconds).toFixed(2)
  const cpu = sum(after) - sum(before)
  process.stdout.write(
    `round of ${ALERTS} alerts: ${seconds.toFixed(1)} s, ${cpu.toFixed(1)} s of CPU, ${(cpu / seconds).toFixed(2)} cores meanwhile (store ${cores('store')}, query ${cores('query')}), ${((cpu * 1000) / HOUR_MS).toFixed(3)} over the hour\n`,
  )
}

/** Alternates dashboards without alerts and as many beside a round. */
async function measureDashboards(of: {
  readonly tiles: TwentyTiles
  readonly alerts: Alerts
  readonly rounds: number
}): Promise<void> {
  const [without, beside]: [number[], number[]] = [[], []]
  for (let round = 0; round < of.rounds; round++) {
    let isRunning = true
    const startMs = monotonicMs()
    const running = of.alerts.run(round + 1).finally(() => {
      isRunning = false
    })
    const asked = await askWhile(of.tiles, (askedCount) => isRunning && askedCount < DASHBOARDS_MAX)
    await running
    process.stdout.write(
      `round beside ${asked.length} dashboards: ${((monotonicMs() - startMs) / 1000).toFixed(1)} s\n`,
    )
    beside.push(...asked)
    const count = asked.length
    without.push(...(await askWhile(of.tiles, (askedCount) => askedCount < count)))
  }
  print('without alerts', without)
  print('beside alerts', beside)
  const ratio = at(beside, 0.95) / at(without, 0.95)
  process.stdout.write(`p95 of the dashboard beside alerts: ${ratio.toFixed(2)} x\n`)
}

async function askWhile(
  tiles: TwentyTiles,
  isWanted: (askedCount: number) => boolean,
): Promise<readonly number[]> {
  const times: number[] = []
  while (isWanted(times.length)) {
    times.push(await askDashboard(tiles))
    await sleep(PAUSE_MS)
  }
  return times
}

async function askDashboard(tiles: TwentyTiles): Promise<number> {
  const startMs = monotonicMs()
  await queryDashboard(tiles, SHOWN)
  return monotonicMs() - startMs
}

function print(name: string, times: readonly number[]): void {
  const [half, most] = [0.5, 0.95].map((share) => Math.round(at(times, share)))
  process.stdout.write(`dashboard ${name}: p50 ${half} ms, p95 ${most} ms of ${times.length}\n`)
}

function at(times: readonly number[], share: number): number {
  return percentile({ latencies: times.toSorted((a, b) => a - b) }, share)
}

function sum(seconds: ReadonlyMap<string, number>): number {
  return [...seconds.values()].reduce((total, one) => total + one, 0)
}

function toTime(ms: number): string {
  return new Date(ms).toISOString()
}
