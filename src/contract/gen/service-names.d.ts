/** Full names of every service of the interface. */
export declare const SERVICE_NAMES: readonly ServiceName[]

/** Full name of a service. */
export type ServiceName =
  | 'dashboard.customers.v1.CustomersService'
  | 'dashboard.dashboards.v1.DashboardsService'
  | 'dashboard.orgemailproviders.v1.OrgEmailProvidersService'
  | 'dashboard.orgs.v1.OrgsService'
  | 'dashboard.projects.v1.ProjectsService'
  | 'millrace.account.v1.InvitationsService'
  | 'millrace.account.v1.SessionsService'
  | 'millrace.cohorts.v1.CohortsService'
  | 'millrace.library.v1.AnnotationsService'
  | 'millrace.library.v1.SavedInsightsService'
  | 'millrace.people.v1.ActorsService'
  | 'millrace.web.v1.GoalsService'
  | 'millrace.web.v1.VisitsService'
  | 'millrace.web.v1.WebAnalyticsService'
  | 'public.auth.v1.AuthService'
  | 'public.dashboards.v1.SharedDashboardsService'
  | 'sdk.devices.v1.DevicesService'
  | 'sdk.events.v1.EventsService'
  | 'sdk.profiles.v1.ProfilesSDKService'
  | 'shared.activity.v1.ActivityService'
  | 'shared.campaigns.v1.CampaignService'
  | 'shared.delivery.v1.DeliveryService'
  | 'shared.insights.v1.InsightsService'
  | 'shared.profiles.v1.ProfilesService'
