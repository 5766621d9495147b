import type { TimeModel } from '@domain/charts/time-model.ts'
import { changeOf, signChange } from '../format/change.ts'
import { formatKnown, formatValue } from '../format/unit.ts'
import { t } from '../i18n/translate.ts'
import { describeBucket, nameIncomplete, shortenBucket } from './buckets.ts'
import { seriesColor } from './palette.ts'
import type { TooltipContent, TooltipRow } from './tooltip.tsx'

/** Series that a tooltip has room for. */
const ROWS_MAX = 10

/** The values of all series in a bucket, with their changes since the previous period. */
export function tooltipOf(
  model: TimeModel,
  at: number,
  options: { readonly focused: string | undefined; readonly foot: string | undefined },
): TooltipContent {
  const isIncomplete = at === model.incomplete
  const before = model.previousTimes[at]
  const rows = model.lines.slice(0, ROWS_MAX).map(({ key, label, slot, values, previous }): TooltipRow => {
    // A part of a bucket is not compared with a whole one.
    const change = isIncomplete
      ? undefined
      : changeOf(values[at], previous[at], { unit: model.unit, good: 'neither' })
    return {
      color: seriesColor(slot),
      name: label,
      value: formatKnown(values[at], model.unit),
      ...(change && { note: signChange(change) }),
      isQuiet: options.focused !== undefined && options.focused !== key,
    }
  })
  const more = model.lines.length - rows.length
  return {
    title: `${describeBucket(model.times[at] ?? 0, model)}${isIncomplete ? ` · ${nameIncomplete(model.width)}` : ''}`,
    ...(before !== undefined && { note: t('chart.versus', { value: shortenBucket(before, model) }) }),
    rows: [
      ...rows,
      ...(more > 0 ? [{ name: t('chart.moreInTable', { count: more }), value: '', isQuiet: true }] : []),
      ...sumOf(model, at),
      ...previousOf(model, at),
    ],
    ...(options.foot !== undefined && { foot: options.foot }),
  }
}

/** The height of a stack above 0. */
function sumOf({ style, lines, unit }: TimeModel, at: number): readonly TooltipRow[] {
  const stacked = lines.filter(({ isBelow }) => !isBelow)
  if (style !== 'bars' || stacked.length < 2) return []
  const sum = stacked.reduce((total, { values }) => total + (values[at] ?? 0), 0)
  return [{ name: t('chart.total'), value: formatValue(sum, unit) }]
}

function previousOf({ previousLine, unit }: TimeModel, at: number): readonly TooltipRow[] {
  if (!previousLine) return []
  const value = formatKnown(previousLine[at], unit)
  const name = t('chart.previousPeriod')
  return [{ color: 'var(--tooltip-quiet)', mark: 'dash', name, value, isQuiet: true }]
}

/** The same in one sentence, for a screen reader. */
export function speakTooltip({ title, rows }: TooltipContent): string {
  const values = rows.map(({ name, value, note }) => [name, value, note].filter((text) => text).join(' '))
  return `${title}: ${values.join(', ')}`
}
