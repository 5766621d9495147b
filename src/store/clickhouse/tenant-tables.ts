/**
 * How readers see the rows of a table: `latest` collapses the versions of a row into the newest one, `stored` returns
 * every copy, because readers aggregate the rows or copies make no difference.
 */
type ReadMode = 'latest' | 'stored'

/** Every table besides `events` that stores rows of projects. */
export const TENANT_TABLES = {
  users: 'stored',
  profiles: 'stored',
  profile_deletions: 'stored',
  identity_claims: 'stored',
  traits: 'latest',
  device_users: 'latest',
  sessions: 'stored',
  session_arrivals: 'stored',
  long_sessions: 'stored',
  visits: 'latest',
  deliveries: 'stored',
  cohort_members: 'latest',
  imported_days: 'latest',
  names: 'stored',
  name_days: 'stored',
  ingestion_warnings: 'stored',
  day_arrivals: 'stored',
  day_fills: 'stored',
  day_cells: 'stored',
  erasure_ids: 'stored',
  erasure_sessions: 'stored',
} as const satisfies Readonly<Record<string, ReadMode>>

/** The name of a table with rows of projects. */
export type TenantTable = keyof typeof TENANT_TABLES

/** `FROM <table> ...`, with `FINAL` where readers see the latest version of a row only. */
export function fromTable(table: TenantTable): string {
  return TENANT_TABLES[table] === 'latest' ? `FROM ${table} FINAL` : `FROM ${table}`
}

/** `FROM ... WHERE project = ...`, extended with `AND`: rows of the project in the statement's parameter `project`. */
export function scopedText(table: TenantTable): string {
  return `${fromTable(table)} WHERE project = {project:UInt32}`
}
