import { randomBytes, randomUUID } from 'node:crypto'
import { ProfilesService } from '../../src/contract/gen/shared/profiles/v1/profiles_service_pb.js'
import { asCustomerId, asOrganisationId, type CustomerId } from '../../src/contract/ids.ts'
import { insertInvitationLink } from '../../src/control/customers/magic-links.ts'
import { insertPasskey } from '../../src/control/factors/passkeys.ts'
import { replaceRecoveryCodes } from '../../src/control/factors/recovery-codes.ts'
import { insertIdentity } from '../../src/control/oidc/identities.ts'
import { systemClock } from '../../src/kernel/clock.ts'
import { Sealer } from '../../src/kernel/sealer.ts'
import { loadSecretKey } from '../../src/store/secret-files.ts'
import { askForConsent, connectAssistant } from '../harness/assistant-token.ts'
import { addCustomer, addMember, issueToken } from '../harness/console-callers.ts'
import type { CountedProcess } from '../harness/counted-process.ts'
import { BATCH_CREATE, makeEvent } from '../harness/events.ts'
import type { TestService } from '../harness/service.ts'
import { waitFor } from '../harness/wait.ts'
import { callMethod } from './rpc.ts'

/** Names of a tenant's resources, its own and those that the service assigns. */
export type Names = Readonly<Record<(typeof NAMES)[number], string>>

const NAMES = [
  'orgId',
  'projectId',
  'orgName',
  'projectName',
  'memberId',
  'memberEmail',
  'invitationId',
  'invitedEmail',
  'keyId',
  'tokenId',
  'dashboardId',
  'dashboardName',
  'tileId',
  'revokedShareId',
  'goalId',
  'importId',
  'channelId',
  'alertId',
  'reportId',
  'cohortId',
  'savedInsightId',
  'annotationId',
  'campaignId',
  'campaignName',
  'deviceId',
  'pushToken',
  'externalId',
  'anonymousId',
  'profileId',
  'erasedId',
  'deletionRequestId',
  'distinctId',
  'sessionId',
  'eventId',
  'kind',
  'mergedKind',
  'property',
  'value',
  'trait',
  'feedToken',
  'profilesToken',
  'usersToken',
  'actorsToken',
  'visitsToken',
  'auditToken',
  'usedLink',
  'invitationLink',
  'signInId',
  'identityId',
  'recoveryCode',
  'passkeyId',
  'assistantId',
  'consentRequest',
] as const

/** A tenant with data of every kind. */
export interface Tenant {
  /** Stands in every text of the tenant. */
  readonly marker: string
  readonly names: Names
  readonly adminId: CustomerId
  readonly privateKey: string
  readonly publicKey: string
  /** Headers of its admin, who works in its project. */
  readonly asAdmin: Readonly<Record<string, string>>
}

/** The services that tenants are made with. */
export interface Services {
  readonly service: TestService
  readonly counted: CountedProcess
}

/** Any day of the last days: a range that has every event of the tenants. */
export const RANGE = {
  from: new Date(Date.now() - 2 * 86_400_000).toISOString(),
  to: new Date(Date.now() + 86_400_000).toISOString(),
}

/** More than a page of profiles. */
const VISITOR_COUNT = 101

/** Makes an organisation with an admin, a member, a project, and something of everything. */
export async function createTenant(services: Services, marker: string): Promise<Tenant> {
  const { counted } = services
  const adminId = await addCustomer(counted.catalog, `admin@${marker}.example`)
  const authorization = `Bearer ${await issueToken(counted, adminId)}`
  const { id: signInId } = await counted.catalog
    .selectFrom('refresh_sessions')
    .select('id')
    .where('customer_id', '=', adminId)
    .executeTakeFirstOrThrow()
  const identityId = await insertIdentity(counted.catalog, systemClock, {
    issuer: 'https://login.example.org',
    subject: marker,
    customerId: adminId,
    email: `admin@${marker}.example`,
  })
  const texts = textsOf(marker)
  const person = new Maker(services, { authorization })
  const orgId = await person.make('dashboard.orgs.v1.OrgsService/Create', 'org.id', {
    displayName: texts.orgName,
  })
  const projectId = await person.make('dashboard.projects.v1.ProjectsService/Create', 'project.id', {
    orgId,
    displayName: texts.projectName,
  })
  const asAdmin = { authorization, 'x-project-id': projectId }
  const admin = new Maker(services, asAdmin)
  const [privateKey, publicKey, keyId] = await makeKeys(admin)
  const program = new Maker(services, { 'x-api-key': privateKey })
  const settings = await makeSettings({ admin, program, counted }, { ...texts, orgId })
  const people = await makePeople({ services, program }, texts)
  await makeWarning({ services, program }, { marker, publicKey })
  const token = { displayName: `${marker} token`, scope: 'TOKEN_SCOPE_ADMIN', expireTime: tomorrow() }
  const tokenId = await person.make('millrace.account.v1.TokensService/Create', 'token.id', token)
  const recoveryCode = await addSecondFactor(services, asCustomerId(settings.memberId))
  const passkeyId = await addPasskey(services, asCustomerId(settings.memberId), marker)
  const { catalog } = counted
  const { id: assistantId } = await connectAssistant(catalog, {
    customerId: adminId,
    projectId,
    name: marker,
  })
  const consentRequest = await askForConsent(catalog, marker)
  const later = { passkeyId, assistantId, consentRequest }
  const ids = { orgId, projectId, keyId, tokenId, signInId, identityId, recoveryCode, ...later }
  const names = { ...texts, ...settings, ...people, ...ids }
  return { marker, names, adminId, privateKey, publicKey, asAdmin }
}

/** Gives an account a second factor, and returns one of its recovery codes. */
async function addSecondFactor(
  { service, counted: { catalog } }: Services,
  customerId: CustomerId,
): Promise<string> {
  const factor = { sealed_secret: '', last_step: 0, created_ms: 1, last_ms: 1 }
  await catalog
    .insertInto('totp_factors')
    .values({ customer_id: customerId, ...factor })
    .execute()
  const sealer = new Sealer(loadSecretKey(service.dataDir, undefined))
  const [code = ''] = await replaceRecoveryCodes({ catalog, sealer }, customerId)
  return code
}

/** Gives an account a passkey, and returns its id. */
async function addPasskey(
  { counted: { catalog } }: Services,
  customerId: CustomerId,
  credentialId: string,
): Promise<string> {
  const passkey = { rpId: 'localhost', publicKey: '', transports: [], signCount: 0 }
  const named = { ...passkey, customerId, credentialId, displayName: `${credentialId} passkey` }
  return (await insertPasskey(catalog, systemClock, named)).id
}

/** Unused names, in the shapes of used ones. */
export function inventNames(marker: string): Names {
  const texts = textsOf(marker)
  const uuids = Object.fromEntries(NAMES.map((name) => [name, randomUUID()])) as Record<keyof Names, string>
  return {
    ...uuids,
    ...texts,
    projectId: '999999',
    revokedShareId: randomBytes(16).toString('base64url'),
    usedLink: randomBytes(32).toString('base64url'),
    invitationLink: randomBytes(32).toString('base64url'),
    feedToken: encodeToken([Date.now(), randomUUID(), texts.kind, texts.distinctId]),
    profilesToken: encodeToken([Date.now(), randomUUID()]),
    usersToken: Buffer.concat([randomBytes(16), Buffer.from(texts.distinctId)]).toString('base64url'),
    actorsToken: Buffer.concat([randomBytes(16), Buffer.from(texts.distinctId)]).toString('base64url'),
    auditToken: encodeToken([randomBytes(12).toString('base64url'), Date.now(), randomUUID()]),
    visitsToken: Buffer.concat([
      randomBytes(16),
      Buffer.from(encodeToken([Date.now(), randomUUID()])),
    ]).toString('base64url'),
  }
}

/** The names that the tenant chose itself. */
function textsOf(marker: string) {
  return {
    orgName: `${marker} org`,
    projectName: `${marker} project`,
    memberEmail: `member@${marker}.example`,
    invitedEmail: `invited@${marker}.example`,
    dashboardName: `${marker} dashboard`,
    campaignName: `${marker} campaign`,
    deviceId: `${marker}-device`,
    pushToken: `${marker}-push-token`,
    externalId: `${marker}-person`,
    anonymousId: `anon-${marker}`,
    erasedId: `${marker}-erased`,
    distinctId: `${marker}-visitor`,
    sessionId: randomUUID(),
    eventId: randomUUID(),
    kind: `${marker}_kind`,
    mergedKind: `${marker}_merged_kind`,
    property: `${marker}_property`,
    value: `${marker} value`,
    trait: `${marker}_trait`,
  }
}

type Texts = ReturnType<typeof textsOf>

/** A page token as the service encodes it. */
export function encodeToken(values: readonly (string | number)[]): string {
  return Buffer.from(JSON.stringify(values)).toString('base64url')
}

/** Calls that make something, as one caller. */
class Maker {
  readonly #services: Services
  readonly #headers: Readonly<Record<string, string>>

  constructor(services: Services, headers: Readonly<Record<string, string>>) {
    this.#services = services
    this.#headers = headers
  }

  /** The answer of a call that must not be refused. */
  async call(method: string, request: object): Promise<object> {
    const { status, body } = await this.#services.service.call(method, request, {
      'x-api-key': '',
      ...this.#headers,
    })
    if (status === 200) return body
    throw new Error(`${method} answers ${status} ${JSON.stringify(body)}`)
  }

  /** The token of the second page of profiles: it comes in the last message of a stream. */
  async readProfilesToken(): Promise<string> {
    const callee = { url: this.#services.service.url, headers: this.#headers }
    const { text } = await callMethod(ProfilesService.method.list, {}, callee)
    return JSON.parse(text.split('\n').at(-1) ?? '').nextPageToken
  }

  /** The text at a place of the answer, `a.b.0.c`. */
  async make(method: string, place: string, request: object): Promise<string> {
    let value: unknown = await this.call(method, request)
    for (const step of place.split('.'))
      value = (value as Readonly<Record<string, unknown>> | undefined)?.[step]
    if (typeof value === 'string' && value !== '') return value
    throw new Error(`${method} answers no ${place}`)
  }
}

function tomorrow(): string {
  return new Date(Date.now() + 86_400_000).toISOString()
}

async function makeKeys(admin: Maker): Promise<[privateKey: string, publicKey: string, keyId: string]> {
  const method = 'dashboard.projects.v1.ProjectsService/CreateApiKey'
  const privateKey = await admin.make(method, 'key', { kind: 'API_KEY_KIND_PRIVATE' })
  const publicKey = await admin.make(method, 'key', { kind: 'API_KEY_KIND_PUBLIC' })
  const keyId = await admin.make(method, 'apiKey.id', { kind: 'API_KEY_KIND_PRIVATE' })
  return [privateKey, publicKey, keyId]
}

interface SettingMakers {
  readonly admin: Maker
  readonly program: Maker
  readonly counted: CountedProcess
}

async function makeSettings(
  { admin, program, counted }: SettingMakers,
  texts: Texts & { readonly orgId: string },
) {
  const { orgId, dashboardName, campaignName, deviceId, pushToken, externalId } = texts
  const memberId = await addMember(counted.catalog, {
    organisationId: asOrganisationId(orgId),
    email: texts.memberEmail,
    role: 'member',
  })
  const invitationId = await admin.make('dashboard.orgs.v1.OrgsService/InviteMember', 'invitation.id', {
    orgId,
    email: texts.invitedEmail,
    role: 'ORG_ROLE_VIEWER',
  })
  const invitationLink = await insertInvitationLink(counted.catalog, systemClock, {
    email: texts.invitedEmail,
    invitationId,
    expiresMs: Date.now() + 3_600_000,
    provesAddress: true,
  })
  await admin.call('dashboard.orgemailproviders.v1.OrgEmailProvidersService/Set', {
    orgId,
    fromAddress: `mail@${texts.memberEmail.split('@')[1]}`,
    // Nothing listens there.
    smtp: { host: '127.0.0.1', port: 9, username: dashboardName, password: dashboardName },
  })
  const tile = { displayName: dashboardName, markdown: { body: dashboardName } }
  const DASHBOARDS = 'dashboard.dashboards.v1.DashboardsService'
  const dashboardId = await admin.make(`${DASHBOARDS}/Upsert`, 'dashboard.id', {
    displayName: dashboardName,
    tiles: [tile],
  })
  const tileId = await admin.make(`${DASHBOARDS}/Get`, 'dashboard.tiles.0.id', { id: dashboardId })
  const share = { id: dashboardId, isPublic: true }
  const revokedShareId = await admin.make(`${DASHBOARDS}/Update`, 'dashboard.shareId', share)
  await admin.call(`${DASHBOARDS}/Update`, { ...share, isPublic: false })
  await admin.call(`${DASHBOARDS}/Update`, share)
  const campaignId = await program.make('shared.campaigns.v1.CampaignService/Create', 'campaign.id', {
    name: campaignName,
    notificationData: Buffer.from(JSON.stringify({ title: campaignName })).toString('base64'),
    scheduledTime: new Date(Date.now() + 86_400_000).toISOString(),
  })
  const goalId = await program.make('millrace.web.v1.GoalsService/Create', 'goal.id', {
    name: dashboardName,
    event: { kind: texts.kind },
    valueProperty: texts.property,
  })
  const importId = await program.make('millrace.web.v1.ImportsService/Create', 'import.id', {
    name: dashboardName,
    digest: texts.kind,
    firstDay: '2026-01-01',
    lastDay: '2026-01-02',
    until: '2026-01-02',
    dimensions: ['DIMENSION_PAGE'],
  })
  await program.call('millrace.web.v1.ImportsService/AddRows', {
    id: importId,
    rows: [
      { day: '2026-01-01', visitors: '7' },
      { day: '2026-01-01', dimension: 'DIMENSION_PAGE', value: texts.value, visitors: '7' },
    ],
  })
  const channelId = await program.make('millrace.alerts.v1.ChannelsService/Create', 'channel.id', {
    name: dashboardName,
    mail: { addresses: [texts.memberEmail] },
  })
  const reportId = await program.make('millrace.reports.v1.ReportsService/Create', 'report.id', {
    report: {
      name: dashboardName,
      webOverview: {},
      schedule: { frequency: 'FREQUENCY_WEEKLY', hour: 8, day: 1 },
      addresses: [texts.memberEmail],
    },
  })
  const COHORTS = 'millrace.cohorts.v1.CohortsService'
  const cohortId = await program.make(`${COHORTS}/Create`, 'cohort.id', {
    name: dashboardName,
    static: { ids: [texts.distinctId] },
  })
  await program.call(`${COHORTS}/Create`, {
    name: `${dashboardName} 2`,
    definition: { condition: { performed: { event: { kind: texts.kind } } } },
  })
  const savedInsightId = await program.make('millrace.library.v1.SavedInsightsService/Create', 'insight.id', {
    content: {
      name: dashboardName,
      tags: [texts.property],
      spec: { insightType: 'INSIGHT_TYPE_TRENDS', events: [{ event: { kind: texts.kind } }] },
    },
  })
  const alertId = await program.make('millrace.alerts.v1.AlertsService/Create', 'alert.id', {
    content: {
      name: dashboardName,
      savedInsightId,
      point: { series: {} },
      condition: { subject: 'SUBJECT_VALUE', operator: 'OPERATOR_ABOVE', threshold: 1 },
      cadence: 'ALERT_CADENCE_MONTHLY',
      channelIds: [channelId],
    },
  })
  const annotationId = await program.make('millrace.library.v1.AnnotationsService/Create', 'annotation.id', {
    text: dashboardName,
    dashboardId,
  })
  const DICTIONARY = 'millrace.dictionary.v1.DictionaryService'
  const definition = { owner: texts.memberEmail, description: dashboardName }
  await program.call(`${DICTIONARY}/UpdateEvent`, { name: texts.kind, definition })
  await program.call(`${DICTIONARY}/UpdateProperty`, { name: texts.property, definition })
  await program.call(`${DICTIONARY}/MergeNames`, { into: texts.kind, names: [texts.mergedKind] })
  await program.call(`${DICTIONARY}/IgnoreNearDuplicates`, { names: [texts.kind, texts.mergedKind] })
  const device = { deviceId, platform: 'android', token: pushToken, profileExternalId: externalId }
  await program.call('sdk.devices.v1.DevicesService/Subscribe', device)
  const delivery = { campaignId, deviceId, eventType: 'EVENT_TYPE_SENT' }
  await program.call('shared.delivery.v1.DeliveryService/RecordEvent', delivery)
  const auditToken = await admin.make('millrace.audit.v1.AuditLogService/List', 'nextPageToken', {
    orgId,
    pageSize: 1,
  })
  return {
    memberId,
    invitationId,
    invitationLink,
    dashboardId,
    tileId,
    revokedShareId,
    goalId,
    importId,
    channelId,
    alertId,
    reportId,
    cohortId,
    savedInsightId,
    annotationId,
    campaignId,
    auditToken,
  }
}

/** An event of another vendor's SDK that the tenant is warned of. */
async function makeWarning(
  { services, program }: { readonly services: Services; readonly program: Maker },
  { marker, publicKey }: { readonly marker: string; readonly publicKey: string },
): Promise<void> {
  const properties = { $lib: `${marker} library`, distinct_id: marker }
  await fetch(`${services.service.url}/posthog/capture`, {
    method: 'POST',
    body: JSON.stringify({ api_key: publicKey, event: `$groupidentify`, properties }),
  })
  await waitFor('the warning', async () => {
    const sdk = await program.make('millrace.ingest.v1.WarningsService/List', 'warnings.0.sdk', {})
    return sdk === `${marker} library` ? true : undefined
  })
}

async function makePeople(
  { services, program }: { readonly services: Services; readonly program: Maker },
  texts: Texts,
) {
  const { distinctId, kind, property, value, externalId, anonymousId, erasedId, trait } = texts
  const facts = { kind, customProperties: { [property]: { stringValue: value } } }
  const events = [
    { eventId: texts.eventId, distinctId, sessionId: texts.sessionId },
    { distinctId },
    { distinctId: anonymousId },
    { distinctId: externalId },
    { distinctId: erasedId },
    ...Array.from({ length: VISITOR_COUNT }, (_, index) => ({ distinctId: `${distinctId}-${index}` })),
  ].map((fields) => makeEvent({ ...facts, ...fields }))
  await program.call(BATCH_CREATE, { events })
  const IDENTIFY = 'sdk.profiles.v1.ProfilesSDKService/Identify'
  await program.call(IDENTIFY, { externalId, anonymousId, traits: { [trait]: value } })
  await program.call(IDENTIFY, { externalId: erasedId })
  const PROFILES = 'shared.profiles.v1.ProfilesService'
  const byId = async (id: string): Promise<string> =>
    await waitFor(`the profile of ${id}`, async () =>
      program.make(`${PROFILES}/GetByExternalId`, 'profile.id', { externalId: id }),
    )
  await byId(erasedId)
  const profileId = await byId(externalId)
  await waitFor('both ids of the person to be one', async () => {
    const answer = await program.make(`${PROFILES}/GetByExternalId`, 'profile.activity.totalEvents', {
      externalId,
    })
    return answer === '2' ? true : undefined
  })
  const ACTIVITY = 'shared.activity.v1.ActivityService/GetEventExplorer'
  await waitFor('the events', async () => {
    const answer = await program.call(ACTIVITY, { pageSize: 1000 })
    return 'events' in answer && Array.isArray(answer.events) && answer.events.length === events.length
      ? true
      : undefined
  })
  const deletionRequestId = await erase(program, erasedId)
  const feedToken = await program.make(ACTIVITY, 'nextPageToken', { pageSize: 1, events: [{ kind }] })
  const usersToken = await program.make('shared.insights.v1.InsightsService/SegmentUsers', 'nextPageToken', {
    timeRange: RANGE,
    events: [{ event: { kind } }],
    pageSize: 1,
  })
  const actorsToken = await program.make('millrace.people.v1.ActorsService/List', 'nextPageToken', {
    query: {
      spec: { insightType: 'INSIGHT_TYPE_TRENDS', events: [{ event: { kind } }] },
      timeRange: RANGE,
      granularity: 'GRANULARITY_DAY',
    },
    point: { trends: {} },
    pageSize: 1,
  })
  const visitsToken = await program.make('millrace.web.v1.VisitsService/List', 'nextPageToken', {
    timeRange: RANGE,
    pageSize: 1,
  })
  const profilesToken = await program.readProfilesToken()
  const usedLink = await useLink(services, texts.memberEmail)
  return {
    profileId,
    deletionRequestId,
    feedToken,
    usersToken,
    actorsToken,
    visitsToken,
    profilesToken,
    usedLink,
  }
}

async function erase(program: Maker, externalId: string): Promise<string> {
  const PROFILES = 'shared.profiles.v1.ProfilesService'
  const requestId = await program.make(`${PROFILES}/DeleteDataSubject`, 'requestId', { externalId })
  await waitFor(
    'the erasure',
    async () => {
      const answer = await program.call(`${PROFILES}/GetDeletionRequest`, { requestId })
      return 'completedAt' in answer ? true : undefined
    },
    60_000,
  )
  return requestId
}

/** The token of a link that signed a member in. No mail server is set, so that mails are in the log. */
async function useLink({ service }: Services, email: string): Promise<string> {
  const AUTH = 'public.auth.v1.AuthService'
  await service.call(`${AUTH}/RequestMagicLink`, { email })
  const token = await waitFor('the mail', () => {
    const lines = service.output.stderr.split('\n').filter((line) => line.includes(email))
    return /[?&]token=([\w-]+)/.exec(lines.at(-1) ?? '')?.[1]
  })
  const { status } = await service.call(`${AUTH}/CompleteMagicLink`, { token })
  if (status !== 200) throw new Error(`a link was answered with ${status}`)
  return token
}
