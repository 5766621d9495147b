import { setTimeout as delay } from 'node:timers/promises'

/** The only source of wall-clock time, so that tests can move it. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  nowMs(): number
}

/** The machine's clock. */
export const systemClock: Clock = { nowMs: () => Date.now() }

/** Milliseconds of a clock that never goes backwards; only differences mean something. */
export function monotonicMs(): number {
  return performance.now()
}

/** As {@link monotonicMs}, and the same in all threads and processes of the machine. */
export function machineMs(): number {
  return Number(process.hrtime.bigint() / 1000n) / 1000
}

/** The time of day at a moment of {@link monotonicMs}, as this process counts it: without jumps. */
export function epochMs(atMonotonicMs: number): number {
  return performance.timeOrigin + atMonotonicMs
}

/** Resolves after `ms`; rejects with the signal's reason when it is aborted first. */
export async function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  await delay(ms, undefined, signal ? { signal } : {})
}
