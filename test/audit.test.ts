import { randomUUID } from 'node:crypto'
import { create, type DescField, type DescMessage, type Message } from '@bufbuild/protobuf'
import { createClient } from '@connectrpc/connect'
import { createConnectTransport } from '@connectrpc/connect-node'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { AUDIT_RULES } from '../src/domain/audit-actions.ts'
import { type Catalog, openCatalog } from '../src/store/catalog/catalog.ts'
import type { AuditChange } from '../src/store/catalog/schema/audit-tables.ts'
import { ALL_METHODS } from './harness/contract-services.ts'
import { ALLOW_LOOPBACK } from './harness/loopback.ts'
import { PRIVATE_KEY, TestService } from './harness/service.ts'
import { type Alterations, SoftPasskey } from './harness/soft-passkey.ts'
import { waitFor } from './harness/wait.ts'

const LOG = 'millrace.audit.v1.AuditLogService'
const ORGS = 'dashboard.orgs.v1.OrgsService'
const SIGN_IN = 'public.auth.v1.AuthService/SignInWithEmail'
const FACTORS = 'millrace.account.v1.SecondFactorsService'
const PROFILES = 'shared.profiles.v1.ProfilesService'

const EMAIL = 'admin@example.org'
const PASSWORD = 'a long enough password'

const PLANTED = 'planted-secret'

let service: TestService
let catalog: Catalog
let orgId: string
let asAdmin: Record<string, string> = {}

beforeAll(async () => {
  service = await TestService.start({
    SERVICE_BOOTSTRAP_EMAIL: EMAIL,
    SERVICE_BOOTSTRAP_PASSWORD: PASSWORD,
    ...ALLOW_LOOPBACK,
  })
  catalog = openCatalog(service)
  const { token } = await call(SIGN_IN, { email: EMAIL, password: PASSWORD }, {})
  asAdmin = { authorization: `Bearer ${token}`, 'x-api-key': '' }
  const { orgs } = await call(`${ORGS}/List`, {})
  orgId = (orgs as readonly { readonly id: string }[])[0]?.id ?? ''
  const { projects } = await call('dashboard.projects.v1.ProjectsService/BatchGet', { orgId })
  const projectId = (projects as readonly { readonly id: string }[])[0]?.id ?? ''
  asAdmin = { ...asAdmin, 'x-project-id': projectId }
})

afterAll(async () => {
  await catalog?.destroy()
  await service?.destroy()
})

type Entry = Readonly<Record<string, unknown>>

async function call(method: string, request: object, headers = asAdmin): Promise<Record<string, unknown>> {
  const { status, body } = await service.call(method, request, headers)
  if (status !== 200) throw new Error(`${method} answers ${status} ${JSON.stringify(body)}`)
  return body
}

async function list(filter: object = {}): Promise<readonly Entry[]> {
  const { entries = [] } = await call(`${LOG}/List`, { orgId, filter, pageSize: 500 })
  return entries as readonly Entry[]
}

async function countEntries(): Promise<number> {
  return (await catalog.selectFrom('audit_entries').select('id').execute()).length
}

describe('the audit log', () => {
  test('has who changed what from where with which credential, before and after', async () => {
    await call(`${ORGS}/UpdateDisplayName`, { orgId, displayName: 'Renamed' })
    const [entry] = await list({ action: 'organisation.update' })
    expect(entry).toMatchObject({
      actorKind: 'ACTOR_KIND_ACCOUNT',
      actorName: EMAIL,
      credentialKind: 'CREDENTIAL_KIND_SESSION',
      credentialId: expect.stringMatching(/./),
      address: '127.0.0.1',
      action: 'organisation.update',
      objectId: orgId,
      objectName: 'Renamed',
      changes: [
        {
          object: 'organisation',
          id: orgId,
          field: 'display_name',
          before: expect.stringMatching(/./),
          after: 'Renamed',
        },
      ],
      requestId: expect.stringMatching(/./),
    })
  })

  test('has no entry of a call that is refused', async () => {
    const before = await countEntries()
    const refused = await service.call(`${ORGS}/RemoveMember`, { orgId, customerId: randomUUID() }, asAdmin)
    expect(refused.status).toBe(404)
    const unknown = { id: randomUUID() }
    expect((await service.call('millrace.alerts.v1.AlertsService/Test', unknown, asAdmin)).status).toBe(404)
    expect((await service.call(`${PROFILES}/Delete`, unknown, asAdmin)).status).toBe(404)
    expect(await countEntries()).toBe(before)
  })

  test('has one entry for the reads of a person in an hour, without the id that a request may hold', async () => {
    const distinctId = 'ada@example.org'
    const read = async (): Promise<unknown> =>
      await call('shared.activity.v1.ActivityService/GetActivityFeed', { distinctId })
    await read()
    await Promise.all([read(), read()])
    const found = await list({ objectId: distinctId })
    expect(found).toHaveLength(1)
    expect(found[0]).toMatchObject({
      action: 'person.view',
      objectId: expect.stringMatching(/^digest-[0-9a-f]{32}$/),
    })
  })

  test('has failed sign-ins to accounts, one for an account, address and hour', async () => {
    const signIn = async (address: string): Promise<number> =>
      (await service.call(SIGN_IN, { email: address, password: PLANTED })).status
    expect(await signIn(EMAIL)).toBe(401)
    expect(await signIn(EMAIL)).toBe(401)
    expect(await signIn('nobody@example.org')).toBe(401)
    const found = await waitFor('the entry', async () => {
      const entries = await list({ action: 'session.fail-sign-in' })
      return entries.length > 0 ? entries : undefined
    })
    expect(found).toHaveLength(1)
    expect(found[0]).toMatchObject({ actorName: EMAIL, address: '127.0.0.1' })
  })

  test('has passkeys that are added, and refused because a copy may exist', async () => {
    const { passkeyOrigin } = await call(`${FACTORS}/Get`, {})
    const passkey = new SoftPasskey(String(passkeyOrigin), { signCount: 5 })
    const { options } = await call(`${FACTORS}/StartPasskey`, {})
    const added = { passkey: passkey.create(String(options)), displayName: 'Laptop' }
    await call(`${FACTORS}/ConfirmPasskey`, added)
    const prove = async (method: string, altered: Alterations): Promise<number> => {
      const { options: asked } = await call(`${FACTORS}/StartProof`, {})
      const proof = { passkey: passkey.get(String(asked), altered) }
      return (await service.call(`${FACTORS}/${method}`, proof, asAdmin)).status
    }
    expect(await prove('Prove', { signCount: 4 })).toBe(400)
    const refused = await waitFor('the entry', async () => {
      const entries = await list({ action: 'account.refuse-passkey' })
      return entries.length > 0 ? entries : undefined
    })
    expect(refused).toMatchObject([{ actorName: EMAIL, address: '127.0.0.1' }])
    expect(await prove('Remove', { signCount: 6 })).toBe(200)
    const [addition] = await list({ action: 'account.add-passkey' })
    expect(addition).toMatchObject({ actorName: EMAIL, objectName: 'Laptop' })
    expect(await list({ action: 'account.remove-second-factor' })).toHaveLength(1)
  })

  test('has the project of a call only where the call is about one', async () => {
    const invited = { orgId, email: 'charles@example.org', role: 'ORG_ROLE_VIEWER' }
    await call(`${ORGS}/InviteMember`, invited)
    const [invitation] = await list({ action: 'invitation.create' })
    expect(invitation).toMatchObject({ objectName: 'charles@example.org' })
    expect(invitation).not.toHaveProperty('projectId')
    await call('dashboard.dashboards.v1.DashboardsService/Create', { displayName: 'Board' })
    const [dashboard] = await list({ action: 'dashboard.create' })
    expect(dashboard).toMatchObject({ objectName: 'Board', projectId: asAdmin['x-project-id'] })
  })

  test('has sign-ins and sign-outs of members, whichever project they have open', async () => {
    const { token, refreshToken } = await call(SIGN_IN, { email: EMAIL, password: PASSWORD }, {})
    const authorization = `Bearer ${token}`
    await call('public.auth.v1.AuthService/SignOut', { refreshToken }, { ...asAdmin, authorization })
    const [ended] = await list({ action: 'session.sign-out' })
    const begun = await list({ action: 'session.sign-in' })
    expect(ended).toMatchObject({ actorName: EMAIL, objectId: ended?.credentialId })
    expect(begun.map(({ credentialId }) => credentialId)).toContain(ended?.credentialId)
  })

  test('says that a destination changed, and not that it did when only the name did', async () => {
    const CHANNELS = 'millrace.alerts.v1.ChannelsService'
    const webhook = { url: 'https://example.org/one' }
    const { channel } = await call(`${CHANNELS}/Create`, { name: 'Hook', webhook })
    const { id } = channel as { readonly id: string }
    const update = async (change: object): Promise<unknown> => {
      await call(`${CHANNELS}/Update`, { id, name: 'Hook', enabled: true, webhook, ...change })
      const [entry] = await list({ action: 'channel.update' })
      return entry?.changes
    }
    expect(await update({ name: 'Renamed' })).toMatchObject([
      { field: 'name', before: 'Hook', after: 'Renamed' },
    ])
    const moved = { webhook: { url: 'https://example.org/two' }, name: 'Renamed' }
    expect(await update(moved)).toMatchObject([{ field: 'sealed_config', before: 'set', after: 'changed' }])
  })

  test('names the private key of a program', async () => {
    const headers = { 'x-api-key': PRIVATE_KEY }
    const goal = { name: 'Paid', event: { kind: 'purchase' } }
    await call('millrace.web.v1.GoalsService/Create', goal, headers)
    const entry = await catalog
      .selectFrom('audit_entries')
      .selectAll()
      .where('action', '=', 'goal.create')
      .executeTakeFirstOrThrow()
    expect(entry).toMatchObject({ actor_kind: 'key', credential_kind: 'key', object_name: 'Paid' })
    expect(entry.actor_name).toBe(`${PRIVATE_KEY.slice(0, 4)}…${PRIVATE_KEY.slice(-4)}`)
  })

  test('is read in pages and exported as JSON lines, newest first', async () => {
    const all = await list()
    const paged: unknown[] = []
    let pageToken = ''
    do {
      const page = await call(`${LOG}/List`, { orgId, pageSize: 1, pageToken })
      paged.push(...((page.entries ?? []) as unknown[]))
      pageToken = String(page.nextPageToken ?? '')
    } while (pageToken !== '' && paged.length <= all.length)
    expect(paged).toEqual(all)
    expect(all.length).toBeGreaterThan(2)
    const { jsonLines } = await call(`${LOG}/Export`, { orgId })
    const lines = String(jsonLines).trimEnd().split('\n')
    expect(lines.map((line) => JSON.parse(line))).toEqual(all)
    expect((await list({ action: 'audit.export' })).length).toBe(1)
  })

  test('continues a page only with the filter that it comes from', async () => {
    const { nextPageToken: pageToken } = await call(`${LOG}/List`, { orgId, pageSize: 1 })
    const other = { orgId, filter: { action: 'organisation.update' }, pageToken }
    const { status, body } = await service.call(`${LOG}/List`, other, asAdmin)
    expect([status, body.message]).toEqual([400, expect.stringContaining('pageToken')])
  })
})

/** The forms that texts of requests have, so that a planted one passes checks where any text does. */
function plantIn(field: DescField, text: string): unknown {
  switch (field.fieldKind) {
    case 'scalar':
      return field.scalar === 9 ? text : field.scalar === 12 ? Buffer.from(text) : undefined
    case 'message':
      return field.message.typeName.startsWith('google.protobuf.') ? undefined : plant(field.message, text)
    case 'list':
      if (field.listKind === 'scalar' && field.scalar === 9) return [text]
      return undefined
    default:
      return undefined
  }
}

let depth = 0

/** A message with the text in every field that takes one. */
function plant(message: DescMessage, text: string): Message {
  depth++
  const values: Record<string, unknown> = {}
  if (depth < 5)
    for (const field of message.fields) {
      if (field.oneof) continue
      const value = plantIn(field, field.localName === 'orgId' ? orgId : text)
      if (value !== undefined) values[field.localName] = value
    }
  depth--
  return create(message, values)
}

describe('no secret is in the audit log', () => {
  test('what is secret in accepted calls is in no column', async () => {
    const secrets = [
      `pw-${randomUUID()}`,
      `smtp-${randomUUID()}`,
      `hook-${randomUUID()}`,
      `share-${randomUUID()}`,
    ]
    const [password = '', smtp = '', hook = '', share = ''] = secrets
    await call('dashboard.customers.v1.CustomersService/SetPassword', { password, currentPassword: PASSWORD })
    const { token, refreshToken } = await call(SIGN_IN, { email: EMAIL, password }, {})
    asAdmin = { ...asAdmin, authorization: `Bearer ${token}` }
    await call('dashboard.orgemailproviders.v1.OrgEmailProvidersService/Set', {
      orgId,
      fromAddress: 'a@example.org',
      smtp: { host: 'smtp.example.org', port: 587, username: 'u', password: smtp },
    })
    const channel = { name: 'Hook', webhook: { url: `https://example.org/${hook}` } }
    const made = await call('millrace.alerts.v1.ChannelsService/Create', channel)
    const keys = 'dashboard.projects.v1.ProjectsService/CreateApiKey'
    const { key } = await call(keys, { kind: 'API_KEY_KIND_PRIVATE', displayName: 'Server' })
    const DASHBOARDS = 'dashboard.dashboards.v1.DashboardsService'
    const { dashboard } = await call(`${DASHBOARDS}/Create`, { displayName: 'Board' })
    const { id } = dashboard as { readonly id: string }
    const shared = await call(`${DASHBOARDS}/Update`, { id, isPublic: true, sharePassword: share })
    const { shareId } = shared.dashboard as { readonly shareId: string }
    const text = JSON.stringify(await catalog.selectFrom('audit_entries').selectAll().execute())
    const all = [...secrets, token, refreshToken, key, shareId, made.signingSecret].filter(Boolean)
    expect(all.length).toBeGreaterThanOrEqual(8)
    expect(all.filter((secret) => text.includes(String(secret)))).toEqual([])
    const actions = (await list()).map(({ action }) => action)
    for (const action of ['account.set-password', 'session.sign-in', 'key.create', 'channel.create'])
      expect(actions).toContain(action)
    expect(await list({ action: 'dashboard.update' })).toMatchObject([
      { changes: expect.arrayContaining([expect.objectContaining({ field: 'share_id', after: 'set' })]) },
    ])
  })

  test('a text in every field of every recorded method is in no column but names', async () => {
    const transport = createConnectTransport({ baseUrl: service.url, httpVersion: '1.1' })
    const recorded = ALL_METHODS.filter(
      ({ parent, localName }) => AUDIT_RULES[parent.typeName]?.[localName]?.records !== 'nothing',
    )
    expect(recorded.length).toBeGreaterThan(75)
    // What needs no field comes last: the project is deleted then.
    const ordered = recorded.toSorted((a, b) => b.input.fields.length - a.input.fields.length)
    for (const method of ordered) {
      const client: Record<string, (message: object, options: object) => unknown> = createClient(
        method.parent,
        transport,
      )
      const { 'x-api-key': _, ...headers } = asAdmin
      try {
        const answer = client[method.localName]?.(plant(method.input, PLANTED), {
          headers,
          timeoutMs: 30_000,
        })
        if (method.methodKind === 'unary') await answer
        else for await (const message of answer as AsyncIterable<unknown>) expect(message).toBeDefined()
      } catch {
        // Most are refused; what counts is what they leave.
      }
    }
    const rows = await catalog.selectFrom('audit_entries').selectAll().execute()
    const columns = rows.flatMap(({ object_name, object_id, changes, ...row }) => {
      const named = (JSON.parse(changes) as AuditChange[]).filter(({ field }) => !NAMES.has(field))
      // The id of a definition is the name of an event or a property.
      const values = named.map(({ object, id, ...change }) => [object === 'definition' ? '' : id, change])
      const id = row.action.startsWith('definition.') ? '' : object_id
      return [JSON.stringify({ ...row, id }), JSON.stringify(values)]
    })
    expect(columns.filter((text) => text.includes(PLANTED))).toEqual([])
  })
})

/** Fields that people fill with names and texts for the team to read. */
const NAMES: ReadonlySet<string> = new Set(['name', 'display_name', 'text', 'description', 'owner'])
