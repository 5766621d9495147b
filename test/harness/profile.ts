/** Sets how thoroughly properties are searched; `npm test` sets it. */
export const PROFILE_VARIABLE = 'MILLRACE_TEST_PROFILE'

/** Fewer runs of each property. */
export const FAST = 'fast'

const FAST_SHARE = 0.1
const FAST_RUNS_MIN = 10

/** Whether this is a run of `npm test`. */
export function isFastProfile(): boolean {
  return process.env[PROFILE_VARIABLE] === FAST
}

/** How often a property is tried: `fullCount` times, or a tenth of it in `npm test`. */
export function propertyRuns(fullCount: number): number {
  if (!isFastProfile()) return fullCount
  return Math.min(fullCount, Math.max(FAST_RUNS_MIN, Math.ceil(fullCount * FAST_SHARE)))
}
