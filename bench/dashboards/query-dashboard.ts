// Cost of a dashboard of twenty tiles to the service: one QueryDashboard against twenty calls of Query, one after the other,
// over the events of the insights benchmark. No answer is taken from the cache.
import { monotonicMs } from '../../src/kernel/clock.ts'
import { TRAFFIC_RANGE } from '../insights/world/traffic.ts'
import { type OnWorld, runOnWorld } from '../rig/run-command.ts'
import type { BenchService } from '../rig/service.ts'
import {
  createTwentyTiles,
  FRESH,
  queryDashboard,
  type Shown,
  startOnWorld,
  type TwentyTiles,
} from '../rig/twenty-tiles.ts'

const ROUNDS = 5
/** The bootstrap creates it, and the insights benchmark fills it. */
const PROJECT = '1'
const SHOWN: Shown = {
  timeRange: { from: toTime(TRAFFIC_RANGE.fromMs), to: toTime(TRAFFIC_RANGE.toMs) },
  granularity: 'GRANULARITY_DAY',
}

/** Of a round, in milliseconds. */
interface Cost {
  readonly wallMs: number
  readonly cpuMs: number
}

await runOnWorld('bench:dashboards', measure)

async function measure({ folder, teardown }: OnWorld): Promise<void> {
  const service = await startOnWorld(teardown, folder)
  const tiles = await createTwentyTiles(service, PROJECT)
  // The first look reads the disk.
  await queryDashboard(tiles, SHOWN)
  const rounds: { readonly whole: Cost; readonly parts: Cost }[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const parts = await costOf(service, async () => await queryEach(tiles))
    const whole = await costOf(service, async () => await queryDashboard(tiles, SHOWN))
    rounds.push({ whole, parts })
    process.stdout.write(
      `dashboard ${render(whole)}; its queries one by one ${render(parts)}; CPU ${(whole.cpuMs / parts.cpuMs).toFixed(2)} x, time ${(whole.wallMs / parts.wallMs).toFixed(2)} x\n`,
    )
  }
  const ratios = rounds.map(({ whole, parts }) => whole.cpuMs / parts.cpuMs).sort((a, b) => a - b)
  process.stdout.write(`median of the CPU: ${ratios[Math.floor(ROUNDS / 2)]?.toFixed(2)} x\n`)
}

async function queryEach({ call, queries }: TwentyTiles): Promise<void> {
  for (const { request } of queries) {
    await call('shared.insights.v1.InsightsService/Query', { ...SHOWN, spec: request.spec }, FRESH)
  }
}

async function costOf({ cpuSeconds }: BenchService, work: () => Promise<void>): Promise<Cost> {
  const [cpuBefore, startMs] = [sum(cpuSeconds()), monotonicMs()]
  await work()
  return { wallMs: monotonicMs() - startMs, cpuMs: (sum(cpuSeconds()) - cpuBefore) * 1000 }
}

function sum(seconds: ReadonlyMap<string, number>): number {
  return [...seconds.values()].reduce((total, one) => total + one, 0)
}

function render({ wallMs, cpuMs }: Cost): string {
  return `${Math.round(wallMs)} ms (${Math.round(cpuMs)} ms of CPU)`
}

function toTime(ms: number): string {
  return new Date(ms).toISOString()
}
