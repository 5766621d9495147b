import { randomBytes } from 'node:crypto'
import { type Client, Code } from '@connectrpc/connect'
import { beforeEach, describe, expect, test } from 'vitest'
import {
  addCustomer,
  addMember,
  clientOf,
  type Refusal,
  refusalOf,
} from '../../../test/harness/console-callers.ts'
import { describeCatalog } from '../../../test/harness/describe-catalog.ts'
import { ApiKeyKind } from '../../contract/gen/dashboard/projects/v1/project_pb.js'
import { ProjectsService } from '../../contract/gen/dashboard/projects/v1/projects_service_pb.js'
import { asProjectId, type CustomerId, type OrganisationId, type ProjectId } from '../../contract/ids.ts'
import { Sealer } from '../../kernel/sealer.ts'
import { findApiKey } from '../../store/catalog/api-keys.ts'
import { createOrganisation } from '../organisations/organisations.ts'
import type { FillDemo } from './demo-project.ts'
import { readFcmAccount } from './fcm-account.ts'
import { createProjectsService } from './projects-service.ts'

const NOW_MS = Date.parse('2026-03-01T12:00:00Z')
const PRIVATE_KEY = '-----BEGIN PRIVATE KEY-----\nc2VjcmV0\n-----END PRIVATE KEY-----\n'
const ACCOUNT = {
  type: 'service_account',
  project_id: 'push-123',
  private_key_id: 'abc',
  private_key: PRIVATE_KEY,
  client_email: 'push@push-123.iam.gserviceaccount.com',
  token_uri: 'https://oauth2.googleapis.com/token',
}

describeCatalog('projects', (under) => {
  const clock = { nowMs: () => NOW_MS }
  const sealer = new Sealer(randomBytes(32))
  let organisationId: OrganisationId
  let ada: CustomerId
  let fillDemo: FillDemo

  beforeEach(async () => {
    fillDemo = async () => undefined
    ada = await addCustomer(under.catalog, 'ada@example.org')
    const made = await createOrganisation(under.catalog, clock, { customerId: ada, displayName: 'Org' })
    organisationId = made.id
  })

  /** The caller, outside of any project or, as its admin, in one. */
  const as = (customerId: CustomerId, projectId?: ProjectId): Client<typeof ProjectsService> =>
    clientOf(
      ProjectsService,
      createProjectsService({ catalog: under.catalog, clock, sealer, fillDemo: (id) => fillDemo(id) }),
      {
        customerId,
        ...(projectId === undefined ? {} : { project: { projectId, organisationId, role: 'admin' } }),
      },
    )

  const addProject = async (displayName: string, reportingTimezone = ''): Promise<ProjectId> => {
    const { project } = await as(ada).create({ orgId: organisationId, displayName, reportingTimezone })
    return asProjectId(Number(project?.id))
  }

  const jobs = async () => await under.catalog.selectFrom('jobs').selectAll().execute()

  test('new insights leave out bots until the project is changed', async () => {
    const id = await addProject('Shop')
    const shop = as(ada, id)
    expect((await shop.get({})).project).toMatchObject({ excludeBots: true, isDemo: false })
    expect((await shop.updateMeta({ displayName: 'Store' })).project?.excludeBots).toBe(true)
    expect((await shop.updateMeta({ excludeBots: false })).project).toMatchObject({
      displayName: 'Store',
      excludeBots: false,
    })
    expect((await shop.get({})).project?.excludeBots).toBe(false)
    expect((await shop.updateMeta({ excludeBots: true })).project?.excludeBots).toBe(true)
  })

  test('its own domains are those of the last change that names any', async () => {
    const shop = as(ada, await addProject('Shop'))
    expect((await shop.get({})).project?.domains).toEqual([])
    const named = await shop.updateMeta({
      domains: { names: ['Shop.example', 'pay.example.org', 'shop.example'] },
    })
    expect(named.project?.domains).toEqual(['pay.example.org', 'shop.example'])
    expect((await shop.updateMeta({ displayName: 'Store' })).project?.domains).toHaveLength(2)
    const { key } = await shop.createApiKey({ kind: ApiKeyKind.PUBLIC, displayName: 'Web' })
    expect((await findApiKey(under.catalog, key))?.domains).toEqual(['pay.example.org', 'shop.example'])
    expect((await shop.updateMeta({ domains: {} })).project?.domains).toEqual([])
    expect((await findApiKey(under.catalog, key))?.domains).toEqual([])
  })

  describe('demo projects', () => {
    const demo = async (displayName: string) =>
      await as(ada).create({ orgId: organisationId, displayName, isDemo: true })

    test('a demo project is filled before it is answered', async () => {
      const filled: ProjectId[] = []
      fillDemo = async (id) => void filled.push(id)
      await addProject('Shop')
      const { project } = await demo('Demo')
      expect(project).toMatchObject({ displayName: 'Demo', isDemo: true })
      expect(filled).toEqual([Number(project?.id)])
    })

    test('an organisation has one demo project at a time', async () => {
      const { project } = await demo('Demo')
      expect(await refusalOf(demo('Another'))).toEqual(['FailedPrecondition', 'LIMIT_REACHED'])
      await as(ada, asProjectId(Number(project?.id))).delete({})
      await demo('Another')
    })

    test('a project that cannot be filled is deleted, and its data with it', async () => {
      fillDemo = async () => Promise.reject(new Error('no store'))
      expect(await refusalOf(demo('Demo'))).toEqual(['Unavailable', 'STORE_UNAVAILABLE'])
      expect((await as(ada).batchGet({ orgId: organisationId })).projects).toEqual([])
      expect(await jobs()).toMatchObject([{ kind: 'erase-project' }])
      fillDemo = async () => undefined
      await demo('Demo')
    })
  })

  test('a project reports in UTC by default', async () => {
    const shop = await addProject('Shop')
    const blog = await addProject('Blog', 'Europe/Berlin')
    const { projects } = await as(ada).batchGet({ orgId: organisationId })
    const owner = { orgId: organisationId, fcmServiceJson: '' }
    expect(projects).toMatchObject([
      { ...owner, id: String(shop), displayName: 'Shop', reportingTimezone: 'UTC' },
      { ...owner, id: String(blog), displayName: 'Blog', reportingTimezone: 'Europe/Berlin' },
    ])
    expect((await as(ada, blog).get({})).project).toEqual(projects[1])
  })

  test('only members of the organisation see its projects', async () => {
    await addProject('Shop')
    const bob = await addMember(under.catalog, { organisationId, email: 'bob@example.org', role: 'viewer' })
    const eve = await addCustomer(under.catalog, 'eve@example.org')
    expect((await as(bob).batchGet({ orgId: organisationId })).projects).toHaveLength(1)
    expect(await refusalOf(as(eve).batchGet({ orgId: organisationId }))).toEqual([
      'PermissionDenied',
      'ORG_NOT_A_MEMBER',
    ])
  })

  test('a change keeps unset fields', async () => {
    const id = await addProject('Shop', 'Asia/Tokyo')
    const named = await as(ada, id).updateMeta({ displayName: 'Store' })
    expect(named.project).toMatchObject({ displayName: 'Store', reportingTimezone: 'Asia/Tokyo' })
    const moved = await as(ada, id).updateMeta({ reportingTimezone: 'America/Lima' })
    expect(moved.project).toMatchObject({ displayName: 'Store', reportingTimezone: 'America/Lima' })
    expect(await as(ada, id).updateMeta({})).toEqual(moved)
    expect((await as(ada, id).updateMeta({ displayName: 'Store' })).project?.displayName).toBe('Store')
  })

  test('push credentials are stored sealed and shown without the key', async () => {
    const id = await addProject('Shop')
    await as(ada, id).updateFCMServiceJSON({ fcmServiceJson: JSON.stringify(ACCOUNT) })
    const shown = JSON.parse((await as(ada, id).get({})).project?.fcmServiceJson ?? '')
    expect(shown).toEqual({
      type: 'service_account',
      project_id: 'push-123',
      client_email: ACCOUNT.client_email,
      private_key: '[redacted]',
    })
    const stored = JSON.stringify(await under.catalog.selectFrom('projects').selectAll().execute())
    expect(stored).not.toContain('c2VjcmV0')
    expect(await readFcmAccount({ catalog: under.catalog, sealer }, id)).toEqual({
      projectId: 'push-123',
      clientEmail: ACCOUNT.client_email,
      privateKey: PRIVATE_KEY,
      tokenUri: ACCOUNT.token_uri,
    })
    await as(ada, id).updateFCMServiceJSON({ fcmServiceJson: '' })
    expect((await as(ada, id).get({})).project?.fcmServiceJson).toBe('')
    expect(await readFcmAccount({ catalog: under.catalog, sealer }, id)).toBeUndefined()
  })

  test('redacted push credentials do not replace the stored ones', async () => {
    const id = await addProject('Shop')
    await as(ada, id).updateFCMServiceJSON({ fcmServiceJson: JSON.stringify(ACCOUNT) })
    const shown = (await as(ada, id).get({})).project?.fcmServiceJson ?? ''
    const refusal = await refusalOf(as(ada, id).updateFCMServiceJSON({ fcmServiceJson: shown }))
    expect(refusal).toEqual(['InvalidArgument', 'INVALID_REQUEST'])
    const account = await readFcmAccount({ catalog: under.catalog, sealer }, id)
    expect(account?.privateKey).toBe(PRIVATE_KEY)
  })

  test.each<[string, string]>([
    ['no JSON', 'fcm_service_json: is not JSON'],
    ['[]', 'fcm_service_json: is not a JSON object'],
    ['null', 'fcm_service_json: is not a JSON object'],
    [JSON.stringify({ ...ACCOUNT, type: 'authorized_user' }), 'type must be service_account'],
    [JSON.stringify({ ...ACCOUNT, project_id: undefined }), 'project_id is missing'],
    [JSON.stringify({ ...ACCOUNT, client_email: 'push' }), 'client_email is missing'],
    [JSON.stringify({ ...ACCOUNT, private_key: 'secret' }), 'private_key is missing'],
    [JSON.stringify({ ...ACCOUNT, token_uri: 'file:///etc/passwd' }), 'token_uri is missing'],
  ])('invalid push credentials are rejected: %s', async (fcmServiceJson, message) => {
    const id = await addProject('Shop')
    const call = as(ada, id).updateFCMServiceJSON({ fcmServiceJson })
    await expect(call).rejects.toThrow(message)
    await expect(call).rejects.toMatchObject({ code: Code.InvalidArgument })
  })

  test('a key is shown once, and grants its project until it is deleted', async () => {
    const id = await addProject('Shop')
    const made = await as(ada, id).createApiKey({ kind: ApiKeyKind.PRIVATE, displayName: 'Server' })
    expect(made.key).toMatch(/^prv_[A-Za-z0-9]{32}$/)
    expect(made.apiKey).toMatchObject({
      displayName: 'Server',
      kind: ApiKeyKind.PRIVATE,
      key: '',
      masked: `prv_…${made.key.slice(-4)}`,
      createTime: { seconds: BigInt(NOW_MS / 1000) },
    })
    expect(await findApiKey(under.catalog, made.key)).toMatchObject({
      keyId: made.apiKey?.id,
      projectId: id,
      kind: 'private',
      domains: [],
      blockedKinds: [],
    })
    const { apiKeys } = await as(ada, id).listApiKeys({})
    expect(apiKeys).toEqual([made.apiKey])
    await as(ada, id).deleteApiKey({ id: made.apiKey?.id ?? '' })
    expect(await findApiKey(under.catalog, made.key)).toBeUndefined()
    expect((await as(ada, id).listApiKeys({})).apiKeys).toEqual([])
  })

  test('a key of another project is neither listed nor deleted', async () => {
    const shop = await addProject('Shop')
    const blog = await addProject('Blog')
    const { apiKey, key } = await as(ada, shop).createApiKey({ kind: ApiKeyKind.PUBLIC })
    expect((await as(ada, blog).listApiKeys({})).apiKeys).toEqual([])
    const refusal = await refusalOf(as(ada, blog).deleteApiKey({ id: apiKey?.id ?? '' }))
    expect(refusal).toEqual(['NotFound', 'API_KEY_NOT_FOUND'])
    expect(await findApiKey(under.catalog, key)).toMatchObject({
      projectId: shop,
      kind: 'public',
      domains: [],
      blockedKinds: [],
    })
  })

  test('a deleted project and its keys disappear immediately; its name becomes free and its id does not', async () => {
    const id = await addProject('Shop')
    const { key } = await as(ada, id).createApiKey({ kind: ApiKeyKind.PUBLIC })
    await as(ada, id).delete({})
    expect((await as(ada).batchGet({ orgId: organisationId })).projects).toEqual([])
    expect(await findApiKey(under.catalog, key)).toBeUndefined()
    expect(await jobs()).toMatchObject([
      { kind: 'erase-project', project_id: id, payload: '{"round":0}', next_ms: NOW_MS + 10_000 },
    ])
    expect(await addProject('Shop')).toBeGreaterThan(id)
  })

  test('deleting a project deletes its jobs and erasures, and no others', async () => {
    const shop = await addProject('Shop')
    const blog = await addProject('Blog')
    await addRows(shop)
    await addRows(blog)
    await as(ada, shop).delete({})
    const left = await jobs()
    expect(left.map(({ kind, project_id }) => [kind, project_id]).sort()).toEqual([
      ['erase-person', blog],
      ['erase-project', shop],
    ])
    const requests = await under.catalog.selectFrom('deletion_requests').select('project_id').execute()
    expect(requests).toEqual([{ project_id: blog }])
  })

  const addRows = async (projectId: ProjectId): Promise<void> => {
    const job = { id: `job-${projectId}`, kind: 'erase-person', project_id: projectId, payload: 'null' }
    const fresh = { state: 'waiting', attempts: 0, next_ms: 0, holder: '', error: '', created_ms: 0 } as const
    await under.catalog
      .insertInto('jobs')
      .values({ ...job, ...fresh })
      .execute()
    const request = { id: `request-${projectId}`, project_id: projectId, subject: 's', profile_id: '' }
    const pending = { status: 'pending', events_identified: 0, requested_ms: 0, error: '' } as const
    await under.catalog
      .insertInto('deletion_requests')
      .values({ ...request, ...pending, sealed_external_id: '' })
      .execute()
  }

  type Call = () => Promise<unknown>
  const refusals: Readonly<Record<string, readonly [Refusal, () => Promise<Call>]>> = {
    'a name of another project': [
      ['AlreadyExists', 'PROJECT_NAME_TAKEN'],
      async () => {
        await addProject('Shop')
        return async () => await addProject('Shop')
      },
    ],
    'a change to the name of another project': [
      ['AlreadyExists', 'PROJECT_NAME_TAKEN'],
      async () => {
        await addProject('Shop')
        const blog = await addProject('Blog')
        return async () => await as(ada, blog).updateMeta({ displayName: 'Shop' })
      },
    ],
    'an unknown time zone': [
      ['InvalidArgument', 'INVALID_TIMEZONE'],
      async () => async () => await addProject('Shop', 'Mars/Olympus'),
    ],
    'an offset instead of a time zone': [
      ['InvalidArgument', 'INVALID_TIMEZONE'],
      async () => {
        const id = await addProject('Shop')
        return async () => await as(ada, id).updateMeta({ reportingTimezone: '+01:00' })
      },
    ],
    'a project that a member creates': [
      ['PermissionDenied', 'ORG_ADMIN_REQUIRED'],
      async () => {
        const bob = await addMember(under.catalog, { organisationId, email: 'b@example.org', role: 'member' })
        return async () => await as(bob).create({ orgId: organisationId, displayName: 'Shop' })
      },
    ],
    'a project in an unknown organisation': [
      ['NotFound', 'ORG_NOT_FOUND'],
      async () => async () => await as(ada).create({ orgId: 'nowhere', displayName: 'Shop' }),
    ],
    'a call without a project': [
      ['InvalidArgument', 'INVALID_REQUEST'],
      async () => async () => await as(ada).get({}),
    ],
    'an unknown key': [
      ['NotFound', 'API_KEY_NOT_FOUND'],
      async () => {
        const id = await addProject('Shop')
        return async () => await as(ada, id).deleteApiKey({ id: 'nothing' })
      },
    ],
    'a key of an unspecified kind': [
      ['InvalidArgument', 'INVALID_REQUEST'],
      async () => {
        const id = await addProject('Shop')
        return async () => await as(ada, id).createApiKey({ kind: ApiKeyKind.UNSPECIFIED })
      },
    ],
  }

  test.each(Object.entries(refusals))('%s is refused', async (_, [refusal, prepare]) => {
    const call = await prepare()
    expect(await refusalOf(call())).toEqual(refusal)
  })

  const inProject: Readonly<Record<string, (client: Client<typeof ProjectsService>) => Promise<unknown>>> = {
    Get: async (client) => await client.get({}),
    UpdateMeta: async (client) => await client.updateMeta({ displayName: 'New' }),
    UpdateFCMServiceJSON: async (client) =>
      await client.updateFCMServiceJSON({ fcmServiceJson: JSON.stringify(ACCOUNT) }),
    ListApiKeys: async (client) => await client.listApiKeys({}),
    CreateApiKey: async (client) => await client.createApiKey({ kind: ApiKeyKind.PUBLIC }),
    Delete: async (client) => await client.delete({}),
  }

  test.each(Object.entries(inProject))('%s of a deleted project is not found', async (_, call) => {
    const id = await addProject('Shop')
    await as(ada, id).delete({})
    expect(await refusalOf(call(as(ada, id)))).toEqual(['NotFound', 'PROJECT_NOT_FOUND'])
    expect(await jobs()).toHaveLength(1)
  })

  test('a project has at most 100 keys', async () => {
    const id = await addProject('Shop')
    for (let index = 0; index < 100; index++) await as(ada, id).createApiKey({ kind: ApiKeyKind.PUBLIC })
    expect(await refusalOf(as(ada, id).createApiKey({ kind: ApiKeyKind.PUBLIC }))).toEqual([
      'FailedPrecondition',
      'LIMIT_REACHED',
    ])
  })

  test('of concurrent creations with one name, one succeeds', async () => {
    const outcomes = await Promise.all([1, 2, 3, 4].map(async () => await refusalOf(addProject('Shop'))))
    expect(outcomes.filter((outcome) => outcome === undefined)).toHaveLength(1)
    expect(outcomes.filter((outcome) => outcome !== undefined)).toEqual(
      Array(3).fill(['AlreadyExists', 'PROJECT_NAME_TAKEN']),
    )
  })

  test('of concurrent deletions, one succeeds and one job is created', async () => {
    const id = await addProject('Shop')
    const outcomes = await Promise.all([1, 2, 3].map(async () => await refusalOf(as(ada, id).delete({}))))
    expect(outcomes.filter((outcome) => outcome === undefined)).toHaveLength(1)
    expect(await jobs()).toHaveLength(1)
  })
})
