import { sizeOfChange } from '../../../domain/charts/change.ts'
import { createChartFormats, NO_VALUE, writeValue } from '../../../domain/charts/formats.ts'
import type { Unit } from '../../../domain/charts/value-axis.ts'
import type { ShownChange, ShownNumber } from './section.ts'

/** Mails are in English, like all mails of the service. */
export const FORMATS = createChartFormats('en')

/** A value in its unit; a dash where it is unknown. */
export function showValue(value: number | undefined, unit: Unit): string {
  return value === undefined ? NO_VALUE : writeValue(value, unit, FORMATS)
}

/** The change of a value; `undefined` where one is unknown. */
export function showChange(
  value: number | undefined,
  previous: number | undefined,
  { unit, good }: { readonly unit: Unit; readonly good: 'up' | 'down' },
): ShownChange | undefined {
  if (value === undefined || previous === undefined) return undefined
  const size = sizeOfChange(value, previous, { unit, formats: FORMATS })
  if (!size) return { text: 'new', tone: 'neutral' }
  if (size.isNone) return { text: size.text, tone: 'neutral' }
  const direction = value > previous ? 'up' : 'down'
  const sign = direction === 'up' ? '+' : '\u2212'
  const isGood = direction === good
  return { text: `${sign}${size.text}`, tone: isGood ? 'good' : 'bad' }
}

/** A number with its change. */
export function showNumber(
  label: string,
  { value, previous }: { readonly value: number | undefined; readonly previous: number | undefined },
  how: { readonly unit: Unit; readonly good: 'up' | 'down' },
): ShownNumber {
  return { label, text: showValue(value, how.unit), change: showChange(value, previous, how) }
}
