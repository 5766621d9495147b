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

export const SERVICES = {
  'dashboard.customers.v1.CustomersService': CustomersService,
  'dashboard.dashboards.v1.DashboardsService': DashboardsService,
  'dashboard.orgemailproviders.v1.OrgEmailProvidersService': OrgEmailProvidersService,
  'dashboard.orgs.v1.OrgsService': OrgsService,
  'dashboard.projects.v1.ProjectsService': ProjectsService,
  'dashboard.usage.v1.UsageService': UsageService,
  'millrace.account.v1.AssistantsService': AssistantsService,
  'millrace.account.v1.IdentitiesService': IdentitiesService,
  'millrace.account.v1.InvitationsService': InvitationsService,
  'millrace.account.v1.SecondFactorsService': SecondFactorsService,
  'millrace.account.v1.SessionsService': SessionsService,
  'millrace.account.v1.TokensService': TokensService,
  'millrace.alerts.v1.AlertsService': AlertsService,
  'millrace.alerts.v1.ChannelsService': ChannelsService,
  'millrace.audit.v1.AuditLogService': AuditLogService,
  'millrace.cohorts.v1.CohortsService': CohortsService,
  'millrace.dashboards.v1.DashboardGuestsService': DashboardGuestsService,
  'millrace.dictionary.v1.DictionaryService': DictionaryService,
  'millrace.ingest.v1.WarningsService': WarningsService,
  'millrace.keys.v1.ApiKeysService': ApiKeysService,
  'millrace.library.v1.AnnotationsService': AnnotationsService,
  'millrace.library.v1.SavedInsightsService': SavedInsightsService,
  'millrace.people.v1.ActorsService': ActorsService,
  'millrace.people.v1.PersonExportService': PersonExportService,
  'millrace.projects.v1.ProjectMembersService': ProjectMembersService,
  'millrace.projects.v1.RetentionService': RetentionService,
  'millrace.reports.v1.ReportsService': ReportsService,
  'millrace.web.v1.GoalsService': GoalsService,
  'millrace.web.v1.ImportsService': ImportsService,
  'millrace.web.v1.VisitsService': VisitsService,
  'millrace.web.v1.WebAnalyticsService': WebAnalyticsService,
  'public.auth.v1.AuthService': AuthService,
  'public.dashboards.v1.SharedDashboardsService': SharedDashboardsService,
  'sdk.devices.v1.DevicesService': DevicesService,
  'sdk.events.v1.EventsService': EventsService,
  'sdk.profiles.v1.ProfilesSDKService': ProfilesSDKService,
  'shared.activity.v1.ActivityService': ActivityService,
  'shared.campaigns.v1.CampaignService': CampaignService,
  'shared.delivery.v1.DeliveryService': DeliveryService,
  'shared.insights.v1.InsightsService': InsightsService,
  'shared.profiles.v1.ProfilesService': ProfilesService,
}
