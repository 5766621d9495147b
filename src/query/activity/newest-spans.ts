import type { RangeMs } from '../../domain/insights/time-range.ts'

const HOUR_MS = 3_600_000

/** For a whole project: the newest events are usually from the last hour. */
export const PROJECT_SPANS_MS = [HOUR_MS, 24 * HOUR_MS, 7 * 24 * HOUR_MS, 60 * 24 * HOUR_MS]
/** By arrival: an import may store millions of events within minutes. */
export const ARRIVAL_SPANS_MS = [HOUR_MS / 60, HOUR_MS / 6, ...PROJECT_SPANS_MS]
/** For one user or session: few events, spread over a long time, and found through an index. */
export const USER_SPANS_MS: readonly number[] = []

/**
 * Splits a range into spans, newest first: the first one reaches back from now, or from the end of the range, the others
 * reach further. Cost grows with the rows sorted, and the first span fills most pages.
 */
export function newestSpans(
  range: RangeMs,
  { spansMs, nowMs }: { readonly spansMs: readonly number[]; readonly nowMs: number },
): RangeMs[] {
  const startMs = Math.min(range.toMs, nowMs)
  const starts = [...spansMs.map((ms) => Math.max(startMs - ms, range.fromMs)), range.fromMs]
  return starts
    .map((fromMs, index) => ({ fromMs, toMs: starts[index - 1] ?? range.toMs }))
    .filter((span) => span.fromMs < span.toMs)
}
