import { create, type DescMethod, toJsonString } from '@bufbuild/protobuf'
import { ALL_SERVICES as SERVICES, shortName } from '../../harness/contract-services.ts'
import { waitFor } from '../../harness/wait.ts'
import { type Answered, ask, call, JSON_CALL } from '../client.ts'
import { checkWords } from '../refusal.ts'
import type { ServiceUnderAttack } from '../service-under-attack.ts'
import { type Chapter, claim, type Statement } from '../statement.ts'
import { ADMIN, type Tokens } from '../target.ts'

type Headers = Readonly<Record<string, string>>

/** Calls a method with an empty message, and gives the code of its error, or `ok`. */
async function codeOf(service: ServiceUnderAttack, method: DescMethod, headers: Headers): Promise<string> {
  const text = toJsonString(method.input, create(method.input))
  const isStream = method.methodKind !== 'unary'
  const prefix = Buffer.alloc(5)
  prefix.writeUInt32BE(Buffer.byteLength(text), 1)
  const answered = await ask(service.url, {
    path: `/${method.parent.typeName}/${method.name}`,
    headers: isStream
      ? { 'content-type': 'application/connect+json', 'connect-protocol-version': '1', ...headers }
      : { ...JSON_CALL, ...headers },
    body: isStream ? Buffer.concat([prefix, Buffer.from(text)]) : text,
    from: service.attacker,
  })
  checkWords(answered)
  return readCode(answered)
}

function readCode({ status, body }: Answered): string {
  const [, code] = /"code":"([a-z_]+)"/.exec(body.toString('latin1')) ?? []
  return code ?? (status === 200 ? 'ok' : `status ${status}`)
}

/** A credential that is not enough, and what it is refused with. */
interface Bad {
  readonly what: string
  /** The packages for which it is not enough. */
  readonly families: readonly string[]
  readonly codes: readonly string[]
  headers(service: ServiceUnderAttack): Headers | Promise<Headers>
}

const PROJECTS = 'dashboard.projects.v1.ProjectsService'

const UNAUTHENTICATED = ['unauthenticated']
const CLOSED = ['sdk', 'shared', 'dashboard', 'millrace']
const OF_PEOPLE = ['shared', 'dashboard', 'millrace']

function encodeJson(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

const CLAIMS = {
  sub: '00000000-0000-4000-8000-000000000000',
  sid: 'x',
  iat: 1_700_000_000,
  exp: 4_000_000_000,
}

/** A key that worked and was revoked. */
async function revokedKey(service: ServiceUnderAttack): Promise<string> {
  const { token } = await service.signIn()
  const headers = { authorization: `Bearer ${token}`, 'x-project-id': service.other.projectId }
  const made = await call(service.url, `${PROJECTS}/CreateApiKey`, { kind: 'API_KEY_KIND_PRIVATE' }, headers)
  const key = String(made.json.key)
  const { id } = made.json.apiKey as { readonly id: string }
  const use = async (): Promise<number> =>
    (await call(service.url, 'shared.campaigns.v1.CampaignService/BatchGet', {}, { 'x-api-key': key })).status
  const useAtEdge = async (): Promise<number> =>
    (await call(service.url, 'sdk.events.v1.EventsService/BatchCreate', { events: [] }, { 'x-api-key': key }))
      .status
  claim((await use()) === 200 && (await useAtEdge()) === 200, () => 'a new key is refused')
  await call(service.url, `${PROJECTS}/DeleteApiKey`, { id }, headers)
  await waitFor('the key to be refused', async () =>
    (await use()) === 401 && (await useAtEdge()) === 401 ? true : undefined,
  )
  return key
}

const BAD: readonly Bad[] = [
  { what: 'no credential', families: CLOSED, codes: UNAUTHENTICATED, headers: () => ({}) },
  {
    what: 'a public key',
    families: ['shared'],
    codes: ['permission_denied'],
    headers: ({ publicKey }) => ({ 'x-api-key': publicKey }),
  },
  {
    what: 'a private key',
    families: ['dashboard', 'millrace.account'],
    codes: UNAUTHENTICATED,
    headers: ({ privateKey }) => ({ 'x-api-key': privateKey, 'x-project-id': '1' }),
  },
  {
    what: 'a revoked key',
    families: ['sdk', 'shared'],
    codes: UNAUTHENTICATED,
    headers: async (service) => ({ 'x-api-key': await revokedKey(service) }),
  },
  {
    what: 'an unsigned token',
    families: OF_PEOPLE,
    codes: UNAUTHENTICATED,
    headers: () => ({
      authorization: `Bearer ${encodeJson({ alg: 'none', typ: 'JWT' })}.${encodeJson(CLAIMS)}.`,
      'x-project-id': '1',
    }),
  },
  {
    what: 'a token with a signature of its own',
    families: OF_PEOPLE,
    codes: UNAUTHENTICATED,
    headers: async (service) => {
      const [head = '', claims = ''] = (await service.signIn()).token.split('.')
      return {
        authorization: `Bearer ${head}.${claims}.${Buffer.alloc(32).toString('base64url')}`,
        'x-project-id': '1',
      }
    },
  },
  {
    what: 'a token with other claims under a good signature',
    families: OF_PEOPLE,
    codes: UNAUTHENTICATED,
    headers: async (service) => {
      const [head = '', claims = '', signature = ''] = (await service.signIn()).token.split('.')
      const more = { ...JSON.parse(Buffer.from(claims, 'base64url').toString()), exp: 4_000_000_000 }
      return { authorization: `Bearer ${head}.${encodeJson(more)}.${signature}`, 'x-project-id': '1' }
    },
  },
  {
    what: 'a refresh token in the place of an access token',
    families: OF_PEOPLE,
    codes: UNAUTHENTICATED,
    headers: async (service) => ({
      authorization: `Bearer ${(await service.signIn()).refreshToken}`,
      'x-project-id': '1',
    }),
  },
]

/** Methods whose answers to a credential are unspecified, by their short name; later ones are `unimplemented`. */
const credentials: readonly Statement[] = BAD.map(({ what, families, codes, headers }) => ({
  title: `${what} is refused by every method of ${families.join(', ')}`,
  check: async (service) => {
    const seen: string[] = []
    const sent = await headers(service)
    for (const { typeName, methods } of SERVICES) {
      if (!families.some((family) => typeName.startsWith(`${family}.`))) continue
      for (const method of methods) {
        const code = await codeOf(service, method, sent)
        if (!codes.includes(code) && code !== 'unimplemented') seen.push(`${shortName(method)}: ${code}`)
      }
    }
    claim(seen.length === 0, () => seen.join('; '))
  },
}))

/** Services whose every method touches accounts, keys, members or secrets. */
const GUARDED = /dashboard\.(customers|orgs|projects|orgemailproviders)\.|millrace\.account\./

/** Methods that change or reveal more than the queries of a project. */
const CHANGING =
  /^(Accept|Create|Update|Delete|Remove|Revoke|Resend|Invite|Set|Upsert|Leave|ListApiKeys|RecordEvent|SendTest|Sign|End)/

const UNCHANGING = /^(List|BatchGet|Get|GetMe)$/

/** How a session ends while its access token is still good by itself. */
const ENDS: readonly (readonly [
  how: string,
  end: (service: ServiceUnderAttack, tokens: Tokens) => Promise<void>,
])[] = [
  [
    'after its sign-out',
    async ({ url }, { refreshToken }) => {
      await call(url, 'public.auth.v1.AuthService/SignOut', { refreshToken })
    },
  ],
  [
    'after its refresh token was used twice',
    async ({ url }, { refreshToken }) => {
      const method = 'public.auth.v1.AuthService/RefreshSession'
      await call(url, method, { refreshToken })
      await call(url, method, { refreshToken })
    },
  ],
  [
    'after the password was changed elsewhere',
    async (service) => {
      const { token } = await service.signIn()
      const set = await call(
        service.url,
        'dashboard.customers.v1.CustomersService/SetPassword',
        { password: ADMIN.password, currentPassword: ADMIN.password },
        { authorization: `Bearer ${token}` },
      )
      // An older interface does not take the current one.
      if (set.status === 400) {
        const { status } = await call(
          service.url,
          'dashboard.customers.v1.CustomersService/SetPassword',
          { password: ADMIN.password },
          { authorization: `Bearer ${token}` },
        )
        claim(status === 200, () => `the password is not set: ${status}`)
      }
    },
  ],
]

let projects = 0

/** A project that may be lost: the empty message of some method removes it. */
async function makeProject(service: ServiceUnderAttack, token: string): Promise<string> {
  const { status, json } = await call(
    service.url,
    `${PROJECTS}/Create`,
    { orgId: service.other.orgId, displayName: `Lost ${projects++}` },
    { authorization: `Bearer ${token}` },
  )
  claim(status === 200, () => `a project is not made: ${status}`)
  return (json.project as { readonly id: string }).id
}

/** The codes of all methods that a filter lets through, of a token whose session has ended. */
async function codesAfter(
  service: ServiceUnderAttack,
  end: (typeof ENDS)[number][1],
  isAsked: (method: DescMethod) => boolean,
): Promise<string[]> {
  const tokens = await service.signIn()
  const headers = {
    authorization: `Bearer ${tokens.token}`,
    'x-project-id': await makeProject(service, tokens.token),
  }
  const before = await call(service.url, 'dashboard.customers.v1.CustomersService/GetMe', {}, headers)
  claim(before.status === 200, () => `a new token is answered with ${before.status}`)
  await end(service, tokens)
  const seen: string[] = []
  for (const { methods } of SERVICES)
    for (const method of methods.filter(isAsked)) {
      const code = await codeOf(service, method, headers)
      if (code !== 'unauthenticated' && code !== 'unimplemented') seen.push(`${shortName(method)}: ${code}`)
    }
  return seen
}

const ended: readonly Statement[] = ENDS.flatMap(([how, end]) => [
  {
    title: `a token ${how} is refused where accounts, keys, members, mail and secrets are changed`,
    check: async (service) => {
      const seen = await codesAfter(
        service,
        end,
        ({ parent, name }) => GUARDED.test(parent.typeName) && !UNCHANGING.test(name),
      )
      claim(seen.length === 0, () => seen.join('; '))
    },
  },
  {
    title: `a token ${how} makes no other change either`,
    check: async (service) => {
      const seen = await codesAfter(
        service,
        end,
        ({ parent, name }) =>
          /^(dashboard|shared)\./.test(parent.typeName) &&
          !GUARDED.test(parent.typeName) &&
          CHANGING.test(name),
      )
      claim(seen.length === 0, () => seen.join('; '))
    },
  },
])

const keys: readonly Statement[] = [
  {
    title: 'a private key in the query string is refused by every method of sdk and shared',
    check: async (service) => {
      const seen: string[] = []
      for (const { typeName, methods } of SERVICES) {
        if (!/^(sdk|shared)\./.test(typeName)) continue
        for (const { name } of methods) {
          const { status } = await call(service.url, `${typeName}/${name}?api_key=${service.privateKey}`, {})
          // A stream has another content type, which is checked before the key.
          if (![401, 403, 415].includes(status)) seen.push(`${typeName}/${name}: ${status}`)
        }
      }
      claim(seen.length === 0, () => seen.join('; '))
    },
  },
  {
    title: 'two keys in one request do not authenticate it',
    check: async (service) => {
      const { publicKey, privateKey } = service
      for (const key of [
        `${publicKey}, ${privateKey}`,
        `${privateKey} ${publicKey}`,
        ` , ${privateKey}`,
        `Bearer ${privateKey}`,
      ]) {
        const { status } = await call(
          service.url,
          'shared.campaigns.v1.CampaignService/BatchGet',
          {},
          { 'x-api-key': key },
        )
        claim(status === 401 || status === 403, () => `${key}: ${status}`)
      }
    },
  },
  {
    title: 'project ids that do not exist or belong to another tenant are refused in every form',
    check: async (service) => {
      const { token } = await service.signIn()
      for (const id of [
        '0',
        '-1',
        '1.5',
        '1e0',
        '0x1',
        '99999999999999999999',
        'NaN',
        "1' OR '1'='1",
        '1,2',
        '\u00a01',
        '../1',
        '[1]',
      ]) {
        const { status } = await call(
          service.url,
          'shared.campaigns.v1.CampaignService/BatchGet',
          {},
          { authorization: `Bearer ${token}`, 'x-project-id': Buffer.from(id).toString('latin1') },
        )
        claim([400, 401, 403, 404].includes(status), () => `${id}: ${status}`)
      }
    },
  },
  {
    title: 'a key gives no access to the project that a header names beside it',
    check: async (service) => {
      const { json } = await call(
        service.url,
        'shared.activity.v1.ActivityService/GetEventExplorer',
        {},
        { 'x-api-key': service.other.privateKey, 'x-project-id': '1' },
      )
      const text = JSON.stringify(json)
      claim(!text.includes('forged_'), () => `the other tenant reads ${text.slice(0, 200)}`)
    },
  },
]

/** Authentication and authorization of every method. */
export const access: Chapter = { name: 'access', statements: [...credentials, ...ended, ...keys] }
