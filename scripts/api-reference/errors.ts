import type { ErrorCode, ErrorReason } from '../../src/contract/service-error.ts'

/** The meaning of a reason for callers. */
export interface ReasonNote {
  readonly code: ErrorCode
  readonly when: string
}

/** Every reason of an error. A missing one does not compile. */
export const ERROR_REASONS = {
  INVALID_EVENT_BATCH: {
    code: 'invalid_argument',
    when: 'an event breaks a rule; the message names its index and field',
  },
  COOKIELESS_IDENTITY_UNAVAILABLE: {
    code: 'invalid_argument',
    when: 'a cookieless event has no client address or `User-Agent`',
  },
  INVALID_REQUEST: { code: 'invalid_argument', when: 'the request breaks a rule, or cannot be parsed' },
  INVALID_INSIGHT_QUERY: {
    code: 'invalid_argument',
    when: 'the query breaks a rule; the violation names the field',
  },
  INVALID_ACTIVITY_FILTER: {
    code: 'invalid_argument',
    when: 'the request breaks a rule; the violation names the field',
  },
  INVALID_PROFILE_FILTER: {
    code: 'invalid_argument',
    when: 'the request breaks a rule; the violation names the field',
  },
  INVALID_WEB_QUERY: {
    code: 'invalid_argument',
    when: 'the request breaks a rule; the violation names the field',
  },
  PROFILE_NOT_FOUND: { code: 'not_found', when: 'there is no such profile, or it was deleted' },
  DELETION_REQUEST_NOT_FOUND: { code: 'not_found', when: 'the project has no erasure with that id' },
  INVALID_PAGE_TOKEN: { code: 'invalid_argument', when: 'the page token belongs to another request' },
  INVALID_TIMEZONE: { code: 'invalid_argument', when: 'the time zone is unknown' },
  INVALID_API_KEY: { code: 'unauthenticated', when: 'the API key is missing, unknown or revoked' },
  PUBLIC_KEY_NOT_ALLOWED: {
    code: 'permission_denied',
    when: 'the method requires a private key',
  },
  INVALID_TOKEN: {
    code: 'unauthenticated',
    when: 'the token is missing, invalid, used or expired, or its session has ended',
  },
  INVALID_CREDENTIALS: {
    code: 'unauthenticated',
    when: 'the email address and password, or the credential, are wrong',
  },
  SIGN_IN_NOT_CONFIGURED: {
    code: 'failed_precondition',
    when: 'the operator has not set up this way of signing in',
  },
  SIGN_UP_NOT_ALLOWED: {
    code: 'permission_denied',
    when: 'the email address has no account or invitation, and `SERVICE_SIGN_UP` allows it none',
  },
  REAUTHENTICATION_REQUIRED: {
    code: 'failed_precondition',
    when: 'the current password is required, or a sign-in by link or identity provider within the last 10 minutes',
  },
  SESSION_NOT_FOUND: { code: 'not_found', when: 'the account has no such session' },
  IDENTITY_PROVIDER_UNAVAILABLE: {
    code: 'unavailable',
    when: 'the identity provider does not respond; try again',
  },
  ORG_NOT_FOUND: { code: 'not_found', when: 'there is no such organisation' },
  ORG_NOT_A_MEMBER: { code: 'permission_denied', when: 'the caller is not a member of the organisation' },
  ORG_ADMIN_REQUIRED: { code: 'permission_denied', when: 'the caller is not an admin of the organisation' },
  ORG_ROLE_FORBIDDEN: { code: 'permission_denied', when: "the caller's role does not allow the call" },
  ORG_ALREADY_A_MEMBER: {
    code: 'already_exists',
    when: 'a user with that email address is already a member',
  },
  MEMBER_NOT_FOUND: { code: 'not_found', when: 'the organisation has no such member' },
  CANNOT_REMOVE_LAST_ADMIN: {
    code: 'failed_precondition',
    when: 'the organisation would be left without an admin',
  },
  CANNOT_DEMOTE_LAST_ADMIN: {
    code: 'failed_precondition',
    when: 'the organisation would be left without an admin',
  },
  CANNOT_LEAVE_AS_LAST_MEMBER: {
    code: 'failed_precondition',
    when: 'the organisation would be left without members',
  },
  INVITATION_NOT_FOUND: {
    code: 'not_found',
    when: 'the organisation has no such invitation, or the link accepts none for the caller',
  },
  INVITATION_EXPIRED: { code: 'failed_precondition', when: 'the invitation has expired' },
  INVITATION_NOT_PENDING: { code: 'failed_precondition', when: 'the invitation was accepted or revoked' },
  INVITATION_NEEDS_SIGN_IN: {
    code: 'failed_precondition',
    when: 'the invited address has an account; sign in to it, then call `InvitationsService.Accept`',
  },
  PROJECT_NOT_FOUND: { code: 'not_found', when: 'there is no such project' },
  PROJECT_NAME_TAKEN: {
    code: 'already_exists',
    when: 'the organisation already has a project with that name',
  },
  API_KEY_NOT_FOUND: { code: 'not_found', when: 'the project has no such key' },
  LIMIT_REACHED: { code: 'failed_precondition', when: 'the limit is reached' },
  EMAIL_PROVIDER_NOT_FOUND: { code: 'not_found', when: 'the organisation has no mail provider' },
  DASHBOARD_NOT_FOUND: {
    code: 'not_found',
    when: 'there is no such dashboard, or its link has been revoked or has expired',
  },
  COHORT_NOT_FOUND: { code: 'not_found', when: 'there is no such cohort' },
  COHORT_CYCLE: { code: 'failed_precondition', when: 'the cohort would refer to itself' },
  COHORT_IN_USE: { code: 'failed_precondition', when: 'a cohort or a dashboard uses the cohort' },
  COHORT_NOT_STATIC: { code: 'failed_precondition', when: 'the cohort has a definition' },
  GOAL_NOT_FOUND: { code: 'not_found', when: 'there is no such goal' },
  VISIT_NOT_FOUND: { code: 'not_found', when: 'there is no event with this session id' },
  SHARE_RANGE_PINNED: {
    code: 'permission_denied',
    when: 'the share is pinned to the range of its dashboard',
  },
  SHARE_PASSWORD_REQUIRED: {
    code: 'permission_denied',
    when: 'the share has a password, and the grant is missing, expired or of an earlier password',
  },
  DEVICE_NOT_FOUND: { code: 'not_found', when: 'there is no such device' },
  CAMPAIGN_NOT_FOUND: { code: 'not_found', when: 'there is no such campaign' },
  CAMPAIGN_NOT_SCHEDULED: { code: 'failed_precondition', when: 'sending of the campaign has started' },
  UNSUPPORTED_MEDIA_TYPE: {
    code: 'unimplemented',
    when: 'the content type is not one of Connect, gRPC or gRPC-Web (HTTP 415)',
  },
  METHOD_NOT_ALLOWED: { code: 'unimplemented', when: 'the HTTP method is not POST (HTTP 405)' },
  UNSUPPORTED_ENCODING: { code: 'unimplemented', when: 'the compression of the body is unknown' },
  SERVICE_NOT_FOUND: { code: 'not_found', when: 'the health check names an unknown service' },
  METHOD_NOT_FOUND: { code: 'unimplemented', when: 'there is no such method (HTTP 404)' },
  NOT_IMPLEMENTED: {
    code: 'unimplemented',
    when: 'gRPC was sent over HTTP/1.1, or the method is not available',
  },
  BODY_TOO_LARGE: {
    code: 'resource_exhausted',
    when: 'the body exceeds `SERVICE_MAX_BODY_BYTES` after decompression',
  },
  OVERLOADED: {
    code: 'resource_exhausted',
    when: 'a queue, the journal or the disk is full; try again after `Retry-After`',
  },
  RATE_LIMITED: {
    code: 'resource_exhausted',
    when: 'the rate limit is exceeded; try again after `Retry-After`',
  },
  QUERY_TOO_EXPENSIVE: {
    code: 'resource_exhausted',
    when: 'the query exceeds a limit on rows or memory; narrow it',
  },
  QUERY_TIMEOUT: {
    code: 'deadline_exceeded',
    when: 'the query takes longer than `SERVICE_QUERY_TIMEOUT_SECONDS`',
  },
  STORE_UNAVAILABLE: { code: 'unavailable', when: 'a store does not respond; try again' },
  QUERY_UNAVAILABLE: { code: 'unavailable', when: 'the query process does not respond; try again' },
  DEADLINE_EXCEEDED: { code: 'deadline_exceeded', when: 'the deadline of the call has passed' },
  ORIGIN_NOT_ALLOWED: { code: 'permission_denied', when: 'a page of another origin calls `/mcp`' },
  CANCELED: { code: 'canceled', when: 'the client disconnected' },
  INTERNAL: { code: 'internal', when: 'unexpected error; the log has the cause under the request id' },
} as const satisfies Record<ErrorReason, ReasonNote>

/** Reasons of a method besides {@link COMMON_REASONS}, by method or by service. */
const OWN_REASONS: Readonly<Record<string, readonly ErrorReason[]>> = {
  'sdk.events.v1.EventsService': [
    'INVALID_EVENT_BATCH',
    'COOKIELESS_IDENTITY_UNAVAILABLE',
    'RATE_LIMITED',
    'OVERLOADED',
  ],
  'sdk.profiles.v1.ProfilesSDKService': ['INVALID_REQUEST', 'OVERLOADED'],
  'sdk.devices.v1.DevicesService/UpdateStatus': ['DEVICE_NOT_FOUND'],
  'sdk.devices.v1.DevicesService/UpdateToken': ['DEVICE_NOT_FOUND'],
  'shared.insights.v1.InsightsService': [
    'INVALID_INSIGHT_QUERY',
    'QUERY_TOO_EXPENSIVE',
    'QUERY_TIMEOUT',
    'OVERLOADED',
  ],
  'shared.insights.v1.InsightsService/Query': ['INVALID_TIMEZONE'],
  'shared.insights.v1.InsightsService/SegmentUsers': ['INVALID_PAGE_TOKEN'],
  'millrace.people.v1.ActorsService': [
    'INVALID_INSIGHT_QUERY',
    'INVALID_TIMEZONE',
    'INVALID_PAGE_TOKEN',
    'QUERY_TOO_EXPENSIVE',
    'QUERY_TIMEOUT',
    'OVERLOADED',
  ],
  'shared.activity.v1.ActivityService': [
    'INVALID_ACTIVITY_FILTER',
    'QUERY_TOO_EXPENSIVE',
    'QUERY_TIMEOUT',
    'OVERLOADED',
  ],
  'shared.activity.v1.ActivityService/GetActivityFeed': ['INVALID_PAGE_TOKEN'],
  'shared.activity.v1.ActivityService/GetEventExplorer': ['INVALID_PAGE_TOKEN'],
  'shared.profiles.v1.ProfilesService': ['INVALID_PROFILE_FILTER'],
  'shared.profiles.v1.ProfilesService/Get': ['PROFILE_NOT_FOUND'],
  'shared.profiles.v1.ProfilesService/GetByExternalId': ['PROFILE_NOT_FOUND'],
  'shared.profiles.v1.ProfilesService/List': ['INVALID_PAGE_TOKEN'],
  'shared.profiles.v1.ProfilesService/Delete': ['PROFILE_NOT_FOUND'],
  'shared.profiles.v1.ProfilesService/DeleteDataSubject': ['PROFILE_NOT_FOUND'],
  'shared.profiles.v1.ProfilesService/GetDeletionRequest': ['DELETION_REQUEST_NOT_FOUND'],
  'shared.campaigns.v1.CampaignService/Create': ['LIMIT_REACHED'],
  'shared.campaigns.v1.CampaignService/Get': ['CAMPAIGN_NOT_FOUND'],
  'shared.campaigns.v1.CampaignService/Update': ['CAMPAIGN_NOT_FOUND', 'CAMPAIGN_NOT_SCHEDULED'],
  'shared.campaigns.v1.CampaignService/Delete': ['CAMPAIGN_NOT_FOUND'],
  'public.auth.v1.AuthService/SignInWithEmail': ['INVALID_CREDENTIALS', 'RATE_LIMITED', 'OVERLOADED'],
  'public.auth.v1.AuthService/RequestMagicLink': ['RATE_LIMITED'],
  'public.auth.v1.AuthService/CompleteMagicLink': [
    'INVALID_TOKEN',
    'INVALID_TIMEZONE',
    'INVITATION_EXPIRED',
    'INVITATION_NOT_PENDING',
    'INVITATION_NEEDS_SIGN_IN',
    'SIGN_UP_NOT_ALLOWED',
  ],
  'public.auth.v1.AuthService/CompleteOAuthSignIn': [
    'INVALID_CREDENTIALS',
    'INVALID_TIMEZONE',
    'SIGN_IN_NOT_CONFIGURED',
    'SIGN_UP_NOT_ALLOWED',
    'IDENTITY_PROVIDER_UNAVAILABLE',
  ],
  'public.auth.v1.AuthService/RefreshSession': ['INVALID_TOKEN'],
  'public.auth.v1.AuthService/DemoSignIn': ['SIGN_IN_NOT_CONFIGURED'],
  'shared.delivery.v1.DeliveryService/RecordEvent': ['CAMPAIGN_NOT_FOUND'],
  'public.dashboards.v1.SharedDashboardsService': [
    'DASHBOARD_NOT_FOUND',
    'SHARE_RANGE_PINNED',
    'SHARE_PASSWORD_REQUIRED',
    'RATE_LIMITED',
    'OVERLOADED',
  ],
  'dashboard.customers.v1.CustomersService/SetPassword': [
    'REAUTHENTICATION_REQUIRED',
    'RATE_LIMITED',
    'OVERLOADED',
  ],
  'millrace.account.v1.SessionsService/End': ['SESSION_NOT_FOUND'],
  'millrace.web.v1.WebAnalyticsService': [
    'INVALID_WEB_QUERY',
    'INVALID_TIMEZONE',
    'GOAL_NOT_FOUND',
    'COHORT_NOT_FOUND',
    'QUERY_TOO_EXPENSIVE',
    'QUERY_TIMEOUT',
    'OVERLOADED',
  ],
  'millrace.web.v1.VisitsService': [
    'INVALID_WEB_QUERY',
    'INVALID_PAGE_TOKEN',
    'QUERY_TOO_EXPENSIVE',
    'QUERY_TIMEOUT',
    'OVERLOADED',
  ],
  'millrace.web.v1.VisitsService/List': ['GOAL_NOT_FOUND'],
  'millrace.web.v1.VisitsService/Get': ['VISIT_NOT_FOUND'],
  'millrace.cohorts.v1.CohortsService/Create': ['COHORT_NOT_FOUND', 'COHORT_CYCLE', 'LIMIT_REACHED'],
  'millrace.cohorts.v1.CohortsService/Get': ['COHORT_NOT_FOUND'],
  'millrace.cohorts.v1.CohortsService/Update': ['COHORT_NOT_FOUND', 'COHORT_CYCLE'],
  'millrace.cohorts.v1.CohortsService/Delete': ['COHORT_NOT_FOUND', 'COHORT_IN_USE'],
  'millrace.cohorts.v1.CohortsService/AddMembers': ['COHORT_NOT_FOUND', 'COHORT_NOT_STATIC', 'LIMIT_REACHED'],
  'millrace.cohorts.v1.CohortsService/RemoveMembers': ['COHORT_NOT_FOUND', 'COHORT_NOT_STATIC'],
  'millrace.cohorts.v1.CohortsService/Count': [
    'COHORT_NOT_FOUND',
    'QUERY_TOO_EXPENSIVE',
    'QUERY_TIMEOUT',
    'OVERLOADED',
  ],
  'millrace.cohorts.v1.CohortsService/ListMembers': [
    'INVALID_PAGE_TOKEN',
    'COHORT_NOT_FOUND',
    'QUERY_TOO_EXPENSIVE',
    'QUERY_TIMEOUT',
    'OVERLOADED',
  ],
  'millrace.cohorts.v1.CohortsService/ListOfUser': ['QUERY_TOO_EXPENSIVE', 'QUERY_TIMEOUT', 'OVERLOADED'],
  'millrace.cohorts.v1.CohortsService/SaveFromPoint': [
    'INVALID_INSIGHT_QUERY',
    'COHORT_NOT_FOUND',
    'LIMIT_REACHED',
    'QUERY_TOO_EXPENSIVE',
    'QUERY_TIMEOUT',
    'OVERLOADED',
  ],
  'millrace.web.v1.GoalsService/Create': ['LIMIT_REACHED'],
  'millrace.web.v1.GoalsService/Update': ['GOAL_NOT_FOUND'],
  'millrace.web.v1.GoalsService/Delete': ['GOAL_NOT_FOUND'],
  'dashboard.dashboards.v1.DashboardsService/Get': ['DASHBOARD_NOT_FOUND'],
  'dashboard.dashboards.v1.DashboardsService/Update': ['DASHBOARD_NOT_FOUND', 'OVERLOADED'],
  'dashboard.dashboards.v1.DashboardsService/Delete': ['DASHBOARD_NOT_FOUND'],
  'dashboard.dashboards.v1.DashboardsService/QueryDashboard': ['DASHBOARD_NOT_FOUND'],
  'dashboard.dashboards.v1.DashboardsService/Create': ['LIMIT_REACHED'],
  'dashboard.dashboards.v1.DashboardsService/Upsert': ['DASHBOARD_NOT_FOUND', 'LIMIT_REACHED'],
  'dashboard.orgemailproviders.v1.OrgEmailProvidersService/Get': ['EMAIL_PROVIDER_NOT_FOUND'],
  'dashboard.orgemailproviders.v1.OrgEmailProvidersService/SendTest': ['EMAIL_PROVIDER_NOT_FOUND'],
  'dashboard.orgs.v1.OrgsService/Create': ['LIMIT_REACHED'],
  'dashboard.orgs.v1.OrgsService/RemoveMember': ['MEMBER_NOT_FOUND', 'CANNOT_REMOVE_LAST_ADMIN'],
  'dashboard.orgs.v1.OrgsService/UpdateMemberRole': ['MEMBER_NOT_FOUND', 'CANNOT_DEMOTE_LAST_ADMIN'],
  'dashboard.orgs.v1.OrgsService/Leave': ['CANNOT_LEAVE_AS_LAST_MEMBER', 'CANNOT_REMOVE_LAST_ADMIN'],
  'dashboard.orgs.v1.OrgsService/InviteMember': ['ORG_ALREADY_A_MEMBER', 'RATE_LIMITED'],
  'dashboard.orgs.v1.OrgsService/ResendInvite': [
    'INVITATION_NOT_FOUND',
    'INVITATION_NOT_PENDING',
    'RATE_LIMITED',
  ],
  'millrace.account.v1.InvitationsService/Accept': [
    'INVITATION_NOT_FOUND',
    'INVITATION_EXPIRED',
    'INVITATION_NOT_PENDING',
  ],
  'dashboard.orgs.v1.OrgsService/RevokeInvite': ['INVITATION_NOT_FOUND', 'INVITATION_NOT_PENDING'],
  'dashboard.projects.v1.ProjectsService/Create': ['PROJECT_NAME_TAKEN', 'INVALID_TIMEZONE', 'LIMIT_REACHED'],
  'dashboard.projects.v1.ProjectsService/UpdateMeta': ['PROJECT_NAME_TAKEN', 'INVALID_TIMEZONE'],
  'dashboard.projects.v1.ProjectsService/CreateApiKey': ['LIMIT_REACHED'],
  'dashboard.projects.v1.ProjectsService/DeleteApiKey': ['API_KEY_NOT_FOUND'],
}

/** The methods and services with reasons of their own. */
export const NAMED_CALLS: readonly string[] = Object.keys(OWN_REASONS)

/** Reasons of one method, by the full name of its service and its own. */
export function reasonsOf(call: string): readonly (keyof typeof ERROR_REASONS)[] {
  const [service = ''] = call.split('/')
  return [...(OWN_REASONS[service] ?? []), ...(OWN_REASONS[call] ?? [])]
}

/** Reasons that every call can have. */
export const COMMON_REASONS = [
  'INVALID_REQUEST',
  'INVALID_API_KEY',
  'PUBLIC_KEY_NOT_ALLOWED',
  'INVALID_TOKEN',
  'PROJECT_NOT_FOUND',
  'ORG_NOT_FOUND',
  'ORG_NOT_A_MEMBER',
  'ORG_ROLE_FORBIDDEN',
  'ORG_ADMIN_REQUIRED',
  'BODY_TOO_LARGE',
  'METHOD_NOT_FOUND',
  'METHOD_NOT_ALLOWED',
  'UNSUPPORTED_MEDIA_TYPE',
  'UNSUPPORTED_ENCODING',
  'NOT_IMPLEMENTED',
  'DEADLINE_EXCEEDED',
  'CANCELED',
  'STORE_UNAVAILABLE',
  'QUERY_UNAVAILABLE',
  'INTERNAL',
] as const satisfies readonly ErrorReason[]
