import { monotonicMs } from '../../src/kernel/clock.ts'
import { processCpuSeconds } from '../rig/cpu.ts'
import { median } from '../summary.ts'
import type { Figures } from './figures.ts'

/** A result, and the rows that the engine read for it. */
export interface Answer {
  readonly figures: Figures
  readonly readRows: number
}

/** One way to run a query. */
export interface Way {
  readonly name: string
  run(): Promise<Answer>
}

/** The cost of a way to the engine, as medians of the rounds, or the reason of its failure. */
export type Outcome =
  | {
      readonly name: string
      readonly cpuMs: number
      readonly wallMs: number
      /** Median over the rounds of its CPU time / that of the first way. */
      readonly ratio: number
      readonly answer: Answer
    }
  | { readonly name: string; readonly failed: string }

interface Sample {
  readonly cpuMs: number
  readonly wallMs: number
}

/** A way that takes longer runs once. */
const SLOW_MS = 20_000

/** The samples of a way by round; the first one fills the caches. */
interface Run {
  readonly way: Way
  readonly samples: Sample[]
  result: Answer | string
}

/**
 * Runs every way, one after the other, `rounds` times; a round before them fills the caches. Neighbours on the
 * machine slow down all ways of a round alike, which the ratios are made of. A way that fails does not run again.
 */
export async function measureWays(
  ways: readonly Way[],
  { rounds, enginePid }: { readonly rounds: number; readonly enginePid: number },
): Promise<readonly Outcome[]> {
  const runs = ways.map((way): Run => ({ way, samples: [], result: 'did not run' }))
  for (let round = 0; round <= rounds; round++) {
    for (const run of runs.filter((candidate) => round === 0 || isRepeated(candidate))) {
      const { result, sample } = await measureOnce(run.way, enginePid)
      run.result = result
      run.samples.push(sample)
    }
  }
  return runs.map((run) => toOutcome(run, runs[0]?.samples ?? []))
}

function isRepeated({ samples, result }: Run): boolean {
  return typeof result === 'object' && (samples[0]?.wallMs ?? 0) < SLOW_MS
}

function toOutcome({ way: { name }, samples, result }: Run, base: readonly Sample[]): Outcome {
  if (typeof result === 'string') return { name, failed: result }
  const ratios = samples.map(({ cpuMs }, round) => cpuMs / (base[round]?.cpuMs ?? Number.NaN))
  const measured = <T>(ofRounds: readonly T[]) => (ofRounds.length === 1 ? ofRounds : ofRounds.slice(1))
  return {
    name,
    cpuMs: median(measured(samples).map(({ cpuMs }) => cpuMs)),
    wallMs: median(measured(samples).map(({ wallMs }) => wallMs)),
    ratio: median(measured(ratios)),
    answer: result,
  }
}

async function measureOnce(
  way: Way,
  enginePid: number,
): Promise<{ readonly result: Answer | string; readonly sample: Sample }> {
  const beforeSeconds = processCpuSeconds(enginePid)
  const beforeMs = monotonicMs()
  const result = await way
    .run()
    .catch((error: unknown) => (error instanceof Error ? error.message : String(error)))
  const wallMs = monotonicMs() - beforeMs
  return { result, sample: { wallMs, cpuMs: (processCpuSeconds(enginePid) - beforeSeconds) * 1000 } }
}
