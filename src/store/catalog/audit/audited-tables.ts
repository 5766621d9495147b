import type { CatalogSchema } from '../schema/catalog-schema.ts'

/** The parts of a table's rows that entries may hold. Other columns, and so every secret, never reach the audit log. */
export interface AuditedTable<Column extends string = string> {
  /** The kind of object that a row is or belongs to. */
  readonly object: string
  /** The column with the id of the object. */
  readonly id: Column
  /** The column with the name of the object. */
  readonly name?: Column
  /** Columns that are recorded before and after a change. */
  readonly fields: readonly Column[]
  /** Columns of which only whether they are set, and that they changed, is recorded: secrets, and texts that are too long. */
  readonly opaque?: readonly Column[]
  /** The column with the organisation that the object is part of. */
  readonly organisation?: Column
  /** The column with the account that the object belongs to. */
  readonly account?: Column
}

type Tables = {
  readonly [Table in keyof CatalogSchema]: AuditedTable<keyof CatalogSchema[Table] & string> | 'unrecorded'
}

/** What the audit log holds of each table: a table without a row does not compile. */
const TABLES: Tables = {
  organisations: {
    object: 'organisation',
    id: 'id',
    name: 'display_name',
    fields: ['display_name', 'second_factor_required'],
    organisation: 'id',
  },
  projects: {
    object: 'project',
    id: 'id',
    name: 'display_name',
    fields: ['display_name', 'reporting_timezone', 'exclude_bots', 'domains', 'retention_days'],
    opaque: ['fcm_sealed'],
    organisation: 'organisation_id',
  },
  api_keys: {
    object: 'key',
    id: 'id',
    name: 'display_name',
    fields: ['kind', 'masked', 'expires_ms', 'allowed_addresses'],
  },
  memberships: {
    object: 'member',
    id: 'customer_id',
    fields: ['role'],
    organisation: 'organisation_id',
  },
  project_roles: {
    object: 'member',
    id: 'customer_id',
    fields: ['role'],
    organisation: 'organisation_id',
  },
  invitations: {
    object: 'invitation',
    id: 'id',
    name: 'email',
    fields: ['role', 'status'],
    organisation: 'organisation_id',
  },
  invitation_roles: { object: 'invitation', id: 'invitation_id', fields: ['project_id', 'role'] },
  email_providers: {
    object: 'email-provider',
    id: 'organisation_id',
    fields: ['kind', 'from_address', 'reply_to'],
    opaque: ['sealed_config'],
    organisation: 'organisation_id',
  },
  customers: { object: 'account', id: 'id', fields: [], opaque: ['password_hash'], account: 'id' },
  refresh_sessions: { object: 'session', id: 'id', fields: ['method'], account: 'customer_id' },
  totp_factors: {
    object: 'account',
    id: 'customer_id',
    fields: [],
    opaque: ['sealed_secret'],
    account: 'customer_id',
  },
  passkeys: {
    object: 'account',
    id: 'customer_id',
    name: 'display_name',
    fields: ['display_name', 'rp_id'],
    opaque: ['credential_id', 'public_key'],
    account: 'customer_id',
  },
  personal_tokens: {
    object: 'token',
    id: 'id',
    name: 'display_name',
    fields: ['scope', 'projects', 'masked', 'expires_ms'],
    account: 'customer_id',
  },
  oauth_grants: {
    object: 'assistant',
    id: 'id',
    name: 'client_name',
    fields: ['scope', 'project_id', 'redirect_host'],
    account: 'customer_id',
  },
  identities: { object: 'identity', id: 'id', fields: ['issuer'], account: 'customer_id' },
  dashboards: {
    object: 'dashboard',
    id: 'id',
    name: 'display_name',
    fields: ['display_name', 'description', 'range_pinned', 'share_expires_ms', 'embeddable'],
    opaque: ['tiles', 'share_id', 'share_password_hash'],
  },
  dashboard_guests: {
    object: 'dashboard',
    id: 'dashboard_id',
    fields: ['customer_id'],
    organisation: 'organisation_id',
  },
  saved_insights: { object: 'insight', id: 'id', name: 'name', fields: ['name', 'version'] },
  saved_insight_favorites: { object: 'insight', id: 'insight_id', fields: [] },
  annotations: { object: 'annotation', id: 'id', fields: ['text', 'time_ms'] },
  alerts: {
    object: 'alert',
    id: 'id',
    name: 'name',
    fields: ['name', 'cadence', 'paused', 'snooze_ms'],
    opaque: ['content'],
  },
  channels: {
    object: 'channel',
    id: 'id',
    name: 'name',
    fields: ['name', 'enabled'],
    opaque: ['sealed_config'],
  },
  reports: { object: 'report', id: 'id', fields: ['dashboard_id', 'enabled'], opaque: ['spec'] },
  report_recipients: { object: 'report', id: 'report_id', fields: ['listed'] },
  goals: {
    object: 'goal',
    id: 'id',
    name: 'name',
    fields: ['name', 'page_pattern', 'value_property'],
    opaque: ['event'],
  },
  imports: { object: 'import', id: 'id', name: 'name', fields: ['first_day', 'last_day'] },
  cohorts: {
    object: 'cohort',
    id: 'id',
    name: 'name',
    fields: ['name', 'description'],
    opaque: ['definition'],
  },
  campaigns: {
    object: 'campaign',
    id: 'id',
    name: 'name',
    fields: ['name', 'status', 'scheduled_ms'],
    opaque: ['notification'],
  },
  deletion_requests: { object: 'erasure', id: 'id', fields: [] },
  name_definitions: {
    object: 'definition',
    id: 'name',
    fields: ['type', 'display_name', 'description', 'owner', 'state'],
  },
  merged_names: { object: 'definition', id: 'name', fields: ['into_name'] },
  ignored_duplicates: { object: 'definition', id: 'name', fields: [] },
  // Of the service itself.
  leases: 'unrecorded',
  jobs: 'unrecorded',
  recurring_jobs: 'unrecorded',
  channel_deliveries: 'unrecorded',
  alert_checks: 'unrecorded',
  report_asks: 'unrecorded',
  report_issues: 'unrecorded',
  report_deliveries: 'unrecorded',
  campaign_sends: 'unrecorded',
  magic_links: 'unrecorded',
  // Assistants register themselves, without a caller; their tokens are part of a recorded consent.
  oauth_clients: 'unrecorded',
  oauth_records: 'unrecorded',
  invitation_sends: 'unrecorded',
  used_responses: 'unrecorded',
  sign_in_attempts: 'unrecorded',
  known_networks: 'unrecorded',
  audit_entries: 'unrecorded',
  // Parts of rows that are recorded.
  recovery_codes: 'unrecorded',
  saved_insight_versions: 'unrecorded',
  saved_insight_uses: 'unrecorded',
  // Devices of the users of a product, not of its team.
  devices: 'unrecorded',
}

const AUDITED: ReadonlyMap<string, AuditedTable> = new Map(
  Object.entries<AuditedTable | 'unrecorded'>(TABLES).flatMap(([name, table]) =>
    table === 'unrecorded' ? [] : [[name, table] as const],
  ),
)

/** The rule of an audited table; `undefined` for the others. */
export function findAuditedTable(name: string): AuditedTable | undefined {
  return AUDITED.get(name)
}

/** The columns of a table that entries are made of. */
export function columnsOf({ id, name, fields, opaque = [], organisation, account }: AuditedTable): string[] {
  const named = [id, name, organisation, account].filter((column) => column !== undefined)
  return [...new Set([...named, ...fields, ...opaque])]
}
