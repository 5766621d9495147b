import { readFileSync } from 'node:fs'
import { monotonicMs } from '../../src/kernel/clock.ts'

/** Work that is repeated until its CPU time can be told. */
export interface Work {
  /** Events that one call handles. */
  readonly events: number
  run(): unknown
}

/** Long enough for the 4 ms in which some kernels account for CPU time, short enough for neighbours to hit both sides. */
const SLICE_MS = 150

/** Linux counts in these units on every architecture that Node.js runs on. */
const TICKS_PER_SECOND = 100

/**
 * CPU microseconds per event of this process, over all its threads: garbage collection and compilation count. Promises
 * are awaited.
 */
export async function cpuMicrosPerEvent(work: Work): Promise<number> {
  const before = process.cpuUsage()
  const endMs = monotonicMs() + SLICE_MS
  let calls = 0
  do {
    await work.run()
    calls++
  } while (monotonicMs() < endMs)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / (calls * work.events)
}

/** CPU seconds that a process has taken since its start, over all its threads, to the hundredth. Linux only. */
export function processCpuSeconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  // The second field, the name, may hold blanks and brackets; utime and stime are the 14th and 15th field.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND
}

/** Most MiB of memory that a process has had resident since its start. Linux only. */
export function processResidentMibMax(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024
}

/** MiB of memory of a process now, of a page that N processes use the Nth part. Linux only. */
export function processProportionalMib(pid: number): number {
  const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')
  return Number(/^Pss:\s+(\d+) kB$/m.exec(rollup)?.[1]) / 1024
}

/** `JSON.parse` of request bodies from their bytes: the cost of every ingestion case is a multiple of this. */
export function parseJsonWork(bodies: readonly Buffer[], events: number): Work {
  return {
    events,
    run: () => {
      for (const body of bodies) JSON.parse(body.toString('utf8'))
    },
  }
}

/** Name of {@link parseJsonWork} in reports. */
export const PARSE_JSON = 'JSON.parse of the same bytes'
