import type { Generated, Selectable } from 'kysely'
import type { Role } from '../../contract/role.ts'
import type { AlertCheckTable, AlertTable } from './alert-schema.ts'
import type { OauthClientTable, OauthGrantTable, OauthRecordTable } from './assistant-schema.ts'
import type { AuditEntryTable } from './audit-schema.ts'
import type { ChannelDeliveryTable, ChannelTable } from './channel-schema.ts'
import type { IgnoredDuplicateTable, MergedNameTable, NameDefinitionTable } from './dictionary-schema.ts'
import type { ImportTable } from './import-schema.ts'
import type { JobTable, LeaseTable, RecurringJobTable } from './job-schema.ts'
import type {
  AnnotationTable,
  SavedInsightFavoriteTable,
  SavedInsightTable,
  SavedInsightUseTable,
  SavedInsightVersionTable,
} from './library-schema.ts'
import type {
  ReportAskTable,
  ReportDeliveryTable,
  ReportIssueTable,
  ReportRecipientTable,
  ReportTable,
} from './report-schema.ts'
import type { PasskeyTable, RecoveryCodeTable, TotpFactorTable } from './second-factor-schema.ts'
import type {
  IdentityTable,
  KnownNetworkTable,
  SignInAttemptTable,
  UsedResponseTable,
} from './sign-in-schema.ts'
import type { PersonalTokenTable } from './token-schema.ts'

/** Milliseconds since the Unix epoch: both databases store integers alike. */
type TimeMs = number

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

/** A console account. */
export interface CustomerTable {
  readonly id: string
  /** In lower case. */
  readonly email: string
  display_name: string
  /** Argon2id in PHC form; absent until a password is set. */
  password_hash: string | null
  /** 1 for an account that a link created which proves no address, until the owner of the address proves it: the inviter may have opened the link. */
  unproved: Generated<number>
  /** 1 once the address is verified. */
  email_verified: number
  readonly created_ms: TimeMs
}

/** The role of a customer in an organisation. */
export interface MembershipTable {
  readonly organisation_id: string
  readonly customer_id: string
  role: Role
  /** The issuer of the identity whose groups gave the membership; empty for one that people gave. */
  readonly issuer: Generated<string>
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

/** A console session: one row for the whole chain of its refresh tokens. */
export interface RefreshSessionTable {
  readonly id: string
  readonly customer_id: string
  /** Lower-case hex of the SHA-256 of the current refresh token. */
  sha256: string
  /** The sign-in method; empty for sessions from before it was recorded. */
  readonly method: 'password' | 'link' | 'google' | 'oidc' | ''
  /** The identity that began it; empty for other methods. */
  readonly identity_id: Generated<string>
  /** Its session at the provider, for a logout there; empty without one. */
  readonly provider_session: Generated<string>
  /** When it last proved the second factor of the account; 0 if it never did. */
  factor_ms: Generated<TimeMs>
  readonly created_ms: TimeMs
  /** Time of the last exchange of the refresh token; 0 before the first one. */
  exchanged_ms: TimeMs
  expires_ms: TimeMs
}

/** A single-use sign-in link. */
export interface MagicLinkTable {
  /** Lower-case hex of the SHA-256 of the token. */
  readonly sha256: string
  /** In lower case. */
  readonly email: string
  /** The invitation that the link accepts; absent for a requested sign-in link. */
  readonly invitation_id: string | null
  /** 1 when the inviter may have the link, as its answer or mail provider had it: opening it proves no address. */
  readonly returned: number
  readonly created_ms: TimeMs
  readonly expires_ms: TimeMs
  used_ms: TimeMs | null
}

/** An invitation to an organisation. */
export interface InvitationTable {
  readonly id: string
  readonly organisation_id: string
  /** In lower case. */
  readonly email: string
  role: Role
  /** An expired invitation is still pending. */
  status: 'pending' | 'accepted' | 'revoked'
  readonly created_ms: TimeMs
  expires_ms: TimeMs
}

/** A role that a project gives to an invited user who joins. */
export interface InvitationRoleTable {
  readonly invitation_id: string
  readonly project_id: number
  readonly role: Role
}

/** Invitation mails of an organisation in the last 24 hours. */
export interface InvitationSendTable {
  readonly id: string
  readonly organisation_id: string
  readonly sent_ms: TimeMs
}

/** The mail provider of an organisation. */
export interface EmailProviderTable {
  readonly organisation_id: string
  readonly kind: 'smtp' | 'resend'
  /** As entered: `a@example.com` or `Name <a@example.com>`. */
  readonly from_address: string
  /** Empty when replies go to the sender. */
  readonly reply_to: string
  /** Sealed JSON with a password or an API key. */
  readonly sealed_config: string
  readonly updated_ms: TimeMs
}

/** A device that receives push notifications. */
export interface DeviceTable {
  readonly project_id: number
  /** Assigned by the client. */
  readonly device_id: string
  platform: 'android' | 'ios' | 'web'
  status: 'active' | 'inactive'
  /** Keyed digest of the owner; empty when unknown. */
  owner: string
  /** Keyed digest; a token belongs to one device. */
  token_digest: string
  sealed_token: string
  /** Sealed JSON: the owner's id and properties of the device. */
  sealed_details: string
  readonly created_ms: TimeMs
  updated_ms: TimeMs
}

/** A notification to all devices of a project. */
export interface CampaignTable {
  readonly id: string
  readonly project_id: number
  name: string
  /** JSON as received. */
  notification: string
  status: 'scheduled' | 'in-progress' | 'complete' | 'fail'
  /** Incremented with each change of the schedule; jobs of older revisions have no effect. */
  revision: number
  scheduled_ms: TimeMs
  start_ms: TimeMs | null
  end_ms: TimeMs | null
  readonly created_ms: TimeMs
  updated_ms: TimeMs
}

/** The outcome of sending a campaign to a device of the current page. */
export interface CampaignSendTable {
  readonly campaign_id: string
  readonly device_id: string
  readonly platform: DeviceTable['platform']
  readonly outcome: 'sent' | 'refused' | 'unregistered'
  readonly sent_ms: TimeMs
}

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

/** The tables of the catalog. */
export interface CatalogSchema {
  organisations: OrganisationTable
  projects: ProjectTable
  api_keys: ApiKeyTable
  leases: LeaseTable
  jobs: JobTable
  recurring_jobs: RecurringJobTable
  channels: ChannelTable
  channel_deliveries: ChannelDeliveryTable
  alerts: AlertTable
  alert_checks: AlertCheckTable
  reports: ReportTable
  report_recipients: ReportRecipientTable
  report_asks: ReportAskTable
  report_issues: ReportIssueTable
  report_deliveries: ReportDeliveryTable
  deletion_requests: DeletionRequestTable
  customers: CustomerTable
  memberships: MembershipTable
  project_roles: ProjectRoleTable
  refresh_sessions: RefreshSessionTable
  personal_tokens: PersonalTokenTable
  oauth_clients: OauthClientTable
  oauth_grants: OauthGrantTable
  oauth_records: OauthRecordTable
  magic_links: MagicLinkTable
  invitations: InvitationTable
  invitation_roles: InvitationRoleTable
  invitation_sends: InvitationSendTable
  dashboards: DashboardTable
  dashboard_guests: DashboardGuestTable
  goals: GoalTable
  imports: ImportTable
  cohorts: CohortTable
  saved_insights: SavedInsightTable
  saved_insight_versions: SavedInsightVersionTable
  saved_insight_favorites: SavedInsightFavoriteTable
  saved_insight_uses: SavedInsightUseTable
  annotations: AnnotationTable
  name_definitions: NameDefinitionTable
  merged_names: MergedNameTable
  ignored_duplicates: IgnoredDuplicateTable
  email_providers: EmailProviderTable
  devices: DeviceTable
  campaigns: CampaignTable
  campaign_sends: CampaignSendTable
  identities: IdentityTable
  totp_factors: TotpFactorTable
  passkeys: PasskeyTable
  recovery_codes: RecoveryCodeTable
  used_responses: UsedResponseTable
  sign_in_attempts: SignInAttemptTable
  known_networks: KnownNetworkTable
  audit_entries: AuditEntryTable
}
