import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import type { HandlerContext, ServiceImpl } from '@connectrpc/connect'
import type { DashboardTile } from '../../contract/gen/dashboard/dashboards/v1/dashboard_pb.js'
import { ComparePeriod } from '../../contract/gen/dashboard/dashboards/v1/tile_options_pb.js'
import type { SharedDashboardsService } from '../../contract/gen/public/dashboards/v1/shared_dashboards_service_pb.js'
import { Granularity } from '../../contract/gen/shared/insights/v1/insight_query_spec_pb.js'
import type { ProjectId } from '../../contract/ids.ts'
import { ServiceError } from '../../contract/service-error.ts'
import { dateOf } from '../../domain/calendar.ts'
import type { AddressRanges } from '../../kernel/address-ranges.ts'
import { requestIdKey } from '../../rpc/call-context.ts'
import type { ProjectReader } from '../../store/catalog/project-reader.ts'
import { nameClientNetwork } from '../auth/known-networks.ts'
import { RefusalPause } from '../auth/refusal-pause.ts'
import { invalidField } from '../invalid-field.ts'
import { type AdmitPorts, admitReader } from './admit-reader.ts'
import type { Dashboard } from './dashboard.ts'
import { type DashboardStore, readSharedDashboard } from './dashboard-store.ts'
import { nameCohorts } from './name-cohorts.ts'
import { toPublicView } from './public-view.ts'
import { type RenderPorts, renderDashboard } from './render-dashboard.ts'
import type { ShareGrant } from './share-grants.ts'
import type { ShareLimiter } from './share-limiter.ts'
import {
  allTimeRange,
  chooseShownRange,
  type Now,
  previousShownRange,
  type RequestedRange,
  type ShownRange,
} from './shown-range.ts'

/** Dependencies of the service. */
export interface SharedDashboardsPorts extends DashboardStore, AdmitPorts, RenderPorts {
  /** Peers whose forwarding headers count. */
  readonly trustedProxies: AddressRanges
  /** The source of the time zone of buckets, which is returned, too. */
  readonly projects: Pick<ProjectReader, 'read'>
  /** The time of the first event of a project, in milliseconds; `undefined` without events. */
  readonly readFirstEvent: (query: FirstEventQuery) => Promise<number | undefined>
}

/** The project whose first event is read. */
export interface FirstEventQuery {
  readonly projectId: ProjectId
  /** Aborted when the client has gone. */
  readonly signal: AbortSignal
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
  const refusals = new RefusalPause()
  return {
    query: async ({ shareId, password, grant, ...requested }, context) => {
      const dashboard = await readSharedDashboard(ports, shareId)
      const network = nameClientNetwork(context.requestHeader, ports.trustedProxies)
      const admission = admitReader(ports, dashboard, { password, grant, network })
      const issued = await refusals.delay(admission, context)
      limiter.take(shareId)
      const { signal } = context
      const { reportingTimezone: timeZone } = await ports.projects.read(dashboard.projectId)
      const { firstDate, ...range } = await requestedRange(ports, { dashboard, requested, timeZone, signal })
      const view = {
        dashboard,
        ...chooseView(dashboard, range, { nowMs: ports.clock.nowMs(), timeZone }),
        isFresh: false,
        signal,
        requestId: context.values.get(requestIdKey),
      }
      const rendered = await renderDashboard(ports, view)
      const cohortNames = await nameCohorts(ports.catalog, dashboard.projectId, rendered)
      context.responseHeader.set(TIME_ZONE_HEADER, timeZone)
      return { dashboard: toPublicView(rendered), firstDate, cohortNames, ...grantOf(issued, context) }
    },
  }
}

function grantOf(issued: ShareGrant | undefined, { responseHeader }: HandlerContext) {
  if (!issued) return {}
  // RFC 6749, section 5.1: caches must not store tokens.
  responseHeader.set('cache-control', 'no-store')
  return { grant: issued.grant, grantExpireTime: timestampFromMs(issued.expiresMs) }
}

/** The range of a request, and whether the period before it is meant. */
type RequestedView = RequestedRange & { readonly previousPeriod: boolean }

/** The view of a request, and where all time begins; empty for another range, and without events. */
type DatedView = RequestedView & { readonly firstDate: string }

/** Replaces the request for all time by its range. Throws `invalid_argument` next to a range, and as a pinned share. */
async function requestedRange(
  ports: SharedDashboardsPorts,
  call: {
    readonly dashboard: Dashboard
    readonly requested: RequestedView & { readonly allTime: boolean }
    readonly timeZone: string
    readonly signal: AbortSignal
  },
): Promise<DatedView> {
  const { dashboard, requested, timeZone, signal } = call
  if (!requested.allTime) return { ...requested, firstDate: '' }
  if (requested.timeRange) throw invalidField('allTime', 'excludes timeRange')
  if (dashboard.isRangePinned) throw rangePinned()
  const firstMs = await ports.readFirstEvent({ projectId: dashboard.projectId, signal })
  const firstDate = firstMs === undefined ? undefined : dateOf(firstMs, timeZone)
  const timeRange = allTimeRange(firstDate, { nowMs: ports.clock.nowMs(), timeZone })
  return { ...requested, timeRange, firstDate: firstDate ?? '' }
}

function chooseView(
  dashboard: Dashboard,
  requested: RequestedView,
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
    message: 'this share is pinned to the range of its dashboard; omit time_range, all_time and granularity',
  })
}
