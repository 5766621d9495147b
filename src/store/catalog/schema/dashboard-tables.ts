import type { TimeMs } from './time-ms.ts'

/** A dashboard of insights and texts. */
export interface DashboardTable {
  readonly id: string
  readonly project_id: number
  display_name: string
  description: string
  /** The preset's number in the API. */
  default_time_range: number
  /** The granularity's number in the API. */
  default_granularity: number
  /** Capability to read the dashboard without signing in; absent while it is not shared. */
  share_id: string | null
  /** JSON array of the tiles in order, each as proto JSON. */
  tiles: string
  /** Bytes of `tiles`. */
  tiles_bytes: number
  /** 1 when the share id grants only the dashboard's own time range. */
  range_pinned: number
  /** Argon2id hash of the password that the share id needs as well; empty without one. */
  share_password_hash: string
  /** When the share id stops granting access; 0 for never. */
  share_expires_ms: TimeMs
  /** 1 when pages of other sites may show the shared dashboard in a frame. */
  embeddable: number
  readonly created_ms: TimeMs
  updated_ms: TimeMs
}

/** A guest of an organisation, and a dashboard that is shared with them. */
export interface DashboardGuestTable {
  readonly dashboard_id: string
  readonly organisation_id: string
  readonly customer_id: string
  readonly created_ms: TimeMs
}
