/** A change below this is shown as none: it would be written as 0.0. */
const CHANGE_MIN = 0.0005

/** The meaning of a rise of a value. */
export type Better = 'up' | 'down' | 'neither'

/** A change against a previous value. */
export interface Change {
  /** As a share of the previous value, or for `pp` the difference of two shares; `new` when the previous value is 0. */
  readonly by: number | 'new'
  /** `pp`: percentage points, for the change of a rate. */
  readonly unit?: 'percent' | 'pp'
  /** Whether a rise is good; `up` when absent. */
  readonly better?: Better
}

/** The direction of a change and what it means. */
export function judgeChange({ by, better = 'up' }: Change): {
  readonly direction: 'up' | 'down' | 'none'
  readonly verdict: 'good' | 'bad' | 'neutral'
} {
  if (by === 'new') return { direction: 'up', verdict: better === 'up' ? 'good' : 'neutral' }
  if (Math.abs(by) < CHANGE_MIN) return { direction: 'none', verdict: 'neutral' }
  const direction = by > 0 ? 'up' : 'down'
  if (better === 'neither') return { direction, verdict: 'neutral' }
  return { direction, verdict: direction === better ? 'good' : 'bad' }
}
