import { create } from '@bufbuild/protobuf'
import type { InsightQuerySpec } from '@contract/shared/insights/v1/insight_query_spec_pb.js'
import {
  InsightsService,
  type QueryRequest,
  QueryRequestSchema,
  type QueryResponse,
} from '@contract/shared/insights/v1/insights_service_pb.js'
import type { SeriesTotal } from '@domain/insights/totals.ts'
import { type ComparedResult, loadTotals } from '@domain/insights/totals.ts'
import type { RangeMs } from '@domain/time-ranges.ts'
import { clientOf } from '../rpc/client.ts'
import { askCompared } from './ask-compared.ts'
import { comparedRange, insightRange } from './insight-period.ts'
import type { Draft } from './model/draft.ts'
import { GRANULARITY_NUMBERS, type Now, toTimeRange } from './period.ts'
import type { InsightQuery } from './query-address.ts'
import { decodeSpec, parseSpec } from './spec.ts'
import { INSIGHT_TYPES, typeOfSpec } from './types/insight-types.ts'

const insightsClient = clientOf(InsightsService)

/** An answer, its query and its range, with the answer for the compared range where the query compares. */
export interface Answered extends ComparedResult {
  readonly query: InsightQuery
  readonly draft: Draft
  readonly spec: InsightQuerySpec
  readonly request: QueryRequest
  readonly response: QueryResponse
  readonly range: RangeMs
  readonly before: RangeMs | undefined
  /** The values of the series over the range; empty for other answers than trends. */
  readonly totals: readonly SeriesTotal[]
  readonly askedMs: number
}

/** Options for running a query. */
export interface RunOptions {
  readonly timeZone: string
  readonly firstDate?: string | undefined
  readonly signal: AbortSignal
  /** Rejects a request before it is sent. */
  readonly check?: ((request: QueryRequest, timeZone: string) => Promise<void>) | undefined
}

/** Runs a query for its range and the one that it compares with. Throws the errors of the calls. */
export async function runQuery(
  query: InsightQuery,
  { timeZone, firstDate, signal, check }: RunOptions,
): Promise<Answered> {
  const spec = parseSpec(query.spec)
  const now: Now = { nowMs: Date.now(), timeZone, firstDate }
  const range = insightRange(query.period, now)
  const isComparable = INSIGHT_TYPES[typeOfSpec(spec)].comparable !== undefined
  const before = isComparable ? comparedRange(query, now) : undefined
  const request = create(QueryRequestSchema, {
    spec,
    timeRange: toTimeRange(range),
    granularity: GRANULARITY_NUMBERS[query.granularity],
  })
  await check?.(request, timeZone)
  const ask = async (one: InsightQuerySpec) =>
    await askCompared(
      { ...request, spec: one },
      { range, before, timeZone },
      async (asked) => await insightsClient.query(asked, { signal }),
    )
  const answer = await ask(spec)
  return {
    ...answer,
    query,
    draft: decodeSpec(spec),
    spec,
    request,
    range,
    before,
    totals: await loadTotals(spec, answer, ask),
    askedMs: now.nowMs,
  }
}
