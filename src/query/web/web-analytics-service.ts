import type { HandlerContext, ServiceImpl } from '@connectrpc/connect'
import { projectIdOf } from '../../access/caller.ts'
import { EventFilterSchema } from '../../contract/gen/common/v1/filter_pb.js'
import {
  QueryRealtimeRequestSchema,
  QueryRealtimeResponseSchema,
} from '../../contract/gen/millrace/web/v1/realtime_pb.js'
import {
  Dimension,
  QueryOverviewRequestSchema,
  QueryOverviewResponseSchema,
  QueryTableRequestSchema,
  QueryTableResponseSchema,
  type WebAnalyticsService,
} from '../../contract/gen/millrace/web/v1/web_analytics_service_pb.js'
import { type MergedKinds, withMergedKinds } from '../../domain/insights/merged-kinds.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import { answerQuery, type QueryPorts } from '../calls/query-call.ts'
import { type Goal, loadGoals } from '../goals/goal-store.ts'
import { answerOverview } from './overview.ts'
import { answerRealtime } from './realtime.ts'
import { answerTable } from './table.ts'
import { VisitScans } from './visit-scans.ts'
import { parseOverview, parseTable } from './web-query.ts'

/** Dependencies of the web overview. */
export interface WebPorts extends QueryPorts {
  readonly catalog: Catalog
}

/** `millrace.web.v1.WebAnalyticsService`: measures of visits. */
export function createWebAnalyticsService(ports: WebPorts): ServiceImpl<typeof WebAnalyticsService> {
  const scans = new VisitScans()
  return {
    queryOverview: async (request, context) => {
      const goals = await readGoals(ports, context, request.filters)
      return await answerQuery(ports, {
        input: QueryOverviewRequestSchema,
        output: QueryOverviewResponseSchema,
        request,
        context,
        basis: versionOf(goals),
        cohortIds: request.cohorts.map(({ cohortId }) => cohortId),
        answer: async (run, project) =>
          await answerOverview(parseOverview(request, project), goals, { run, scans }),
      })
    },
    queryTable: async (request, context) => {
      const goals = await readGoals(ports, context, [...request.filters, request])
      return await answerQuery(ports, {
        input: QueryTableRequestSchema,
        output: QueryTableResponseSchema,
        request,
        context,
        basis: versionOf(goals),
        cohortIds: request.cohorts.map(({ cohortId }) => cohortId),
        answer: async (run, project) =>
          await answerTable(parseTable(request, project), goals, { run, scans }),
      })
    },
    queryRealtime: async (request, context) =>
      await answerQuery(ports, {
        input: QueryRealtimeRequestSchema,
        output: QueryRealtimeResponseSchema,
        request,
        context,
        answer: async (run, { projectId }) =>
          await answerRealtime({ request, projectId, nowMs: ports.clock.nowMs(), run }),
      }),
  }
}

/** The goals of the project; none when no part of the request is about goals. */
export async function readGoals(
  { catalog, projects }: WebPorts,
  context: HandlerContext,
  parts: readonly { readonly dimension: Dimension }[],
): Promise<readonly Goal[]> {
  const isAboutGoals = parts.some(({ dimension }) => dimension === Dimension.GOAL)
  if (!isAboutGoals) return []
  const projectId = projectIdOf(context)
  const { mergedKinds } = (await projects.read(projectId)).names
  return (await loadGoals(catalog, projectId)).map((goal) => mergeKinds(goal, mergedKinds))
}

/** The goal with the events of the kinds that count as its kind. */
function mergeKinds(goal: Goal, mergedKinds: MergedKinds): Goal {
  const { target } = goal
  if (target.case !== 'event') return goal
  const value = withMergedKinds(EventFilterSchema, target.value, mergedKinds)
  return { ...goal, target: { case: 'event', value } }
}

/** The goals that an answer depends on, as text. */
export function versionOf(goals: readonly Goal[]): string {
  return goals.map(({ id, updatedMs }) => `${id} ${updatedMs}`).join('\n')
}
