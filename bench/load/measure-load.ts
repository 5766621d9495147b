import { monotonicMs } from '../../src/kernel/clock.ts'
import { cpuMicrosPerEvent, readCpuByRole } from './cpu-by-role.ts'
import type { LoadShape } from './load-command.ts'
import { type LoadResult, type LoadTarget, sendTimedLoad } from './send-load.ts'

/** A load and what it cost. */
export interface Measured {
  readonly result: LoadResult
  /** Microseconds of CPU time for each acknowledged event, by role; empty where the processes are not known. */
  readonly cpuMicros: Readonly<Record<string, number>>
  /** Seconds from the last answer until the service had done all that the load caused; 0 without a wait. */
  readonly settleSeconds: number
}

/** The target of a measurement. */
export interface MeasuredTarget extends LoadTarget {
  readonly dataDir: string | undefined
  /** Waits until the service has done all that the load caused: its cost is part of the load's. */
  readonly untilSettled?: (events: number) => Promise<void>
}

/** Sends a load and reads what the processes of the service took for it. */
export async function measureLoad(target: MeasuredTarget, shape: LoadShape): Promise<Measured> {
  const before = readCpuByRole(target.dataDir)
  const result = await sendTimedLoad(target, shape)
  const answeredMs = monotonicMs()
  await target.untilSettled?.(result.events)
  const settleSeconds = (monotonicMs() - answeredMs) / 1000
  const after = readCpuByRole(target.dataDir)
  return { result, settleSeconds, cpuMicros: cpuMicrosPerEvent({ before, after }, result.events) }
}
