import { waitFor } from '../../harness/wait.ts'
import { ask, call } from '../client.ts'
import type { ServiceUnderAttack } from '../service-under-attack.ts'
import { type Chapter, claim, type Statement } from '../statement.ts'

const DASHBOARDS = 'dashboard.dashboards.v1.DashboardsService'
const SHARED = 'public.dashboards.v1.SharedDashboardsService/Query'
const SESSIONS = 'millrace.account.v1.SessionsService'
const AUTH = 'public.auth.v1.AuthService'

/** Shares a dashboard of the first project, pinned to its range, and gives the share id. */
async function sharePinned(service: ServiceUnderAttack, options: object = {}): Promise<string> {
  const { token } = await service.signIn()
  const headers = { authorization: `Bearer ${token}`, 'x-project-id': '1' }
  const spec = { insightType: 'INSIGHT_TYPE_SEGMENTATION' }
  const tiles = [{ displayName: 'x', insight: { spec } }]
  const made = await call(service.url, `${DASHBOARDS}/Upsert`, { displayName: 'pinned', tiles }, headers)
  const { id } = (made.json.dashboard ?? {}) as { readonly id?: string }
  const update = { id, displayName: 'pinned', isPublic: true, isRangePinned: true, ...options }
  const shared = await call(service.url, `${DASHBOARDS}/Update`, update, headers)
  const { shareId } = (shared.json.dashboard ?? {}) as { readonly shareId?: string }
  claim(shareId !== undefined, () => `no dashboard is shared: ${made.status} ${shared.status} ${shared.body}`)
  return shareId
}

const NOW = Date.now()
const at = (days: number): string => new Date(NOW - days * 86_400_000).toISOString()

const RANGES: readonly object[] = [
  { timeRange: { from: at(3000), to: at(0) }, granularity: 'GRANULARITY_MONTH' },
  { timeRange: { from: at(1), to: at(0) } },
  { timeRange: { from: at(31), to: at(30) }, previousPeriod: true },
  { granularity: 'GRANULARITY_MINUTE' },
  { allTime: true },
  { timeRange: {} },
]

const pinned: Statement = {
  title: 'a pinned share refuses another range or granularity',
  check: async (service) => {
    const shareId = await sharePinned(service)
    const own = await call(service.url, SHARED, { shareId })
    claim(own.status === 200, () => `its own range: ${own.status} ${own.body}`)
    for (const asked of RANGES) {
      const { status, json } = await call(service.url, SHARED, { shareId, ...asked })
      claim(
        status === 403 || status === 400,
        () => `${JSON.stringify(asked)}: ${status} ${JSON.stringify(json).slice(0, 200)}`,
      )
    }
    claim(!/organisation|projectId|orgId|"email"/.test(own.body.toString()), () =>
      own.body.toString().slice(0, 300),
    )
  },
}

const PASSWORD = 'correct horse battery'
const FORGED = ['', '0', `9999999999999.${'0'.repeat(64)}`, 'null', `${'9'.repeat(15)}.${'f'.repeat(64)}`]

const locked: Statement = {
  title: 'a share with a password shows nothing without it, and guesses are limited',
  check: async (service) => {
    const shareId = await sharePinned(service, { sharePassword: PASSWORD })
    for (const grant of FORGED) {
      const { status, body } = await call(service.url, SHARED, { shareId, grant })
      claim(status === 403 && !body.includes('pinned'), () => `${grant}: ${status} ${body}`)
    }
    const right = await call(service.url, SHARED, { shareId, password: PASSWORD })
    const grant = String(right.json.grant)
    claim(right.status === 200, () => `with its password: ${right.status} ${right.body}`)
    const own = await call(service.url, SHARED, { shareId, grant })
    claim(own.status === 200, () => `with its grant: ${own.status} ${own.body}`)
    const other = await sharePinned(service, { sharePassword: PASSWORD })
    const foreign = await call(service.url, SHARED, { shareId: other, grant })
    claim(foreign.status === 403, () => `the grant of another share: ${foreign.status}`)
    const ends: number[] = []
    for (let index = 0; index < 20; index++) {
      ends.push((await call(service.url, SHARED, { shareId, password: `guess ${index}` })).status)
    }
    claim(ends.at(-1) === 429 && ends.every((status) => status === 400 || status === 429), () => ends.join())
    const read = await call(service.url, SHARED, { shareId, grant })
    claim(read.status === 200, () => `a reader during the guesses: ${read.status}`)
  },
}

const frames: Statement = {
  title: 'no page but that of a share that allows it may be in a frame of another site',
  check: async (service) => {
    const open = await sharePinned(service, { isEmbeddable: true })
    const closed = await sharePinned(service)
    const policyOf = async (path: string): Promise<string> => {
      const headers = { accept: 'text/html' }
      const page = await ask(service.url, { path, method: 'GET', headers })
      return `${page.headers['content-security-policy']} ${page.headers['x-frame-options']}`
    }
    const allowed = await policyOf(`/embed/${open}`)
    claim(allowed.includes('frame-ancestors *'), () => allowed)
    for (const path of [
      `/embed/${closed}`,
      `/share/${open}`,
      `/embed/${open}/../../`,
      `/embed/${open}%2f..%2f..`,
      `/embed//${open}`,
      `/EMBED/${open}`,
      '/sign-in',
    ]) {
      const policy = await policyOf(path)
      claim(!policy.includes('frame-ancestors *'), () => `${path}: ${policy}`)
    }
  },
}

const guests = new WeakMap<ServiceUnderAttack, Promise<string>>()

/** The token of another account, which was invited once. */
async function signInGuest(service: ServiceUnderAttack): Promise<string> {
  const known = guests.get(service)
  if (known) return await known
  const inviting = inviteGuest(service)
  guests.set(service, inviting)
  return await inviting
}

async function inviteGuest(service: ServiceUnderAttack): Promise<string> {
  const { token } = await service.signIn()
  const email = `guest-${process.pid}@example.net`
  await call(
    service.url,
    'dashboard.orgs.v1.OrgsService/InviteMember',
    { orgId: service.other.orgId, email, role: 'ORG_ROLE_VIEWER' },
    { authorization: `Bearer ${token}` },
  )
  const link = await waitFor('the invitation', () => {
    const line = service.output.stderr
      .split('\n')
      .filter((one) => one.includes(email))
      .at(-1)
    return /token=([\w.-]+)/.exec(line ?? '')?.[1]
  })
  const { json } = await call(service.url, `${AUTH}/CompleteMagicLink`, { token: link })
  return String(json.token)
}

interface Listed {
  readonly id: string
  readonly isCurrent?: boolean
}

const foreignSessions: Statement = {
  title: 'sessions of another account are neither listed nor ended',
  check: async (service) => {
    const { token } = await service.signIn()
    const admin = { authorization: `Bearer ${token}` }
    const guest = { authorization: `Bearer ${await signInGuest(service)}` }
    const mine = (await call(service.url, `${SESSIONS}/List`, {}, admin)).json.sessions as readonly Listed[]
    const theirs = (await call(service.url, `${SESSIONS}/List`, {}, guest)).json.sessions as readonly Listed[]
    claim(theirs.length === 1, () => `the guest has ${theirs.length} sessions`)
    claim(!mine.some(({ id }) => id === theirs[0]?.id), () => 'one session is listed for both')
    const ids = [mine.find(({ isCurrent }) => isCurrent)?.id, ...['%', '', "' OR 1=1 --", '*', 'undefined']]
    for (const id of ids) {
      const { status } = await call(service.url, `${SESSIONS}/End`, { id }, guest)
      claim(status === 404 || status === 400, () => `${id}: ${status}`)
    }
    await call(service.url, `${SESSIONS}/EndOthers`, {}, guest)
    const { status } = await call(service.url, 'dashboard.customers.v1.CustomersService/GetMe', {}, admin)
    claim(status === 200, () => `the other account is signed out: ${status}`)
  },
}

const viewer: Statement = {
  title: 'a viewer changes nothing of an organisation, nor of its projects',
  check: async (service) => {
    const guest = {
      authorization: `Bearer ${await signInGuest(service)}`,
      'x-project-id': service.other.projectId,
    }
    const { orgId } = service.other
    for (const [method, body] of [
      ['dashboard.projects.v1.ProjectsService/CreateApiKey', { kind: 'API_KEY_KIND_PRIVATE' }],
      ['dashboard.projects.v1.ProjectsService/ListApiKeys', {}],
      ['dashboard.projects.v1.ProjectsService/UpdateMeta', { displayName: 'x' }],
      ['dashboard.projects.v1.ProjectsService/UpdateFCMServiceJSON', { fcmServiceJson: '' }],
      ['dashboard.projects.v1.ProjectsService/Create', { orgId, displayName: 'of a viewer' }],
      [
        'dashboard.orgs.v1.OrgsService/InviteMember',
        { orgId, email: 'x@example.net', role: 'ORG_ROLE_ADMIN' },
      ],
      ['dashboard.orgs.v1.OrgsService/UpdateDisplayName', { orgId, displayName: 'x' }],
      ['dashboard.orgs.v1.OrgsService/ListInvitations', { orgId }],
      ['dashboard.orgemailproviders.v1.OrgEmailProvidersService/Get', { orgId }],
      [
        'dashboard.orgemailproviders.v1.OrgEmailProvidersService/SendTest',
        { orgId, recipient: 'x@example.net' },
      ],
      [`${DASHBOARDS}/Create`, { displayName: 'x' }],
      ['shared.profiles.v1.ProfilesService/Delete', { id: 'x' }],
      ['shared.profiles.v1.ProfilesService/DeleteDataSubject', { externalId: 'x' }],
      ['shared.campaigns.v1.CampaignService/Create', { name: 'x', notificationData: 'e30=' }],
    ] as const) {
      const { status } = await call(service.url, method, body, guest)
      claim(status === 403, () => `${method}: ${status}`)
    }
  },
}

/** The field `org_id` in bytes. */
function orgField(id: string): Buffer {
  return Buffer.concat([Buffer.from([0x0a, id.length]), Buffer.from(id)])
}

const twoOrganisations: Statement = {
  title: 'a message that names two organisations is authorised for the one that the answer is about',
  check: async (service) => {
    const { token } = await service.signIn()
    const ORGS = 'dashboard.orgs.v1.OrgsService'
    const listed = await call(service.url, `${ORGS}/List`, {}, { authorization: `Bearer ${token}` })
    const all = listed.json.orgs as readonly { readonly id: string; readonly displayName: string }[]
    const foreign = all.find(({ displayName }) => displayName === 'Default')?.id ?? ''
    const own = service.other.orgId
    const guest = { authorization: `Bearer ${await signInGuest(service)}` }
    const right = await call(service.url, `${ORGS}/ListMembers`, { orgId: own }, guest)
    claim(right.status === 200, () => `its own organisation: ${right.status}`)
    for (const body of [
      `{"orgId":"${own}","org_id":"${foreign}"}`,
      `{"org_id":"${foreign}","orgId":"${own}"}`,
      `{"orgId":"${foreign}","orgId":"${own}"}`,
      `{"orgId":"${own}","orgId":"${foreign}"}`,
      `{"orgId":"${own}","org\\u0049d":"${foreign}"}`,
    ]) {
      const { json } = await call(service.url, `${ORGS}/Get`, body, guest)
      claim(!JSON.stringify(json).includes('Default'), () => `${body}: ${JSON.stringify(json)}`)
    }
    for (const body of [
      [own, foreign],
      [foreign, own],
    ]) {
      const { body: answer } = await ask(service.url, {
        path: `/${ORGS}/Get`,
        headers: { 'content-type': 'application/proto', ...guest },
        body: Buffer.concat(body.map(orgField)),
      })
      claim(!answer.includes('Default'), () => `in bytes: ${answer.toString()}`)
    }
  },
}

const foreignCampaign: Statement = {
  title: 'deliveries for a campaign of another project are not recorded',
  check: async (service) => {
    const campaign = {
      name: 'c',
      notificationData: Buffer.from('{"title":"x"}').toString('base64'),
      scheduledTime: new Date(Date.now() + 86_400_000).toISOString(),
    }
    const made = await call(service.url, 'shared.campaigns.v1.CampaignService/Create', campaign, {
      'x-api-key': service.other.privateKey,
    })
    const { id } = (made.json.campaign ?? {}) as { readonly id?: string }
    claim(id !== undefined, () => `${made.status} ${made.body}`)
    for (const campaignId of [id, 'no-such-campaign', `${id} `, '%', '../x']) {
      const { status } = await call(
        service.url,
        'shared.delivery.v1.DeliveryService/RecordEvent',
        { campaignId, deviceId: 'd', eventType: 'EVENT_TYPE_CLICKED' },
        { 'x-api-key': service.privateKey },
      )
      claim(status === 404 || status === 400, () => `${campaignId}: ${status}`)
    }
  },
}

/** The access that a share id, a session id or a role gives to another account. */
export const shares: Chapter = {
  name: 'shares',
  statements: [pinned, locked, frames, foreignSessions, viewer, twoOrganisations, foreignCampaign],
}
