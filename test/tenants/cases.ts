import { randomUUID } from 'node:crypto'
import type { JsonObject } from '@bufbuild/protobuf'
import { makeEvent } from '../harness/events.ts'
import { encodeToken, type Names, RANGE } from './tenant.ts'

/** A request in the words of one tenant that names what another one has. */
export interface ForeignRequest {
  /** The expected answer: `ok` is one that contains nothing of the other tenant. */
  readonly verdict: string
  readonly request: (theirs: Names, mine: Names) => JsonObject
}

/** The requests of a tenant to a method. */
export interface MethodCase {
  /** Methods that keep the words of the request come last: what they keep is found afterwards. */
  readonly keeps?: true
  readonly requests: readonly ForeignRequest[]
}

function ok(request: ForeignRequest['request']): ForeignRequest {
  return { verdict: 'ok', request }
}

function refused(verdict: string, request: ForeignRequest['request']): ForeignRequest {
  return { verdict, request }
}

const nothing = { requests: [ok(() => ({}))] }

const NAME = 'not_found NAME_NOT_FOUND'
const DASHBOARD = 'not_found DASHBOARD_NOT_FOUND'
const ALERT = 'not_found ALERT_NOT_FOUND'
const CHANNEL = 'not_found CHANNEL_NOT_FOUND'
const GOAL = 'not_found GOAL_NOT_FOUND'
const IMPORT = 'not_found IMPORT_NOT_FOUND'
const REPORT = 'not_found REPORT_NOT_FOUND'
const COHORT = 'not_found COHORT_NOT_FOUND'
const INSIGHT = 'not_found SAVED_INSIGHT_NOT_FOUND'
const ANNOTATION = 'not_found ANNOTATION_NOT_FOUND'
const VISIT = 'not_found VISIT_NOT_FOUND'
const CAMPAIGN = 'not_found CAMPAIGN_NOT_FOUND'
const PROFILE = 'not_found PROFILE_NOT_FOUND'
const MEMBER = 'not_found MEMBER_NOT_FOUND'
const INVITATION = 'not_found INVITATION_NOT_FOUND'
const DEVICE = 'not_found DEVICE_NOT_FOUND'
const NO_TOKEN = 'invalid_argument INVALID_PAGE_TOKEN'
const NOT_SET_UP = 'failed_precondition SIGN_IN_NOT_CONFIGURED'
const NO_REQUEST = 'not_found ASSISTANT_REQUEST_NOT_FOUND'
const NO_FACTOR = 'failed_precondition SECOND_FACTOR_NOT_SET_UP'

function question(spec: JsonObject): JsonObject {
  return { spec, timeRange: RANGE, granularity: 'GRANULARITY_DAY' }
}

function savedTrend(name: string, kind: string): JsonObject {
  return { name, spec: { insightType: 'INSIGHT_TYPE_TRENDS', events: [{ event: { kind } }] } }
}

function alertOn(question: JsonObject, name = 'x'): JsonObject {
  return {
    name,
    ...question,
    point: { series: {} },
    condition: { subject: 'SUBJECT_VALUE', operator: 'OPERATOR_ABOVE', threshold: 1 },
    cadence: 'ALERT_CADENCE_MONTHLY',
  }
}

function weekly(name: string, address: string, content: JsonObject): JsonObject {
  return { name, ...content, schedule: { frequency: 'FREQUENCY_WEEKLY', hour: 8 }, addresses: [address] }
}

function ofKind({ kind, property, value }: Names): JsonObject {
  return { kind, filters: [{ property, operator: 'FILTER_OPERATOR_EQUALS', value }] }
}

function topK(fields: JsonObject): JsonObject {
  return question({ insightType: 'INSIGHT_TYPE_TOP_K', topK: fields })
}

const insights = {
  'InsightsService/Query': {
    requests: [
      ok((theirs) => question({ insightType: 'INSIGHT_TYPE_TRENDS', events: [{ event: ofKind(theirs) }] })),
      refused(COHORT, ({ cohortId }) =>
        question({ insightType: 'INSIGHT_TYPE_TRENDS', cohorts: [{ cohortId }] }),
      ),
      ok(({ kind }) => question({ insightType: 'INSIGHT_TYPE_SEGMENTATION', events: [{ event: { kind } }] })),
      ok(({ kind }) =>
        question({ insightType: 'INSIGHT_TYPE_FUNNEL', events: [{ event: { kind } }, { event: { kind } }] }),
      ),
      ok(({ kind }) => question({ insightType: 'INSIGHT_TYPE_RETENTION', events: [{ event: { kind } }] })),
      ok(() =>
        question({
          insightType: 'INSIGHT_TYPE_USER_FLOW',
          userFlow: { nodeKind: 'NODE_KIND_EVENT_KIND', groupBy: 'GROUP_BY_SESSION', maxHops: 3 },
        }),
      ),
      ok(() => topK({ dimension: 'DIMENSION_USER' })),
      ok(() => topK({ dimension: 'DIMENSION_EVENT_KIND' })),
      ok(({ property }) => topK({ dimension: 'DIMENSION_PROPERTY', property })),
      ok(({ kind }) => question({ insightType: 'INSIGHT_TYPE_MAP', map: { scope: { kind } } })),
      ok(({ trait, value }) =>
        question({
          insightType: 'INSIGHT_TYPE_TRENDS',
          session: { metric: 'SESSION_METRIC_SESSIONS' },
          filterGroups: [
            {
              filters: [
                {
                  property: trait,
                  operator: 'FILTER_OPERATOR_EQUALS',
                  value,
                  source: 'PROPERTY_SOURCE_PROFILE',
                },
              ],
            },
          ],
        }),
      ),
    ],
  },
  'InsightsService/SegmentUsers': {
    requests: [
      ok(({ kind }) => ({ timeRange: RANGE, events: [{ event: { kind } }] })),
      ok(() => ({ timeRange: RANGE, events: [{ event: {} }] })),
      refused(NO_TOKEN, ({ kind, usersToken: pageToken }) => ({
        timeRange: RANGE,
        events: [{ event: { kind } }],
        pageSize: 1,
        pageToken,
      })),
    ],
  },
  'PersonExportService/Export': {
    requests: [
      refused(PROFILE, ({ externalId: id }) => ({ id })),
      refused(PROFILE, ({ profileId: id }) => ({ id })),
      ok(({ feedToken }, { externalId: id }) => ({ id, pageToken: encodeToken(['events', feedToken]) })),
    ],
  },
  'ActorsService/List': {
    requests: [
      ok((theirs) => ({
        query: question({ insightType: 'INSIGHT_TYPE_TRENDS', events: [{ event: ofKind(theirs) }] }),
        point: { trends: {} },
      })),
      ok(({ kind }) => ({
        query: question({ insightType: 'INSIGHT_TYPE_FUNNEL', events: [{ event: { kind } }] }),
        point: { funnel: { step: 1, outcome: 'OUTCOME_REACHED' } },
      })),
      ok(({ kind }) => ({
        query: question({
          insightType: 'INSIGHT_TYPE_SEGMENTATION',
          events: [{ event: {} }, { event: { kind } }],
        }),
        point: { segmentation: {} },
        pageSize: 1000,
      })),
      ok(({ kind, externalId: search }) => ({
        query: question({ insightType: 'INSIGHT_TYPE_TRENDS', events: [{ event: { kind } }] }),
        point: { trends: {} },
        search,
      })),
      refused('invalid_argument INVALID_INSIGHT_QUERY', ({ kind }) => ({
        query: topK({ dimension: 'DIMENSION_EVENT_KIND' }),
        point: { row: { value: kind } },
      })),
      refused('invalid_argument INVALID_INSIGHT_QUERY', ({ externalId }) => ({
        query: topK({ dimension: 'DIMENSION_USER' }),
        point: { row: { value: externalId } },
      })),
      refused(NO_TOKEN, ({ kind, actorsToken: pageToken }) => ({
        query: question({ insightType: 'INSIGHT_TYPE_TRENDS', events: [{ event: { kind } }] }),
        point: { trends: {} },
        pageSize: 1,
        pageToken,
      })),
    ],
  },
  'InsightsService/GetFilterSchema': { requests: [ok(() => ({})), ok(({ kind }) => ({ eventKind: kind }))] },
  'InsightsService/GetPropertyValues': {
    requests: [
      ok(({ property }) => ({ propertyKey: property, source: 'PROPERTY_SOURCE_CUSTOM' })),
      ok(({ trait }) => ({ propertyKey: trait, source: 'PROPERTY_SOURCE_PROFILE' })),
    ],
  },
} satisfies Readonly<Record<string, MethodCase>>

const WEB = { timeRange: RANGE, granularity: 'GRANULARITY_DAY' }

function ofGoal(goalId: string): JsonObject {
  return { dimension: 'DIMENSION_GOAL', operator: 'FILTER_OPERATOR_EQUALS', goalId }
}

function ofTrait(property: string, value: string): JsonObject {
  return {
    property,
    source: 'PROPERTY_SOURCE_PROFILE',
    operator: 'FILTER_OPERATOR_EQUALS',
    value,
  }
}

function ofWebKind(value: string): JsonObject {
  return { dimension: 'DIMENSION_EVENT_KIND', operator: 'FILTER_OPERATOR_EQUALS', value }
}

const web = {
  'WebAnalyticsService/QueryRealtime': {
    requests: [
      ok(() => ({})),
      ok(() => ({ includeBots: true })),
      refused(COHORT, ({ cohortId }) => ({ cohorts: [{ cohortId }] })),
    ],
  },
  'VisitsService/List': {
    requests: [
      ok(() => ({ timeRange: RANGE, pageSize: 1000 })),
      ok(({ kind }) => ({ timeRange: RANGE, filters: [ofWebKind(kind)] })),
      ok(({ distinctId }) => ({ timeRange: RANGE, distinctId })),
      ok(({ trait, value }) => ({ timeRange: RANGE, propertyFilters: [ofTrait(trait, value)] })),
      refused(GOAL, ({ goalId }) => ({ timeRange: RANGE, filters: [ofGoal(goalId)] })),
      refused(COHORT, ({ cohortId }) => ({ timeRange: RANGE, cohorts: [{ cohortId }] })),
      refused(NO_TOKEN, ({ visitsToken: pageToken }) => ({ timeRange: RANGE, pageSize: 1, pageToken })),
    ],
  },
  'VisitsService/Get': { requests: [refused(VISIT, ({ sessionId }) => ({ sessionId }))] },
  'WebAnalyticsService/QueryOverview': {
    requests: [
      ok(() => WEB),
      ok(({ kind }) => ({ ...WEB, filters: [ofWebKind(kind)] })),
      refused(GOAL, ({ goalId }) => ({ ...WEB, filters: [ofGoal(goalId)] })),
      refused(COHORT, ({ cohortId }) => ({ ...WEB, cohorts: [{ cohortId }] })),
    ],
  },
  'WebAnalyticsService/QueryTable': {
    requests: [
      ok(() => ({ ...WEB, dimension: 'DIMENSION_EVENT_KIND' })),
      ok(() => ({ ...WEB, dimension: 'DIMENSION_GOAL' })),
      ok(({ kind }) => ({ ...WEB, dimension: 'DIMENSION_CHANNEL', filters: [ofWebKind(kind)] })),
      refused(GOAL, ({ goalId }) => ({
        ...WEB,
        dimension: 'DIMENSION_PAGE',
        filters: [ofGoal(goalId)],
      })),
      refused(COHORT, ({ cohortId }) => ({
        ...WEB,
        dimension: 'DIMENSION_PAGE',
        cohorts: [{ cohortId }],
      })),
    ],
  },
} satisfies Readonly<Record<string, MethodCase>>

const people = {
  'ProfilesService/Get': {
    requests: [
      refused(PROFILE, ({ profileId: id }) => ({ id })),
      refused(PROFILE, ({ distinctId: id }) => ({ id })),
      refused(PROFILE, ({ anonymousId: id }) => ({ id })),
      refused(PROFILE, ({ anonymousId: id }) => ({ id, withMergedIds: true })),
      ok((_, { anonymousId: id }) => ({ id, withMergedIds: true })),
    ],
  },
  'ProfilesService/GetByExternalId': {
    requests: [
      refused(PROFILE, ({ externalId }) => ({ externalId })),
      refused(PROFILE, ({ externalId }) => ({ externalId, withMergedIds: true })),
      ok((_, { externalId }) => ({ externalId, withMergedIds: true })),
    ],
  },
  'ProfilesService/List': {
    requests: [
      ok(() => ({})),
      ok(({ profilesToken: pageToken }) => ({ pageToken })),
      ok(({ trait: property, value }) => ({
        filterGroups: [{ filters: [{ property, operator: 'FILTER_OPERATOR_EQUALS', value }] }],
      })),
      ok(({ externalId: search }) => ({ search, order: 'PROFILE_ORDER_NAME', withCounts: true })),
    ],
  },
  'ProfilesService/Delete': { requests: [refused(PROFILE, ({ profileId: id }) => ({ id }))] },
  'ProfilesService/DeleteDataSubject': {
    requests: [
      refused(PROFILE, ({ externalId }) => ({ externalId })),
      refused(PROFILE, ({ erasedId: externalId }) => ({ externalId })),
    ],
  },
  'ProfilesService/GetDeletionRequest': {
    requests: [
      refused('not_found DELETION_REQUEST_NOT_FOUND', ({ deletionRequestId: requestId }) => ({ requestId })),
    ],
  },
  'ActivityService/GetActivityFeed': {
    requests: [
      ok(({ distinctId }) => ({ distinctId })),
      ok(({ sessionId }, { distinctId }) => ({ distinctId, sessionId })),
      ok(({ feedToken: pageToken }, { distinctId }) => ({ distinctId, pageToken })),
    ],
  },
  'ActivityService/GetEventExplorer': {
    requests: [
      ok(() => ({ pageSize: 1000 })),
      ok(() => ({ pageSize: 1000, order: 'EVENT_ORDER_ARRIVAL', withUsers: true })),
      ok(({ distinctId }) => ({ distinctId })),
      ok(({ sessionId }) => ({ sessionId })),
      ok((theirs) => ({ events: [ofKind(theirs)] })),
      ok(({ feedToken: pageToken }) => ({ pageToken, pageSize: 1000 })),
      refused(COHORT, ({ cohortId }) => ({ cohorts: [{ cohortId }] })),
    ],
  },
  'ActivityService/GetFilterSchema': { requests: [ok(() => ({})), ok(({ kind }) => ({ eventKind: kind }))] },
  'ActivityService/GetPropertyValues': {
    requests: [ok(({ property }) => ({ propertyKey: property, source: 'PROPERTY_SOURCE_CUSTOM' }))],
  },
  'ActivityService/GetActivityHeatmap': { requests: [ok(({ distinctId }) => ({ distinctId }))] },
  'ActivityService/GetProfileStats': {
    requests: [
      ok(({ distinctId }) => ({ distinctId })),
      ok(({ externalId: distinctId }) => ({ distinctId })),
    ],
  },
} satisfies Readonly<Record<string, MethodCase>>

const ofPeople = {
  'CustomersService/GetMe': nothing,
  'CustomersService/SetPassword': {
    requests: [
      refused('failed_precondition REAUTHENTICATION_REQUIRED', () => ({
        password: 'a long enough password',
      })),
    ],
  },
  'SessionsService/List': nothing,
  'SessionsService/End': {
    requests: [refused('not_found SESSION_NOT_FOUND', ({ signInId: id }) => ({ id }))],
  },
  'SessionsService/EndOthers': nothing,
  'SecondFactorsService/Get': nothing,
  'SecondFactorsService/StartTotp': {
    requests: [refused('failed_precondition REAUTHENTICATION_REQUIRED', () => ({}))],
  },
  'SecondFactorsService/ConfirmTotp': {
    requests: [
      refused('invalid_argument INVALID_REQUEST', ({ usedLink: attempt }) => ({
        attempt,
        code: '123456',
      })),
    ],
  },
  'SecondFactorsService/StartPasskey': {
    requests: [refused('failed_precondition REAUTHENTICATION_REQUIRED', () => ({}))],
  },
  'SecondFactorsService/ConfirmPasskey': {
    requests: [
      refused('invalid_argument PASSKEY_INVALID', ({ usedLink: passkey }) => ({
        passkey,
        displayName: 'Mine',
      })),
    ],
  },
  'SecondFactorsService/RenamePasskey': {
    requests: [refused('not_found PASSKEY_NOT_FOUND', ({ passkeyId: id }) => ({ id, displayName: 'Mine' }))],
  },
  'SecondFactorsService/RemovePasskey': {
    requests: [refused(NO_FACTOR, ({ passkeyId: id, recoveryCode: code }) => ({ id, code }))],
  },
  'SecondFactorsService/StartProof': nothing,
  'SecondFactorsService/Prove': {
    requests: [refused(NO_FACTOR, ({ recoveryCode: code }) => ({ code }))],
  },
  'SecondFactorsService/ReplaceRecoveryCodes': {
    requests: [refused(NO_FACTOR, ({ recoveryCode: code }) => ({ code }))],
  },
  'SecondFactorsService/Remove': {
    requests: [refused(NO_FACTOR, ({ recoveryCode: code }) => ({ code }))],
  },
  'AssistantsService/List': nothing,
  // A request is of nobody yet: whoever has its id may answer it, and the browser that began it must go on.
  'AssistantsService/GetRequest': {
    requests: [refused(NO_REQUEST, ({ assistantId: requestId }) => ({ requestId }))],
  },
  'AssistantsService/Connect': {
    requests: [
      refused('invalid_argument INVALID_REQUEST', ({ projectId }, { consentRequest: requestId }) => ({
        requestId,
        projectId,
        scope: 'TOKEN_SCOPE_READ',
      })),
    ],
  },
  'AssistantsService/Refuse': {
    requests: [refused(NO_REQUEST, ({ assistantId: requestId }) => ({ requestId }))],
  },
  'AssistantsService/Disconnect': {
    requests: [refused('not_found ASSISTANT_NOT_FOUND', ({ assistantId: id }) => ({ id }))],
  },
  'TokensService/List': nothing,
  'TokensService/Revoke': {
    requests: [refused('not_found TOKEN_NOT_FOUND', ({ tokenId: id }) => ({ id }))],
  },
  'TokensService/Create': {
    requests: [
      refused('invalid_argument INVALID_REQUEST', ({ projectId }) => ({
        displayName: 'x',
        scope: 'TOKEN_SCOPE_READ',
        projectIds: [projectId],
        expireTime: new Date(Date.now() + 86_400_000).toISOString(),
      })),
    ],
  },
  'IdentitiesService/List': nothing,
  'IdentitiesService/Connect': {
    requests: [refused(NOT_SET_UP, () => ({ providerId: 'keycloak' }))],
  },
  'IdentitiesService/Disconnect': {
    requests: [refused('not_found IDENTITY_NOT_FOUND', ({ identityId: id }) => ({ id }))],
  },
  'AuditLogService/List': {
    requests: [
      ok((_, { orgId }) => ({ orgId, pageSize: 500 })),
      ok(({ memberId: actorId }, { orgId }) => ({ orgId, filter: { actorId } })),
      ok(({ dashboardId: objectId }, { orgId }) => ({ orgId, filter: { objectId } })),
      ok(({ keyId: credentialId }, { orgId }) => ({ orgId, filter: { credentialId } })),
      refused(NO_TOKEN, ({ auditToken: pageToken }, { orgId }) => ({ orgId, pageSize: 1, pageToken })),
    ],
  },
  'AuditLogService/Export': {
    requests: [
      ok((_, { orgId }) => ({ orgId })),
      refused(NO_TOKEN, ({ auditToken: pageToken }, { orgId }) => ({ orgId, pageToken })),
    ],
  },
  'OrgsService/List': nothing,
  'OrgsService/Get': { requests: [ok((_, { orgId }) => ({ orgId }))] },
  'OrgsService/ListMembers': {
    requests: [
      ok((_, { orgId }) => ({ orgId })),
      ok(({ memberId }, { orgId }) => ({ orgId, customerIds: [memberId] })),
    ],
  },
  'OrgsService/ListInvitations': { requests: [ok((_, { orgId }) => ({ orgId }))] },
  // The only member may not leave; another case requests the other tenant's organisation.
  'OrgsService/Leave': {
    requests: [refused('failed_precondition CANNOT_REMOVE_LAST_ADMIN', (_, { orgId }) => ({ orgId }))],
  },
  'OrgsService/RemoveMember': {
    requests: [refused(MEMBER, ({ memberId: customerId }, { orgId }) => ({ orgId, customerId }))],
  },
  'OrgsService/UpdateMemberRole': {
    requests: [
      refused(MEMBER, ({ memberId: customerId }, { orgId }) => ({
        orgId,
        customerId,
        role: 'ORG_ROLE_VIEWER',
      })),
    ],
  },
  // The caller has none that the rule asks of an admin first.
  'OrgsService/UpdateSecondFactor': {
    requests: [refused(NO_FACTOR, (_, { orgId }) => ({ orgId, required: true }))],
  },
  'OrgsService/ResetMemberSecondFactor': {
    requests: [refused(MEMBER, ({ memberId: customerId }, { orgId }) => ({ orgId, customerId }))],
  },
  'InvitationsService/Accept': {
    requests: [
      refused(INVITATION, ({ invitationLink: token }) => ({ token })),
      refused(INVITATION, ({ usedLink: token }) => ({ token })),
    ],
  },
  'OrgsService/ResendInvite': {
    requests: [refused(INVITATION, ({ invitationId }, { orgId }) => ({ orgId, invitationId }))],
  },
  'OrgsService/RevokeInvite': {
    requests: [refused(INVITATION, ({ invitationId }, { orgId }) => ({ orgId, invitationId }))],
  },
  'OrgsService/InviteMember': {
    keeps: true,
    requests: [
      ok(({ memberEmail: email }, { orgId }) => ({ orgId, email, role: 'ORG_ROLE_VIEWER' })),
      ok(({ invitedEmail: email }, { orgId }) => ({ orgId, email, role: 'ORG_ROLE_VIEWER' })),
      refused('not_found PROJECT_NOT_FOUND', ({ projectId }, { orgId }) => ({
        orgId,
        email: 'grace@example.org',
        role: 'ORG_ROLE_GUEST',
        projectRoles: [{ projectId, role: 'ORG_ROLE_VIEWER' }],
      })),
    ],
  },
  'OrgsService/UpdateDisplayName': {
    keeps: true,
    requests: [ok(({ orgName: displayName }, { orgId }) => ({ orgId, displayName }))],
  },
  'OrgsService/Create': { keeps: true, requests: [ok(({ orgName: displayName }) => ({ displayName }))] },
  'UsageService/GetUsage': {
    requests: [ok((_, { orgId }) => ({ orgId })), ok((_, { orgId }) => ({ orgId, range: RANGE }))],
  },
  'ProjectsService/BatchGet': { requests: [ok((_, { orgId }) => ({ orgId }))] },
  'ProjectsService/Get': nothing,
  'ProjectsService/ListApiKeys': nothing,
  'ProjectsService/DeleteApiKey': {
    requests: [refused('not_found API_KEY_NOT_FOUND', ({ keyId: id }) => ({ id }))],
  },
  'ApiKeysService/Update': {
    requests: [refused('not_found API_KEY_NOT_FOUND', ({ keyId: id }) => ({ id }))],
  },
  'ApiKeysService/Rotate': {
    requests: [
      refused('not_found API_KEY_NOT_FOUND', ({ keyId: id }) => ({
        id,
        oldExpireTime: '2050-01-01T00:00:00Z',
      })),
    ],
  },
  'ProjectMembersService/List': nothing,
  'ProjectMembersService/SetRole': {
    requests: [refused(MEMBER, ({ memberId: customerId }) => ({ customerId, role: 'ORG_ROLE_VIEWER' }))],
  },
  'ProjectMembersService/RemoveRole': {
    requests: [refused(MEMBER, ({ memberId: customerId }) => ({ customerId }))],
  },
  'RetentionService/Get': nothing,
  // No event is so old.
  'RetentionService/Preview': { requests: [ok(() => ({ days: 36_500 }))] },
  'RetentionService/Set': { requests: [ok(() => ({ days: 36_500 })), ok(() => ({}))] },
  'ProjectsService/CreateApiKey': { requests: [ok(() => ({ kind: 'API_KEY_KIND_PUBLIC' }))] },
  'ProjectsService/UpdateFCMServiceJSON': { requests: [ok(() => ({ fcmServiceJson: '' }))] },
  'ProjectsService/Create': {
    keeps: true,
    requests: [ok(({ projectName: displayName }, { orgId }) => ({ orgId, displayName }))],
  },
  'ProjectsService/UpdateMeta': {
    keeps: true,
    requests: [ok(({ orgName: displayName }) => ({ displayName }))],
  },
  // Asked for below, for the project of the other tenant: this one is needed until the end.
  'ProjectsService/Delete': { requests: [] },
  'DashboardsService/List': nothing,
  'DashboardsService/Get': { requests: [refused(DASHBOARD, ({ dashboardId: id }) => ({ id }))] },
  'DashboardsService/QueryDashboard': {
    requests: [refused(DASHBOARD, ({ dashboardId }) => ({ dashboardId }))],
  },
  'DashboardGuestsService/ListGuests': {
    requests: [refused(DASHBOARD, ({ dashboardId }) => ({ dashboardId }))],
  },
  'DashboardGuestsService/AddGuest': {
    requests: [
      refused(DASHBOARD, ({ dashboardId, memberId: customerId }) => ({ dashboardId, customerId })),
      refused(MEMBER, ({ memberId: customerId }, { dashboardId }) => ({ dashboardId, customerId })),
    ],
  },
  'DashboardGuestsService/RemoveGuest': {
    requests: [
      refused(DASHBOARD, ({ dashboardId, memberId: customerId }) => ({ dashboardId, customerId })),
      ok(({ memberId: customerId }, { dashboardId }) => ({ dashboardId, customerId })),
    ],
  },
  'DashboardGuestsService/ListShared': { requests: [ok((_, { orgId }) => ({ orgId }))] },
  'DashboardGuestsService/QueryShared': {
    requests: [
      refused(DASHBOARD, ({ dashboardId }, { orgId }) => ({ orgId, dashboardId })),
      // Of their own dashboards, one that is not shared with the caller.
      refused(DASHBOARD, (_, { orgId, dashboardId }) => ({ orgId, dashboardId })),
    ],
  },
  'DashboardsService/Delete': { requests: [refused(DASHBOARD, ({ dashboardId: id }) => ({ id }))] },
  'DashboardsService/Update': {
    requests: [refused(DASHBOARD, ({ dashboardId: id }) => ({ id, displayName: 'x', isPublic: true }))],
  },
  'DashboardsService/Create': {
    keeps: true,
    requests: [ok(({ dashboardName: displayName }) => ({ displayName }))],
  },
  'DashboardsService/Upsert': {
    keeps: true,
    requests: [
      refused(DASHBOARD, ({ dashboardId: id }) => ({ id, displayName: 'x' })),
      refused('invalid_argument INVALID_REQUEST', ({ tileId }, { dashboardId: id }) => ({
        id,
        displayName: 'x',
        tiles: [{ id: tileId, markdown: { body: 'x' } }],
      })),
      refused('invalid_argument INVALID_REQUEST', ({ savedInsightId }, { dashboardId: id }) => ({
        id,
        displayName: 'x',
        tiles: [{ insight: { savedInsightId } }],
      })),
    ],
  },
  'CohortsService/List': nothing,
  'CohortsService/Get': { requests: [refused(COHORT, ({ cohortId: id }) => ({ id }))] },
  'CohortsService/Update': { requests: [refused(COHORT, ({ cohortId: id }) => ({ id, name: 'x' }))] },
  'CohortsService/Delete': { requests: [refused(COHORT, ({ cohortId: id }) => ({ id }))] },
  'CohortsService/AddMembers': {
    requests: [refused(COHORT, ({ cohortId: id, distinctId }) => ({ id, ids: [distinctId] }))],
  },
  'CohortsService/RemoveMembers': {
    requests: [refused(COHORT, ({ cohortId: id, distinctId }) => ({ id, ids: [distinctId] }))],
  },
  'CohortsService/ListMembers': { requests: [refused(COHORT, ({ cohortId }) => ({ cohortId }))] },
  'CohortsService/ListOfUser': { requests: [ok(({ distinctId }) => ({ distinctId }))] },
  'CohortsService/Count': {
    requests: [
      refused(COHORT, ({ cohortId }) => ({ cohortId })),
      refused(COHORT, ({ cohortId }) => ({ definition: { condition: { cohort: { cohortId } } } })),
      ok(({ kind }) => ({ definition: { condition: { performed: { event: { kind } } } } })),
    ],
  },
  'CohortsService/Create': {
    keeps: true,
    requests: [
      refused(COHORT, ({ cohortId }) => ({
        name: 'x',
        definition: { condition: { cohort: { cohortId } } },
      })),
      ok(({ distinctId: name }) => ({ name, static: { ids: [name] } })),
    ],
  },
  'CohortsService/SaveFromPoint': {
    keeps: true,
    requests: [
      ok(({ kind: name }) => ({
        name,
        query: question({ insightType: 'INSIGHT_TYPE_TRENDS', events: [{ event: { kind: name } }] }),
        point: { trends: {} },
      })),
    ],
  },
  'SavedInsightsService/List': {
    requests: [
      ok(() => ({})),
      ok(({ dashboardName: search }) => ({ search })),
      ok(({ property }) => ({ tags: [property] })),
    ],
  },
  'SavedInsightsService/Get': { requests: [refused(INSIGHT, ({ savedInsightId: id }) => ({ id }))] },
  'SavedInsightsService/ListVersions': {
    requests: [refused(INSIGHT, ({ savedInsightId: id }) => ({ id }))],
  },
  'SavedInsightsService/Update': {
    requests: [refused(INSIGHT, ({ savedInsightId: id, kind }) => ({ id, content: savedTrend('x', kind) }))],
  },
  'SavedInsightsService/Delete': { requests: [refused(INSIGHT, ({ savedInsightId: id }) => ({ id }))] },
  'SavedInsightsService/Duplicate': {
    requests: [refused(INSIGHT, ({ savedInsightId: id }) => ({ id, name: 'x' }))],
  },
  'SavedInsightsService/SetFavorite': {
    requests: [refused(INSIGHT, ({ savedInsightId: id }) => ({ id, isFavorite: true }))],
  },
  'SavedInsightsService/Restore': {
    requests: [refused(INSIGHT, ({ savedInsightId: id }) => ({ id, version: 1 }))],
  },
  'SavedInsightsService/Create': {
    keeps: true,
    requests: [ok(({ kind, dashboardName }) => ({ content: savedTrend(dashboardName, kind) }))],
  },
  'AnnotationsService/List': {
    requests: [
      ok(() => ({})),
      ok(() => ({ allDashboards: true })),
      ok(({ dashboardId }) => ({ dashboardId })),
    ],
  },
  'AnnotationsService/Get': { requests: [refused(ANNOTATION, ({ annotationId: id }) => ({ id }))] },
  'AnnotationsService/Update': {
    requests: [
      refused(ANNOTATION, ({ annotationId: id }) => ({ id, text: 'x', time: RANGE.from })),
      refused(DASHBOARD, ({ dashboardId }, { annotationId: id }) => ({
        id,
        text: 'x',
        time: RANGE.from,
        dashboardId,
      })),
    ],
  },
  'AnnotationsService/Delete': { requests: [refused(ANNOTATION, ({ annotationId: id }) => ({ id }))] },
  'AnnotationsService/Create': {
    keeps: true,
    requests: [
      ok(({ dashboardName: text }) => ({ text })),
      refused(DASHBOARD, ({ dashboardId }) => ({ text: 'x', dashboardId })),
    ],
  },
  'DictionaryService/ListEvents': {
    requests: [ok(() => ({})), ok(({ kind }) => ({ selection: { search: kind } }))],
  },
  'DictionaryService/GetEvent': { requests: [refused(NAME, ({ kind: name }) => ({ name }))] },
  'DictionaryService/ListProperties': {
    requests: [ok(() => ({})), ok(({ property }) => ({ selection: { search: property } }))],
  },
  'DictionaryService/GetProperty': { requests: [refused(NAME, ({ property: name }) => ({ name }))] },
  'WarningsService/List': { requests: [ok(() => ({})), ok(() => ({ dialects: ['posthog'] }))] },
  'DictionaryService/ListNearDuplicates': nothing,
  'DictionaryService/ExportDefinitions': {
    requests: [ok(() => ({})), ok(() => ({ format: 'DEFINITION_FORMAT_CSV' }))],
  },
  'DictionaryService/SplitNames': { requests: [ok(({ mergedKind }) => ({ names: [mergedKind] }))] },
  'DictionaryService/UpdateEvent': {
    keeps: true,
    requests: [ok(({ kind: name }) => ({ name, definition: { state: 'NAME_STATE_HIDDEN' } }))],
  },
  'DictionaryService/UpdateProperty': {
    keeps: true,
    requests: [ok(({ property: name }) => ({ name, definition: { state: 'NAME_STATE_HIDDEN' } }))],
  },
  'DictionaryService/MergeNames': {
    keeps: true,
    requests: [ok(({ kind, mergedKind }) => ({ into: mergedKind, names: [kind] }))],
  },
  'DictionaryService/IgnoreNearDuplicates': {
    keeps: true,
    requests: [ok(({ kind }) => ({ names: [kind, 'other'] }))],
  },
  'DictionaryService/ImportDefinitions': {
    requests: [ok(({ trait: name }) => ({ definitions: [{ type: 'NAME_TYPE_PROPERTY', name }] }))],
  },
  'AlertsService/List': {
    requests: [
      ok(() => ({})),
      ok(({ dashboardName: search }) => ({ search })),
      ok(({ savedInsightId }) => ({ savedInsightId })),
    ],
  },
  'AlertsService/Get': { requests: [refused(ALERT, ({ alertId: id }) => ({ id }))] },
  'AlertsService/ListChecks': { requests: [refused(ALERT, ({ alertId }) => ({ alertId }))] },
  'AlertsService/Test': { requests: [refused(ALERT, ({ alertId: id }) => ({ id }))] },
  'AlertsService/Snooze': { requests: [refused(ALERT, ({ alertId: id }) => ({ id }))] },
  'AlertsService/Delete': { requests: [refused(ALERT, ({ alertId: id }) => ({ id }))] },
  'AlertsService/Preview': {
    requests: [
      refused(INSIGHT, ({ savedInsightId }) => ({ content: alertOn({ savedInsightId }) })),
      ok((theirs) => ({
        content: alertOn({
          spec: { insightType: 'INSIGHT_TYPE_TRENDS', events: [{ event: ofKind(theirs) }] },
        }),
      })),
    ],
  },
  'AlertsService/Update': {
    requests: [
      refused(ALERT, ({ alertId: id }, { savedInsightId }) => ({ id, content: alertOn({ savedInsightId }) })),
      refused(INSIGHT, ({ savedInsightId }, { alertId: id }) => ({
        id,
        content: alertOn({ savedInsightId }),
      })),
      refused(CHANNEL, ({ channelId }, { alertId: id, savedInsightId }) => ({
        id,
        content: { ...alertOn({ savedInsightId }), channelIds: [channelId] },
      })),
    ],
  },
  'AlertsService/Create': {
    keeps: true,
    requests: [
      ok(({ dashboardName }, { savedInsightId }) => ({
        content: alertOn({ savedInsightId }, dashboardName),
      })),
      refused(INSIGHT, ({ savedInsightId }) => ({ content: alertOn({ savedInsightId }) })),
      refused(COHORT, ({ cohortId }) => ({
        content: alertOn({ spec: { insightType: 'INSIGHT_TYPE_TRENDS', cohorts: [{ cohortId }] } }),
      })),
      refused(CHANNEL, ({ channelId }, { savedInsightId }) => ({
        content: { ...alertOn({ savedInsightId }), channelIds: [channelId] },
      })),
    ],
  },
  'ChannelsService/List': nothing,
  'ChannelsService/Get': { requests: [refused(CHANNEL, ({ channelId: id }) => ({ id }))] },
  'ChannelsService/Test': { requests: [refused(CHANNEL, ({ channelId: id }) => ({ id }))] },
  'ChannelsService/ListDeliveries': { requests: [refused(CHANNEL, ({ channelId }) => ({ channelId }))] },
  'ChannelsService/Delete': { requests: [refused(CHANNEL, ({ channelId: id }) => ({ id }))] },
  'ChannelsService/Update': {
    requests: [refused(CHANNEL, ({ channelId: id }) => ({ id, name: 'x', enabled: true }))],
  },
  'ChannelsService/Create': {
    keeps: true,
    requests: [ok(({ memberEmail }) => ({ name: memberEmail, mail: { addresses: [memberEmail] } }))],
  },
  'ReportsService/List': nothing,
  'ReportsService/Get': { requests: [refused(REPORT, ({ reportId: id }) => ({ id }))] },
  'ReportsService/Preview': { requests: [refused(REPORT, ({ reportId: id }) => ({ id }))] },
  'ReportsService/ListDeliveries': { requests: [refused(REPORT, ({ reportId }) => ({ reportId }))] },
  'ReportsService/SendTest': { requests: [refused(REPORT, ({ reportId: id }) => ({ id }))] },
  'ReportsService/ResendConfirmation': {
    requests: [refused(REPORT, ({ reportId: id, memberEmail: address }) => ({ id, address }))],
  },
  'ReportsService/Delete': { requests: [refused(REPORT, ({ reportId: id }) => ({ id }))] },
  'ReportsService/Update': {
    requests: [
      refused(REPORT, ({ reportId: id, memberEmail }) => ({
        id,
        report: weekly('x', memberEmail, { webOverview: {} }),
      })),
    ],
  },
  'ReportsService/Create': {
    keeps: true,
    requests: [
      refused(DASHBOARD, ({ dashboardId, memberEmail }) => ({
        report: weekly('x', memberEmail, { dashboard: { dashboardId } }),
      })),
      refused(COHORT, ({ cohortId, memberEmail }) => ({
        report: weekly('x', memberEmail, { webOverview: { cohorts: [{ cohortId }] } }),
      })),
      ok(({ memberEmail }) => ({ report: weekly(memberEmail, memberEmail, { webOverview: {} }) })),
    ],
  },
  'GoalsService/List': nothing,
  'GoalsService/Delete': { requests: [refused(GOAL, ({ goalId: id }) => ({ id }))] },
  'GoalsService/Update': {
    requests: [refused(GOAL, ({ goalId: id }) => ({ id, name: 'x', pagePattern: '/x' }))],
  },
  'GoalsService/Create': {
    keeps: true,
    requests: [ok(({ kind: name }) => ({ name, event: { kind: name } }))],
  },
  'ImportsService/List': nothing,
  'ImportsService/AddRows': {
    requests: [
      refused(IMPORT, ({ importId: id }) => ({ id, batch: 1, rows: [{ day: '2026-01-01', visitors: '1' }] })),
    ],
  },
  'ImportsService/Finish': { requests: [refused(IMPORT, ({ importId: id }) => ({ id, batches: 1 }))] },
  'ImportsService/Delete': { requests: [refused(IMPORT, ({ importId: id }) => ({ id }))] },
  'ImportsService/Create': {
    keeps: true,
    requests: [
      // A second call with one digest finds the import of the first; test/plausible-import.test.ts has one digest in several projects.
      ok(({ kind: name }) => ({
        name,
        digest: randomUUID(),
        firstDay: '2026-01-01',
        lastDay: '2026-01-02',
        until: '2026-01-02',
      })),
    ],
  },
  'OrgEmailProvidersService/Get': { requests: [ok((_, { orgId }) => ({ orgId }))] },
  'OrgEmailProvidersService/SendTest': {
    requests: [ok((_, { orgId }) => ({ orgId, recipient: 'me@mine.example' }))],
  },
  'OrgEmailProvidersService/Set': {
    keeps: true,
    requests: [
      ok(({ memberEmail }, { orgId }) => ({
        orgId,
        fromAddress: memberEmail,
        smtp: { host: '127.0.0.1', port: 9 },
      })),
    ],
  },
  'OrgEmailProvidersService/Remove': { keeps: true, requests: [ok((_, { orgId }) => ({ orgId }))] },
} satisfies Readonly<Record<string, MethodCase>>

const push = {
  'CampaignService/BatchGet': nothing,
  'CampaignService/Get': { requests: [refused(CAMPAIGN, ({ campaignId: id }) => ({ id }))] },
  'CampaignService/Update': { requests: [refused(CAMPAIGN, ({ campaignId: id }) => ({ id, name: 'x' }))] },
  'CampaignService/Delete': { requests: [refused(CAMPAIGN, ({ campaignId: id }) => ({ id }))] },
  'CampaignService/Create': {
    keeps: true,
    requests: [
      ok(({ campaignName: name }) => ({
        name,
        notificationData: Buffer.from('{"title":"x"}').toString('base64'),
        scheduledTime: RANGE.to,
      })),
    ],
  },
  'DeliveryService/RecordEvent': {
    keeps: true,
    requests: [
      refused(CAMPAIGN, ({ campaignId, deviceId }) => ({
        campaignId,
        deviceId,
        eventType: 'EVENT_TYPE_CLICKED',
      })),
    ],
  },
  'DevicesService/UpdateStatus': {
    requests: [refused(DEVICE, ({ deviceId: id }) => ({ id, status: 'inactive' }))],
  },
  'DevicesService/UpdateToken': {
    requests: [refused(DEVICE, ({ deviceId: id, pushToken: token }) => ({ id, token }))],
  },
  'DevicesService/Subscribe': {
    keeps: true,
    requests: [
      ok(({ deviceId, pushToken: token, externalId: profileExternalId }) => ({
        deviceId,
        platform: 'ios',
        token,
        profileExternalId,
      })),
    ],
  },
} satisfies Readonly<Record<string, MethodCase>>

const ingestion = {
  'EventsService/BatchCreate': {
    keeps: true,
    requests: [
      ok(({ eventId, distinctId, sessionId, kind }) => ({
        events: [makeEvent({ eventId, distinctId, sessionId, kind }) as JsonObject],
      })),
    ],
  },
  'ProfilesSDKService/Identify': {
    keeps: true,
    requests: [
      ok(({ externalId, anonymousId, trait }) => ({ externalId, anonymousId, traits: { [trait]: 'mine' } })),
    ],
  },
} satisfies Readonly<Record<string, MethodCase>>

const WRONG = 'unauthenticated INVALID_CREDENTIALS'
const NO_REFRESH = 'unauthenticated INVALID_TOKEN'

const unknownCallers = {
  'AuthService/SignInWithEmail': {
    requests: [refused(WRONG, ({ memberEmail: email }) => ({ email, password: 'not the password' }))],
  },
  'AuthService/RequestMagicLink': {
    requests: [ok(({ memberEmail: email }) => ({ email })), ok(({ invitedEmail: email }) => ({ email }))],
  },
  'AuthService/CompleteMagicLink': {
    requests: [
      refused(NO_REFRESH, ({ usedLink: token }) => ({ token })),
      refused(NO_REFRESH, ({ invitationId: token }) => ({ token })),
    ],
  },
  'AuthService/CompleteOAuthSignIn': {
    requests: [
      refused(NOT_SET_UP, ({ memberEmail }) => ({
        provider: 'O_AUTH_PROVIDER_GOOGLE',
        credential: memberEmail,
      })),
    ],
  },
  'AuthService/GetAuthConfig': nothing,
  'AuthService/StartOIDCSignIn': {
    requests: [refused(NOT_SET_UP, ({ memberEmail: loginHint }) => ({ providerId: 'keycloak', loginHint }))],
  },
  'AuthService/CompleteOIDCSignIn': {
    requests: [
      refused(NOT_SET_UP, ({ usedLink: code }) => ({
        providerId: 'keycloak',
        code,
        attempt: code,
        state: 's',
      })),
    ],
  },
  'AuthService/StartSecondFactor': {
    requests: [refused('unauthenticated SIGN_IN_ATTEMPT_INVALID', ({ usedLink: attempt }) => ({ attempt }))],
  },
  'AuthService/CompleteSecondFactor': {
    requests: [
      refused('unauthenticated SIGN_IN_ATTEMPT_INVALID', ({ usedLink: attempt, recoveryCode: code }) => ({
        attempt,
        code,
      })),
    ],
  },
  'AuthService/RefreshSession': {
    requests: [refused(NO_REFRESH, ({ usedLink }) => ({ refreshToken: usedLink }))],
  },
  'AuthService/SignOut': { requests: [ok(({ usedLink }) => ({ refreshToken: usedLink }))] },
  'AuthService/DemoSignIn': { requests: [refused(NOT_SET_UP, () => ({}))] },
  'SharedDashboardsService/Query': {
    requests: [
      refused(DASHBOARD, ({ revokedShareId: shareId }) => ({ shareId })),
      refused(DASHBOARD, ({ dashboardId: shareId }) => ({ shareId })),
      refused(DASHBOARD, ({ revokedShareId: shareId }) => ({ shareId, password: 'x', allTime: true })),
    ],
  },
} satisfies Readonly<Record<string, MethodCase>>

/** The requests to each method, by `Service/Method`. */
export const CASES: Readonly<Record<string, MethodCase>> = {
  ...insights,
  ...web,
  ...people,
  ...ofPeople,
  ...push,
  ...ingestion,
  ...unknownCallers,
}
