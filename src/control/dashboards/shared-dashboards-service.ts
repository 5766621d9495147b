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
import { chooseShownRange, previousShownRange, type RequestedRange, type ShownRange } from './shown-range.ts'

/** What shared dashboards are answered from. */
export interface SharedDashboardsPorts extends DashboardStore, RenderPorts {
  /** Where questions read the time zone of their buckets: the same one is told. */
  readonly projects: Pick<ProjectReader, 'read'>
}

/** Metadata of the answer: the IANA name of the zone whose days, weeks and months the buckets are. The messages have no field for it. */
const TIME_ZONE_HEADER = 'x-time-zone'

/**
 * `public.dashboards.v1.SharedDashboardsService`: dashboards for anyone who has the link. The same range is answered from
 * memory for a moment, whatever the caller wishes; other ranges make the store work, as often as the limiter lets a link.
 */
export function createSharedDashboardsService(
  ports: SharedDashboardsPorts,
  limiter: ShareLimiter,
): ServiceImpl<typeof SharedDashboardsService> {
  return {
    query: async ({ shareId, ...requested }, context) => {
      const dashboard = await readSharedDashboard(ports, shareId)
      limiter.take(shareId)
      const view = {
        dashboard,
        ...chooseView(dashboard, requested, ports.clock.nowMs()),
        isFresh: false,
        signal: context.signal,
        requestId: context.values.get(requestIdKey),
      }
      const { reportingTimezone } = await ports.projects.read(dashboard.projectId)
      const rendered = await renderDashboard(ports, view)
      context.responseHeader.set(TIME_ZONE_HEADER, reportingTimezone)
      return { dashboard: toPublicView(rendered) }
    },
  }
}

function chooseView(
  dashboard: Dashboard,
  requested: RequestedRange & { readonly previousPeriod: boolean },
  nowMs: number,
): { readonly range: ShownRange; readonly isAsked?: (tile: DashboardTile) => boolean } {
  const isNamed = requested.timeRange !== undefined || requested.granularity !== Granularity.UNSPECIFIED
  if (dashboard.isRangePinned && isNamed) throw rangePinned()
  const range = chooseShownRange(dashboard, requested, nowMs)
  return requested.previousPeriod
    ? { range: previousShownRange(range), isAsked: comparesWithBefore }
    : { range }
}

/** Only these show the range before: of the others it would reveal more than the dashboard does. */
function comparesWithBefore({ compare }: DashboardTile): boolean {
  return compare === ComparePeriod.PRIOR
}

function rangePinned(): ServiceError {
  return new ServiceError({
    code: 'permission_denied',
    reason: 'SHARE_RANGE_PINNED',
    message: 'this share answers the range of its dashboard only; leave time_range and granularity out',
  })
}
