import { clone, create } from '@bufbuild/protobuf'
import { AggregationType } from '../../contract/gen/shared/insights/v1/event_query_pb.js'
import {
  type InsightQuerySpec,
  InsightQuerySpecSchema,
  InsightType,
} from '../../contract/gen/shared/insights/v1/insight_query_spec_pb.js'
import type { QueryResponse } from '../../contract/gen/shared/insights/v1/insights_service_pb.js'
import type { TrendSeries } from '../../contract/gen/shared/insights/v1/query_result_pb.js'
import { SessionMetric } from '../../contract/gen/shared/insights/v1/session_query_pb.js'
import { keysOf } from '../charts/series-keys.ts'

/** A result of a query. */
type Result = QueryResponse['result']

/** A result, and that of the compared range. */
export interface ComparedResult {
  readonly result: Result
  readonly previous: Result | undefined
}

/** The value of a series over the whole range; absent where it is unknown. */
export interface SeriesTotal {
  readonly value: number | undefined
  readonly previous: number | undefined
}

/** Aggregations whose values in buckets add up to the value of the range. */
const ADDITIVE: ReadonlySet<AggregationType> = new Set([
  AggregationType.UNSPECIFIED,
  AggregationType.TOTAL,
  AggregationType.SUM,
])

/** Runs a query for the range of the answer, and for the compared one. */
export type AskNumbers = (spec: InsightQuerySpec) => Promise<ComparedResult>

/**
 * The values of the series of an answer over its whole range, and over the compared one: sums where they add up, else the
 * answer of the service, which one query has for all series. Values with a breakdown that do not add up have no query, and
 * are unknown; so are those of rolling people.
 */
export async function loadTotals(
  spec: InsightQuerySpec,
  answer: ComparedResult,
  ask: AskNumbers,
): Promise<readonly SeriesTotal[]> {
  const sums = sumTotals(spec, answer)
  const isKnown = sums.every(({ value }, at) => value !== undefined || isRolling(spec, at))
  if (isKnown || spec.breakdowns.length > 0) return sums
  return totalsOf(spec, answer, await ask(numbersOf(spec)))
}

/** The same without the service: values that do not add up are unknown. */
export function sumTotals(
  spec: InsightQuerySpec | undefined,
  { result, previous }: { readonly result: Result; readonly previous?: Result | undefined },
): readonly SeriesTotal[] {
  return totalsOf(spec, { result, previous }, undefined)
}

/** Values beside those of the same series in the compared range, which may have another order. */
function totalsOf(
  spec: InsightQuerySpec | undefined,
  { result, previous }: ComparedResult,
  numbers: ComparedResult | undefined,
): readonly SeriesTotal[] {
  const values = valuesOf(spec, result, numbers?.result)
  const before = previous && valuesOf(spec, previous, numbers?.previous)
  const keys = previous ? seriesKeys(previous) : []
  return seriesKeys(result).map((key, at) => ({ value: values[at], previous: before?.[keys.indexOf(key)] }))
}

/** The value of each series: its sum, else the number that the service has for it. */
function valuesOf(
  spec: InsightQuerySpec | undefined,
  result: Result,
  numbers: Result | undefined,
): readonly (number | undefined)[] {
  if (!spec || result.case !== 'trends') return []
  const { series } = result.value
  return series.map((one, at) => sumOf(spec, one) ?? numberAt(spec, numbers, { at, count: series.length }))
}

function seriesKeys(result: Result): readonly string[] {
  return result.case === 'trends' ? keysOf(result.value.series.map(identityOf)) : []
}

/** What distinguishes a series of an answer: its event or formula, and its breakdown values. */
function identityOf({ eventKind, formula, label, breakdown }: TrendSeries): string {
  return JSON.stringify([eventKind, formula, label, breakdown])
}

function sumOf(spec: InsightQuerySpec, { eventKind, formula, points }: TrendSeries): number | undefined {
  if (formula !== '') return undefined
  return addsUpOverTime(spec, eventKind) ? points.reduce((sum, { value }) => sum + value, 0) : undefined
}

/** Aggregations over windows, which have no value over the range. */
const ROLLING: ReadonlySet<AggregationType> = new Set([
  AggregationType.ROLLING_7_DAY_USERS,
  AggregationType.ROLLING_30_DAY_USERS,
])

function addsUpOverTime({ session, events }: InsightQuerySpec, eventKind: string): boolean {
  if (session) return session.metric === SessionMetric.SESSIONS
  if (events.every(({ aggregation }) => ADDITIVE.has(aggregation))) return true
  const own = events.filter(({ event }) => (event?.kind ?? '') === eventKind)
  return own.length > 0 && own.every(({ aggregation }) => ADDITIVE.has(aggregation))
}

/** Whether a series of an answer without breakdowns counts rolling people, or a formula may. */
function isRolling({ events, breakdownCohortIds }: InsightQuerySpec, at: number): boolean {
  const event = events[Math.floor(at / Math.max(1, breakdownCohortIds.length))]
  return event ? ROLLING.has(event.aggregation) : events.some(({ aggregation }) => ROLLING.has(aggregation))
}

/** The query of the values of all events and formulas over the range. Events keep their letters. */
function numbersOf(spec: InsightQuerySpec): InsightQuerySpec {
  const one = clone(InsightQuerySpecSchema, spec)
  return create(InsightQuerySpecSchema, {
    ...one,
    insightType: InsightType.SEGMENTATION,
    // Trends take a limit without a breakdown.
    breakdownLimit: 0,
    events: one.events.map((event) =>
      ROLLING.has(event.aggregation) ? { ...event, aggregation: AggregationType.TOTAL } : event,
    ),
  })
}

/** The number of a series, which come by event and formula, and then by compared cohort. */
function numberAt(
  spec: InsightQuerySpec,
  numbers: Result | undefined,
  { at, count }: { readonly at: number; readonly count: number },
): number | undefined {
  if (numbers?.case !== 'segmentation' || isRolling(spec, at)) return undefined
  const { total, values, series } = numbers.value
  if (spec.session) return total
  const cohorts = spec.breakdownCohortIds.length
  if (cohorts === 0) return values[at]
  // A formula without a series would shift those after it.
  if (count !== cohorts * (spec.events.length + spec.formulas.length)) return undefined
  return series[at % cohorts]?.values[Math.floor(at / cohorts)]
}
