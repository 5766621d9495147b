import { endOfBucket } from '@domain/charts/buckets.ts'
import type { TimeModel } from '@domain/charts/time-model.ts'
import type { SeriesTotal } from '@domain/insights/totals.ts'
import { changeOf } from '../format/change.ts'
import { formatValue } from '../format/unit.ts'
import { formatRange } from '../format/values.ts'
import { t } from '../i18n/translate.ts'
import { describeBucket } from './buckets.ts'

/** Series that a sentence names. */
const NAMES_MAX = 4

/** A chart in one or two sentences: its series, its range, its total and change, and its highest value. */
export function summarise(model: TimeModel, totals: readonly SeriesTotal[]): string {
  const names = model.lines.slice(0, NAMES_MAX).map(({ label }) => label)
  const more = model.lines.length - names.length
  const head = [...names, ...(more > 0 ? [t('chart.moreSeries', { count: more })] : [])].join(', ')
  const [total] = totals
  const only = model.lines.length === 1 && total?.value !== undefined ? total : undefined
  const said = { series: head, range: rangeOf(model) }
  const first = only
    ? t('chart.summaryTotal', { ...said, total: describeTotal(only, model) })
    : t('chart.summary', said)
  return [first, ...describeHighest(model)].join(' ')
}

function rangeOf(model: TimeModel): string {
  const [first, last] = [model.times[0], model.times.at(-1)]
  if (first === undefined || last === undefined) return t('chart.noData')
  return formatRange({ fromMs: first, toMs: endOfBucket(last, model) }, model.timeZone)
}

function describeTotal({ value = 0, previous }: SeriesTotal, { unit }: TimeModel): string {
  const change = changeOf(value, previous, { unit, good: 'neither' })
  return change ? `${formatValue(value, unit)}, ${change.words}` : formatValue(value, unit)
}

function describeHighest(model: TimeModel): readonly string[] {
  let highest: { readonly label: string; readonly value: number; readonly at: number } | undefined
  for (const { label, values } of model.lines) {
    for (const [at, value] of values.entries()) {
      if (typeof value === 'number' && value > (highest?.value ?? 0)) highest = { label, value, at }
    }
  }
  if (!highest) return []
  const time = describeBucket(model.times[highest.at] ?? 0, model)
  const value = formatValue(highest.value, model.unit)
  if (model.lines.length === 1) return [t('chart.summaryHighest', { time, value })]
  return [t('chart.summaryHighestOf', { series: highest.label, time, value })]
}
