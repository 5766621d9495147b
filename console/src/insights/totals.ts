import { clone, create } from '@bufbuild/protobuf'
import { CohortFilterSchema } from '@contract/millrace/insights/v1/cohort_filter_pb.js'
import { AggregationType } from '@contract/shared/insights/v1/event_query_pb.js'
import {
  type InsightQuerySpec,
  InsightQuerySpecSchema,
  InsightType,
} from '@contract/shared/insights/v1/insight_query_spec_pb.js'
import type { TrendSeries } from '@contract/shared/insights/v1/query_result_pb.js'
import { SessionMetric } from '@contract/shared/insights/v1/session_query_pb.js'
import { keysOf } from '../charts/palette.ts'
import type { SeriesTotal } from '../charts/summary.ts'
import { seriesLabel } from '../format/labels.ts'
import type { Result } from './model/insight-type.ts'

/** Aggregations whose values in buckets add up to the value of the range. */
const ADDITIVE: ReadonlySet<AggregationType> = new Set([
  AggregationType.UNSPECIFIED,
  AggregationType.TOTAL,
  AggregationType.SUM,
])

/** Queries one number over the range of the answer. */
export type AskNumber = (spec: InsightQuerySpec) => Promise<number | undefined>

/**
 * The values of the series of an answer over its whole range: sums where they add up, else the answers of the service. A value
 * with a breakdown that does not add up has no query, and is unknown; so is that of rolling people.
 */
export async function loadTotals(
  spec: InsightQuerySpec,
  result: Result,
  ask: AskNumber,
): Promise<readonly (number | undefined)[]> {
  if (result.case !== 'trends') return []
  return await Promise.all(
    result.value.series.map(async (series, at) => sumOf(spec, series) ?? (await askOne(spec, at, ask))),
  )
}

/** The same without the service: values that do not add up are unknown. */
export function sumTotals(
  spec: InsightQuerySpec | undefined,
  { result, previous }: { readonly result: Result; readonly previous?: Result | undefined },
): readonly SeriesTotal[] {
  const sumsOf = (one: Result): Totalled => ({
    result: one,
    values: spec && one.case === 'trends' ? one.value.series.map((series) => sumOf(spec, series)) : [],
  })
  return pairTotals(sumsOf(result), previous && sumsOf(previous))
}

/** An answer, and the values of its series over the range. */
interface Totalled {
  readonly result: Result
  readonly values: readonly (number | undefined)[]
}

/** Values beside those of the same series in the previous period, which may have another order. */
export function pairTotals(now: Totalled, before: Totalled | undefined): readonly SeriesTotal[] {
  const keys = before ? seriesKeys(before.result) : []
  return seriesKeys(now.result).map((key, at) => ({
    value: now.values[at],
    previous: before?.values[keys.indexOf(key)],
  }))
}

function seriesKeys(result: Result): readonly string[] {
  return result.case === 'trends' ? keysOf(result.value.series.map(seriesLabel)) : []
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

async function askOne(spec: InsightQuerySpec, at: number, ask: AskNumber): Promise<number | undefined> {
  const { breakdownCohortIds: ids } = spec
  const event = spec.events[ids.length > 0 ? Math.floor(at / ids.length) : at]
  if (spec.breakdowns.length > 0 || !(event || spec.session)) return undefined
  if (event && ROLLING.has(event.aggregation)) return undefined
  const one = clone(InsightQuerySpecSchema, spec)
  const cohortId = ids[at % ids.length]
  const ofCohort = cohortId === undefined ? [] : [create(CohortFilterSchema, { cohortId })]
  return await ask(
    create(InsightQuerySpecSchema, {
      ...one,
      insightType: InsightType.SEGMENTATION,
      events: event ? [event] : [],
      breakdownLimit: 0,
      formulas: [],
      breakdownCohortIds: [],
      cohorts: [...one.cohorts, ...ofCohort],
    }),
  )
}
