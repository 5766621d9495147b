import { create, toJson } from '@bufbuild/protobuf'
import {
  type InsightQuerySpec,
  InsightQuerySpecSchema,
  InsightType,
} from '../../src/contract/gen/shared/insights/v1/insight_query_spec_pb.js'
import {
  type QueryRequest,
  QueryRequestSchema,
  QueryResponseSchema,
} from '../../src/contract/gen/shared/insights/v1/insights_service_pb.js'
import { SessionMetric } from '../../src/contract/gen/shared/insights/v1/session_query_pb.js'
import { UserFlowQuery_NodeKind } from '../../src/contract/gen/shared/insights/v1/user_flow_query_pb.js'
import type { ProjectContext } from '../../src/domain/insights/insight-context.ts'
import type { Prng } from '../../src/kernel/prng.ts'
import { prepareInsight } from '../../src/query/insight-types.ts'
import type { QueryRunner } from '../../src/query/sql/select.ts'
import { compareResponses } from './compare.ts'
import { generateRequest } from './generate.ts'
import { answer } from './reference.ts'
import { WEB_VALUES, type WebWorld } from './web-world.ts'

const METRICS = [
  SessionMetric.SESSIONS,
  SessionMetric.AVG_DURATION,
  SessionMetric.BOUNCE_RATE,
  SessionMetric.ENTRY,
  SessionMetric.EXIT,
  SessionMetric.AVG_EVENTS_PER_SESSION,
] as const

const PROPERTIES = Object.keys(WEB_VALUES)

/** An insight of whole sessions without conditions, which rows of visits answer unless they lack a value. */
export function generateRowInsight(rng: Prng, whole: WebWorld): QueryRequest {
  const { timeRange, granularity, timezone } = generateRequest(rng, whole)
  const request = { spec: generateSpec(rng), granularity, timezone }
  return create(QueryRequestSchema, timeRange ? { ...request, timeRange } : request)
}

function generateSpec(rng: Prng): InsightQuerySpec {
  if (rng.chance(0.5)) return generateFlow(rng)
  const metric = rng.pick(METRICS)
  const isOfValue = metric === SessionMetric.ENTRY || metric === SessionMetric.EXIT
  const session = { metric }
  if (!isOfValue && rng.chance(0.3)) {
    return create(InsightQuerySpecSchema, { insightType: InsightType.SEGMENTATION, session })
  }
  const count = isOfValue ? 1 : rng.pick([0, 1, 2])
  const chosen = Array.from({ length: count }, () => (rng.chance(0.5) ? '$pathname' : rng.pick(PROPERTIES)))
  const breakdowns = [...new Set(chosen)].map((property) => ({ property }))
  const breakdownLimit = breakdowns.length > 0 ? rng.pick([0, 1, 3]) : 0
  return create(InsightQuerySpecSchema, {
    insightType: InsightType.TRENDS,
    session,
    breakdowns,
    breakdownLimit,
    excludeBots: rng.chance(0.5),
  })
}

function generateFlow(rng: Prng): InsightQuerySpec {
  const nodes = rng.chance(0.3)
    ? { nodeKind: UserFlowQuery_NodeKind.EVENT_KIND }
    : { nodeKind: UserFlowQuery_NodeKind.PROPERTY, nodeProperty: '$pathname' }
  const kind = rng.pick(['', 'page_view', 'page_view', 'signup'])
  return create(InsightQuerySpecSchema, {
    insightType: InsightType.USER_FLOW,
    userFlow: {
      ...nodes,
      scope: { kind },
      maxHops: rng.pick([0, 1, 10]),
      maxNodes: rng.pick([0, 2, 5]),
      maxLinks: rng.pick([0, 3, 500]),
    },
    excludeBots: rng.chance(0.5),
    includeCookieless: rng.chance(0.5),
  })
}

/** Where an insight is asked. */
export interface AskedInsight {
  readonly project: ProjectContext
  readonly run: QueryRunner
}

/** The request and how its answer differs from the reference's; empty when it does not. */
export async function differInsight(
  { world }: WebWorld,
  request: QueryRequest,
  { project, run }: AskedInsight,
): Promise<readonly unknown[]> {
  const expected = answer(world, request)
  const actual = create(QueryResponseSchema, await prepareInsight(request, project).answer(run))
  const found = compareResponses({ expected, actual })
  return found.length > 0 ? [[toJson(QueryRequestSchema, request), found]] : []
}
