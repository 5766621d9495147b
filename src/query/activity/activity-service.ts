import type { HandlerContext, ServiceImpl } from '@connectrpc/connect'
import {
  type ActivityService,
  GetActivityFeedRequestSchema,
  GetEventExplorerRequestSchema,
  GetPropertyValuesRequestSchema,
  GetPropertyValuesResponseSchema,
} from '../../contract/gen/shared/activity/v1/activity_service_pb.js'
import { withMergedKinds } from '../../domain/insights/merged-kinds.ts'
import { parseTimeZone } from '../../domain/insights/time-zone.ts'
import { answerQuery, openCall, type QueryPorts } from '../calls/query-call.ts'
import { answerFilterSchema } from '../filter-schema/answer-filter-schema.ts'
import { listPropertyValues } from '../filter-schema/property-values.ts'
import { exploreEvents, listActivity } from './event-lists.ts'
import { countDays, parseHeatmapRange } from './heatmap.ts'
import { readProfileStats } from './profile-stats.ts'

/**
 * `shared.activity.v1.ActivityService`: recent activity event by event, never cached, and the properties to filter by.
 */
export function createActivityService(ports: QueryPorts): Partial<ServiceImpl<typeof ActivityService>> {
  const open = async (context: HandlerContext, cohortIds: readonly string[] = []) => {
    const { run, ...project } = await openCall(ports, context, cohortIds)
    const { projectId, projectTimeZone, mergedKinds } = project
    const zone = parseTimeZone(projectTimeZone)
    return { project, projectId, mergedKinds, zone, run, nowMs: ports.clock.nowMs() }
  }
  return {
    getActivityFeed: async (sent, context) => {
      const call = await open(context)
      const request = withMergedKinds(GetActivityFeedRequestSchema, sent, call.mergedKinds)
      return await listActivity({ ...call, request })
    },
    getEventExplorer: async (sent, context) => {
      const call = await open(
        context,
        sent.cohorts.map(({ cohortId }) => cohortId),
      )
      const request = withMergedKinds(GetEventExplorerRequestSchema, sent, call.mergedKinds)
      return await exploreEvents({ ...call, request })
    },
    getActivityHeatmap: async (request, context) => {
      const { projectId, zone, run, nowMs } = await open(context)
      const range = parseHeatmapRange(request, { nowMs, zone })
      return { days: await countDays({ projectId, distinctId: request.distinctId, range, zone }, run) }
    },
    getProfileStats: async (request, context) =>
      await readProfileStats({ request, ...(await open(context)) }),
    getFilterSchema: async (request, context) => await answerFilterSchema(ports, { request, context }),
    getPropertyValues: async (request, context) =>
      await answerQuery(ports, {
        input: GetPropertyValuesRequestSchema,
        output: GetPropertyValuesResponseSchema,
        request,
        context,
        answer: async (run, project) =>
          await listPropertyValues({ ...project, request, reason: 'INVALID_ACTIVITY_FILTER', run }),
      }),
  }
}
