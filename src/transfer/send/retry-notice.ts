import { monotonicMs } from '../../kernel/clock.ts'
import type { ProgressOutput } from '../progress.ts'

/** Every call of many connections is made again while a service is away: one line tells of all of them. */
const NOTICE_EVERY_MS = 10_000

/** Tells, now and then, why what was sent is sent once more. */
export function createRetryNotice(
  output: ProgressOutput,
  nowMs: () => number = monotonicMs,
): (cause: string) => void {
  let toldMs = Number.NEGATIVE_INFINITY
  return (cause) => {
    if (nowMs() - toldMs < NOTICE_EVERY_MS) return
    toldMs = nowMs()
    // On a terminal, over the line of the progress.
    output.write(`${output.isTTY ? '\r\u001b[K' : ''}${cause}; trying again\n`)
  }
}
