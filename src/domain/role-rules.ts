import type { ServiceName } from '../contract/gen/service-names.js'
import type { SERVICES } from '../contract/gen/services.js'
import { isRoleEnough, type Role } from '../contract/role.ts'
import type { TokenScope } from '../contract/token-scope.ts'

/** The callers that a method accepts. */
export type AccessRule = (
  | {
      /** Everybody who is signed in. */
      readonly scope: 'account'
    }
  /** Users with this role, or a higher one, in the project that `x-project-id` names (`contract/role.ts`). */
  | {
      readonly scope: 'project'
      readonly least: Role
      /** Set for methods that take no API key, although their package does. */
      readonly only?: 'session'
    }
  /** Users with this role, or a higher one, in the organisation that the field `org_id` of the request names. */
  | { readonly scope: 'organisation'; readonly least: Role }
) & {
  /**
   * How the session of a token is checked: in the catalog with every call, or, for what only reads, as this process has
   * found it in the last seconds.
   */
  readonly session: 'checked' | 'cached'
}

/** Services that a signed-in user may call; the others take an API key only, or no credential. */
type UserService = Exclude<ServiceName, `sdk.${string}` | `public.${string}`>

/** A rule for each method of each service: a missing one does not compile. */
type RoleRules = {
  readonly [Service in UserService]: {
    readonly [Method in keyof (typeof SERVICES)[Service]['method']]: AccessRule
  }
}

const account: AccessRule = { scope: 'account', session: 'checked' }
const inProject = {
  viewer: { scope: 'project', least: 'viewer', session: 'checked' },
  member: { scope: 'project', least: 'member', session: 'checked' },
  admin: { scope: 'project', least: 'admin', session: 'checked' },
} as const satisfies Partial<Record<Role, AccessRule>>
const inOrganisation = {
  guest: { scope: 'organisation', least: 'guest', session: 'checked' },
  viewer: { scope: 'organisation', least: 'viewer', session: 'checked' },
  admin: { scope: 'organisation', least: 'admin', session: 'checked' },
} as const satisfies Partial<Record<Role, AccessRule>>

/** For methods that change nothing and show no secret: their session is looked up once in some seconds. */
const reading = {
  account: { ...account, session: 'cached' },
  inProject: { ...inProject.viewer, session: 'cached' },
  inOrganisation: { ...inOrganisation.viewer, session: 'cached' },
  ownOfOrganisation: { ...inOrganisation.guest, session: 'cached' },
} as const satisfies Record<string, AccessRule>

const RULES: RoleRules = {
  'dashboard.customers.v1.CustomersService': {
    getMe: reading.account,
    setPassword: account,
  },
  'dashboard.dashboards.v1.DashboardsService': {
    get: reading.inProject,
    list: reading.inProject,
    queryDashboard: reading.inProject,
    create: inProject.member,
    update: inProject.member,
    upsert: inProject.member,
    delete: inProject.member,
  },
  'dashboard.orgemailproviders.v1.OrgEmailProvidersService': {
    get: inOrganisation.admin,
    set: inOrganisation.admin,
    remove: inOrganisation.admin,
    sendTest: inOrganisation.admin,
  },
  'dashboard.orgs.v1.OrgsService': {
    list: reading.account,
    create: account,
    get: reading.ownOfOrganisation,
    listMembers: reading.inOrganisation,
    leave: inOrganisation.guest,
    updateDisplayName: inOrganisation.admin,
    removeMember: inOrganisation.admin,
    updateMemberRole: inOrganisation.admin,
    updateSecondFactor: inOrganisation.admin,
    resetMemberSecondFactor: inOrganisation.admin,
    inviteMember: inOrganisation.admin,
    resendInvite: inOrganisation.admin,
    revokeInvite: inOrganisation.admin,
    listInvitations: inOrganisation.admin,
  },
  'dashboard.projects.v1.ProjectsService': {
    batchGet: reading.ownOfOrganisation,
    create: inOrganisation.admin,
    get: reading.inProject,
    listApiKeys: inProject.admin,
    createApiKey: inProject.admin,
    deleteApiKey: inProject.admin,
    updateMeta: inProject.admin,
    updateFCMServiceJSON: inProject.admin,
    delete: inProject.admin,
  },
  'dashboard.usage.v1.UsageService': { getUsage: reading.inOrganisation },
  'millrace.account.v1.AssistantsService': {
    list: account,
    getRequest: account,
    connect: account,
    refuse: account,
    disconnect: account,
  },
  'millrace.account.v1.IdentitiesService': {
    list: account,
    connect: account,
    disconnect: account,
  },
  'millrace.account.v1.InvitationsService': { accept: account },
  'millrace.account.v1.SecondFactorsService': {
    get: account,
    startTotp: account,
    confirmTotp: account,
    startPasskey: account,
    confirmPasskey: account,
    renamePasskey: account,
    removePasskey: account,
    startProof: account,
    prove: account,
    replaceRecoveryCodes: account,
    remove: account,
  },
  'millrace.account.v1.SessionsService': {
    list: account,
    end: account,
    endOthers: account,
  },
  'millrace.account.v1.TokensService': { list: account, create: account, revoke: account },
  'millrace.alerts.v1.AlertsService': {
    get: reading.inProject,
    list: reading.inProject,
    listChecks: reading.inProject,
    preview: reading.inProject,
    create: inProject.member,
    update: inProject.member,
    delete: inProject.member,
    test: inProject.member,
    snooze: inProject.member,
  },
  'millrace.alerts.v1.ChannelsService': {
    get: reading.inProject,
    list: reading.inProject,
    listDeliveries: reading.inProject,
    create: inProject.admin,
    update: inProject.admin,
    delete: inProject.admin,
    test: inProject.admin,
  },
  'millrace.audit.v1.AuditLogService': {
    list: inOrganisation.admin,
    export: inOrganisation.admin,
  },
  'millrace.cohorts.v1.CohortsService': {
    get: reading.inProject,
    list: reading.inProject,
    count: reading.inProject,
    listMembers: reading.inProject,
    listOfUser: reading.inProject,
    create: inProject.member,
    update: inProject.member,
    delete: inProject.member,
    addMembers: inProject.member,
    removeMembers: inProject.member,
    saveFromPoint: inProject.member,
  },
  'millrace.dashboards.v1.DashboardGuestsService': {
    listGuests: { ...inProject.member, only: 'session' },
    addGuest: { ...inProject.member, only: 'session' },
    removeGuest: { ...inProject.member, only: 'session' },
    listShared: reading.ownOfOrganisation,
    queryShared: reading.ownOfOrganisation,
  },
  'millrace.dictionary.v1.DictionaryService': {
    listEvents: reading.inProject,
    getEvent: reading.inProject,
    listProperties: reading.inProject,
    getProperty: reading.inProject,
    listNearDuplicates: reading.inProject,
    exportDefinitions: reading.inProject,
    updateEvent: inProject.member,
    updateProperty: inProject.member,
    mergeNames: inProject.member,
    splitNames: inProject.member,
    ignoreNearDuplicates: inProject.member,
    importDefinitions: inProject.member,
  },
  'millrace.ingest.v1.WarningsService': { list: reading.inProject },
  'millrace.keys.v1.ApiKeysService': {
    update: { ...inProject.admin, only: 'session' },
    rotate: { ...inProject.admin, only: 'session' },
  },
  'millrace.library.v1.SavedInsightsService': {
    get: reading.inProject,
    list: reading.inProject,
    listVersions: reading.inProject,
    setFavorite: inProject.viewer,
    create: inProject.member,
    update: inProject.member,
    delete: inProject.member,
    duplicate: inProject.member,
    restore: inProject.member,
  },
  'millrace.library.v1.AnnotationsService': {
    get: reading.inProject,
    list: reading.inProject,
    create: inProject.member,
    update: inProject.member,
    delete: inProject.member,
  },
  'millrace.projects.v1.ProjectMembersService': {
    list: { ...inProject.admin, only: 'session' },
    setRole: { ...inProject.admin, only: 'session' },
    removeRole: { ...inProject.admin, only: 'session' },
  },
  'millrace.projects.v1.RetentionService': {
    get: { ...reading.inProject, only: 'session' },
    preview: { ...inProject.admin, only: 'session' },
    set: { ...inProject.admin, only: 'session' },
  },
  'millrace.reports.v1.ReportsService': {
    get: reading.inProject,
    list: reading.inProject,
    listDeliveries: reading.inProject,
    preview: inProject.viewer,
    create: inProject.member,
    update: inProject.member,
    delete: inProject.member,
    sendTest: inProject.member,
    resendConfirmation: inProject.member,
  },
  'millrace.web.v1.GoalsService': {
    list: reading.inProject,
    create: inProject.member,
    update: inProject.member,
    delete: inProject.member,
  },
  'millrace.web.v1.ImportsService': {
    list: reading.inProject,
    create: inProject.member,
    addRows: inProject.member,
    finish: inProject.member,
    delete: inProject.member,
  },
  'millrace.people.v1.ActorsService': { list: reading.inProject },
  'millrace.people.v1.PersonExportService': { export: inProject.member },
  'millrace.web.v1.VisitsService': { list: reading.inProject, get: reading.inProject },
  'millrace.web.v1.WebAnalyticsService': {
    queryOverview: reading.inProject,
    queryTable: reading.inProject,
    queryRealtime: reading.inProject,
  },
  'shared.activity.v1.ActivityService': {
    getActivityFeed: reading.inProject,
    getEventExplorer: reading.inProject,
    getFilterSchema: reading.inProject,
    getPropertyValues: reading.inProject,
    getActivityHeatmap: reading.inProject,
    getProfileStats: reading.inProject,
  },
  'shared.campaigns.v1.CampaignService': {
    batchGet: reading.inProject,
    get: reading.inProject,
    create: inProject.member,
    update: inProject.member,
    delete: inProject.member,
  },
  'shared.delivery.v1.DeliveryService': { recordEvent: inProject.member },
  'shared.insights.v1.InsightsService': {
    query: reading.inProject,
    segmentUsers: reading.inProject,
    getFilterSchema: reading.inProject,
    getPropertyValues: reading.inProject,
  },
  'shared.profiles.v1.ProfilesService': {
    get: reading.inProject,
    getByExternalId: reading.inProject,
    list: reading.inProject,
    delete: inProject.member,
    deleteDataSubject: inProject.member,
    getDeletionRequest: reading.inProject,
  },
}

/** Access rules by the full name of a service and the method's name in code. The console reads the rules too. */
export const ROLE_RULES: Readonly<Record<string, Readonly<Record<string, AccessRule>>>> = RULES

/**
 * The scope that a personal access token needs for a method: the rights of its owner bound it besides. Methods that only read are those
 * whose session may be cached.
 */
export function scopeNeededBy(rule: AccessRule): TokenScope {
  if (rule.session === 'cached') return 'read'
  return rule.scope !== 'account' && rule.least === 'admin' ? 'admin' : 'write'
}

/** The roles of a caller in the organisation and in the project that a call is about. */
export interface CallerRoles {
  readonly inOrganisation: Role
  readonly inProject: Role
}

/** Whether the roles of a caller are enough for a method, by its name in code. */
export function mayRoleCall(
  { inOrganisation, inProject }: CallerRoles,
  { service, method }: { readonly service: string; readonly method: string },
): boolean {
  const rule = ROLE_RULES[service]?.[method]
  if (!rule) return false
  if (rule.scope === 'account') return true
  const role = rule.scope === 'project' ? inProject : inOrganisation
  return isRoleEnough({ role, needed: rule.least })
}
