import { setTimeout as delay } from 'node:timers/promises'

/** The only source of wall-clock time, so that tests can control it. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  nowMs(): number
}

/** The machine's clock. */
export const systemClock: Clock = { nowMs: () => Date.now() }

/** Milliseconds of a monotonic clock; only differences are meaningful. */
export function monotonicMs(): number {
  return performance.now()
}

/** Like {@link monotonicMs}, but shared by all threads and processes of the machine. */
export function machineMs(): number {
  return Number(process.hrtime.bigint() / 1000n) / 1000
}

/** The wall-clock time of a {@link monotonicMs} reading, extrapolated by this process and free of jumps. */
export function epochMs(atMonotonicMs: number): number {
  return performance.timeOrigin + atMonotonicMs
}

/** Resolves after `ms`; rejects with the signal's reason if it aborts first. */
export async function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  await delay(ms, undefined, signal ? { signal } : {})
}
