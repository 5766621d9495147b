import { randomUUID } from 'node:crypto'
import { create, type DescMethod } from '@bufbuild/protobuf'
import { Code, ConnectError, createClient, type Transport } from '@connectrpc/connect'
import { createConnectTransport } from '@connectrpc/connect-node'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Access, openAccess } from '../src/bin/query/access.ts'
import { CustomersService } from '../src/contract/gen/dashboard/customers/v1/customers_service_pb.js'
import { DashboardsService } from '../src/contract/gen/dashboard/dashboards/v1/dashboards_service_pb.js'
import { OrgsService } from '../src/contract/gen/dashboard/orgs/v1/orgs_service_pb.js'
import { ErrorInfoSchema } from '../src/contract/gen/google/rpc/error_details_pb.js'
import { asOrganisationId, asProjectId, type CustomerId, type OrganisationId } from '../src/contract/ids.ts'
import { INGESTION_SERVICES } from '../src/contract/ingestion-services.ts'
import type { Role } from '../src/contract/role.ts'
import { ServiceError } from '../src/contract/service-error.ts'
import type { TokenScope } from '../src/contract/token-scope.ts'
import { AccessTokens } from '../src/control/access/access-token.ts'
import { systemClock } from '../src/kernel/clock.ts'
import { createLogger } from '../src/kernel/log.ts'
import { parseSettings } from '../src/settings/settings.ts'
import { generateApiKey, insertApiKey, type StoredLimits } from '../src/store/catalog/api-keys.ts'
import { type Catalog, openCatalog } from '../src/store/catalog/catalog.ts'
import { generateToken, insertToken } from '../src/store/catalog/personal-tokens.ts'
import { insertProject } from '../src/store/catalog/projects.ts'
import { loadJwtSecret } from '../src/store/secret-files.ts'
import { connectAssistant } from './harness/assistant-token.ts'
import { addCustomer, addMember, issueToken } from './harness/console-callers.ts'
import { ALL_METHODS, shortName } from './harness/contract-services.ts'
import { expectAfterChange } from './harness/expect-after-change.ts'
import { PRIVATE_KEY, PUBLIC_KEY, TestService } from './harness/service.ts'

/** Callers whose calls go to the service; the one with the most rights is last, because it may remove what the others need. */
const SENT = [
  'anonymous',
  'public key',
  'private key',
  'expired',
  'outsider',
  'viewer',
  'member',
  'admin token',
  'admin',
] as const

/** Callers that only the gate is asked about, in this process, so that a table of every method and credential takes seconds. */
const ASKED = [
  'foreign key',
  'expired key',
  'ended session',
  'revoked token',
  'expired token',
  'read token',
  'write token',
  'token of a viewer',
  'token of an assistant',
] as const

const CALLERS = [...SENT, ...ASKED]
type Caller = (typeof CALLERS)[number]

/** The gate's verdict: `in`, or the code and the reason of its refusal. */
type Verdicts = Readonly<Record<Caller, string>>
type Roles = Pick<Verdicts, 'outsider' | 'viewer' | 'member' | 'admin'>
type Tokens = Pick<Verdicts, 'read token' | 'write token' | 'admin token' | 'token of a viewer'>

const NO_TOKEN = 'unauthenticated INVALID_TOKEN'
const NO_KEY = 'unauthenticated INVALID_API_KEY'
const NOT_A_MEMBER = 'permission_denied ORG_NOT_A_MEMBER'
const TOO_LOW = 'permission_denied ORG_ROLE_FORBIDDEN'
const NO_ACCESS = 'permission_denied PROJECT_ACCESS_DENIED'
const ADMINS_ONLY = 'permission_denied ORG_ADMIN_REQUIRED'

const SCOPE_TOO_LOW = 'permission_denied TOKEN_SCOPE_TOO_LOW'

const byToken = {
  anonymous: NO_TOKEN,
  'public key': NO_TOKEN,
  'private key': NO_TOKEN,
  'foreign key': NO_TOKEN,
  'expired key': NO_TOKEN,
  expired: NO_TOKEN,
  'ended session': NO_TOKEN,
  'revoked token': NO_TOKEN,
  'expired token': NO_TOKEN,
  'read token': NO_TOKEN,
  'write token': NO_TOKEN,
  'admin token': NO_TOKEN,
  'token of a viewer': NO_TOKEN,
  // It is for /mcp only.
  'token of an assistant': NO_TOKEN,
}
const limitedKeys = {
  'foreign key': 'permission_denied ADDRESS_NOT_ALLOWED',
  'expired key': 'unauthenticated API_KEY_EXPIRED',
}
const byBoth = {
  ...byToken,
  anonymous: NO_KEY,
  'public key': 'permission_denied PUBLIC_KEY_NOT_ALLOWED',
  'private key': 'in',
  ...limitedKeys,
}
const viewers = { outsider: NOT_A_MEMBER, viewer: 'in', member: 'in', admin: 'in' }
const members = { ...viewers, viewer: TOO_LOW }
const admins = { outsider: NOT_A_MEMBER, viewer: ADMINS_ONLY, member: ADMINS_ONLY, admin: 'in' }
const everyone = { outsider: 'in', viewer: 'in', member: 'in', admin: 'in' }

const PUBLIC = Object.fromEntries(CALLERS.map((caller) => [caller, 'in'])) as Verdicts
const SDK: Verdicts = {
  ...byToken,
  anonymous: NO_KEY,
  'public key': 'in',
  'private key': 'in',
  ...limitedKeys,
  'read token': SCOPE_TOO_LOW,
  'write token': 'in',
  'admin token': 'in',
  'token of a viewer': TOO_LOW,
  expired: NO_KEY,
  'ended session': NO_KEY,
  outsider: NO_KEY,
  viewer: NO_KEY,
  member: NO_KEY,
  admin: NO_KEY,
}

/**
 * The roles of every method that writes, of reads that viewers may not call and of reads that need no project, written down a
 * second time: a wrong line in the role table fails here. Other reads are for viewers.
 */
const EXPECTED_ROLES: Readonly<Record<string, Roles>> = {
  'PersonExportService/Export': members,
  'ProfilesService/Delete': members,
  'ProfilesService/DeleteDataSubject': members,
  'CampaignService/Create': members,
  'CampaignService/Update': members,
  'CampaignService/Delete': members,
  'DeliveryService/RecordEvent': members,
  'DashboardsService/Create': members,
  'DashboardsService/Update': members,
  'DashboardsService/Upsert': members,
  'DashboardsService/Delete': members,
  'DashboardGuestsService/ListGuests': members,
  'DashboardGuestsService/AddGuest': members,
  'DashboardGuestsService/RemoveGuest': members,
  'CohortsService/Create': members,
  'CohortsService/Update': members,
  'CohortsService/Delete': members,
  'CohortsService/AddMembers': members,
  'CohortsService/RemoveMembers': members,
  'CohortsService/SaveFromPoint': members,
  'CohortsService/Count': viewers,
  'SavedInsightsService/Create': members,
  'SavedInsightsService/Update': members,
  'SavedInsightsService/Delete': members,
  'SavedInsightsService/Duplicate': members,
  'SavedInsightsService/Restore': members,
  'SavedInsightsService/SetFavorite': viewers,
  'DictionaryService/ExportDefinitions': viewers,
  'DictionaryService/UpdateEvent': members,
  'DictionaryService/UpdateProperty': members,
  'DictionaryService/MergeNames': members,
  'DictionaryService/SplitNames': members,
  'DictionaryService/IgnoreNearDuplicates': members,
  'DictionaryService/ImportDefinitions': members,
  'AnnotationsService/Create': members,
  'AnnotationsService/Update': members,
  'AnnotationsService/Delete': members,
  'AlertsService/Create': members,
  'AlertsService/Update': members,
  'AlertsService/Delete': members,
  'AlertsService/Test': members,
  'AlertsService/Snooze': members,
  'AlertsService/Preview': viewers,
  'ChannelsService/Create': admins,
  'ChannelsService/Update': admins,
  'ChannelsService/Delete': admins,
  'ChannelsService/Test': admins,
  'ReportsService/Preview': viewers,
  'ReportsService/Create': members,
  'ReportsService/Update': members,
  'ReportsService/Delete': members,
  'ReportsService/SendTest': members,
  'ReportsService/ResendConfirmation': members,
  'GoalsService/Create': members,
  'GoalsService/Update': members,
  'GoalsService/Delete': members,
  'ImportsService/Create': members,
  'ImportsService/AddRows': members,
  'ImportsService/Finish': members,
  'ImportsService/Delete': members,
  'OrgsService/List': everyone,
  'OrgsService/Create': everyone,
  'InvitationsService/Accept': everyone,
  'OrgsService/Leave': viewers,
  'OrgsService/UpdateDisplayName': admins,
  'OrgsService/RemoveMember': admins,
  'OrgsService/UpdateMemberRole': admins,
  'OrgsService/UpdateSecondFactor': admins,
  'OrgsService/ResetMemberSecondFactor': admins,
  'OrgsService/InviteMember': admins,
  'OrgsService/ResendInvite': admins,
  'OrgsService/RevokeInvite': admins,
  'OrgsService/ListInvitations': admins,
  'ProjectsService/Create': admins,
  'ProjectsService/Delete': admins,
  'ProjectsService/UpdateMeta': admins,
  'ProjectsService/UpdateFCMServiceJSON': admins,
  'ProjectsService/ListApiKeys': admins,
  'ProjectsService/CreateApiKey': admins,
  'ProjectsService/DeleteApiKey': admins,
  'ApiKeysService/Update': admins,
  'ApiKeysService/Rotate': admins,
  'ProjectMembersService/List': admins,
  'ProjectMembersService/SetRole': admins,
  'ProjectMembersService/RemoveRole': admins,
  'RetentionService/Preview': admins,
  'RetentionService/Set': admins,
  'AuditLogService/List': admins,
  'AuditLogService/Export': admins,
  'OrgEmailProvidersService/Get': admins,
  'OrgEmailProvidersService/Set': admins,
  'OrgEmailProvidersService/Remove': admins,
  'OrgEmailProvidersService/SendTest': admins,
  'CustomersService/GetMe': everyone,
  'CustomersService/SetPassword': everyone,
  'IdentitiesService/List': everyone,
  'IdentitiesService/Connect': everyone,
  'IdentitiesService/Disconnect': everyone,
  'SecondFactorsService/Get': everyone,
  'SecondFactorsService/StartTotp': everyone,
  'SecondFactorsService/ConfirmTotp': everyone,
  'SecondFactorsService/StartPasskey': everyone,
  'SecondFactorsService/ConfirmPasskey': everyone,
  'SecondFactorsService/RenamePasskey': everyone,
  'SecondFactorsService/RemovePasskey': everyone,
  'SecondFactorsService/StartProof': everyone,
  'SecondFactorsService/Prove': everyone,
  'SecondFactorsService/ReplaceRecoveryCodes': everyone,
  'SecondFactorsService/Remove': everyone,
  'AssistantsService/List': everyone,
  'AssistantsService/GetRequest': everyone,
  'AssistantsService/Connect': everyone,
  'AssistantsService/Refuse': everyone,
  'AssistantsService/Disconnect': everyone,
  'TokensService/List': everyone,
  'TokensService/Create': everyone,
  'TokensService/Revoke': everyone,
  'SessionsService/List': everyone,
  'SessionsService/End': everyone,
  'SessionsService/EndOthers': everyone,
}

/** Services of a project that no key may call. */
const SESSIONS_ONLY: ReadonlySet<string> = new Set([
  'ApiKeysService',
  'DashboardGuestsService',
  'ProjectMembersService',
  'RetentionService',
])

const READS = /^(Get|List|Query|BatchGet|SegmentUsers)/

/** Throws for a method that writes without expected roles: the role table alone would confirm itself. */
function expectedRolesOf(method: DescMethod): Roles {
  const roles = EXPECTED_ROLES[shortName(method)] ?? (READS.test(method.name) ? viewers : undefined)
  if (!roles) throw new Error(`EXPECTED_ROLES has no row for ${shortName(method)}, which writes`)
  return roles
}

function expectedOf(method: DescMethod): Verdicts {
  const { parent } = method
  const family = parent.typeName.split('.', 1)[0]
  if (family === 'public') return PUBLIC
  // At the edge, the token of an assistant is no key.
  if (family === 'sdk') return isAtEdge(method) ? { ...SDK, 'token of an assistant': NO_KEY } : SDK
  const roles = expectedRolesOf(method)
  const isOfProject = roles !== everyone && !('orgId' in method.input.field)
  const takesKey =
    family === 'shared' || (family === 'millrace' && isOfProject && !SESSIONS_ONLY.has(parent.name))
  return takesKey ? { ...byBoth, ...tokensFor(method, roles), ...roles } : { ...byToken, ...roles }
}

/** Reads whose names do not say so. */
const OTHER_READS: ReadonlySet<string> = new Set([
  'AlertsService/Preview',
  'CohortsService/Count',
  'DictionaryService/ExportDefinitions',
])

/** A token has the rights that its scope and the role of its owner, an admin or a viewer, both include. */
function tokensFor(method: DescMethod, roles: Roles): Tokens {
  const isRead = READS.test(method.name) || OTHER_READS.has(shortName(method))
  return {
    'read token': isRead ? 'in' : SCOPE_TOO_LOW,
    'write token': roles === admins ? SCOPE_TOO_LOW : 'in',
    'admin token': 'in',
    'token of a viewer': roles.viewer,
  }
}

function isAboutAccount(method: DescMethod): boolean {
  return EXPECTED_ROLES[shortName(method)] === everyone
}

/** Reasons that come from the gate alone, and that of a method without a handler. */
const GATE_REASONS: ReadonlySet<string> = new Set([
  'INVALID_TOKEN',
  'INVALID_API_KEY',
  'API_KEY_EXPIRED',
  'ADDRESS_NOT_ALLOWED',
  'TOKEN_SCOPE_TOO_LOW',
  'TOKEN_PROJECT_NOT_ALLOWED',
  'TOKEN_PROJECT_REQUIRED',
  'RATE_LIMITED',
  'PUBLIC_KEY_NOT_ALLOWED',
  'ORG_NOT_A_MEMBER',
  'ORG_NOT_FOUND',
  'ORG_ADMIN_REQUIRED',
  'ORG_ROLE_FORBIDDEN',
  'PROJECT_NOT_FOUND',
  'PROJECT_ACCESS_DENIED',
  'METHOD_NOT_FOUND',
])

/** The reason of the gate in an organisation that requires a second factor; some methods have it themselves, too. */
const FACTOR_REASON = 'SECOND_FACTOR_REQUIRED'

let service: TestService
let catalog: Catalog
let transport: Transport
let tokens: AccessTokens
let stale: AccessTokens
let gate: Access
/** Private keys of the first project: one works from an address that no caller has, the other one no longer. */
let foreignKey: string
let expiredKey: string

beforeAll(async () => {
  service = await TestService.start()
  catalog = openCatalog(service)
  transport = createConnectTransport({ baseUrl: service.url, httpVersion: '1.1' })
  const secret = loadJwtSecret(service.dataDir, undefined)
  tokens = new AccessTokens(secret, systemClock)
  gate = openGate()
  foreignKey = await addKey({ allowedAddresses: ['203.0.113.7'] })
  expiredKey = await addKey({ expiresMs: systemClock.nowMs() - 1 })
  stale = new AccessTokens(secret, { nowMs: () => systemClock.nowMs() - 3_601_000 })
})

afterAll(async () => {
  await gate?.close()
  await catalog?.destroy()
  await service?.destroy()
})

/** The gate of a query process on the catalog of the service. */
function openGate(): Access {
  const settings = parseSettings(service.environment)
  if (!settings.ok) throw new Error(settings.error)
  return openAccess(settings.value, catalog, createLogger({ role: 'test', level: 'silent' }))
}

async function addKey(limits: Partial<StoredLimits>): Promise<string> {
  const text = generateApiKey('private')
  const key = { projectId: asProjectId(1), kind: 'private', displayName: '', text } as const
  await insertApiKey(catalog, systemClock, { ...key, ...limits })
  return text
}

/** A personal access token for all projects of an account. */
async function addToken(customerId: CustomerId, scope: TokenScope, expiresMs = LATER_MS): Promise<string> {
  const text = generateToken()
  const token = { customerId, displayName: '', scope, projectIds: [], expiresMs, text }
  await insertToken(catalog, systemClock, token)
  return text
}

const LATER_MS = systemClock.nowMs() + 3_600_000

/** The tokens among the callers: whose, with which scope. */
const TOKENS = {
  'read token': ['admin', 'read'],
  'write token': ['admin', 'write'],
  'admin token': ['admin', 'admin'],
  'token of a viewer': ['viewer', 'admin'],
} as const satisfies Partial<Record<Caller, readonly ['admin' | 'viewer', TokenScope]>>

/** An organisation of its own: what allowed calls change, no other call sees. */
interface Scene {
  readonly organisationId: OrganisationId
  readonly projectId: string
  readonly customers: Readonly<Record<'outsider' | 'viewer' | 'member' | 'admin', CustomerId>>
}

async function createScene(): Promise<Scene> {
  const organisationId = asOrganisationId(randomUUID())
  const row = { id: organisationId, display_name: 'Scene', created_ms: 1 }
  await catalog.insertInto('organisations').values(row).execute()
  const projectId = await insertProject(catalog, systemClock, { organisationId, displayName: 'Scene' })
  const join = async (role: 'viewer' | 'member' | 'admin'): Promise<CustomerId> =>
    await addMember(catalog, { organisationId, email: `${randomUUID()}@example.org`, role })
  const customers = {
    outsider: await addCustomer(catalog, `${randomUUID()}@example.org`),
    viewer: await join('viewer'),
    member: await join('member'),
    admin: await join('admin'),
  }
  return { organisationId, projectId: String(projectId), customers }
}

const KEYS = {
  anonymous: () => '',
  'public key': () => PUBLIC_KEY,
  'private key': () => PRIVATE_KEY,
  'foreign key': () => foreignKey,
  'expired key': () => expiredKey,
} as const satisfies Partial<Record<Caller, () => string>>

function isKeyOf<Table extends object>(caller: string, table: Table): caller is keyof Table & string {
  return Object.hasOwn(table, caller)
}

/** Networks whose unknown tokens are counted apart: this table alone would exceed what one of them may try. */
let guessers = 0

async function headersOf(caller: Caller, { customers, projectId }: Scene): Promise<Record<string, string>> {
  if (caller === 'anonymous') return {}
  if (isKeyOf(caller, KEYS)) return { 'x-api-key': KEYS[caller]() }
  const project = { 'x-project-id': projectId }
  if (isKeyOf(caller, TOKENS)) {
    const [owner, scope] = TOKENS[caller]
    return { ...project, 'x-api-key': await addToken(customers[owner], scope) }
  }
  if (caller === 'expired token')
    return { ...project, 'x-api-key': await addToken(customers.admin, 'admin', systemClock.nowMs() - 1) }
  if (caller === 'token of an assistant') {
    const { token } = await connectAssistant(catalog, { customerId: customers.admin, projectId })
    return { ...project, 'x-api-key': token }
  }
  if (caller === 'revoked token') {
    const address = `198.51.100.${++guessers % 256}`
    return { ...project, 'x-api-key': generateToken(), 'x-forwarded-for': address }
  }
  const customerId = caller === 'expired' || caller === 'ended session' ? customers.admin : customers[caller]
  const token = await issueToken({ catalog, tokens: caller === 'expired' ? stale : tokens }, customerId)
  if (caller === 'ended session')
    await catalog.deleteFrom('refresh_sessions').where('customer_id', '=', customerId).execute()
  return { authorization: `Bearer ${token}`, ...project }
}

/** Headers of callers that change nothing: one scene serves them all. */
const asked = new Map<Caller, Promise<Record<string, string>>>()

async function askedHeaders(caller: Caller): Promise<Record<string, string>> {
  // Unknown tokens are counted by network: this table alone would exceed what one of them may try.
  if (caller === 'revoked token') return await headersOf(caller, await scene())
  const known = asked.get(caller) ?? scene().then(async (found) => await headersOf(caller, found))
  asked.set(caller, known)
  return await known
}

let askedScene: Promise<Scene> | undefined

async function scene(): Promise<Scene> {
  askedScene ??= createScene()
  return await askedScene
}

/** Methods that the edge admits, which has no gate in this process. */
function isAtEdge({ parent }: DescMethod): boolean {
  return INGESTION_SERVICES.some((name) => name === parent.typeName)
}

/** What the gate of the query process decides. None of the callers gets to the check of an organisation that a message names. */
async function askGate({ parent, name }: DescMethod, headers: Record<string, string>): Promise<string> {
  try {
    const address = { 'x-forwarded-for': '192.0.2.1' }
    const caller = await gate.authenticate({
      ...{ service: parent.typeName, method: name },
      headers: new Headers({ ...address, ...headers }),
    })
    expect(['key', 'token', 'anonymous']).toContain(caller.kind)
    return 'in'
  } catch (thrown) {
    const { code, reason } = ServiceError.from(thrown)
    return `${code} ${reason}`
  }
}

/** Headers of an admin whose session has proved a second factor. */
async function provedHeadersOf(scene: Scene): Promise<Record<string, string>> {
  const headers = await headersOf('admin', scene)
  await catalog
    .updateTable('refresh_sessions')
    .set({ factor_ms: 1 })
    .where('customer_id', '=', scene.customers.admin)
    .execute()
  return headers
}

/** Calls a method with a message that has nothing but the organisation. */
async function callMethod(
  method: DescMethod,
  call: { readonly organisationId: string; readonly headers: Record<string, string> },
): Promise<string> {
  const client: Record<string, (message: object, options: object) => unknown> = createClient(
    method.parent,
    transport,
  )
  const message = create(method.input, 'orgId' in method.input.field ? { orgId: call.organisationId } : {})
  try {
    const answer = client[method.localName]?.(message, { headers: call.headers, timeoutMs: 30_000 })
    if (method.methodKind === 'unary') await answer
    else for await (const _ of answer as AsyncIterable<unknown>);
    return 'in'
  } catch (error) {
    return verdictOf(ConnectError.from(error))
  }
}

function verdictOf(error: ConnectError): string {
  const reason = error.findDetails(ErrorInfoSchema)[0]?.reason ?? ''
  const code = Code[error.code].replace(/(?<=[a-z])(?=[A-Z])/g, '_').toLowerCase()
  return GATE_REASONS.has(reason) || reason === FACTOR_REASON ? `${code} ${reason}` : 'in'
}

test('the list of exceptions names existing methods only', () => {
  expect(ALL_METHODS.length).toBeGreaterThanOrEqual(72)
  const named = new Set(ALL_METHODS.map(shortName))
  expect(Object.keys(EXPECTED_ROLES).filter((name) => !named.has(name))).toEqual([])
})

describe.each(ALL_METHODS.map((method) => [`${method.parent.typeName}/${method.name}`, method] as const))(
  '%s',
  (_, method) => {
    test('admits the allowed callers, and refuses the others with a reason', async () => {
      const scene = await createScene()
      const verdicts: Record<string, string> = {}
      for (const caller of SENT) {
        const { 'x-project-id': project, ...account } = await headersOf(caller, scene)
        const headers = isAboutAccount(method) || !project ? account : { ...account, 'x-project-id': project }
        verdicts[caller] = await callMethod(method, { organisationId: scene.organisationId, headers })
      }
      for (const caller of ASKED) {
        const headers = await askedHeaders(caller)
        verdicts[caller] = isAtEdge(method)
          ? await callMethod(method, { organisationId: '', headers })
          : await askGate(method, headers)
      }
      expect(verdicts).toEqual(expectedOf(method))
    })
  },
)

/** Members whose role in the project is not the one in the organisation, and a guest of the organisation without one. */
const GIVEN = {
  raised: ['guest', 'admin'],
  restricted: ['member', 'viewer'],
  'shut out': ['member', 'guest'],
  guest: ['guest', undefined],
  // An admin of the organisation is an admin of each project, whatever an earlier role there was.
  everywhere: ['admin', 'guest'],
} as const satisfies Record<string, readonly [Role, Role | undefined]>

type Given = keyof typeof GIVEN
const GIVEN_NAMES = Object.keys(GIVEN) as Given[]

type GivenScene = Scene & { readonly given: Readonly<Record<string, CustomerId>> }

async function createGivenScene(): Promise<GivenScene> {
  const made = await createScene()
  const { organisationId } = made
  const given: Record<string, CustomerId> = {}
  for (const name of GIVEN_NAMES) {
    const [role, ofProject] = GIVEN[name]
    const customerId = await addMember(catalog, {
      organisationId,
      email: `${randomUUID()}@example.org`,
      role,
    })
    given[name] = customerId
    const row = { project_id: Number(made.projectId), organisation_id: organisationId, created_ms: 1 }
    if (ofProject !== undefined)
      await catalog
        .insertInto('project_roles')
        .values({ ...row, customer_id: customerId, role: ofProject })
        .execute()
  }
  return { ...made, given }
}

describe('roles per project', () => {
  const isOpen = ({ parent }: DescMethod): boolean => /^(public|sdk|grpc)\./.test(parent.typeName)
  const ofProject = ALL_METHODS.filter(
    (method) => !isOpen(method) && !isAboutAccount(method) && !('orgId' in method.input.field),
  )
  const ofOrganisation = ALL_METHODS.filter((method) => 'orgId' in method.input.field)
  let given: Promise<GivenScene> | undefined
  const sessions = new Map<string, Promise<Record<string, string>>>()

  const signIn = async (
    name: Given,
    withProject: 'with project' | 'without',
  ): Promise<Record<string, string>> => {
    given ??= createGivenScene()
    const { given: customers, projectId } = await given
    const customerId = customers[name]
    if (customerId === undefined) throw new Error(`nobody is ${name}`)
    const session =
      sessions.get(name) ??
      issueToken({ catalog, tokens }, customerId).then((token) => ({
        authorization: `Bearer ${token}`,
      }))
    sessions.set(name, session)
    return { ...(await session), ...(withProject === 'with project' && { 'x-project-id': projectId }) }
  }

  const verdictOfGate = async (
    { parent, name }: DescMethod,
    headers: Record<string, string>,
  ): Promise<string> => {
    try {
      await gate.authenticate({ service: parent.typeName, method: name, headers: new Headers(headers) })
      return 'in'
    } catch (thrown) {
      const { code, reason } = ServiceError.from(thrown)
      return `${code} ${reason}`
    }
  }

  test('the suite is about most methods', () => {
    expect(ofProject.length).toBeGreaterThan(80)
    expect(ofOrganisation.length).toBeGreaterThan(15)
  })

  test.each(ofProject.map((method) => [shortName(method), method] as const))(
    '%s follows the role that the project gives',
    async (_, method) => {
      const verdicts: Record<string, string> = {}
      for (const name of GIVEN_NAMES)
        verdicts[name] = await verdictOfGate(method, await signIn(name, 'with project'))
      const roles = expectedRolesOf(method)
      expect(verdicts).toEqual({
        raised: roles.admin,
        restricted: roles.viewer,
        'shut out': NO_ACCESS,
        guest: NO_ACCESS,
        everywhere: roles.admin,
      })
    },
  )

  /** What a guest of the organisation may do in it. */
  const OF_GUESTS: ReadonlySet<string> = new Set([
    'DashboardGuestsService/ListShared',
    'DashboardGuestsService/QueryShared',
    'OrgsService/Get',
    'OrgsService/Leave',
    'ProjectsService/BatchGet',
  ])

  test.each(ofOrganisation.map((method) => [shortName(method), method] as const))(
    '%s follows the role in the organisation',
    async (_, method) => {
      const scene = await createGivenScene()
      const { organisationId } = scene
      const call = async (name: Given): Promise<string> => {
        const token = await issueToken({ catalog, tokens }, scene.given[name] as CustomerId)
        return await callMethod(method, { organisationId, headers: { authorization: `Bearer ${token}` } })
      }
      const low = expectedRolesOf(method) === admins ? ADMINS_ONLY : TOO_LOW
      expect(await call('raised')).toBe(OF_GUESTS.has(shortName(method)) ? 'in' : low)
    },
  )

  test('a token has the rights of its owner in the project', async () => {
    given ??= createGivenScene()
    const { given: customers, projectId } = await given
    const verdicts: Record<string, readonly string[]> = {}
    for (const name of GIVEN_NAMES) {
      const text = await addToken(customers[name] as CustomerId, 'admin')
      const headers = { 'x-api-key': text, 'x-project-id': projectId, 'x-forwarded-for': '192.0.2.1' }
      const asked = ['InsightsService/Query', 'GoalsService/Create', 'ChannelsService/Create'].map(
        (name) => ofProject.find((method) => shortName(method) === name) as DescMethod,
      )
      verdicts[name] = await Promise.all(asked.map(async (method) => await verdictOfGate(method, headers)))
    }
    expect(verdicts).toEqual({
      raised: ['in', 'in', 'in'],
      restricted: ['in', TOO_LOW, ADMINS_ONLY],
      'shut out': [NO_ACCESS, NO_ACCESS, NO_ACCESS],
      guest: [NO_ACCESS, NO_ACCESS, NO_ACCESS],
      everywhere: ['in', 'in', 'in'],
    })
  })
})

describe('an organisation that requires a second factor', () => {
  const FACTOR_REQUIRED = 'permission_denied SECOND_FACTOR_REQUIRED'
  /** Only they may be called by an admin who has yet to set one up. */
  const isOpen = (method: DescMethod): boolean =>
    isAboutAccount(method) || ['public', 'sdk'].includes(method.parent.typeName.split('.', 1)[0] ?? '')

  test.each(
    ALL_METHODS.filter((method) => !isOpen(method)).map((method) => [shortName(method), method] as const),
  )('refuses sessions without one to call %s, and admits the others', async (_, method) => {
    const scene = await createScene()
    const { organisationId } = scene
    await catalog
      .updateTable('organisations')
      .set({ second_factor_required: 1 })
      .where('id', '=', organisationId)
      .execute()
    const without = await callMethod(method, { organisationId, headers: await headersOf('admin', scene) })
    expect(without).toBe(FACTOR_REQUIRED)
    const proved = await callMethod(method, { organisationId, headers: await provedHeadersOf(scene) })
    expect(proved).toBe('in')
  })

  test.each(ALL_METHODS.filter(isAboutAccount).map((method) => [shortName(method), method] as const))(
    'leaves %s, which is about the account, to every session',
    async (_, method) => {
      const scene = await createScene()
      await catalog
        .updateTable('organisations')
        .set({ second_factor_required: 1 })
        .where('id', '=', scene.organisationId)
        .execute()
      const { organisationId } = scene
      expect(await callMethod(method, { organisationId, headers: await headersOf('admin', scene) })).toBe(
        'in',
      )
    },
  )

  test('refuses roles and strangers with their own reasons first', async () => {
    const scene = await createScene()
    await catalog
      .updateTable('organisations')
      .set({ second_factor_required: 1 })
      .where('id', '=', scene.organisationId)
      .execute()
    const { organisationId } = scene
    const verdicts: string[] = []
    for (const caller of ['outsider', 'viewer', 'private key'] as const)
      verdicts.push(
        await callMethod(DashboardsService.method.create, {
          organisationId,
          headers: await headersOf(caller, scene),
        }),
      )
    expect(verdicts).toEqual([NOT_A_MEMBER, TOO_LOW, NO_TOKEN])
  })
})

describe('a project', () => {
  async function query(headers: Record<string, string>): Promise<unknown> {
    const { status, body } = await service.call(
      'shared.profiles.v1.ProfilesService/Get',
      { id: 'x' },
      {
        'x-api-key': '',
        ...headers,
      },
    )
    return { status, code: body.code, message: body.message }
  }

  test.each(['999999', '0', '-1', '1.5', 'abc', '99999999999999999999', "1' OR 1=1"])(
    'that does not exist is not found: %j',
    async (projectId) => {
      const scene = await createScene()
      const headers = { ...(await headersOf('admin', scene)), 'x-project-id': projectId }
      expect(await query(headers)).toMatchObject({ status: 404, code: 'not_found' })
    },
  )

  test('is required by methods of a project', async () => {
    const { authorization = '' } = await headersOf('admin', await createScene())
    expect(await query({ authorization })).toMatchObject({
      status: 400,
      code: 'invalid_argument',
      message: 'the header x-project-id is required',
    })
  })

  test('named in a header is verified even when the method needs none', async () => {
    const scene = await createScene()
    const call = { organisationId: '', headers: await headersOf('outsider', scene) }
    expect(await callMethod(CustomersService.method.getMe, call)).toBe(NOT_A_MEMBER)
    const { authorization = '' } = call.headers
    expect(await callMethod(CustomersService.method.getMe, { ...call, headers: { authorization } })).toBe(
      'in',
    )
  })

  test('is that of the key, not that of the header', async () => {
    const scene = await createScene()
    const headers = { 'x-api-key': PRIVATE_KEY, 'x-project-id': '999999' }
    expect(await query(headers)).toMatchObject({ status: 404, message: expect.stringContaining('profile') })
    const both = { ...(await headersOf('outsider', scene)), 'x-api-key': PUBLIC_KEY }
    expect(await query(both)).toMatchObject({ status: 403, code: 'permission_denied' })
  })
})

describe('a role', () => {
  test('is checked again with each call after a change', async () => {
    const scene = await createScene()
    const admin = await headersOf('admin', scene)
    const member = await headersOf('member', scene)
    const method = DashboardsService.method.create
    const { organisationId, customers } = scene
    expect(await callMethod(method, { organisationId, headers: member })).toBe('in')
    const change = { orgId: organisationId, customerId: customers.member, role: 'ORG_ROLE_VIEWER' }
    const headers = { ...admin, 'x-api-key': '' }
    const changed = await service.call('dashboard.orgs.v1.OrgsService/UpdateMemberRole', change, headers)
    expect(changed.status).toBe(200)
    const callAgain = async () => await callMethod(method, { organisationId, headers: member })
    await expectAfterChange(callAgain, TOO_LOW)
  })

  test('in an organisation that does not exist is not found', async () => {
    const headers = await headersOf('admin', await createScene())
    const method = OrgsService.method.get
    expect(await callMethod(method, { organisationId: randomUUID(), headers })).toBe(
      'not_found ORG_NOT_FOUND',
    )
  })
})
