import type { ServiceName } from '../contract/gen/service-names.js'
import type { SERVICES } from '../contract/gen/services.js'

/** The kinds of objects of the audit log. */
export const AUDIT_OBJECTS = [
  'account',
  'alert',
  'annotation',
  'assistant',
  'audit',
  'campaign',
  'channel',
  'cohort',
  'dashboard',
  'definition',
  'email-provider',
  'erasure',
  'events',
  'goal',
  'identity',
  'import',
  'insight',
  'invitation',
  'key',
  'member',
  'organisation',
  'person',
  'project',
  'report',
  'session',
  'token',
] as const

/** The kind of an object of the audit log. */
export type AuditObject = (typeof AUDIT_OBJECTS)[number]

/** What happened to which kind of object. */
export type AuditAction = `${AuditObject}.${string}`

/** How calls of a method are recorded. */
export type AuditRule =
  /** Not at all: it changes nothing, and shows neither people nor a whole data set. */
  | { readonly records: 'nothing' }
  /** Each transaction of the catalog that changes something has an entry in it. */
  | { readonly records: 'change'; readonly action: AuditAction }
  /** An entry before each call: its effect is outside of the catalog, and may fail after that. */
  | { readonly records: 'call'; readonly action: AuditAction }
  /** One entry for the calls of an actor about one object in an hour. */
  | { readonly records: 'access'; readonly action: AuditAction }

/** A rule for each method of each service: a missing one does not compile. */
type AuditRules = {
  readonly [Service in ServiceName]: {
    readonly [Method in keyof (typeof SERVICES)[Service]['method']]: AuditRule
  }
}

const nothing: AuditRule = { records: 'nothing' }

function change(action: AuditAction): AuditRule {
  return { records: 'change', action }
}

function call(action: AuditAction): AuditRule {
  return { records: 'call', action }
}

function access(action: AuditAction): AuditRule {
  return { records: 'access', action }
}

const RULES: AuditRules = {
  'dashboard.customers.v1.CustomersService': {
    getMe: nothing,
    setPassword: change('account.set-password'),
  },
  'dashboard.dashboards.v1.DashboardsService': {
    get: nothing,
    list: nothing,
    queryDashboard: nothing,
    create: change('dashboard.create'),
    update: change('dashboard.update'),
    upsert: change('dashboard.update'),
    delete: change('dashboard.delete'),
  },
  'dashboard.orgemailproviders.v1.OrgEmailProvidersService': {
    get: nothing,
    set: change('email-provider.set'),
    remove: change('email-provider.remove'),
    sendTest: call('email-provider.test'),
  },
  'dashboard.orgs.v1.OrgsService': {
    list: nothing,
    create: change('organisation.create'),
    get: nothing,
    listMembers: nothing,
    leave: change('member.leave'),
    updateDisplayName: change('organisation.update'),
    removeMember: change('member.remove'),
    updateMemberRole: change('member.change-role'),
    updateSecondFactor: change('organisation.require-second-factor'),
    resetMemberSecondFactor: change('account.reset-second-factor'),
    inviteMember: change('invitation.create'),
    resendInvite: change('invitation.resend'),
    revokeInvite: change('invitation.revoke'),
    listInvitations: nothing,
  },
  'dashboard.projects.v1.ProjectsService': {
    batchGet: nothing,
    create: change('project.create'),
    get: nothing,
    listApiKeys: nothing,
    createApiKey: change('key.create'),
    deleteApiKey: change('key.revoke'),
    updateMeta: change('project.update'),
    updateFCMServiceJSON: change('project.set-push-credentials'),
    delete: change('project.delete'),
  },
  'dashboard.usage.v1.UsageService': { getUsage: nothing },
  'millrace.account.v1.IdentitiesService': {
    list: nothing,
    connect: change('identity.connect'),
    disconnect: change('identity.disconnect'),
  },
  'millrace.account.v1.AssistantsService': {
    list: nothing,
    getRequest: nothing,
    connect: change('assistant.connect'),
    // The assistant has nothing yet.
    refuse: nothing,
    disconnect: change('assistant.disconnect'),
  },
  'millrace.account.v1.InvitationsService': { accept: change('invitation.accept') },
  'millrace.account.v1.SecondFactorsService': {
    get: nothing,
    startTotp: nothing,
    confirmTotp: change('account.set-up-second-factor'),
    startPasskey: nothing,
    confirmPasskey: change('account.add-passkey'),
    renamePasskey: change('account.rename-passkey'),
    removePasskey: change('account.remove-passkey'),
    startProof: nothing,
    // A guess changes nothing, and a proof is part of the change that it is for.
    prove: nothing,
    replaceRecoveryCodes: call('account.replace-recovery-codes'),
    remove: change('account.remove-second-factor'),
  },
  'millrace.account.v1.SessionsService': {
    list: nothing,
    end: change('session.end'),
    endOthers: change('session.end'),
  },
  'millrace.account.v1.TokensService': {
    list: nothing,
    create: change('token.create'),
    revoke: change('token.revoke'),
  },
  'millrace.alerts.v1.AlertsService': {
    get: nothing,
    list: nothing,
    listChecks: nothing,
    preview: nothing,
    create: change('alert.create'),
    update: change('alert.update'),
    delete: change('alert.delete'),
    test: call('alert.test'),
    snooze: change('alert.snooze'),
  },
  'millrace.alerts.v1.ChannelsService': {
    get: nothing,
    list: nothing,
    listDeliveries: nothing,
    create: change('channel.create'),
    update: change('channel.update'),
    delete: change('channel.delete'),
    test: call('channel.test'),
  },
  'millrace.audit.v1.AuditLogService': {
    list: nothing,
    export: access('audit.export'),
  },
  'millrace.cohorts.v1.CohortsService': {
    get: nothing,
    list: nothing,
    count: nothing,
    listMembers: access('person.list'),
    listOfUser: nothing,
    create: change('cohort.create'),
    update: change('cohort.update'),
    delete: change('cohort.delete'),
    addMembers: change('cohort.add-members'),
    removeMembers: change('cohort.remove-members'),
    saveFromPoint: change('cohort.create'),
  },
  'millrace.dictionary.v1.DictionaryService': {
    listEvents: nothing,
    getEvent: nothing,
    listProperties: nothing,
    getProperty: nothing,
    listNearDuplicates: nothing,
    exportDefinitions: access('definition.export'),
    updateEvent: change('definition.update'),
    updateProperty: change('definition.update'),
    mergeNames: change('definition.merge'),
    splitNames: change('definition.split'),
    ignoreNearDuplicates: change('definition.ignore-duplicates'),
    importDefinitions: change('definition.import'),
  },
  'millrace.ingest.v1.WarningsService': { list: nothing },
  'millrace.keys.v1.ApiKeysService': { update: change('key.update'), rotate: change('key.rotate') },
  'millrace.library.v1.SavedInsightsService': {
    get: nothing,
    list: nothing,
    listVersions: nothing,
    setFavorite: change('insight.set-favorite'),
    create: change('insight.create'),
    update: change('insight.update'),
    delete: change('insight.delete'),
    duplicate: change('insight.create'),
    restore: change('insight.restore'),
  },
  'millrace.library.v1.AnnotationsService': {
    get: nothing,
    list: nothing,
    create: change('annotation.create'),
    update: change('annotation.update'),
    delete: change('annotation.delete'),
  },
  'millrace.people.v1.ActorsService': { list: access('person.list') },
  'millrace.people.v1.PersonExportService': { export: access('person.export') },
  'millrace.dashboards.v1.DashboardGuestsService': {
    listGuests: nothing,
    addGuest: change('dashboard.add-guest'),
    removeGuest: change('dashboard.remove-guest'),
    listShared: nothing,
    queryShared: nothing,
  },
  'millrace.projects.v1.ProjectMembersService': {
    list: nothing,
    setRole: change('member.change-project-role'),
    removeRole: change('member.change-project-role'),
  },
  'millrace.projects.v1.RetentionService': {
    get: nothing,
    preview: nothing,
    set: change('project.set-retention'),
  },
  'millrace.reports.v1.ReportsService': {
    get: nothing,
    list: nothing,
    listDeliveries: nothing,
    preview: nothing,
    create: change('report.create'),
    update: change('report.update'),
    delete: change('report.delete'),
    sendTest: call('report.test'),
    resendConfirmation: change('report.resend-confirmation'),
  },
  'millrace.web.v1.GoalsService': {
    list: nothing,
    create: change('goal.create'),
    update: change('goal.update'),
    delete: change('goal.delete'),
  },
  'millrace.web.v1.ImportsService': {
    list: nothing,
    create: change('import.create'),
    // A file takes thousands of calls.
    addRows: access('import.add-rows'),
    finish: change('import.finish'),
    delete: change('import.delete'),
  },
  'millrace.web.v1.VisitsService': { list: access('person.list'), get: access('person.list') },
  'millrace.web.v1.WebAnalyticsService': {
    queryOverview: nothing,
    queryTable: nothing,
    queryRealtime: nothing,
  },
  'public.auth.v1.AuthService': {
    getAuthConfig: nothing,
    signInWithEmail: change('session.sign-in'),
    requestMagicLink: nothing,
    completeMagicLink: change('session.sign-in'),
    completeOAuthSignIn: change('session.sign-in'),
    startOIDCSignIn: nothing,
    completeOIDCSignIn: change('session.sign-in'),
    startSecondFactor: nothing,
    completeSecondFactor: change('session.sign-in'),
    // Every hour of every open tab.
    refreshSession: nothing,
    signOut: change('session.sign-out'),
    demoSignIn: nothing,
  },
  'public.dashboards.v1.SharedDashboardsService': { query: nothing },
  // Apps call these about themselves.
  'sdk.devices.v1.DevicesService': { subscribe: nothing, updateStatus: nothing, updateToken: nothing },
  'sdk.events.v1.EventsService': { batchCreate: nothing },
  'sdk.profiles.v1.ProfilesSDKService': { identify: nothing },
  'shared.activity.v1.ActivityService': {
    getActivityFeed: access('person.view'),
    getEventExplorer: access('events.list'),
    getFilterSchema: nothing,
    getPropertyValues: nothing,
    getActivityHeatmap: nothing,
    getProfileStats: access('person.view'),
  },
  'shared.campaigns.v1.CampaignService': {
    batchGet: nothing,
    get: nothing,
    create: change('campaign.create'),
    update: change('campaign.update'),
    delete: change('campaign.delete'),
  },
  // An app's server reports each notification that a device shows.
  'shared.delivery.v1.DeliveryService': { recordEvent: nothing },
  'shared.insights.v1.InsightsService': {
    query: nothing,
    segmentUsers: access('person.list'),
    getFilterSchema: nothing,
    getPropertyValues: nothing,
  },
  'shared.profiles.v1.ProfilesService': {
    get: access('person.view'),
    getByExternalId: access('person.view'),
    list: access('person.list'),
    delete: call('person.hide'),
    deleteDataSubject: change('erasure.request'),
    getDeletionRequest: nothing,
  },
}

/** The rules by the full name of a service and the method's name in code. */
export const AUDIT_RULES: Readonly<Record<string, Readonly<Record<string, AuditRule>>>> = RULES

/** Actions that no method stands for. */
const OTHER_ACTIONS = [
  'session.fail-sign-in',
  'account.refuse-passkey',
] as const satisfies readonly AuditAction[]

/** Every action of the audit log, in alphabetical order. */
export const AUDIT_ACTIONS: readonly string[] = [
  ...new Set([
    ...Object.values(AUDIT_RULES).flatMap((methods) =>
      Object.values(methods).flatMap((rule) => (rule.records === 'nothing' ? [] : [rule.action])),
    ),
    ...OTHER_ACTIONS,
  ]),
].sort()

/** The kind of object that an action is about. */
export function objectOfAction(action: string): string {
  return action.split('.', 1)[0] ?? ''
}
