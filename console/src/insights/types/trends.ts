import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import type { InsightQuerySpec } from '@contract/shared/insights/v1/insight_query_spec_pb.js'
import type { TrendSeries, TrendsResult } from '@contract/shared/insights/v1/query_result_pb.js'
import ChartLine from 'lucide-solid/icons/chart-line'
import Timer from 'lucide-solid/icons/timer'
import type { ChartTarget } from '../../charts/chart.ts'
import { seriesLabel } from '../../format/labels.ts'
import { plain } from '../../format/table.ts'
import { isoOf } from '../../format/values.ts'
import { t } from '../../i18n/translate.ts'
import { lazy } from '../../ui/lazy.ts'
import { arePartsOfWhole } from '../model/additive.ts'
import { type DraftOf, newEvent } from '../model/draft.ts'
import { defineInsightType } from '../model/insight-type.ts'
import { groupName, limitOf, type PointKind } from '../model/points.ts'
import { decodeBreakdown, encodeBreakdown } from '../model/series.ts'
import { decodeSubject, describeSubject, encodeSubject, missingOfSubject } from '../model/sessions.ts'
import { breakdownIn, seriesIn, type TabEntry } from '../model/tab.ts'
import type { Views } from '../model/views.ts'

declare module '../model/draft.ts' {
  interface Parts {
    readonly INSIGHT_TYPE_TRENDS: { readonly subject: SubjectDraft; readonly breakdown: BreakdownDraft }
  }
}

const VIEWS: Views = ['line', 'area', 'bars', 'grouped', 'kpi', 'table']
const VIEWS_OF_PARTS: Views = ['line', 'area', 'bars', 'grouped', 'kpi', 'pie', 'table']

type TrendsDraft = DraftOf<'INSIGHT_TYPE_TRENDS'>

/** Measures over time. */
export const trends = defineInsightType({
  type: 'INSIGHT_TYPE_TRENDS',
  name: 'insights.trends',
  result: 'trends',
  views: (draft, result) =>
    // Cohorts may share people, so that they are no parts of a whole.
    !draft.breakdown.cohortIds?.length && (result ? areAnsweredParts(draft, result) : hasSeveralParts(draft))
      ? VIEWS_OF_PARTS
      : VIEWS,
  timedViews: ['line', 'area', 'bars', 'grouped', 'table'],
  comparable: { column: 2 },
  defaultSize: { w: 6, h: 7 },
  tileSettings: ['legend', 'scale', 'sparkline'],
  describe: ({ subject }) => describeSubject(subject),
  encode: ({ subject, breakdown }) => ({ ...encodeSubject(subject), ...encodeBreakdown(breakdown) }),
  decode: (spec) => ({
    type: 'INSIGHT_TYPE_TRENDS',
    subject: decodeSubject(spec),
    breakdown: decodeBreakdown(spec),
  }),
  findMissing: ({ subject, breakdown }) => missingOfSubject(subject, breakdown.properties.length),
  isNothing: ({ series }) => series.every(({ points }) => points.every(({ value }) => value === 0)),
  table: ({ series }) => ({
    columns: [
      plain(t('insights.series')),
      { name: t('insights.time'), kind: 'instant' },
      { name: t('insights.value'), kind: 'value' },
    ],
    rows: series.flatMap((one) =>
      one.points.map((point) => [seriesLabel(one), isoOf(point.time), point.isUndefined ? '' : point.value]),
    ),
  }),
  pointOf: trendsPoint,
  Chart: lazy(async () => ({ default: (await import('../../charts/trends.tsx')).TrendsChart })),
})

/** The tab of events over time, which has their single numbers too. */
export const trendsTab: TabEntry = {
  name: 'insights.trends',
  Icon: ChartLine,
  has: (draft) => 'subject' in draft && draft.subject.of === 'events',
  partFrom: (draft) => ({
    type: 'INSIGHT_TYPE_TRENDS',
    subject: { of: 'events', series: seriesIn(draft) },
    breakdown: breakdownIn(draft),
  }),
}

/** The tab of sessions over time, which has their single numbers too. */
export const sessionsTab: TabEntry = {
  name: 'insights.sessions',
  Icon: Timer,
  has: (draft) => 'subject' in draft && draft.subject.of === 'sessions',
  partFrom: (draft) => ({
    type: 'INSIGHT_TYPE_TRENDS',
    subject: { of: 'sessions', metric: 'SESSION_METRIC_SESSIONS', scope: newEvent() },
    breakdown: breakdownIn(draft),
  }),
}

function hasSeveralParts({ subject, breakdown }: TrendsDraft): boolean {
  const isSeveral = breakdown.properties.length > 0 || (subject.of === 'events' && subject.series.length > 1)
  return isSeveral && arePartsOfWhole(subject)
}

/** The query of a public dashboard leaves out its events, its answer names them. */
function areAnsweredParts({ subject }: TrendsDraft, { series }: TrendsResult): boolean {
  const isPublic = subject.of === 'sessions' || subject.series.every(({ kind }) => kind === '')
  return arePartsOfWhole(
    subject,
    isPublic ? [...new Set(series.map(({ eventKind }) => eventKind))] : undefined,
  )
}

function trendsPoint(
  target: ChartTarget,
  { series }: TrendsResult,
  spec: InsightQuerySpec | undefined,
): PointKind | undefined {
  if (target.kind !== 'point' && target.kind !== 'total') return undefined
  const found = positionsOf(series, spec)[target.series]
  const one = series[target.series]
  if (found === undefined || !one) return undefined
  const group = groupName(one.breakdown, { rank: found.rank, spec })
  const bucket = target.kind === 'point' ? { bucket: timestampFromMs(target.startMs) } : {}
  return { case: 'trends', value: { series: found.event, ...group, ...bucket } }
}

interface RankedSeries {
  /** The index of its event in the query; those of formulas follow. */
  readonly event: number
  /** Its rank among the breakdown values of the event. */
  readonly rank: number
}

/** The event or the formula of each series of trends, and its rank; the series of formulas follow those of events. */
function positionsOf(
  all: readonly TrendSeries[],
  spec: InsightQuerySpec | undefined,
): readonly (RankedSeries | undefined)[] {
  const computed = all.filter(({ formula }) => formula !== '')
  const counted = all.slice(0, all.length - computed.length)
  return [...eventOfSeries(counted, spec), ...formulaOfSeries(computed, spec)]
}

/** The formula and the rank of each of its series. Those of two formulas with one text are left out. */
function formulaOfSeries(
  all: readonly TrendSeries[],
  spec: InsightQuerySpec | undefined,
): readonly (RankedSeries | undefined)[] {
  const texts = (spec?.formulas ?? []).map(({ expression }) => expression)
  return all.map(({ formula }, at) => {
    const position = texts.indexOf(formula)
    if (position < 0 || texts.lastIndexOf(formula) !== position) return undefined
    const rank = at - all.findIndex((other) => other.formula === formula)
    return { event: (spec?.events.length ?? 0) + position, rank }
  })
}

/**
 * The event and the rank of each series of trends, which come in the order of the events. Where two neighbours have one
 * kind, the next event starts when a value comes again or the values are complete; series that can be of either are left out.
 */
function eventOfSeries(
  all: readonly TrendSeries[],
  spec: InsightQuerySpec | undefined,
): readonly (RankedSeries | undefined)[] {
  const events = spec?.events ?? []
  if (events.length <= 1 || spec?.session) return all.map((_, rank) => ({ event: 0, rank }))
  if (all.every(({ breakdown }) => Object.keys(breakdown).length === 0)) {
    return all.map((_, event) => ({ event, rank: 0 }))
  }
  const ranked: (RankedSeries | undefined)[] = []
  let [event, seen] = [0, new Set<string>()]
  for (const { eventKind, breakdown } of all) {
    const value = JSON.stringify(Object.entries(breakdown).sort())
    const kindAt = (at: number): string | undefined =>
      events[at] ? (events[at].event?.kind ?? '') : undefined
    const isNext = kindAt(event) !== eventKind || seen.has(value) || seen.size > limitOf(spec)
    if (isNext) {
      event += 1
      while (event < events.length && kindAt(event) !== eventKind) event += 1
      seen = new Set()
    }
    const hasTwin = kindAt(event - 1) === eventKind || kindAt(event + 1) === eventKind
    ranked.push(event >= events.length || hasTwin ? undefined : { event, rank: seen.size })
    seen.add(value)
  }
  return ranked
}
