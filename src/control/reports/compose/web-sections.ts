import { timestampMs } from '@bufbuild/protobuf/wkt'
import {
  Dimension,
  type QueryOverviewResponse,
  type QueryTableResponse,
  type WebMetrics,
} from '../../../contract/gen/millrace/web/v1/web_analytics_service_pb.js'
import { modelOf } from '../../../domain/charts/time-model.ts'
import type { Unit } from '../../../domain/charts/value-axis.ts'
import type { Section, ShownNumber } from './section.ts'
import { showChange, showNumber, showValue } from './show-values.ts'

/** The tables of the web overview in a mail, and the rows of each. */
export const WEB_TABLES = [
  { dimension: Dimension.PAGE, title: 'Top pages', column: 'Page' },
  { dimension: Dimension.REFERRER, title: 'Top referrers', column: 'Referrer' },
  { dimension: Dimension.COUNTRY, title: 'Top countries', column: 'Country' },
  { dimension: Dimension.GOAL, title: 'Goals', column: 'Goal' },
] as const
export const WEB_ROWS = 5

interface Measure {
  readonly label: string
  readonly unit: Unit
  readonly good: 'up' | 'down'
  readonly read: (metrics: WebMetrics) => number | undefined
}

/** A mean of no visits is unknown. */
const ofVisits =
  (read: (metrics: WebMetrics) => number) =>
  (metrics: WebMetrics): number | undefined =>
    metrics.visits === 0n ? undefined : read(metrics)

const MEASURES: readonly Measure[] = [
  { label: 'Visitors', unit: 'number', good: 'up', read: ({ visitors }) => Number(visitors) },
  { label: 'Visits', unit: 'number', good: 'up', read: ({ visits }) => Number(visits) },
  { label: 'Page views', unit: 'number', good: 'up', read: ({ pageViews }) => Number(pageViews) },
  {
    label: 'Views per visit',
    unit: 'number',
    good: 'up',
    read: ofVisits(({ viewsPerVisit }) => viewsPerVisit),
  },
  { label: 'Bounce rate', unit: 'percent', good: 'down', read: ofVisits(({ bounceRate }) => bounceRate) },
  {
    label: 'Visit duration',
    unit: 'seconds',
    good: 'up',
    read: ofVisits(({ visitDurationSeconds }) => visitDurationSeconds),
  },
]

/** The measures of visits, and the visitors over time. */
export function showOverview(
  { totals, comparisonTotals, points, comparisonPoints }: QueryOverviewResponse,
  { timeZone, nowMs }: { readonly timeZone: string; readonly nowMs: number },
): Section {
  const numbers: ShownNumber[] = MEASURES.map((measure) =>
    showNumber(
      measure.label,
      {
        value: totals && measure.read(totals),
        previous: comparisonTotals && measure.read(comparisonTotals),
      },
      measure,
    ),
  )
  const visitorsOf = (of: typeof points): readonly number[] =>
    of.map(({ metrics }) => Number(metrics?.visitors ?? 0))
  const timesOf = (of: typeof points): readonly number[] =>
    of.map(({ time }) => (time ? timestampMs(time) : 0))
  const model = modelOf(
    {
      times: timesOf(points),
      series: [{ label: 'Visitors', values: visitorsOf(points) }],
      previous: [{ label: 'Visitors', values: visitorsOf(comparisonPoints) }],
      previousTimes: timesOf(comparisonPoints),
      style: 'area',
      timeZone,
      unit: 'number',
    },
    { zoom: undefined, hidden: new Set(), slots: new Map(), nowMs },
  )
  return { kind: 'chart', title: 'Visitors', description: '', numbers, model }
}

const regions = new Intl.DisplayNames('en', { type: 'region' })

/** A table of the web overview. */
export function showWebTable(
  { dimension, title, column }: (typeof WEB_TABLES)[number],
  { rows, totalRows }: QueryTableResponse,
): Section {
  const isGoal = dimension === Dimension.GOAL
  const nameOf = (value: string): string => {
    if (value === '') return dimension === Dimension.REFERRER ? 'Direct' : 'Not set'
    const isCountry = dimension === Dimension.COUNTRY && /^[A-Z]{2}$/.test(value)
    return isCountry ? (regions.of(value) ?? value) : value
  }
  const highest = Math.max(0, ...rows.map(({ metrics }) => Number(metrics?.visitors ?? 0)))
  const how = { unit: 'number', good: 'up' } as const
  return {
    kind: 'table',
    title,
    description: '',
    columns: isGoal ? [column, 'Visitors', 'Rate'] : [column, 'Visitors'],
    rows: rows.map(({ value, metrics, comparison, conversionRate }) => {
      const visitors = Number(metrics?.visitors ?? 0)
      const before = comparison?.metrics && Number(comparison.metrics.visitors)
      const cells = [nameOf(value), showValue(visitors, 'number')]
      return {
        cells: isGoal ? [...cells, showValue(conversionRate, 'percent')] : cells,
        ...(highest > 0 && { share: visitors / highest }),
        change: showChange(visitors, before, how),
      }
    }),
    moreCount: Math.max(0, Number(totalRows) - rows.length),
  }
}
