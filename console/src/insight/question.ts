import { create } from '@bufbuild/protobuf'
import type { InsightQuerySpec } from '@contract/shared/insights/v1/insight_query_spec_pb.js'
import {
  InsightsService,
  type QueryRequest,
  QueryRequestSchema,
  type QueryResponse,
} from '@contract/shared/insights/v1/insights_service_pb.js'
import type { RangeMs } from '@domain/time-ranges.ts'
import { clientOf } from '../rpc/client.ts'
import { isComparable } from './compare.ts'
import {
  type Draft,
  GRANULARITIES,
  type Granularity,
  INSIGHT_TYPES,
  newDraft,
  SESSION_METRICS,
} from './draft.ts'
import {
  defaultGranularity,
  GRANULARITY_NUMBERS,
  insightRange,
  isPreset,
  isTooNarrow,
  type Period,
  parsePeriod,
  previousInsightRange,
  toTimeRange,
  writePeriod,
} from './period.ts'
import { draftOf, encodeDraft, parseSpec, writeSpec } from './spec-json.ts'

/** What the address of a page of insights says. */
export interface Question {
  readonly spec: string
  readonly period: Period
  readonly granularity: Granularity
  readonly compare: 'nothing' | 'prior'
}

/** An answer, that of the time before where it was asked for, and what time it is about. */
export interface Answered {
  /** The question as the builder had it when it was asked. */
  readonly draft: Draft
  readonly spec: InsightQuerySpec
  readonly shown: QueryResponse
  readonly before: QueryResponse | undefined
  readonly range: RangeMs
}

/** The question of an address; what is not readable is as in a new one. */
export function readQuestion(query: URLSearchParams): Question & { readonly draft: Draft } {
  const period = parsePeriod(query.get('range')) ?? 'LAST_7_DAYS'
  return {
    ...readSpec(query.get('spec')),
    period,
    granularity: readGranularity(query.get('granularity') ?? '', period),
    compare: query.get('compare') === 'prior' ? 'prior' : 'nothing',
  }
}

/** Buckets that are too narrow for a range that ends now are as in a new question. */
function readGranularity(text: string, period: Period): Granularity {
  const isKnown = Object.hasOwn(GRANULARITIES, text)
  const granularity = isKnown ? (text as Granularity) : defaultGranularity(period)
  const mayBe = !isPreset(period) || !isTooNarrow(granularity, { period, timeZone: 'UTC' })
  return mayBe ? granularity : defaultGranularity(period)
}

function readSpec(text: string | null): Pick<Question, 'spec'> & { readonly draft: Draft } {
  try {
    const spec = parseSpec(text ?? '')
    return { spec: writeSpec(spec), draft: draftOf(spec) }
  } catch {
    const draft = newDraft()
    return { spec: JSON.stringify(encodeDraft(draft)), draft }
  }
}

/** The question as an address has it. */
export function writeQuestion({ spec, period, granularity, compare }: Question): Record<string, string> {
  return {
    spec,
    range: writePeriod(period),
    granularity,
    ...(compare === 'prior' && { compare }),
  }
}

/** How a question is asked. */
export interface AskContext {
  readonly timeZone: string
  /** Throws what is wrong with a request that need not be sent for that. */
  readonly check?: (request: QueryRequest, timeZone: string) => Promise<void>
}

/** Asks a question, and once more for the time before where that is to be compared with. Throws what the calls throw. */
export async function ask(question: Question, { timeZone, check }: AskContext): Promise<Answered> {
  const spec = parseSpec(question.spec)
  const range = insightRange(question.period, { nowMs: Date.now(), timeZone })
  const granularity = GRANULARITY_NUMBERS[question.granularity]
  const requestOf = (asked: RangeMs): QueryRequest =>
    create(QueryRequestSchema, { spec, timeRange: toTimeRange(asked), granularity })
  const query = async (asked: RangeMs): Promise<QueryResponse> =>
    await clientOf(InsightsService).query(requestOf(asked))
  await check?.(requestOf(range), timeZone)
  const draft = draftOf(spec)
  const isCompared = question.compare === 'prior' && isComparable(draft.type)
  const [shown, before] = await Promise.all([
    query(range),
    isCompared ? query(previousInsightRange(question.period, range, timeZone)) : undefined,
  ])
  return { draft, spec, shown, before, range }
}

/** What a question is called where there is room for a line. */
export function titleOf({ type, measure, events, sessionMetric, breakdowns }: Draft): string {
  const hasSeries =
    type !== 'INSIGHT_TYPE_USER_FLOW' && type !== 'INSIGHT_TYPE_TOP_K' && type !== 'INSIGHT_TYPE_MAP'
  const kinds = events.map(({ kind }) => (kind === '' ? 'all events' : kind)).join(', ')
  const subject = measure === 'sessions' ? SESSION_METRICS[sessionMetric] : kinds
  const by = breakdowns.filter((name) => name !== '')
  return [
    INSIGHT_TYPES[type],
    ...(hasSeries ? [`: ${subject}`] : []),
    ...(by.length > 0 ? [` by ${by.join(', ')}`] : []),
  ].join('')
}
