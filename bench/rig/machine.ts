import { closeSync, openSync, readSync } from 'node:fs'
import { availableParallelism, cpus, loadavg } from 'node:os'
import { batchBodies, FIXTURE_EVENTS } from '../corpus/fixtures.ts'
import { median } from '../summary.ts'
import { cpuMicrosPerEvent, parseJsonWork } from './cpu.ts'

/** What figures depend on beside the code. */
export interface Machine {
  /** CPU time of one system call over that of `JSON.parse` of one event: small batches cost more where it is higher. */
  readonly callsToParse: number
  readonly cores: number
  readonly model: string
  /** Processes that wanted to run in the last minute; above the number of cores, figures are those of a shared machine. */
  readonly load: number
}

const ROUNDS = 3
const CALLS = 1000

/** Measures the class of this machine, in about a second. */
export async function measureMachine(): Promise<Machine> {
  const load = loadavg()[0] ?? Number.NaN
  const parse = parseJsonWork(batchBodies(100), FIXTURE_EVENTS)
  const calls = { events: CALLS, run: readZeros }
  const ratios: number[] = []
  for (let round = 0; round <= ROUNDS; round++) {
    const ratio = (await cpuMicrosPerEvent(calls)) / (await cpuMicrosPerEvent(parse))
    // The first round warms up.
    if (round > 0) ratios.push(ratio)
  }
  const model = cpus()[0]?.model.trim() ?? 'unknown'
  return { callsToParse: median(ratios), cores: availableParallelism(), model, load }
}

/** One line for reports. */
export function describeMachine({ callsToParse, cores, model, load }: Machine): string {
  const ratio = callsToParse.toFixed(2)
  return `machine: a system call costs ${ratio} x JSON.parse of an event; ${cores} cores of ${model}, load ${load.toFixed(1)}, Node.js ${process.versions.node}`
}

/** Reads of one byte. */
function readZeros(): void {
  const file = openSync('/dev/zero', 'r')
  const byte = new Uint8Array(1)
  for (let call = 0; call < CALLS; call++) readSync(file, byte)
  closeSync(file)
}
