import type {
  CustomerTable,
  InvitationRoleTable,
  InvitationSendTable,
  InvitationTable,
  MagicLinkTable,
  MembershipTable,
  RefreshSessionTable,
} from './account-tables.ts'
import type { AlertCheckTable, AlertTable } from './alert-tables.ts'
import type { OauthClientTable, OauthGrantTable, OauthRecordTable } from './assistant-tables.ts'
import type { AuditEntryTable } from './audit-tables.ts'
import type { ChannelDeliveryTable, ChannelTable } from './channel-tables.ts'
import type { DashboardGuestTable, DashboardTable } from './dashboard-tables.ts'
import type { IgnoredDuplicateTable, MergedNameTable, NameDefinitionTable } from './dictionary-tables.ts'
import type { ImportTable } from './import-tables.ts'
import type { JobTable, LeaseTable, RecurringJobTable } from './job-tables.ts'
import type {
  AnnotationTable,
  SavedInsightFavoriteTable,
  SavedInsightTable,
  SavedInsightUseTable,
  SavedInsightVersionTable,
} from './library-tables.ts'
import type {
  CampaignSendTable,
  CampaignTable,
  DeviceTable,
  EmailProviderTable,
} from './mail-and-push-tables.ts'
import type {
  ApiKeyTable,
  CohortTable,
  DeletionRequestTable,
  GoalTable,
  OrganisationTable,
  ProjectRoleTable,
  ProjectTable,
} from './project-tables.ts'
import type {
  ReportAskTable,
  ReportDeliveryTable,
  ReportIssueTable,
  ReportRecipientTable,
  ReportTable,
} from './report-tables.ts'
import type { PasskeyTable, RecoveryCodeTable, TotpFactorTable } from './second-factor-tables.ts'
import type {
  IdentityTable,
  KnownNetworkTable,
  SignInAttemptTable,
  UsedResponseTable,
} from './sign-in-tables.ts'
import type { PersonalTokenTable } from './token-tables.ts'

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
