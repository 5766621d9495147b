import type { TimeRangePreset } from '../../contract/gen/common/v1/time_range_pb.js'
import type { DashboardTile } from '../../contract/gen/dashboard/dashboards/v1/dashboard_pb.js'
import type { Granularity } from '../../contract/gen/shared/insights/v1/insight_query_spec_pb.js'
import type { ProjectId } from '../../contract/ids.ts'
import { ServiceError } from '../../contract/service-error.ts'

/** What a dashboard is named, and what it shows at first. */
export interface DashboardSettings {
  readonly displayName: string
  readonly description: string
  readonly defaultTimeRange: TimeRangePreset
  readonly defaultGranularity: Granularity
}

/** Tiles that are shown together. */
export interface Dashboard extends DashboardSettings {
  readonly id: string
  readonly projectId: ProjectId
  /** What anyone who has it can read the dashboard with; empty while it is not shared. */
  readonly shareId: string
  /** Whether who has the share id reads the range and the bucket width of the settings only. */
  readonly isRangePinned: boolean
  readonly tiles: readonly DashboardTile[]
  readonly createdMs: number
  readonly updatedMs: number
}

/** A dashboard of a project: one of another project is not found. */
export interface DashboardKey {
  readonly projectId: ProjectId
  readonly id: string
}

/** There is no such dashboard, or nobody may know it. */
export function dashboardNotFound(): ServiceError {
  return new ServiceError({
    code: 'not_found',
    reason: 'DASHBOARD_NOT_FOUND',
    message: 'there is no dashboard of this id',
  })
}
