import type { Generated } from 'kysely'

/** Times are milliseconds since the Unix epoch, so that every database stores them alike. */
type TimeMs = number

/** Owner of projects. */
export interface OrganisationTable {
  readonly id: string
  display_name: string
  readonly created_ms: TimeMs
}

/** Tenant: the number is the key of its rows in ClickHouse. */
export interface ProjectTable {
  readonly id: Generated<number>
  readonly organisation_id: string
  display_name: string
  /** IANA name in which reports cut days. */
  reporting_timezone: string
  readonly created_ms: TimeMs
}

/** Credential of a project: only its SHA-256 is kept. */
export interface ApiKeyTable {
  readonly id: string
  readonly project_id: number
  readonly kind: 'public' | 'private'
  readonly display_name: string
  /** Lower-case hex of the SHA-256 of the whole key. */
  readonly sha256: string
  /** What a list may show: the prefix and the last four characters. */
  readonly masked: string
  readonly created_ms: TimeMs
}

/** A right that one process holds until it gives it back or the time is over. */
export interface LeaseTable {
  readonly name: string
  holder: string
  expires_ms: TimeMs
}

/** The relational part of the store: who may do what. */
export interface CatalogSchema {
  organisations: OrganisationTable
  projects: ProjectTable
  api_keys: ApiKeyTable
  leases: LeaseTable
}
