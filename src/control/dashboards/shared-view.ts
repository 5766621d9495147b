import type { HandlerContext } from '@connectrpc/connect'
import type { DashboardTile } from '../../contract/gen/dashboard/dashboards/v1/dashboard_pb.js'
import type { RenderedDashboard } from '../../contract/gen/dashboard/dashboards/v1/rendered_dashboard_pb.js'
import { ComparePeriod } from '../../contract/gen/dashboard/dashboards/v1/tile_options_pb.js'
import { Granularity } from '../../contract/gen/shared/insights/v1/insight_query_spec_pb.js'
import type { ProjectId } from '../../contract/ids.ts'
import { ServiceError } from '../../contract/service-error.ts'
import { dateOf } from '../../domain/calendar.ts'
import { requestIdKey } from '../../rpc/call-context.ts'
import type { ProjectReader } from '../../store/catalog/project-reader.ts'
import { invalidField } from '../invalid-field.ts'
import type { Dashboard } from './dashboard.ts'
import type { DashboardStore } from './dashboard-store.ts'
import { nameCohorts } from './name-cohorts.ts'
import { toPublicView } from './public-view.ts'
import { type RenderPorts, renderDashboard } from './render-dashboard.ts'
import {
  allTimeRange,
  chooseShownRange,
  type Now,
  previousShownRange,
  type RequestedRange,
  type ShownRange,
} from './shown-range.ts'

/** Dependencies of the answers of shared dashboards. */
export interface SharedViewPorts extends DashboardStore, RenderPorts {
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

/** The range of a request, and whether the period before it is meant. */
export interface SharedRequest extends RequestedRange {
  readonly previousPeriod: boolean
  readonly allTime: boolean
}

/** The answer to a reader with whom a dashboard is shared. */
export interface SharedView {
  readonly dashboard: RenderedDashboard
  /** IANA name. */
  readonly timeZone: string
  /** Where all time begins; empty for another range, and without events. */
  readonly firstDate: string
  readonly cohortNames: Record<string, string>
}

/**
 * Answers the tiles of a shared dashboard as their stored queries have it: a request chooses at most the range. The answer cache cannot
 * be bypassed. Throws `permission_denied` for another range than a pinned one, and `invalid_argument`.
 */
export async function answerShared(
  ports: SharedViewPorts,
  { dashboard, requested }: { readonly dashboard: Dashboard; readonly requested: SharedRequest },
  { signal, values }: HandlerContext,
): Promise<SharedView> {
  const { reportingTimezone: timeZone } = await ports.projects.read(dashboard.projectId)
  const { firstDate, ...range } = await requestedRange(ports, { dashboard, requested, timeZone, signal })
  const view = {
    dashboard,
    ...chooseView(dashboard, range, { nowMs: ports.clock.nowMs(), timeZone }),
    isFresh: false,
    signal,
    requestId: values.get(requestIdKey),
  }
  const rendered = await renderDashboard(ports, view)
  const cohortNames = await nameCohorts(ports.catalog, dashboard.projectId, rendered)
  return { dashboard: toPublicView(rendered), timeZone, firstDate, cohortNames }
}

/** The view of a request, and where all time begins. */
type DatedView = Omit<SharedRequest, 'allTime'> & { readonly firstDate: string }

/** Replaces the request for all time by its range. Throws `invalid_argument` next to a range, and as a pinned share. */
async function requestedRange(
  ports: SharedViewPorts,
  call: {
    readonly dashboard: Dashboard
    readonly requested: SharedRequest
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
  requested: Omit<SharedRequest, 'allTime'>,
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
