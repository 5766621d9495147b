import type { ServiceImpl } from '@connectrpc/connect'
import type { SharedDashboardsService } from '../../contract/gen/public/dashboards/v1/shared_dashboards_service_pb.js'
import { requestIdKey } from '../../rpc/call-context.ts'
import type { ProjectReader } from '../../store/catalog/project-reader.ts'
import { type DashboardStore, readSharedDashboard } from './dashboard-store.ts'
import { toPublicView } from './public-view.ts'
import { type RenderPorts, renderDashboard } from './render-dashboard.ts'
import type { ShareLimiter } from './share-limiter.ts'
import { chooseShownRange } from './shown-range.ts'

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
        range: chooseShownRange(dashboard, requested, ports.clock.nowMs()),
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
