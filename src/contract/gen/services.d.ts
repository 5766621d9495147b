import { CustomersService } from './dashboard/customers/v1/customers_service_pb.js'
import { DashboardsService } from './dashboard/dashboards/v1/dashboards_service_pb.js'
import { OrgEmailProvidersService } from './dashboard/orgemailproviders/v1/org_email_providers_service_pb.js'
import { OrgsService } from './dashboard/orgs/v1/orgs_service_pb.js'
import { ProjectsService } from './dashboard/projects/v1/projects_service_pb.js'
import { UsageService } from './dashboard/usage/v1/usage_service_pb.js'
import { AssistantsService } from './millrace/account/v1/assistants_service_pb.js'
import { IdentitiesService } from './millrace/account/v1/identities_service_pb.js'
import { InvitationsService } from './millrace/account/v1/invitations_service_pb.js'
import { SecondFactorsService } from './millrace/account/v1/second_factors_service_pb.js'
import { SessionsService } from './millrace/account/v1/sessions_service_pb.js'
import { TokensService } from './millrace/account/v1/tokens_service_pb.js'
import { AlertsService } from './millrace/alerts/v1/alerts_service_pb.js'
import { ChannelsService } from './millrace/alerts/v1/channels_service_pb.js'
import { AuditLogService } from './millrace/audit/v1/audit_log_service_pb.js'
import { CohortsService } from './millrace/cohorts/v1/cohorts_service_pb.js'
import { DashboardGuestsService } from './millrace/dashboards/v1/dashboard_guests_service_pb.js'
import { DictionaryService } from './millrace/dictionary/v1/dictionary_service_pb.js'
import { WarningsService } from './millrace/ingest/v1/warnings_service_pb.js'
import { ApiKeysService } from './millrace/keys/v1/api_keys_service_pb.js'
import { AnnotationsService } from './millrace/library/v1/annotations_service_pb.js'
import { SavedInsightsService } from './millrace/library/v1/saved_insights_service_pb.js'
import { ActorsService } from './millrace/people/v1/actors_service_pb.js'
import { PersonExportService } from './millrace/people/v1/person_export_service_pb.js'
import { ProjectMembersService } from './millrace/projects/v1/project_members_service_pb.js'
import { RetentionService } from './millrace/projects/v1/retention_service_pb.js'
import { ReportsService } from './millrace/reports/v1/reports_service_pb.js'
import { GoalsService } from './millrace/web/v1/goals_service_pb.js'
import { ImportsService } from './millrace/web/v1/imports_service_pb.js'
import { VisitsService } from './millrace/web/v1/visits_service_pb.js'
import { WebAnalyticsService } from './millrace/web/v1/web_analytics_service_pb.js'
import { AuthService } from './public/auth/v1/auth_service_pb.js'
import { SharedDashboardsService } from './public/dashboards/v1/shared_dashboards_service_pb.js'
import { DevicesService } from './sdk/devices/v1/devices_service_pb.js'
import { EventsService } from './sdk/events/v1/events_service_pb.js'
import { ProfilesSDKService } from './sdk/profiles/v1/profiles_sdk_service_pb.js'
import { ActivityService } from './shared/activity/v1/activity_service_pb.js'
import { CampaignService } from './shared/campaigns/v1/campaign_service_pb.js'
import { DeliveryService } from './shared/delivery/v1/delivery_service_pb.js'
import { InsightsService } from './shared/insights/v1/insights_service_pb.js'
import { ProfilesService } from './shared/profiles/v1/profiles_service_pb.js'

/** Every service of the interface, by its full name. */
export declare const SERVICES: {
  readonly 'dashboard.customers.v1.CustomersService': typeof CustomersService
  readonly 'dashboard.dashboards.v1.DashboardsService': typeof DashboardsService
  readonly 'dashboard.orgemailproviders.v1.OrgEmailProvidersService': typeof OrgEmailProvidersService
  readonly 'dashboard.orgs.v1.OrgsService': typeof OrgsService
  readonly 'dashboard.projects.v1.ProjectsService': typeof ProjectsService
  readonly 'dashboard.usage.v1.UsageService': typeof UsageService
  readonly 'millrace.account.v1.AssistantsService': typeof AssistantsService
  readonly 'millrace.account.v1.IdentitiesService': typeof IdentitiesService
  readonly 'millrace.account.v1.InvitationsService': typeof InvitationsService
  readonly 'millrace.account.v1.SecondFactorsService': typeof SecondFactorsService
  readonly 'millrace.account.v1.SessionsService': typeof SessionsService
  readonly 'millrace.account.v1.TokensService': typeof TokensService
  readonly 'millrace.alerts.v1.AlertsService': typeof AlertsService
  readonly 'millrace.alerts.v1.ChannelsService': typeof ChannelsService
  readonly 'millrace.audit.v1.AuditLogService': typeof AuditLogService
  readonly 'millrace.cohorts.v1.CohortsService': typeof CohortsService
  readonly 'millrace.dashboards.v1.DashboardGuestsService': typeof DashboardGuestsService
  readonly 'millrace.dictionary.v1.DictionaryService': typeof DictionaryService
  readonly 'millrace.ingest.v1.WarningsService': typeof WarningsService
  readonly 'millrace.keys.v1.ApiKeysService': typeof ApiKeysService
  readonly 'millrace.library.v1.AnnotationsService': typeof AnnotationsService
  readonly 'millrace.library.v1.SavedInsightsService': typeof SavedInsightsService
  readonly 'millrace.people.v1.ActorsService': typeof ActorsService
  readonly 'millrace.people.v1.PersonExportService': typeof PersonExportService
  readonly 'millrace.projects.v1.ProjectMembersService': typeof ProjectMembersService
  readonly 'millrace.projects.v1.RetentionService': typeof RetentionService
  readonly 'millrace.reports.v1.ReportsService': typeof ReportsService
  readonly 'millrace.web.v1.GoalsService': typeof GoalsService
  readonly 'millrace.web.v1.ImportsService': typeof ImportsService
  readonly 'millrace.web.v1.VisitsService': typeof VisitsService
  readonly 'millrace.web.v1.WebAnalyticsService': typeof WebAnalyticsService
  readonly 'public.auth.v1.AuthService': typeof AuthService
  readonly 'public.dashboards.v1.SharedDashboardsService': typeof SharedDashboardsService
  readonly 'sdk.devices.v1.DevicesService': typeof DevicesService
  readonly 'sdk.events.v1.EventsService': typeof EventsService
  readonly 'sdk.profiles.v1.ProfilesSDKService': typeof ProfilesSDKService
  readonly 'shared.activity.v1.ActivityService': typeof ActivityService
  readonly 'shared.campaigns.v1.CampaignService': typeof CampaignService
  readonly 'shared.delivery.v1.DeliveryService': typeof DeliveryService
  readonly 'shared.insights.v1.InsightsService': typeof InsightsService
  readonly 'shared.profiles.v1.ProfilesService': typeof ProfilesService
}
