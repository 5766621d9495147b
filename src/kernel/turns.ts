import { setTimeout as rest } from 'node:timers/promises'
import { monotonicMs } from './clock.ts'

/** Work that can stop between two of its steps, and answers a `T` at its end. */
export type Steps<T> = Generator<void, T, void>

/** Whatever else the thread has to do comes first for so long: it may need the thread several times in a row. */
const REST_MS = 2

/** A turn takes this much of the rest before it: a quarter of the thread, also where the others make rests longer. */
const TURN_SHARE = 1 / 3

/** A turn keeps nobody waiting for longer, however long the rest before it was. A step on its own may. */
const TURN_MS_MAX = 5

/** Does all steps now. Throws what they throw. */
export function runAtOnce<T>(steps: Steps<T>): T {
  let step = steps.next()
  while (!step.done) step = steps.next()
  return step.value
}

/** Does the steps in short turns, so that they hold nothing else on this thread up. Rejects with what they throw. */
export async function runInTurns<T>(steps: Steps<T>): Promise<T> {
  let endMs = monotonicMs() + turnMs(REST_MS)
  let step = steps.next()
  while (!step.done) {
    const nowMs = monotonicMs()
    if (nowMs >= endMs) {
      await rest(REST_MS)
      const restedMs = monotonicMs() - nowMs
      endMs = nowMs + restedMs + turnMs(restedMs)
    }
    step = steps.next()
  }
  return step.value
}

function turnMs(restedMs: number): number {
  return Math.min(restedMs * TURN_SHARE, TURN_MS_MAX)
}
