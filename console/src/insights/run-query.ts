import { create } from '@bufbuild/protobuf'
import type { InsightQuerySpec } from '@contract/shared/insights/v1/insight_query_spec_pb.js'
import {
  InsightsService,
  type QueryRequest,
  QueryRequestSchema,
  type QueryResponse,
} from '@contract/shared/insights/v1/insights_service_pb.js'
import type { RangeMs } from '@domain/time-ranges.ts'
import type { SeriesTotal } from '../charts/summary.ts'
import { clientOf } from '../rpc/client.ts'
import type { Draft } from './model/draft.ts'
import { GRANULARITY_NUMBERS, insightRange, previousInsightRange, toTimeRange } from './period.ts'
import type { InsightQuery } from './query-address.ts'
import { decodeSpec, parseSpec } from './spec.ts'
import { type AskNumber, loadTotals, pairTotals } from './totals.ts'
import { INSIGHT_TYPES, typeOfSpec } from './types/insight-types.ts'

const insightsClient = clientOf(InsightsService)

/** An answer, its query and its range, with the answer for the previous period where the query compares. */
export interface Answered {
  readonly draft: Draft
  readonly spec: InsightQuerySpec
  readonly request: QueryRequest
  readonly response: QueryResponse
  readonly previous: QueryResponse | undefined
  readonly range: RangeMs
  /** The values of the series over the range; empty for other answers than trends. */
  readonly totals: readonly SeriesTotal[]
}

/** How a query is run. */
export interface RunOptions {
  readonly timeZone: string
  /** Rejects a request before it is sent. */
  readonly check?: (request: QueryRequest, timeZone: string) => Promise<void>
}

/** Runs a query, and once more for the previous period where it compares. Throws the errors of the calls. */
export async function runQuery(
  { spec: text, period, granularity, compare }: InsightQuery,
  { timeZone, check }: RunOptions,
): Promise<Answered> {
  const spec = parseSpec(text)
  const range = insightRange(period, { nowMs: Date.now(), timeZone })
  const requestOf = (asked: RangeMs): QueryRequest =>
    create(QueryRequestSchema, {
      spec,
      timeRange: toTimeRange(asked),
      granularity: GRANULARITY_NUMBERS[granularity],
    })
  await check?.(requestOf(range), timeZone)
  const isCompared = compare === 'previous' && INSIGHT_TYPES[typeOfSpec(spec)].comparable !== undefined
  const askIn =
    (asked: RangeMs): AskNumber =>
    async (one) => {
      const { result } = await insightsClient.query({ ...requestOf(asked), spec: one })
      return result.case === 'segmentation' ? result.value.total : undefined
    }
  const answerIn = async (asked: RangeMs) => {
    const response = await insightsClient.query(requestOf(asked))
    const { result } = response
    return { response, result, values: await loadTotals(spec, result, askIn(asked)) }
  }
  const [now, before] = await Promise.all([
    answerIn(range),
    isCompared ? answerIn(previousInsightRange(period, range, timeZone)) : undefined,
  ])
  return {
    draft: decodeSpec(spec),
    spec,
    request: requestOf(range),
    response: now.response,
    previous: before?.response,
    range,
    totals: pairTotals(now, before),
  }
}
