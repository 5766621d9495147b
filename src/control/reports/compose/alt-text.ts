import { type TimeModel, topOf } from '../../../domain/charts/time-model.ts'
import type { ShownNumber } from './section.ts'
import { FORMATS, showValue } from './show-values.ts'

/** Series that a sentence names. */
const NAMES_MAX = 4

/** Numbers in one sentence; none without numbers. */
export function namedNumbers(numbers: readonly ShownNumber[]): readonly string[] {
  const named = numbers.map(({ label, text, change }) => {
    const value = change ? `${text} (${change.text})` : text
    return label === '' ? value : `${label} ${value}`
  })
  return named.length === 0 ? [] : [`${named.join(', ')}.`]
}

/** The lines of a chart in words: for readers whose mail program shows no pictures. */
export function describeChart(model: TimeModel): string {
  const ends = model.lines.slice(0, NAMES_MAX).flatMap(({ label, values }) => {
    const known = values.filter((value) => value !== null)
    if (known.length === 0) return []
    const [low, high] = [Math.min(...known), Math.max(...known)]
    return [`${label}: ${showValue(low, model.unit)} to ${showValue(high, model.unit)} per ${model.width}`]
  })
  const more = model.lines.length - NAMES_MAX
  return [
    ...(ends.length > 0 ? [`${ends.join('; ')}.`] : ['No data.']),
    ...(more > 0 ? [`${more} more series.`] : []),
    ...highestOf(model),
  ].join(' ')
}

function highestOf({ lines, times, timeZone, width }: TimeModel): readonly string[] {
  const [only, ...others] = lines
  if (!only || others.length > 0) return []
  const tops = times.map((_, at) => topOf(only, at) ?? Number.NEGATIVE_INFINITY)
  const best = Math.max(...tops)
  const at = tops.indexOf(best)
  if (!(best > 0)) return []
  const style = { day: 'numeric', month: 'short', timeZone } as const
  const isShort = width === 'hour' || width === 'minute'
  const format = FORMATS.times(isShort ? { ...style, hour: 'numeric', minute: '2-digit' } : style)
  return [`Highest: ${format.format(times[at] ?? 0)}.`]
}
