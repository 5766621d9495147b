import { readFileSync } from 'node:fs'
import { monotonicMs, sleep } from '../../src/kernel/clock.ts'
import type { BenchService } from '../rig/service.ts'
import type { Figure } from './growth-table.ts'

/** Work is repeated until it has cost so much, because CPU time is counted in hundredths of a second. */
const CPU_MS_MIN = 600
const TIMES_MAX = 12

const TICKS_PER_SECOND = 100

/** A service without work takes less of a core than this over a look. */
const QUIET_SHARE = 0.1
const LOOK_MS = 5000
const QUIET_MS_MAX = 900_000

/** Collects the figures of a running service. */
export class Probe {
  readonly figures: Figure[] = []
  readonly #service: BenchService
  readonly #onProgress: (line: string) => void

  constructor(service: BenchService, onProgress: (line: string) => void) {
    this.#service = service
    this.#onProgress = onProgress
  }

  /** Adds a figure. */
  record(name: string, unit: string, value: number): void {
    this.figures.push({ name, unit, value })
    this.#onProgress(`  ${name}: ${value.toPrecision(4)} ${unit}`)
  }

  /** Adds the CPU time since the start of the service, and that of its engine. */
  recordStart(name: string): void {
    const byRole = this.#service.cpuSeconds()
    this.record(name, 's CPU', sum(byRole))
    this.record(`${name}: engine`, 's CPU', byRole.get('store') ?? 0)
  }

  /** CPU seconds so far of all processes of the service, and of commands that have ended. */
  cpuSeconds(): number {
    return sum(this.#service.cpuSeconds()) + endedCpuSeconds()
  }

  /**
   * Adds the CPU time until the service has no work of its own left, such as merges of what the folder was given while it did not run: what is
   * measured next would include it. Throws when that takes a quarter of an hour.
   */
  async recordSettling(name: string): Promise<void> {
    const endMs = monotonicMs() + QUIET_MS_MAX
    let [spent, last] = [0, Number.POSITIVE_INFINITY]
    while (last > (QUIET_SHARE * LOOK_MS) / 1000) {
      if (monotonicMs() > endMs) throw new Error(`the service still takes ${last} s of CPU in ${LOOK_MS} ms`)
      last = await this.costOf(async () => await sleep(LOOK_MS))
      spent += last
    }
    this.record(name, 's CPU', spent)
  }

  /** CPU seconds that some work costs. */
  async costOf(work: () => Promise<unknown>): Promise<number> {
    const before = this.cpuSeconds()
    await work()
    return this.cpuSeconds() - before
  }

  /** Adds the CPU time of one call: once to fill the caches, then some more times. */
  async question(name: string, ask: () => Promise<unknown>): Promise<void> {
    const firstMs = (await this.costOf(ask)) * 1000
    const times = Math.min(TIMES_MAX, Math.ceil(CPU_MS_MIN / Math.max(firstMs, 1)))
    const cpuMs = (await this.costOf(async () => await repeat(times, ask))) * 1000
    this.record(name, 'ms CPU', cpuMs / times)
  }

  /** Adds the memory of all processes. */
  memory(name: string): void {
    this.record(name, 'MiB PSS', sum(this.#service.proportionalMib()))
  }
}

async function repeat(times: number, ask: () => Promise<unknown>): Promise<void> {
  for (let time = 0; time < times; time++) await ask()
}

function sum(byRole: ReadonlyMap<string, number>): number {
  return [...byRole.values()].reduce((total, one) => total + one, 0)
}

/** CPU seconds of the children of this process that have ended. Linux only. */
function endedCpuSeconds(): number {
  const stat = readFileSync('/proc/self/stat', 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[13]) + Number(fields[14])) / TICKS_PER_SECOND
}
