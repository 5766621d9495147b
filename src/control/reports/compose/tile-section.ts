import { timestampMs } from '@bufbuild/protobuf/wkt'
import type {
  DashboardTile,
  InsightTileContent,
} from '../../../contract/gen/dashboard/dashboards/v1/dashboard_pb.js'
import { DashboardTileViewMode as View } from '../../../contract/gen/dashboard/dashboards/v1/tile_options_pb.js'
import { LifecycleState } from '../../../contract/gen/millrace/insights/v1/lifecycle_pb.js'
import type { StickinessResult } from '../../../contract/gen/millrace/insights/v1/stickiness_pb.js'
import { InsightType } from '../../../contract/gen/shared/insights/v1/insight_query_spec_pb.js'
import type { QueryResponse } from '../../../contract/gen/shared/insights/v1/insights_service_pb.js'
import type { LifecycleResult } from '../../../contract/gen/shared/insights/v1/lifecycle_result_pb.js'
import type {
  FunnelResult,
  RetentionResult,
  SegmentationResult,
  TopKResult,
  TrendSeries,
  TrendsResult,
  UserFlowResult,
} from '../../../contract/gen/shared/insights/v1/query_result_pb.js'
import { goodDirectionOf, unitOfChart } from '../../../domain/charts/chart-unit.ts'
import { keysOf, SERIES_COLORS } from '../../../domain/charts/series-keys.ts'
import { modelOf, type SeriesStyle, type TimeData } from '../../../domain/charts/time-model.ts'
import type { Unit } from '../../../domain/charts/value-axis.ts'
import type { SeriesTotal } from '../../../domain/insights/totals.ts'
import type { Section, ShownRow } from './section.ts'
import { FORMATS, showChange, showNumber, showValue } from './show-values.ts'

type Result = QueryResponse['result']

/** The answer of a tile, and what it is compared with. */
export interface TileAnswer {
  readonly result: Result
  readonly previous: Result | undefined
  /** The values of the series of trends over the range. */
  readonly totals: readonly SeriesTotal[]
  readonly timeZone: string
  /** The time that counts as now. */
  readonly nowMs: number
}

/** Rows of one table; a mail is no place for long lists. */
const ROWS_MAX = 10
/** Numbers in one section. */
const NUMBERS_MAX = 6

/** What a section shows, apart from its title. */
type Body<S = Section> = S extends Section ? Omit<S, 'title' | 'description'> : never

interface Shown extends TileAnswer {
  readonly tile: DashboardTile
  readonly insight: InsightTileContent
  readonly unit: Unit
  readonly good: 'up' | 'down'
}

/** The section of a tile with an answer. */
export function showTile(tile: DashboardTile, insight: InsightTileContent, answer: TileAnswer): Section {
  const how = {
    unit: unitOfChart(insight.spec, tile.visualization),
    good: goodDirectionOf(insight.spec),
  }
  return { ...headOf(tile), ...bodyOf({ ...answer, ...how, tile, insight }) }
}

/** Title and description of a tile. */
export function headOf({ displayName, description }: DashboardTile): Pick<Section, 'title' | 'description'> {
  return { title: displayName, description }
}

function bodyOf(shown: Shown): Body {
  const { result } = shown
  switch (result.case) {
    case 'trends':
      return trends(shown, result.value)
    case 'segmentation':
      return segmentation(shown, result.value)
    case 'funnel':
      return funnel(shown, result.value)
    case 'retention':
      return retention(result.value)
    case 'topK':
      return ranking(shown, result.value)
    case 'userFlow':
      return userFlow(result.value)
    case 'lifecycle':
      return lifecycle(shown, result.value)
    case 'stickiness':
      return stickiness(result.value)
    case undefined:
      return { kind: 'error', message: 'This tile has no answer.' }
    default:
      return result satisfies never
  }
}

const STYLES: Readonly<Partial<Record<View, SeriesStyle>>> = {
  [View.AREA]: 'area',
  [View.BAR_STACKED]: 'bars',
  [View.BAR_GROUPED]: 'grouped',
}

function trends(shown: Shown, result: TrendsResult): Body {
  const { tile, previous, totals, unit } = shown
  const labels = result.series.map(labelOf)
  const numbers = totals
    .slice(0, NUMBERS_MAX)
    .map((total, at) => showNumber(labels[at] ?? '', total, shown))
    .filter((_, at) => totals[at]?.value !== undefined)
  if (tile.viewMode === View.KPI && numbers.length > 0) return { kind: 'numbers', numbers }
  if (tile.viewMode === View.PIE || tile.viewMode === View.TABLE) return totalsTable(shown, labels)
  const before = previous?.case === 'trends' ? previous.value.series : []
  return chart(shown, {
    times: timesOf(result.series),
    series: result.series.map((one, at) => ({ label: labels[at] ?? '', values: valuesOf(one) })),
    previous: before.map((one) => ({ label: labelOf(one), values: valuesOf(one) })),
    previousTimes: timesOf(before),
    style: STYLES[tile.viewMode] ?? 'line',
    unit,
    numbers,
  })
}

function totalsTable(shown: Shown, labels: readonly string[]): Body {
  const { totals, unit } = shown
  const sum = totals.reduce((all, { value = 0 }) => all + Math.max(0, value), 0)
  const rows = totals.map(({ value, previous }, at) => ({
    cells: [labels[at] ?? '', showValue(value, unit)],
    ...(value !== undefined && sum > 0 && { share: value / sum }),
    change: showChange(value, previous, shown),
  }))
  return table(['', 'Value'], rows)
}

function chart(
  shown: Shown,
  data: Omit<TimeData, 'timeZone'> & { readonly numbers: Extract<Body, { kind: 'chart' }>['numbers'] },
): Body {
  const { timeZone, nowMs, tile } = shown
  const { numbers, ...own } = data
  const scale = tile.visualization?.logScale ? 'logarithmic' : 'linear'
  const keys = keysOf(own.series.map(({ label }) => label))
  const model = modelOf(
    { ...own, timeZone, rules: tile.thresholds, scale },
    {
      zoom: undefined,
      hidden: new Set(keys.slice(SERIES_COLORS)),
      slots: new Map(keys.map((key, slot) => [key, slot])),
      nowMs,
    },
  )
  return { kind: 'chart', numbers, model }
}

function segmentation(shown: Shown, { total, values }: SegmentationResult): Body {
  const { previous, insight } = shown
  const before = previous?.case === 'segmentation' ? previous.value : undefined
  const now = values.length > 0 ? values : [total]
  const then = before && (before.values.length > 0 ? before.values : [before.total])
  const { events = [], formulas = [] } = insight.spec ?? {}
  const names = [
    ...events.map(({ event }) => eventName(event?.kind ?? '')),
    ...formulas.map(({ displayName, expression }) => displayName || expression),
  ]
  const numbers = now
    .slice(0, NUMBERS_MAX)
    .map((value, at) =>
      showNumber(now.length > 1 ? (names[at] ?? '') : '', { value, previous: then?.[at] }, shown),
    )
  return { kind: 'numbers', numbers }
}

function funnel(shown: Shown, { series }: FunnelResult): Body {
  const [first] = series
  const before = shown.previous?.case === 'funnel' ? shown.previous.value.series[0] : undefined
  const rows = (first?.steps ?? []).map(({ eventKind, total, conversionFromFirst }, at) => ({
    cells: [
      `${at + 1}. ${eventName(eventKind)}`,
      showValue(total, 'number'),
      showValue(conversionFromFirst, 'percent'),
    ],
    share: conversionFromFirst / 100,
    change: showChange(conversionFromFirst, before?.steps[at]?.conversionFromFirst, {
      unit: 'percent',
      good: 'up',
    }),
  }))
  return table(['Step', 'Users', 'Of the first'], rows)
}

function retention({ series }: RetentionResult): Body {
  const [first] = series
  const rows = (first?.average ?? []).map(({ value }, period) => ({
    cells: [`Period ${period}`, showValue(value, 'percent')],
    share: Math.min(1, value / 100),
  }))
  return table(['After', 'Average'], rows)
}

const regions = new Intl.DisplayNames('en', { type: 'region' })

function ranking(shown: Shown, { rows }: TopKResult): Body {
  const { insight, previous, unit } = shown
  const isMap = insight.spec?.insightType === InsightType.MAP
  const nameOf = (value: string): string =>
    isMap && /^[A-Z]{2}$/.test(value) ? (regions.of(value) ?? value) : value || 'Not set'
  const before = previous?.case === 'topK' ? previous.value.rows : []
  const highest = Math.max(0, ...rows.filter(({ isOthers }) => !isOthers).map(({ value }) => value))
  const shownRows = rows.map(({ dimensionValue, value, isOthers }) => ({
    cells: [isOthers ? 'Other' : nameOf(dimensionValue), showValue(value, unit)],
    ...(highest > 0 && { share: Math.min(1, value / highest) }),
    change: isOthers
      ? undefined
      : showChange(value, before.find((row) => row.dimensionValue === dimensionValue)?.value, shown),
  }))
  return table(['', 'Value'], shownRows)
}

function userFlow({ nodes, links }: UserFlowResult): Body {
  const names = new Map(
    nodes.map(({ id, label, isOthers, depth }) => [id, `${depth + 1}. ${isOthers ? 'Other' : label}`]),
  )
  const highest = Math.max(0, ...links.map(({ value }) => Number(value)))
  const rows = links.map(({ source, target, value }) => ({
    cells: [`${names.get(source) ?? ''} → ${names.get(target) ?? ''}`, showValue(Number(value), 'number')],
    ...(highest > 0 && { share: Number(value) / highest }),
  }))
  return table(['Path', 'Sessions'], rows)
}

const STATES = {
  [LifecycleState.UNSPECIFIED]: 'Other',
  [LifecycleState.NEW]: 'New',
  [LifecycleState.RETURNING]: 'Returning',
  [LifecycleState.RESURRECTED]: 'Resurrected',
  [LifecycleState.DORMANT]: 'Dormant',
} as const satisfies Record<LifecycleState, string>

function lifecycle(shown: Shown, { series }: LifecycleResult): Body {
  return chart(shown, {
    times: timesOf(series),
    series: series.map(({ state, points }) => ({
      label: STATES[state],
      values: points.map(({ value }) => value),
      ...(state === LifecycleState.DORMANT && { isBelow: true }),
    })),
    style: 'bars',
    unit: shown.unit,
    numbers: [],
  })
}

function stickiness({ series }: StickinessResult): Body {
  const [first] = series
  const all = Number(first?.points[0]?.cumulative ?? 0)
  const rows = (first?.points ?? []).map(({ buckets, users }) => ({
    cells: [FORMATS.number(buckets), showValue(Number(users), 'number')],
    ...(all > 0 && { share: Number(users) / all }),
  }))
  return table(['Active periods', 'Users'], rows)
}

function table(columns: readonly string[], rows: readonly ShownRow[]): Body {
  return {
    kind: 'table',
    columns,
    rows: rows.slice(0, ROWS_MAX),
    moreCount: Math.max(0, rows.length - ROWS_MAX),
  }
}

function eventName(kind: string): string {
  return kind === '' ? 'All events' : kind
}

function labelOf({ eventKind, formula, label, breakdown }: TrendSeries): string {
  const subject = formula === '' ? sessionsOr(eventKind) : label || formula
  const values = Object.values(breakdown).map((value) =>
    value === '$others' ? 'Other' : value === '' ? 'Not set' : value,
  )
  return [subject, ...values].join(' · ')
}

function sessionsOr(kind: string): string {
  return kind === '$session' ? 'Sessions' : eventName(kind)
}

function valuesOf({ points }: TrendSeries): readonly (number | null)[] {
  return points.map(({ value, isUndefined }) => (isUndefined ? null : value))
}

function timesOf([first]: readonly Pick<TrendSeries, 'points'>[]): readonly number[] {
  return (first?.points ?? []).map(({ time }) => (time ? timestampMs(time) : 0))
}
