import type { ToneName } from '@domain/thresholds.ts'
import type { Change } from '../format/change.ts'
import { t } from '../i18n/translate.ts'

/** A value of a ranking. */
export interface RankedRow {
  readonly label: string
  readonly value: number
  /** The value as it is written. */
  readonly text: string
  /** The rest of all values together, which is no value of its own. */
  readonly isOther?: boolean
  /** The share of the whole as it is written. */
  readonly share?: string | undefined
  readonly tone?: ToneName | undefined
  readonly change?: Change | undefined
  readonly note?: string | undefined
}

/** The value of the longest bar: the rest of all values may be larger than each of them, and does not count. */
export function scaleOf(rows: readonly Pick<RankedRow, 'value' | 'isOther'>[]): number {
  const own = rows.filter(({ isOther }) => isOther !== true)
  return Math.max(0, ...(own.length > 0 ? own : rows).map(({ value }) => value))
}

/** The length of a bar, 0 to 1. */
export function shareOf({ value }: Pick<RankedRow, 'value'>, scale: number): number {
  return scale > 0 ? Math.max(0, Math.min(1, value / scale)) : 0
}

/** The number of parts that a reader can distinguish; the others are one part. */
const PARTS_MAX = 6

/** The largest positive values, and the others as one part. */
export function foldParts(
  rows: readonly RankedRow[],
  writeValue: (value: number) => string,
): readonly RankedRow[] {
  const parts = rows.filter(({ value }) => value > 0)
  const own = parts.filter(({ isOther }) => isOther !== true).toSorted((a, b) => b.value - a.value)
  if (parts.length <= PARTS_MAX && own.length === parts.length) return own
  const shown = own.slice(0, PARTS_MAX - 1)
  const value =
    parts.reduce((sum, part) => sum + part.value, 0) - shown.reduce((sum, part) => sum + part.value, 0)
  return value > 0
    ? [...shown, { label: t('chart.other'), value, text: writeValue(value), isOther: true }]
    : shown
}
