/** Services whose methods the edge serves by itself: they go on while the store or the query process does not. */
export const INGESTION_SERVICES: readonly string[] = [
  'sdk.events.v1.EventsService',
  'sdk.profiles.v1.ProfilesSDKService',
]

/** Full names of all services of the interface, for processes that have no use for their descriptions. */
export const SERVICE_NAMES: readonly string[] = [
  'dashboard.customers.v1.CustomersService',
  'dashboard.dashboards.v1.DashboardsService',
  'dashboard.orgemailproviders.v1.OrgEmailProvidersService',
  'dashboard.orgs.v1.OrgsService',
  'dashboard.projects.v1.ProjectsService',
  'millrace.account.v1.SessionsService',
  'public.auth.v1.AuthService',
  'public.dashboards.v1.SharedDashboardsService',
  'sdk.devices.v1.DevicesService',
  ...INGESTION_SERVICES,
  'shared.activity.v1.ActivityService',
  'shared.campaigns.v1.CampaignService',
  'shared.delivery.v1.DeliveryService',
  'shared.insights.v1.InsightsService',
  'shared.profiles.v1.ProfilesService',
]
