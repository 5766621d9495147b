import type { DescService } from '@bufbuild/protobuf'
import type { CustomersService } from '../contract/gen/dashboard/customers/v1/customers_service_pb.js'
import type { DashboardsService } from '../contract/gen/dashboard/dashboards/v1/dashboards_service_pb.js'
import type { OrgEmailProvidersService } from '../contract/gen/dashboard/orgemailproviders/v1/org_email_providers_service_pb.js'
import type { OrgsService } from '../contract/gen/dashboard/orgs/v1/orgs_service_pb.js'
import type { ProjectsService } from '../contract/gen/dashboard/projects/v1/projects_service_pb.js'
import type { SessionsService } from '../contract/gen/millrace/account/v1/sessions_service_pb.js'
import type { ActivityService } from '../contract/gen/shared/activity/v1/activity_service_pb.js'
import type { CampaignService } from '../contract/gen/shared/campaigns/v1/campaign_service_pb.js'
import type { DeliveryService } from '../contract/gen/shared/delivery/v1/delivery_service_pb.js'
import type { InsightsService } from '../contract/gen/shared/insights/v1/insights_service_pb.js'
import type { ProfilesService } from '../contract/gen/shared/profiles/v1/profiles_service_pb.js'
import { isRoleEnough, type Role } from '../contract/role.ts'

/** Who may call a method. */
export type AccessRule = (
  | {
      /** Everybody who is signed in. */
      readonly scope: 'account'
    }
  /** Who has this role, or a higher one, in the organisation of the project that `x-project-id` names. */
  | { readonly scope: 'project'; readonly least: Role }
  /** Who has this role, or a higher one, in the organisation that the field `org_id` of the request names. */
  | { readonly scope: 'organisation'; readonly least: Role }
) & {
  /**
   * How the session of a token is checked: in the catalog with every call, or, for what only reads, as this process has
   * found it in the last seconds.
   */
  readonly session: 'checked' | 'cached'
}

/** A rule for each method of a service: one that is missing does not compile. */
type Rules<S extends DescService> = { readonly [Method in keyof S['method']]: AccessRule }

const account: AccessRule = { scope: 'account', session: 'checked' }
const inProject = {
  viewer: { scope: 'project', least: 'viewer', session: 'checked' },
  member: { scope: 'project', least: 'member', session: 'checked' },
  admin: { scope: 'project', least: 'admin', session: 'checked' },
} as const satisfies Record<Role, AccessRule>
const inOrganisation = {
  viewer: { scope: 'organisation', least: 'viewer', session: 'checked' },
  admin: { scope: 'organisation', least: 'admin', session: 'checked' },
} as const satisfies Partial<Record<Role, AccessRule>>

/** For methods that change nothing and show no secret: their session is looked up once in some seconds. */
const reading = {
  account: { ...account, session: 'cached' },
  inProject: { ...inProject.viewer, session: 'cached' },
  inOrganisation: { ...inOrganisation.viewer, session: 'cached' },
} as const satisfies Record<string, AccessRule>

const insights = {
  query: reading.inProject,
  segmentUsers: reading.inProject,
  getFilterSchema: reading.inProject,
  getPropertyValues: reading.inProject,
} as const satisfies Rules<typeof InsightsService>

const profiles = {
  get: reading.inProject,
  getByExternalId: reading.inProject,
  list: reading.inProject,
  delete: inProject.member,
  deleteDataSubject: inProject.member,
  getDeletionRequest: reading.inProject,
} as const satisfies Rules<typeof ProfilesService>

const activity = {
  getActivityFeed: reading.inProject,
  getEventExplorer: reading.inProject,
  getFilterSchema: reading.inProject,
  getPropertyValues: reading.inProject,
  getActivityHeatmap: reading.inProject,
  getProfileStats: reading.inProject,
} as const satisfies Rules<typeof ActivityService>

const campaigns = {
  batchGet: reading.inProject,
  get: reading.inProject,
  create: inProject.member,
  update: inProject.member,
  delete: inProject.member,
} as const satisfies Rules<typeof CampaignService>

const delivery = { recordEvent: inProject.member } as const satisfies Rules<typeof DeliveryService>

const organisations = {
  list: reading.account,
  create: account,
  get: reading.inOrganisation,
  listMembers: reading.inOrganisation,
  leave: inOrganisation.viewer,
  updateDisplayName: inOrganisation.admin,
  removeMember: inOrganisation.admin,
  updateMemberRole: inOrganisation.admin,
  inviteMember: inOrganisation.admin,
  resendInvite: inOrganisation.admin,
  revokeInvite: inOrganisation.admin,
  listInvitations: inOrganisation.admin,
} as const satisfies Rules<typeof OrgsService>

const projects = {
  batchGet: reading.inOrganisation,
  create: inOrganisation.admin,
  get: reading.inProject,
  listApiKeys: inProject.admin,
  createApiKey: inProject.admin,
  deleteApiKey: inProject.admin,
  updateMeta: inProject.admin,
  updateFCMServiceJSON: inProject.admin,
  delete: inProject.admin,
} as const satisfies Rules<typeof ProjectsService>

const customers = {
  getMe: reading.account,
  setPassword: account,
} as const satisfies Rules<typeof CustomersService>

const sessions = {
  list: account,
  end: account,
  endOthers: account,
} as const satisfies Rules<typeof SessionsService>

const dashboards = {
  get: reading.inProject,
  list: reading.inProject,
  queryDashboard: reading.inProject,
  create: inProject.member,
  update: inProject.member,
  upsert: inProject.member,
  delete: inProject.member,
} as const satisfies Rules<typeof DashboardsService>

const emailProviders = {
  get: inOrganisation.admin,
  set: inOrganisation.admin,
  remove: inOrganisation.admin,
  sendTest: inOrganisation.admin,
} as const satisfies Rules<typeof OrgEmailProvidersService>

/** The rules by the full name of its service and its name in code. The console reads them too. */
export const ROLE_RULES: Readonly<Record<string, Readonly<Record<string, AccessRule>>>> = {
  'dashboard.customers.v1.CustomersService': customers,
  'dashboard.dashboards.v1.DashboardsService': dashboards,
  'dashboard.orgemailproviders.v1.OrgEmailProvidersService': emailProviders,
  'dashboard.orgs.v1.OrgsService': organisations,
  'dashboard.projects.v1.ProjectsService': projects,
  'millrace.account.v1.SessionsService': sessions,
  'shared.activity.v1.ActivityService': activity,
  'shared.campaigns.v1.CampaignService': campaigns,
  'shared.delivery.v1.DeliveryService': delivery,
  'shared.insights.v1.InsightsService': insights,
  'shared.profiles.v1.ProfilesService': profiles,
}

/** Whether a role in the organisation that a call is about is enough for a method, by its name in code. */
export function mayRoleCall(
  role: Role,
  { service, method }: { readonly service: string; readonly method: string },
): boolean {
  const rule = ROLE_RULES[service]?.[method]
  if (!rule) return false
  return rule.scope === 'account' || isRoleEnough({ role, needed: rule.least })
}
