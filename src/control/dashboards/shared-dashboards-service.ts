import type { ServiceImpl } from '@connectrpc/connect'
import type { DashboardTile } from '../../contract/gen/dashboard/dashboards/v1/dashboard_pb.js'
import { ComparePeriod } from '../../contract/gen/dashboard/dashboards/v1/tile_options_pb.js'
import type { SharedDashboardsService } from '../../contract/gen/public/dashboards/v1/shared_dashboards_service_pb.js'
import { Granularity } from '../../contract/gen/shared/insights/v1/insight_query_spec_pb.js'
import { ServiceError } from '../../contract/service-error.ts'
import { requestIdKey } from '../../rpc/call-context.ts'
import type { ProjectReader } from '../../store/catalog/project-reader.ts'
import type { Dashboard } from './dashboard.ts'
import { type DashboardStore, readSharedDashboard } from './dashboard-store.ts'
import { toPublicView } from './public-view.ts'
import { type RenderPorts, renderDashboard } from './render-dashboard.ts'
import type { ShareLimiter } from './share-limiter.ts'
import {
  chooseShownRange,
  type Now,
  previousShownRange,
  type RequestedRange,
  type ShownRange,
} from './shown-range.ts'

/** Dependencies of the service. */
export interface SharedDashboardsPorts extends DashboardStore, RenderPorts {
  /** The source of the time zone of buckets, which is returned, too. */
  readonly projects: Pick<ProjectReader, 'read'>
}

/** Response header with the IANA time zone of the buckets, for which the messages have no field. */
const TIME_ZONE_HEADER = 'x-time-zone'

/**
 * `public.dashboards.v1.SharedDashboardsService`: dashboards for anyone who has the link. The answer cache cannot be
 * bypassed here; queries of other ranges are bounded by the rate limit of the link.
 */
export function createSharedDashboardsService(
  ports: SharedDashboardsPorts,
  limiter: ShareLimiter,
): ServiceImpl<typeof SharedDashboardsService> {
  return {
    query: async ({ shareId, ...requested }, context) => {
      const dashboard = await readSharedDashboard(ports, shareId)
      limiter.take(shareId)
      const { reportingTimezone: timeZone } = await ports.projects.read(dashboard.projectId)
      const view = {
        dashboard,
        ...chooseView(dashboard, requested, { nowMs: ports.clock.nowMs(), timeZone }),
        isFresh: false,
        signal: context.signal,
        requestId: context.values.get(requestIdKey),
      }
      const rendered = await renderDashboard(ports, view)
      context.responseHeader.set(TIME_ZONE_HEADER, timeZone)
      return { dashboard: toPublicView(rendered) }
    },
  }
}

function chooseView(
  dashboard: Dashboard,
  requested: RequestedRange & { readonly previousPeriod: boolean },
  now: Now,
): { readonly range: ShownRange; readonly isQueried?: (tile: DashboardTile) => boolean } {
  const isRangeSet = requested.timeRange !== undefined || requested.granularity !== Granularity.UNSPECIFIED
  if (dashboard.isRangePinned && isRangeSet) throw rangePinned()
  const range = chooseShownRange(dashboard, requested, now)
  return requested.previousPeriod
    ? { range: previousShownRange(range, now.timeZone), isQueried: comparesToPrevious }
    : { range }
}

/** Only these tiles show the previous period; answering others would reveal more than the dashboard does. */
function comparesToPrevious({ compare }: DashboardTile): boolean {
  return compare === ComparePeriod.PRIOR
}

function rangePinned(): ServiceError {
  return new ServiceError({
    code: 'permission_denied',
    reason: 'SHARE_RANGE_PINNED',
    message: 'this share is pinned to the range of its dashboard; omit time_range and granularity',
  })
}
