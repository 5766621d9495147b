import type { ServiceImpl } from '@connectrpc/connect'
import type { SharedDashboardsService } from '../../contract/gen/public/dashboards/v1/shared_dashboards_service_pb.js'
import { requestIdKey } from '../../rpc/call-context.ts'
import { type DashboardStore, readSharedDashboard } from './dashboard-store.ts'
import { toPublicView } from './public-view.ts'
import { type RenderPorts, renderDashboard } from './render-dashboard.ts'
import type { ShareLimiter } from './share-limiter.ts'
import { chooseShownRange } from './shown-range.ts'

/**
 * `public.dashboards.v1.SharedDashboardsService`: dashboards for anyone who has the link. The same range is answered from
 * memory for a moment, whatever the caller wishes; other ranges make the store work, as often as the limiter lets a link.
 */
export function createSharedDashboardsService(
  ports: DashboardStore & RenderPorts,
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
      return { dashboard: toPublicView(await renderDashboard(ports, view)) }
    },
  }
}
