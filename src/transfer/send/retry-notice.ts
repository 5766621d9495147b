import { monotonicMs } from '../../kernel/clock.ts'
import type { ProgressOutput } from '../progress.ts'

/** While a service is down, every connection retries: one line covers them all. */
const NOTICE_EVERY_MS = 10_000

/** Creates a function that reports the cause of retries, at most once per interval. */
export function createRetryNotice(
  output: ProgressOutput,
  nowMs: () => number = monotonicMs,
): (cause: string) => void {
  let shownMs = Number.NEGATIVE_INFINITY
  return (cause) => {
    if (nowMs() - shownMs < NOTICE_EVERY_MS) return
    shownMs = nowMs()
    // On a terminal, replaces the progress line.
    output.write(`${output.isTTY ? '\r\u001b[K' : ''}${cause}; retrying\n`)
  }
}
