import type { ChartFormats } from './formats.ts'
import type { Unit } from './value-axis.ts'

/** Smaller relative changes, and smaller changes of a rate in percentage points, are none. */
const CHANGE_MIN = 0.0005
const POINTS_MIN = 0.05

/** The size of a change. */
export interface ChangeSize {
  /** As a share of the previous value, or the difference of two rates. */
  readonly by: number
  /** Without its sign: `9.6%`, `1.2 pp`. */
  readonly text: string
  readonly isNone: boolean
}

/** The size of a change of a value; a rate changes by percentage points. `undefined` from 0 to another value. */
export function sizeOfChange(
  value: number,
  previous: number,
  { unit, formats }: { readonly unit: Unit; readonly formats: ChartFormats },
): ChangeSize | undefined {
  const difference = Math.abs(value - previous)
  if (unit === 'percent')
    return { by: difference / 100, text: `${formats.points(difference)} pp`, isNone: difference < POINTS_MIN }
  if (previous === 0) return value === 0 ? { by: 0, text: formats.share(0), isNone: true } : undefined
  const share = difference / Math.abs(previous)
  // Four digits are enough: a value that grew a thousandfold is not compared to the last percent.
  return {
    by: share,
    text: share >= 10 ? `${formats.compact(share * 100)}%` : formats.share(share),
    isNone: share < CHANGE_MIN,
  }
}
