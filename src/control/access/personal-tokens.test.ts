import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { connectAssistant } from '../../../test/harness/assistant-token.ts'
import { addMember } from '../../../test/harness/console-callers.ts'
import { describeCatalog } from '../../../test/harness/describe-catalog.ts'
import { asOrganisationId, type CustomerId, type OrganisationId, type ProjectId } from '../../contract/ids.ts'
import type { Role } from '../../contract/role.ts'
import { ServiceError } from '../../contract/service-error.ts'
import type { TokenScope } from '../../contract/token-scope.ts'
import { findLimitRefusal } from '../../store/catalog/key-limits.ts'
import { KeyResolver } from '../../store/catalog/key-resolver.ts'
import { generateToken, insertToken, listTokens, revokeToken } from '../../store/catalog/personal-tokens.ts'
import { insertProject } from '../../store/catalog/projects.ts'
import { nameTokenUse } from '../../store/catalog/token-grants.ts'
import { AttemptLimiter } from '../auth/attempt-limiter.ts'
import { admitPersonalToken } from './admit-personal-token.ts'
import { ProjectAccessReader } from './project-access-reader.ts'
import { TokenReader } from './token-reader.ts'

const START_MS = Date.parse('2026-03-01T12:00:00Z')

/** One method of each kind: reads, changes as a member, changes as an admin, and ingestion, which has no rule. */
const METHODS = {
  read: ['shared.insights.v1.InsightsService', 'Query'],
  write: ['millrace.web.v1.GoalsService', 'Create'],
  admin: ['millrace.alerts.v1.ChannelsService', 'Create'],
  send: ['sdk.devices.v1.DevicesService', 'Subscribe'],
} as const

type Method = keyof typeof METHODS

describeCatalog('a personal access token', (under) => {
  let nowMs: number
  let organisationId: OrganisationId
  let projectId: ProjectId
  let otherProjectId: ProjectId
  let owner: CustomerId
  let reader: TokenReader
  let projects: ProjectAccessReader
  let used: string[]
  const clock = { nowMs: () => nowMs }

  beforeEach(async () => {
    nowMs = START_MS
    used = []
    organisationId = await addOrganisation()
    projectId = await insertProject(under.catalog, clock, { organisationId, displayName: 'Shop' })
    otherProjectId = await insertProject(under.catalog, clock, { organisationId, displayName: 'Blog' })
    owner = await addMember(under.catalog, { organisationId, email: 'ada@example.org', role: 'admin' })
    reader = openReader()
    projects = new ProjectAccessReader(under.catalog)
  })

  async function addOrganisation(): Promise<OrganisationId> {
    const id = asOrganisationId(randomUUID())
    await under.catalog
      .insertInto('organisations')
      .values({ id, display_name: 'Org', created_ms: 1 })
      .execute()
    return id
  }

  /** The reader of one process. */
  function openReader(assistants: 'on' | 'off' = 'on'): TokenReader {
    const limiter = new AttemptLimiter({
      ...{ catalog: under.catalog, clock, key: Buffer.alloc(32), subject: 'tokens' },
      allowance: { freeCount: 50, firstMs: 1000, maxMs: 900_000 },
    })
    return new TokenReader({
      ...{ catalog: under.catalog, clock },
      guesses: {
        require: async (network) => await limiter.require(network),
        count: async (network) => await limiter.take(network),
      },
      noteUse: (id) => void used.push(id),
      assistants,
    })
  }

  const addToken = async (scope: TokenScope, projectIds: ProjectId[] = [projectId]): Promise<string> => {
    const text = generateToken()
    const token = { customerId: owner, displayName: '', scope, projectIds, expiresMs: nowMs + 86_400_000 }
    await insertToken(under.catalog, clock, { ...token, text })
    return text
  }

  /** `in`, or the reason of the refusal. */
  const call = async (
    text: string,
    kind: Method,
    {
      project = '',
      address = '192.0.2.1',
      audience,
    }: { project?: string; address?: string; audience?: 'mcp' } = {},
  ): Promise<string> => {
    const [service, method] = METHODS[kind]
    const headers = new Headers({ 'x-project-id': project, 'x-forwarded-for': address })
    const ports = { personalTokens: reader, projects, trustedProxies: { cidrs: [], includes: () => false } }
    try {
      const caller = await admitPersonalToken(ports, text, { service, method, headers, audience })
      expect(caller).toMatchObject({ kind: 'token', customerId: owner, project: { organisationId } })
      return 'in'
    } catch (thrown) {
      return ServiceError.from(thrown).reason
    }
  }

  /** What the edge decides about events. */
  const send = async (text: string, project = ''): Promise<string> => {
    try {
      const grant = await new KeyResolver(under.catalog).resolve(nameTokenUse(text, project))
      const refusal = grant?.limits && findLimitRefusal(grant.limits, { nowMs, readAddress: () => '' })
      if (refusal) return refusal.reason
      return grant ? `in ${grant.projectId}` : 'unknown'
    } catch (thrown) {
      return ServiceError.from(thrown).reason
    }
  }

  const setRole = async (role: Role): Promise<void> => {
    await under.catalog.updateTable('memberships').set({ role }).where('customer_id', '=', owner).execute()
    projects.forget()
  }

  const kinds = async (text: string): Promise<string[]> => {
    const found: string[] = []
    for (const kind of ['read', 'write', 'admin', 'send'] as const) found.push(await call(text, kind))
    return found
  }

  const LOW = 'TOKEN_SCOPE_TOO_LOW'

  test.each<readonly [TokenScope, Role, readonly string[]]>([
    ['read', 'admin', ['in', LOW, LOW, LOW]],
    ['write', 'admin', ['in', 'in', LOW, 'in']],
    ['admin', 'admin', ['in', 'in', 'in', 'in']],
    ['admin', 'member', ['in', 'in', 'ORG_ADMIN_REQUIRED', 'in']],
    ['admin', 'viewer', ['in', 'ORG_ROLE_FORBIDDEN', 'ORG_ADMIN_REQUIRED', 'ORG_ROLE_FORBIDDEN']],
    ['read', 'viewer', ['in', LOW, LOW, LOW]],
  ])('with the scope %s of an owner with the role %s may do what both may', async (scope, role, expected) => {
    const text = await addToken(scope)
    await setRole(role)
    expect(await kinds(text)).toEqual(expected)
    const edge = await send(text)
    expect(edge === `in ${projectId}` ? 'in' : edge).toBe(expected[3])
  })

  test('loses the rights that its owner loses', async () => {
    const text = await addToken('admin')
    expect(await kinds(text)).toEqual(['in', 'in', 'in', 'in'])
    await setRole('viewer')
    expect(await kinds(text)).toEqual([
      ...['in', 'ORG_ROLE_FORBIDDEN', 'ORG_ADMIN_REQUIRED', 'ORG_ROLE_FORBIDDEN'],
    ])
    await under.catalog.deleteFrom('memberships').where('customer_id', '=', owner).execute()
    projects.forget()
    expect(await kinds(text)).toEqual(Array.from({ length: 4 }, () => 'ORG_NOT_A_MEMBER'))
    expect(await send(text)).toBe('ORG_NOT_A_MEMBER')
    await under.catalog.deleteFrom('customers').where('id', '=', owner).execute()
    expect(await call(text, 'write')).toBe('INVALID_TOKEN')
    expect(await send(text)).toBe('unknown')
  })

  test('has the role that the project gives its owner', async () => {
    const text = await addToken('admin', [])
    await setRole('member')
    const give = async (role: Role): Promise<void> => {
      const row = {
        project_id: projectId,
        organisation_id: organisationId,
        customer_id: owner,
        created_ms: 1,
      }
      await under.catalog
        .insertInto('project_roles')
        .values({ ...row, role })
        .onConflict((conflict) => conflict.columns(['project_id', 'customer_id']).doUpdateSet({ role }))
        .execute()
      projects.forget()
    }
    const inBoth = async () => [
      await call(text, 'write', { project: String(projectId) }),
      await send(text, String(projectId)),
      await call(text, 'write', { project: String(otherProjectId) }),
      await send(text, String(otherProjectId)),
    ]
    const elsewhere = ['in', `in ${otherProjectId}`]
    await give('viewer')
    expect(await inBoth()).toEqual(['ORG_ROLE_FORBIDDEN', 'ORG_ROLE_FORBIDDEN', ...elsewhere])
    await give('guest')
    expect(await inBoth()).toEqual(['PROJECT_ACCESS_DENIED', 'PROJECT_ACCESS_DENIED', ...elsewhere])
    await give('admin')
    expect(await inBoth()).toEqual(['in', `in ${projectId}`, ...elsewhere])
    expect(await call(text, 'admin', { project: String(projectId) })).toBe('in')
    expect(await call(text, 'admin', { project: String(otherProjectId) })).toBe('ORG_ADMIN_REQUIRED')
  })

  test('counts in an organisation that requires a second factor only while its owner has one', async () => {
    const text = await addToken('admin')
    await under.catalog.updateTable('organisations').set({ second_factor_required: 1 }).execute()
    expect(await kinds(text)).toEqual(Array.from({ length: 4 }, () => 'SECOND_FACTOR_REQUIRED'))
    expect(await send(text)).toBe('SECOND_FACTOR_REQUIRED')
    const factor = { customer_id: owner, sealed_secret: '', last_step: 0, created_ms: 1, last_ms: 1 }
    await under.catalog.insertInto('totp_factors').values(factor).execute()
    projects.forget()
    expect(await kinds(text)).toEqual(['in', 'in', 'in', 'in'])
    expect(await send(text)).toBe(`in ${projectId}`)
  })

  test('that was revoked in another process changes nothing from then on', async () => {
    const text = await addToken('admin')
    expect(await kinds(text)).toEqual(['in', 'in', 'in', 'in'])
    const [token] = await listTokens(under.catalog, owner)
    expect(await revokeToken(under.catalog, { customerId: owner, id: token?.id ?? '' })).toBe(true)
    // What only reads remembers it for four seconds, which the documentation says.
    expect(await kinds(text)).toEqual(['in', 'INVALID_TOKEN', 'INVALID_TOKEN', 'INVALID_TOKEN'])
    reader.forget()
    expect(await call(text, 'read')).toBe('INVALID_TOKEN')
    expect(await send(text)).toBe('unknown')
  })

  test('expires to the millisecond, also while it is remembered', async () => {
    const text = await addToken('admin')
    expect(await call(text, 'read')).toBe('in')
    nowMs += 86_400_000 - 1
    expect(await call(text, 'read')).toBe('in')
    expect(await send(text)).toBe(`in ${projectId}`)
    nowMs += 1
    expect(await send(text)).toBe('INVALID_TOKEN')
    expect(await kinds(text)).toEqual(Array.from({ length: 4 }, () => 'INVALID_TOKEN'))
  })

  describe('chooses its project', () => {
    test('by itself when it has one', async () => {
      const text = await addToken('write')
      expect(await call(text, 'read')).toBe('in')
      expect(await call(text, 'read', { project: String(projectId) })).toBe('in')
      expect(await send(text)).toBe(`in ${projectId}`)
    })

    test('by the header when it has several or all', async () => {
      for (const text of [
        await addToken('write', []),
        await addToken('write', [projectId, otherProjectId]),
      ]) {
        expect(await call(text, 'read')).toBe('TOKEN_PROJECT_REQUIRED')
        expect(await send(text)).toBe('TOKEN_PROJECT_REQUIRED')
        expect(await call(text, 'read', { project: String(otherProjectId) })).toBe('in')
        expect(await send(text, String(otherProjectId))).toBe(`in ${otherProjectId}`)
      }
    })

    test.each(['foreign', 'missing', 'malformed'] as const)('and none that is %s', async (which) => {
      const foreign = await insertProject(under.catalog, clock, {
        organisationId: await addOrganisation(),
        displayName: 'Theirs',
      })
      const project = { foreign: String(foreign), missing: '999999', malformed: '1e3' }[which]
      const limited = await addToken('admin')
      // The same answer, whether or not there is such a project.
      expect(await call(limited, 'read', { project })).toBe('TOKEN_PROJECT_NOT_ALLOWED')
      expect(await send(limited, project)).toBe('TOKEN_PROJECT_NOT_ALLOWED')
      const unlimited = await addToken('admin', [])
      const expected = which === 'foreign' ? 'ORG_NOT_A_MEMBER' : 'PROJECT_NOT_FOUND'
      expect(await call(unlimited, 'read', { project })).toBe(expected)
      expect(await send(unlimited, project)).toBe(expected)
    })
  })

  test('is unknown in every other form', async () => {
    const text = await addToken('admin')
    for (const other of [`${text}a`, text.slice(0, -1), text.toUpperCase(), text.replace('pat_', 'prv_')])
      expect(await call(other, 'read')).toBe('INVALID_TOKEN')
    const stored = JSON.stringify(await under.catalog.selectFrom('personal_tokens').selectAll().execute())
    expect(stored).not.toContain(text.slice(4, -4))
  })

  test('cannot be guessed beyond a count that all processes share, which holds up no token that was valid', async () => {
    const valid = await addToken('read')
    const unseen = await addToken('read')
    expect(await call(valid, 'read')).toBe('in')
    const first = reader
    const second = openReader()
    const answers: string[] = []
    for (let count = 0; count < 51; count++) {
      reader = count % 2 === 0 ? first : second
      answers.push(await call(generateToken(), 'write'))
    }
    expect(answers.slice(0, 50)).toEqual(Array.from({ length: 50 }, () => 'INVALID_TOKEN'))
    expect(await call(generateToken(), 'write')).toBe('RATE_LIMITED')
    // Even a right guess is not let in.
    expect(await call(unseen, 'read')).toBe('RATE_LIMITED')
    reader = first
    first.forget()
    expect(await call(valid, 'read')).toBe('in')
    expect(await call(unseen, 'read', { address: '198.51.100.1' })).toBe('in')
    nowMs += 1_000_000
    expect(await call(unseen, 'read')).toBe('in')
  })

  describe('of an assistant', () => {
    const connect = async () =>
      await connectAssistant(under.catalog, { customerId: owner, projectId: String(projectId) })
    const atMcp = { audience: 'mcp' } as const

    test('counts at /mcp only, in its project only', async () => {
      nowMs = Date.now()
      const { id, token } = await connect()
      expect(await call(token, 'read')).toBe('INVALID_TOKEN')
      expect(await send(token)).toBe('unknown')
      expect(await call(token, 'read', atMcp)).toBe('in')
      expect(await call(token, 'write', atMcp)).toBe('in')
      expect(await call(token, 'admin', atMcp)).toBe(LOW)
      const project = String(otherProjectId)
      expect(await call(token, 'read', { ...atMcp, project })).toBe('TOKEN_PROJECT_NOT_ALLOWED')
      expect(new Set(used)).toEqual(new Set([id]))
    })

    test('has the rights of its owner at the time', async () => {
      nowMs = Date.now()
      const { token } = await connect()
      await setRole('viewer')
      expect(await call(token, 'read', atMcp)).toBe('in')
      expect(await call(token, 'write', atMcp)).toBe('ORG_ROLE_FORBIDDEN')
      await under.catalog.updateTable('organisations').set({ second_factor_required: 1 }).execute()
      projects.forget()
      expect(await call(token, 'read', atMcp)).toBe('SECOND_FACTOR_REQUIRED')
      await under.catalog.deleteFrom('memberships').where('customer_id', '=', owner).execute()
      projects.forget()
      expect(await call(token, 'read', atMcp)).toBe('ORG_NOT_A_MEMBER')
    })

    test('expires, ends with its connection, and counts for nothing where assistants may not connect', async () => {
      nowMs = Date.now()
      const { token } = await connect()
      expect(await call(token, 'read', atMcp)).toBe('in')
      reader = openReader('off')
      expect(await call(token, 'read', atMcp)).toBe('INVALID_TOKEN')
      reader = openReader()
      nowMs += 3_700_000
      // An assistant asks with its old token before it gets another one: that is no guess.
      for (let count = 0; count < 60; count++) expect(await call(token, 'write', atMcp)).toBe('INVALID_TOKEN')
      nowMs -= 3_700_000
      expect(await call(token, 'write', atMcp)).toBe('in')
      await under.catalog.deleteFrom('oauth_grants').execute()
      expect(await call(token, 'write', atMcp)).toBe('INVALID_TOKEN')
    })
  })

  test('notes its uses', async () => {
    const text = await addToken('read')
    const [token] = await listTokens(under.catalog, owner)
    await call(text, 'read')
    expect(used).toEqual([token?.id])
  })
})
