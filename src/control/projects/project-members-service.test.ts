import { randomBytes } from 'node:crypto'
import type { Client } from '@connectrpc/connect'
import { beforeEach, expect, test } from 'vitest'
import { addCustomer, addMember, clientOf, refusalOf } from '../../../test/harness/console-callers.ts'
import { describeCatalog } from '../../../test/harness/describe-catalog.ts'
import { OrgRole } from '../../contract/gen/dashboard/orgs/v1/org_pb.js'
import { ProjectsService } from '../../contract/gen/dashboard/projects/v1/projects_service_pb.js'
import { ProjectMembersService } from '../../contract/gen/millrace/projects/v1/project_members_service_pb.js'
import type { CustomerId, OrganisationId, ProjectId } from '../../contract/ids.ts'
import { ServiceError } from '../../contract/service-error.ts'
import { Sealer } from '../../kernel/sealer.ts'
import { insertProject } from '../../store/catalog/projects.ts'
import { ProjectAccessReader } from '../access/project-access-reader.ts'
import { listAdmins } from '../channels/tell-admins.ts'
import { changeRole, removeMember } from '../organisations/members.ts'
import { createOrganisation } from '../organisations/organisations.ts'
import { deleteProject } from './delete-project.ts'
import { createProjectMembersService } from './project-members-service.ts'
import { createProjectsService } from './projects-service.ts'

const NOW_MS = Date.parse('2026-03-01T12:00:00Z')
const { ADMIN, MEMBER, VIEWER, GUEST, UNSPECIFIED } = OrgRole

describeCatalog('members of a project', (under) => {
  const clock = { nowMs: () => NOW_MS }
  let organisationId: OrganisationId
  let shop: ProjectId
  let blog: ProjectId
  let ada: CustomerId
  let bob: CustomerId
  let gus: CustomerId

  beforeEach(async () => {
    ada = await addCustomer(under.catalog, 'ada@example.org')
    organisationId = (await createOrganisation(under.catalog, clock, { customerId: ada, displayName: 'Org' }))
      .id
    shop = await insertProject(under.catalog, clock, { organisationId, displayName: 'Shop' })
    blog = await insertProject(under.catalog, clock, { organisationId, displayName: 'Blog' })
    bob = await addMember(under.catalog, { organisationId, email: 'bob@example.org', role: 'member' })
    gus = await addMember(under.catalog, { organisationId, email: 'gus@example.org', role: 'guest' })
  })

  const as = (customerId: CustomerId, projectId = shop): Client<typeof ProjectMembersService> =>
    clientOf(
      ProjectMembersService,
      createProjectMembersService({ catalog: under.catalog, clock }),
      // The gate has checked the role.
      { customerId, project: { projectId, organisationId, role: 'admin' } },
    )

  /** The role with which the gate lets a customer into a project, or the reason of its refusal. */
  const roleOf = async (customerId: CustomerId, projectId: ProjectId): Promise<string> => {
    try {
      return (await new ProjectAccessReader(under.catalog).read({ customerId, projectId })).role
    } catch (thrown) {
      return ServiceError.from(thrown).reason
    }
  }

  const projectsOf = async (customerId: CustomerId): Promise<Record<string, OrgRole>> => {
    const ports = {
      catalog: under.catalog,
      clock,
      sealer: new Sealer(randomBytes(32)),
      fillDemo: async () => {},
    }
    const client = clientOf(ProjectsService, createProjectsService(ports), { customerId })
    const { projects } = await client.batchGet({ orgId: organisationId })
    return Object.fromEntries(projects.map(({ displayName, role }) => [displayName, role]))
  }

  test('have the role of the organisation in each project until one gives another', async () => {
    expect(await projectsOf(bob)).toEqual({ Shop: MEMBER, Blog: MEMBER })
    const { member } = await as(ada).setRole({ customerId: bob, role: VIEWER })
    expect(member).toMatchObject({
      ...{ customerId: bob, email: 'bob@example.org' },
      ...{ role: VIEWER, orgRole: MEMBER, projectRole: VIEWER },
    })
    expect(await projectsOf(bob)).toEqual({ Shop: VIEWER, Blog: MEMBER })
    expect([await roleOf(bob, shop), await roleOf(bob, blog)]).toEqual(['viewer', 'member'])
    await as(ada).setRole({ customerId: bob, role: ADMIN })
    expect(await roleOf(bob, shop)).toBe('admin')
    const { member: freed } = await as(ada).removeRole({ customerId: bob })
    expect(freed).toMatchObject({ role: MEMBER, orgRole: MEMBER, projectRole: UNSPECIFIED })
    expect([await roleOf(bob, shop), await roleOf(bob, blog)]).toEqual(['member', 'member'])
  })

  test('are shut out of a project that makes them guests', async () => {
    await as(ada).setRole({ customerId: bob, role: GUEST })
    expect(await projectsOf(bob)).toEqual({ Blog: MEMBER })
    expect([await roleOf(bob, shop), await roleOf(bob, blog)]).toEqual(['PROJECT_ACCESS_DENIED', 'member'])
  })

  test('who are guests of the organisation see the projects that give them a role', async () => {
    expect(await projectsOf(gus)).toEqual({})
    expect(await roleOf(gus, shop)).toBe('PROJECT_ACCESS_DENIED')
    await as(ada).setRole({ customerId: gus, role: ADMIN })
    expect(await projectsOf(gus)).toEqual({ Shop: ADMIN })
    expect([await roleOf(gus, shop), await roleOf(gus, blog)]).toEqual(['admin', 'PROJECT_ACCESS_DENIED'])
  })

  test('are listed with their roles, to a guest of the organisation only those with access', async () => {
    await as(ada).setRole({ customerId: gus, role: ADMIN })
    await as(ada).setRole({ customerId: bob, role: GUEST })
    const listOf = async (caller: CustomerId) =>
      (await as(caller).list({})).members.map(({ email, role }) => [email, role])
    const open = [
      ['ada@example.org', ADMIN],
      ['gus@example.org', ADMIN],
    ]
    expect(await listOf(ada)).toEqual(expect.arrayContaining([...open, ['bob@example.org', GUEST]]))
    const seen = await listOf(gus)
    expect(seen).toHaveLength(2)
    expect(seen).toEqual(expect.arrayContaining(open))
  })

  test('are listed page by page, and found by their address', async () => {
    await as(ada).setRole({ customerId: gus, role: VIEWER })
    await as(ada).setRole({ customerId: bob, role: GUEST })
    const pagesOf = async (caller: CustomerId) => {
      const first = await as(caller).list({ pageSize: 1 })
      const { members, nextPageToken } = await as(caller).list({ pageToken: first.nextPageToken })
      expect([first.members.length, nextPageToken]).toEqual([1, ''])
      return [...first.members, ...members].map(({ email }) => email)
    }
    const all = (await as(ada).list({})).members.map(({ email }) => email)
    expect(await pagesOf(ada)).toEqual(all)
    expect(await pagesOf(gus)).toEqual(all.filter((email) => email !== 'bob@example.org'))
    expect((await as(ada).list({ search: 'BOB' })).members).toMatchObject([{ customerId: bob }])
    expect((await as(gus).list({ search: 'bob' })).members).toEqual([])
    const odd = as(ada).list({ pageToken: 'x' })
    expect(await refusalOf(odd)).toEqual(['InvalidArgument', 'INVALID_PAGE_TOKEN'])
  })

  test('who are admins of the organisation are admins of every project', async () => {
    expect(await refusalOf(as(bob).setRole({ customerId: ada, role: VIEWER }))).toEqual([
      'FailedPrecondition',
      'CANNOT_RESTRICT_ADMIN',
    ])
    await as(ada).setRole({ customerId: bob, role: VIEWER })
    const change = { organisationId, customerId: ada, memberId: bob }
    await changeRole(under.catalog, { ...change, role: 'admin' })
    expect(await roleOf(bob, shop)).toBe('admin')
    await changeRole(under.catalog, { ...change, role: 'member' })
    expect(await roleOf(bob, shop)).toBe('viewer')
  })

  test('are those of the organisation of the project only', async () => {
    const eve = await addCustomer(under.catalog, 'eve@example.org')
    for (const customerId of [eve, 'nobody'])
      for (const call of [
        async () => await as(ada).setRole({ customerId, role: VIEWER }),
        async () => await as(ada).removeRole({ customerId }),
      ])
        expect(await refusalOf(call())).toEqual(['NotFound', 'MEMBER_NOT_FOUND'])
    expect(await under.catalog.selectFrom('project_roles').selectAll().execute()).toEqual([])
    expect(await roleOf(eve, shop)).toBe('ORG_NOT_A_MEMBER')
  })

  test('lose the roles of projects with the membership', async () => {
    await as(ada).setRole({ customerId: bob, role: ADMIN })
    await as(ada, blog).setRole({ customerId: bob, role: VIEWER })
    await removeMember(under.catalog, { organisationId, customerId: ada, memberId: bob })
    expect(await under.catalog.selectFrom('project_roles').selectAll().execute()).toEqual([])
    expect(await roleOf(bob, shop)).toBe('ORG_NOT_A_MEMBER')
    const again = { organisation_id: organisationId, customer_id: bob, created_ms: 3 }
    await under.catalog
      .insertInto('memberships')
      .values({ ...again, role: 'viewer' })
      .execute()
    expect(await roleOf(bob, shop)).toBe('viewer')
  })

  test('lose the role of a project that is deleted', async () => {
    await as(ada).setRole({ customerId: gus, role: ADMIN })
    await as(ada, blog).setRole({ customerId: gus, role: VIEWER })
    await deleteProject(under.catalog, clock, shop)
    expect(await projectsOf(gus)).toEqual({ Blog: VIEWER })
  })

  test('who are admins of the project get its mails to admins', async () => {
    const adminsOf = async (projectId: ProjectId) =>
      (await listAdmins(under.catalog, projectId)).map(({ email }) => email)
    await as(ada).setRole({ customerId: gus, role: ADMIN })
    expect(await adminsOf(shop)).toEqual(['ada@example.org', 'gus@example.org'])
    expect(await adminsOf(blog)).toEqual(['ada@example.org'])
  })
})
