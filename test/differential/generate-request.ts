import { create, type MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import {
  AggregationType,
  type EventQuerySchema,
} from '../../src/contract/gen/shared/insights/v1/event_query_pb.js'
import {
  Granularity,
  type InsightQuerySpecSchema,
  InsightType,
} from '../../src/contract/gen/shared/insights/v1/insight_query_spec_pb.js'
import {
  type QueryRequest,
  QueryRequestSchema,
  type SegmentUsersRequest,
  SegmentUsersRequestSchema,
} from '../../src/contract/gen/shared/insights/v1/insights_service_pb.js'
import { SessionMetric } from '../../src/contract/gen/shared/insights/v1/session_query_pb.js'
import { TopKQuery_Dimension } from '../../src/contract/gen/shared/insights/v1/top_k_query_pb.js'
import {
  UserFlowQuery_GroupBy,
  UserFlowQuery_NodeKind,
} from '../../src/contract/gen/shared/insights/v1/user_flow_query_pb.js'
import type { Prng } from '../../src/kernel/prng.ts'
import { generateEventFilter, generateGroups, generateLogic } from './generate-filters.ts'
import type { GeneratedWorld } from './generate-world.ts'
import { SCENES } from './scenes.ts'
import { EVENT_NAMES, EXACT_NAMES, NODE_NAMES, PAUSES_MS } from './vocabulary.ts'

type Spec = Exclude<MessageInitShape<typeof InsightQuerySpecSchema>, { $typeName: string }>
type Query = Exclude<MessageInitShape<typeof EventQuerySchema>, { $typeName: string }>

/** How a spec of one type is made from parts that are valid for it. */
type MakeSpec = (rng: Prng, generated: GeneratedWorld) => Spec

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** spec.md "InsightsService": the longest range of each granularity. */
const RANGE_MS_MAX = {
  [Granularity.MINUTE]: 6 * HOUR_MS,
  [Granularity.HOUR]: 14 * DAY_MS,
  [Granularity.DAY]: 365 * DAY_MS,
  [Granularity.WEEK]: 1461 * DAY_MS,
  [Granularity.MONTH]: 3652 * DAY_MS,
} satisfies Record<Exclude<Granularity, Granularity.UNSPECIFIED>, number>

const GRANULARITIES = [
  Granularity.MINUTE,
  Granularity.HOUR,
  Granularity.DAY,
  Granularity.WEEK,
  Granularity.MONTH,
] as const
const COUNTS = [
  AggregationType.UNSPECIFIED,
  AggregationType.TOTAL,
  AggregationType.UNIQUE_USERS,
  AggregationType.PER_USER_AVG,
] as const
const SUMS = [AggregationType.SUM, AggregationType.AVG] as const
const EXTREMES = [AggregationType.MIN, AggregationType.MAX] as const
const MEASURED_SESSIONS = [
  SessionMetric.SESSIONS,
  SessionMetric.AVG_DURATION,
  SessionMetric.BOUNCE_RATE,
  SessionMetric.AVG_EVENTS_PER_SESSION,
] as const

const SPECS = {
  [InsightType.TRENDS]: (rng, generated) =>
    rng.chance(0.3) ? sessionTrends(rng, generated) : trends(rng, generated),
  [InsightType.SEGMENTATION]: (rng, generated) =>
    rng.chance(0.4)
      ? { session: { metric: rng.pick(MEASURED_SESSIONS), ...maybeScope(rng, generated) } }
      : { events: queries(rng, { generated, count: rng.below(4) }) },
  [InsightType.FUNNEL]: funnel,
  [InsightType.RETENTION]: (rng, generated) => ({
    events: plainQueries(rng, { generated, count: 1 + rng.below(2) }),
    ...breakdowns(rng),
  }),
  [InsightType.USER_FLOW]: userFlow,
  [InsightType.TOP_K]: topK,
  [InsightType.MAP]: (rng, generated) => ({
    map: { ...rankingMetric(rng, COUNTS), ...maybeScope(rng, generated) },
  }),
} satisfies Record<Exclude<InsightType, InsightType.UNSPECIFIED>, MakeSpec>

/** The insight types that requests are generated for. */
export const INSIGHT_TYPES = Object.keys(SPECS).map((key): keyof typeof SPECS => Number(key))

/** A valid request about a world: of any insight type, or of a given one. */
export function generateRequest(
  rng: Prng,
  generated: GeneratedWorld,
  insightType: keyof typeof SPECS = rng.pick(INSIGHT_TYPES),
): QueryRequest {
  const granularity = rng.pick(GRANULARITIES)
  return create(QueryRequestSchema, {
    spec: {
      ...SPECS[insightType](rng, generated),
      insightType,
      filterGroups: generateGroups(rng, generated),
      filterGroupsOperator: generateLogic(rng),
      includeCookieless: rng.chance(0.4),
    },
    granularity,
    timeRange: generateRange(rng, { generated, lengthMsMax: RANGE_MS_MAX[granularity] }),
    timezone: generateZone(rng, generated),
  })
}

/** A valid request for the users of a segment. */
export function generateSegmentRequest(rng: Prng, generated: GeneratedWorld): SegmentUsersRequest {
  return create(SegmentUsersRequestSchema, {
    events: plainQueries(rng, { generated, count: 1 + rng.below(3) }),
    timeRange: generateRange(rng, { generated, lengthMsMax: RANGE_MS_MAX[Granularity.DAY] }),
    filterGroups: generateGroups(rng, generated),
    filterGroupsOperator: generateLogic(rng),
  })
}

function trends(rng: Prng, generated: GeneratedWorld): Spec {
  return { events: queries(rng, { generated, count: rng.below(4) }), ...breakdowns(rng) }
}

function sessionTrends(rng: Prng, generated: GeneratedWorld): Spec {
  if (rng.chance(0.6)) {
    return {
      session: { metric: rng.pick(MEASURED_SESSIONS), ...maybeScope(rng, generated) },
      ...breakdowns(rng),
    }
  }
  const metric = rng.pick([SessionMetric.ENTRY, SessionMetric.EXIT])
  return {
    session: { metric, ...maybeScope(rng, generated) },
    breakdowns: [{ property: rng.pick(EVENT_NAMES) }],
    breakdownLimit: generateLimit(rng),
  }
}

function funnel(rng: Prng, generated: GeneratedWorld): Spec {
  const windowMs = rng.pick(PAUSES_MS) + rng.pick(PAUSES_MS)
  const seconds = BigInt(Math.max(1, Math.floor(windowMs / 1000)))
  return {
    events: plainQueries(rng, { generated, count: rng.chance(0.05) ? 20 : 1 + rng.below(5) }),
    includeStepTiming: rng.chance(0.6),
    ...(rng.chance(0.6) ? { conversionWindow: { seconds } } : {}),
    ...breakdowns(rng),
  }
}

function userFlow(rng: Prng, generated: GeneratedWorld): Spec {
  const nodes = rng.chance(0.5)
    ? { nodeKind: UserFlowQuery_NodeKind.PROPERTY, nodeProperty: rng.pick(NODE_NAMES) }
    : { nodeKind: rng.pick([UserFlowQuery_NodeKind.UNSPECIFIED, UserFlowQuery_NodeKind.EVENT_KIND]) }
  return {
    userFlow: {
      ...nodes,
      groupBy: rng.pick([UserFlowQuery_GroupBy.UNSPECIFIED, UserFlowQuery_GroupBy.SESSION]),
      maxHops: rng.pick([0, 1, 2, 3, 10]),
      maxNodes: rng.pick([0, 2, 3, 5, 50]),
      maxLinks: rng.pick([0, 1, 3, 10, 500]),
      ...(rng.chance(0.5) ? { scope: pathScope(rng, generated) } : {}),
    },
  }
}

/** A scope of one kind leaves no path between kinds, so that most have none. */
function pathScope(rng: Prng, generated: GeneratedWorld): ReturnType<typeof generateEventFilter> {
  const scope = generateEventFilter(rng, generated)
  return rng.chance(0.8) ? { ...scope, kind: '' } : scope
}

function topK(rng: Prng, generated: GeneratedWorld): Spec {
  const rest = { limit: generateLimit(rng), omitOthers: rng.chance(0.3), ...maybeScope(rng, generated) }
  switch (rng.below(3)) {
    case 0: {
      const metric = rankingMetric(rng, [AggregationType.UNSPECIFIED, AggregationType.TOTAL])
      return { topK: { dimension: TopKQuery_Dimension.USER, ...metric, ...rest } }
    }
    case 1:
      return { topK: { dimension: TopKQuery_Dimension.EVENT_KIND, ...rankingMetric(rng, COUNTS), ...rest } }
    default: {
      const property = rng.pick(EVENT_NAMES)
      return {
        topK: { dimension: TopKQuery_Dimension.PROPERTY, property, ...rankingMetric(rng, COUNTS), ...rest },
      }
    }
  }
}

/** A metric that ranks: its sums have to be exact. */
function rankingMetric(
  rng: Prng,
  counts: readonly AggregationType[],
): { readonly metric: AggregationType; readonly metricProperty?: string } {
  if (rng.chance(0.5)) return { metric: rng.pick(counts) }
  const { aggregation, aggregationProperty } = numericAggregation(rng)
  return { metric: aggregation, metricProperty: aggregationProperty }
}

function numericAggregation(rng: Prng): {
  readonly aggregation: AggregationType
  readonly aggregationProperty: string
} {
  if (rng.chance(0.5)) return { aggregation: rng.pick(SUMS), aggregationProperty: rng.pick(EXACT_NAMES) }
  return { aggregation: rng.pick(EXTREMES), aggregationProperty: rng.pick(EVENT_NAMES) }
}

interface QueryCount {
  readonly generated: GeneratedWorld
  readonly count: number
}

function queries(rng: Prng, { generated, count }: QueryCount): Query[] {
  return Array.from({ length: count }, () => ({
    ...maybeEvent(rng, generated),
    ...(rng.chance(0.5) ? { aggregation: rng.pick(COUNTS) } : numericAggregation(rng)),
  }))
}

/** For steps and cohorts, whose aggregation changes nothing. */
function plainQueries(rng: Prng, { generated, count }: QueryCount): Query[] {
  return Array.from({ length: count }, () => ({
    ...maybeEvent(rng, generated),
    aggregation: rng.pick([AggregationType.UNSPECIFIED, AggregationType.TOTAL, AggregationType.UNIQUE_USERS]),
  }))
}

function maybeEvent(rng: Prng, generated: GeneratedWorld): Query {
  return rng.chance(0.05) ? {} : { event: generateEventFilter(rng, generated) }
}

function maybeScope(
  rng: Prng,
  generated: GeneratedWorld,
): { readonly scope?: ReturnType<typeof generateEventFilter> } {
  return rng.chance(0.5) ? {} : { scope: generateEventFilter(rng, generated) }
}

function breakdowns(rng: Prng): Pick<Spec, 'breakdowns' | 'breakdownLimit'> {
  const count = rng.below(4)
  const names = new Set(Array.from({ length: count }, () => rng.pick(EVENT_NAMES)))
  if (names.size === 0) return {}
  return { breakdowns: [...names].map((property) => ({ property })), breakdownLimit: generateLimit(rng) }
}

function generateLimit(rng: Prng): number {
  return rng.pick([0, 1, 2, 3, 5, 100])
}

function generateZone(rng: Prng, { scene }: GeneratedWorld): string {
  return rng.pick(['', '', scene.timeZone, scene.timeZone, rng.pick(SCENES).timeZone])
}

/** Ends at the edges of buckets, at the times of events, or around the whole scene. */
function generateRange(
  rng: Prng,
  { generated, lengthMsMax }: { readonly generated: GeneratedWorld; readonly lengthMsMax: number },
): Pick<QueryRequestInit, 'timeRange'>['timeRange'] {
  const { scene, instants, world } = generated
  const ends = [...instants, ...world.events.map(({ occurMs }) => occurMs)]
  const nearMs = Math.min(lengthMsMax / 2, 45 * DAY_MS)
  const starts = ends.filter((ms) => Math.abs(ms - scene.anchorMs) <= nearMs)
  const fromMs = rng.chance(0.3) ? scene.anchorMs - nearMs : rng.pick(starts)
  const later = ends.filter((ms) => ms > fromMs && ms - fromMs <= lengthMsMax)
  const isWhole = later.length === 0 || rng.chance(0.3)
  const toMs = isWhole ? fromMs + 2 * nearMs : rng.pick(later)
  return { from: timestampFromMs(fromMs), to: timestampFromMs(toMs) }
}

type QueryRequestInit = Exclude<MessageInitShape<typeof QueryRequestSchema>, { $typeName: string }>
