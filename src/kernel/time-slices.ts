import { setTimeout as pause } from 'node:timers/promises'
import { monotonicMs } from './clock.ts'

/** Work that can pause between steps and returns a `T`. */
export type Steps<T> = Generator<void, T, void>

/** Length of a pause, which leaves the thread to other work; that may need it several times in a row. */
const PAUSE_MS = 2

/**
 * A slice takes this share of the preceding pause: a quarter of the thread, even when other work makes pauses longer.
 */
const SLICE_SHARE = 1 / 3

/**
 * Maximum length of a slice, however long the preceding pause, so that it bounds the latency of other work. A single
 * step may exceed it.
 */
const SLICE_MS_MAX = 5

/** Runs all steps synchronously. Throws what they throw. */
export function runAtOnce<T>(steps: Steps<T>): T {
  let step = steps.next()
  while (!step.done) step = steps.next()
  return step.value
}

/**
 * Runs the steps in short time slices, so that they do not block the thread for other work. Rejects with what they
 * throw.
 */
export async function runInSlices<T>(steps: Steps<T>): Promise<T> {
  let endMs = monotonicMs() + sliceMs(PAUSE_MS)
  let step = steps.next()
  while (!step.done) {
    const nowMs = monotonicMs()
    if (nowMs >= endMs) {
      await pause(PAUSE_MS)
      const pausedMs = monotonicMs() - nowMs
      endMs = nowMs + pausedMs + sliceMs(pausedMs)
    }
    step = steps.next()
  }
  return step.value
}

function sliceMs(pausedMs: number): number {
  return Math.min(pausedMs * SLICE_SHARE, SLICE_MS_MAX)
}
