import type { Generated, Selectable } from 'kysely'
import type { Role } from '../../../contract/role.ts'
import type { TimeMs } from './time-ms.ts'

/** Owner of projects. */
export interface OrganisationTable {
  readonly id: string
  display_name: string
  /** 1 when its members need a second factor. */
  second_factor_required: Generated<number>
  readonly created_ms: TimeMs
}

/** A tenant; its id is the key of its rows in ClickHouse. */
export interface ProjectTable {
  readonly id: Generated<number>
  readonly organisation_id: string
  display_name: string
  /** IANA name of the time zone of reports. */
  reporting_timezone: string
  /** Sealed credentials for push notifications. */
  fcm_sealed: string | null
  /** Their displayable part, as JSON. */
  fcm_redacted: string | null
  /** 1 when new insights leave out bots. */
  exclude_bots: Generated<number>
  /** 1 when it was created with generated traffic. */
  readonly is_demo: Generated<number>
  /** Its own domains in lower case, separated by spaces. */
  domains: Generated<string>
  /** The event kinds that are dropped on arrival, separated by spaces; a copy of the dictionary's, for ingestion. */
  blocked_kinds: Generated<string>
  /** Days after which its events are deleted; 0 for those of the service. */
  retention_days: Generated<number>
  readonly created_ms: TimeMs
}

/** The role that a project gives to a member of its organisation. */
export interface ProjectRoleTable {
  readonly project_id: number
  readonly organisation_id: string
  readonly customer_id: string
  role: Role
  readonly created_ms: TimeMs
}

/** An API key of a project; only its digest is stored. */
export interface ApiKeyTable {
  readonly id: string
  readonly project_id: number
  readonly kind: 'public' | 'private'
  readonly display_name: string
  /** Lower-case hex of the SHA-256 of the whole key. */
  readonly sha256: string
  /** For lists: the prefix and the last four characters. */
  readonly masked: string
  /** The end of its use; absent for a key that works until it is revoked. */
  expires_ms: TimeMs | null
  /** The addresses and ranges from which it works, separated by spaces; empty for every address. */
  allowed_addresses: Generated<string>
  readonly created_ms: TimeMs
}

/** The record of an erasure of a user. */
export interface DeletionRequestTable {
  readonly id: string
  readonly project_id: number
  /** Keyed digest of the external id. */
  readonly subject: string
  readonly sealed_external_id: string
  /** Empty without a profile. */
  readonly profile_id: string
  status: 'pending' | 'processing' | 'completed' | 'failed'
  events_identified: number
  readonly requested_ms: TimeMs
  completed_ms: TimeMs | null
  /** Empty unless the erasure failed. */
  error: string
}

/** An erasure as it is read. */
export type DeletionRequestRow = Selectable<DeletionRequestTable>

/** A cohort: the users that meet a definition, or those of the ids in the table `cohort_members` of ClickHouse. */
export interface CohortTable {
  readonly id: string
  readonly project_id: number
  name: string
  description: string
  /** Proto JSON of the definition; null for a static cohort. */
  definition: string | null
  /** The account of the creator; empty for an API key. */
  readonly created_by: string
  /** Grows with every change of the users. */
  revision: number
  readonly created_ms: TimeMs
  updated_ms: TimeMs
}

/** A goal of a project: events that count as conversions. */
export interface GoalTable {
  readonly id: string
  readonly project_id: number
  name: string
  /** The event filter as proto JSON; absent for a goal with a page pattern. */
  event: string | null
  /** Absent for a goal with an event filter. */
  page_pattern: string | null
  /** Empty when conversions have no value. */
  value_property: string
  readonly created_ms: TimeMs
  updated_ms: TimeMs
}
