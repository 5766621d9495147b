import type { HandlerContext, ServiceImpl } from '@connectrpc/connect'
import type { ActivityService } from '../../contract/gen/shared/activity/v1/activity_service_pb.js'
import { parseTimeZone } from '../insights/time-zone.ts'
import { openCall, type QueryPorts } from '../question-call.ts'
import { listActivity } from './activity-feed.ts'
import { exploreEvents } from './event-explorer.ts'
import { countDays, parseHeatmapRange } from './heatmap.ts'
import { readProfileStats } from './profile-stats.ts'

/** `shared.activity.v1.ActivityService`: what happened lately, event by event. Never answered from memory. */
export function createActivityService(ports: QueryPorts): Partial<ServiceImpl<typeof ActivityService>> {
  const open = async (context: HandlerContext) => {
    const { projectId, projectTimeZone, ask } = await openCall(ports, context)
    return { projectId, zone: parseTimeZone(projectTimeZone), ask, nowMs: ports.clock.nowMs() }
  }
  return {
    getActivityFeed: async (request, context) => await listActivity({ request, ...(await open(context)) }),
    getEventExplorer: async (request, context) => await exploreEvents({ request, ...(await open(context)) }),
    getActivityHeatmap: async (request, context) => {
      const { projectId, zone, ask, nowMs } = await open(context)
      const range = parseHeatmapRange(request, { nowMs, zone })
      return { days: await countDays({ projectId, distinctId: request.distinctId, range, zone }, ask) }
    },
    getProfileStats: async (request, context) =>
      await readProfileStats({ request, ...(await open(context)) }),
  }
}
