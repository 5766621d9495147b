import type { TimeRangePreset } from '../../contract/gen/common/v1/time_range_pb.js'
import type { DashboardTile } from '../../contract/gen/dashboard/dashboards/v1/dashboard_pb.js'
import type { Granularity } from '../../contract/gen/shared/insights/v1/insight_query_spec_pb.js'
import type { ProjectId } from '../../contract/ids.ts'
import { ServiceError } from '../../contract/service-error.ts'

/** Name and defaults of a dashboard. */
export interface DashboardSettings {
  readonly displayName: string
  readonly description: string
  readonly defaultTimeRange: TimeRangePreset
  readonly defaultGranularity: Granularity
}

/** How a dashboard is shared by link. */
export interface DashboardSharing {
  /** Capability to read the dashboard without signing in; empty while it is not shared. */
  readonly shareId: string
  /** Whether the share id grants only the default time range and granularity. */
  readonly isRangePinned: boolean
  /** When the share id stops granting access; 0 for never. */
  readonly shareExpiresMs: number
  /** Hash of the password that holders of the share id must enter; empty without one. */
  readonly sharePasswordHash: string
  /** Whether pages of other sites may show the shared dashboard in a frame. */
  readonly isEmbeddable: boolean
}

/** The sharing of a new dashboard. */
export const NOT_SHARED: DashboardSharing = {
  shareId: '',
  isRangePinned: false,
  shareExpiresMs: 0,
  sharePasswordHash: '',
  isEmbeddable: false,
}

/** A dashboard with its tiles. */
export interface Dashboard extends DashboardSettings, DashboardSharing {
  readonly id: string
  readonly projectId: ProjectId
  readonly tiles: readonly DashboardTile[]
  readonly createdMs: number
  readonly updatedMs: number
}

/** Key of a dashboard: one of another project is not found. */
export interface DashboardKey {
  readonly projectId: ProjectId
  readonly id: string
}

/** Whether the share id no longer grants access. */
export function isShareExpired(
  { shareExpiresMs }: Pick<DashboardSharing, 'shareExpiresMs'>,
  nowMs: number,
): boolean {
  return shareExpiresMs !== 0 && shareExpiresMs <= nowMs
}

/** The dashboard does not exist, or is not accessible. */
export function dashboardNotFound(): ServiceError {
  return new ServiceError({
    code: 'not_found',
    reason: 'DASHBOARD_NOT_FOUND',
    message: 'there is no dashboard with this id',
  })
}
