import { beforeEach, expect, test } from 'vitest'
import { addCustomer, addMember, clientOf, refusalOf } from '../../../test/harness/console-callers.ts'
import { describeCatalog } from '../../../test/harness/describe-catalog.ts'
import { OrgRole } from '../../contract/gen/dashboard/orgs/v1/org_pb.js'
import { OrgsService } from '../../contract/gen/dashboard/orgs/v1/orgs_service_pb.js'
import type { CustomerId, OrganisationId, ProjectId } from '../../contract/ids.ts'
import { listRolesOf } from '../../store/catalog/project-roles.ts'
import { insertProject } from '../../store/catalog/projects.ts'
import { inTransaction } from '../../store/catalog/transaction.ts'
import type { Mail } from '../mail/mail-queue.ts'
import { deleteProject } from '../projects/delete-project.ts'
import { acceptInvitation } from './accept-invitation.ts'
import { createOrganisation } from './organisations.ts'
import { createOrganisationsService } from './organisations-service.ts'

const NOW_MS = Date.parse('2026-03-01T12:00:00Z')
const BOB = 'bob@example.org'
const { ADMIN, MEMBER, VIEWER, GUEST } = OrgRole
const clock = { nowMs: () => NOW_MS }

describeCatalog('roles that an invitation names', (under) => {
  let mails: Mail[]
  let organisationId: OrganisationId
  let ada: CustomerId
  let shop: ProjectId
  let blog: ProjectId

  const createOwn = async (email: string): Promise<readonly [CustomerId, OrganisationId]> => {
    const customerId = await addCustomer(under.catalog, email)
    const { id } = await createOrganisation(under.catalog, clock, { customerId, displayName: 'Acme' })
    return [customerId, id]
  }

  beforeEach(async () => {
    mails = []
    ;[ada, organisationId] = await createOwn('ada@example.org')
    shop = await insertProject(under.catalog, clock, { organisationId, displayName: 'Shop' })
    blog = await insertProject(under.catalog, clock, { organisationId, displayName: 'Blog' })
  })

  const orgs = () =>
    clientOf(
      OrgsService,
      createOrganisationsService({
        catalog: under.catalog,
        clock,
        sendMail: async (mail) => {
          mails.push(mail)
        },
        routeMail: async () => 'server',
        magicLinkUrl: (token) => `https://example.org/link?token=${token}`,
      }),
      { customerId: ada },
    )

  const invite = async (
    role: OrgRole,
    roles: readonly (readonly [projectId: ProjectId | string, role: OrgRole])[],
  ): Promise<string> => {
    const projectRoles = roles.map(([id, given]) => ({ projectId: String(id), role: given }))
    const { invitation } = await orgs().inviteMember({
      orgId: organisationId,
      email: BOB,
      role,
      projectRoles,
    })
    return invitation?.id ?? ''
  }

  const accept = async (invitationId: string, customerId: CustomerId): Promise<void> => {
    await inTransaction(
      under.catalog,
      async (transaction) => await acceptInvitation(transaction, clock, { invitationId, customerId }),
    )
  }

  const rolesOf = async (customerId: CustomerId): Promise<unknown> =>
    Object.fromEntries(await listRolesOf(under.catalog, { organisationId, customerId }))

  const listed = async (): Promise<unknown> => {
    const { invitations } = await orgs().listInvitations({ orgId: organisationId })
    return invitations.map(({ role, projectRoles }) => [
      role,
      ...projectRoles.map((one) => [one.projectId, one.role]),
    ])
  }

  test('are given to the user who joins, and listed before', async () => {
    const id = await invite(GUEST, [
      [blog, ADMIN],
      [shop, VIEWER],
    ])
    expect(await listed()).toEqual([[GUEST, [String(shop), VIEWER], [String(blog), ADMIN]]])
    expect(mails.at(-1)?.text).toContain('as a guest, with roles in the projects Shop and Blog.')
    const bob = await addCustomer(under.catalog, BOB)
    await accept(id, bob)
    expect(await rolesOf(bob)).toEqual({ [shop]: 'viewer', [blog]: 'admin' })
  })

  test('stay when the invitation is sent again, and are replaced by a new one', async () => {
    const invitationId = await invite(GUEST, [[shop, VIEWER]])
    const { invitation } = await orgs().resendInvite({ orgId: organisationId, invitationId })
    expect(invitation?.projectRoles).toMatchObject([{ projectId: String(shop), role: VIEWER }])
    expect(await invite(MEMBER, [[blog, GUEST]])).toBe(invitationId)
    expect(await listed()).toEqual([[MEMBER, [String(blog), GUEST]]])
    expect(mails.at(-1)?.text).toContain('as a member.')
    await invite(ADMIN, [])
    expect(await listed()).toEqual([[ADMIN]])
  })

  test('do not change those of a member', async () => {
    const id = await invite(GUEST, [[shop, ADMIN]])
    const bob = await addMember(under.catalog, { organisationId, email: BOB, role: 'viewer' })
    await accept(id, bob)
    expect(await rolesOf(bob)).toEqual({})
  })

  test('end with the project', async () => {
    const id = await invite(GUEST, [
      [shop, VIEWER],
      [blog, VIEWER],
    ])
    await deleteProject(under.catalog, clock, shop)
    expect(await listed()).toEqual([[GUEST, [String(blog), VIEWER]]])
    const bob = await addCustomer(under.catalog, BOB)
    await accept(id, bob)
    expect(await rolesOf(bob)).toEqual({ [blog]: 'viewer' })
  })

  test('are of projects of the organisation, one for each, and none for an admin', async () => {
    const [, other] = await createOwn('eve@example.org')
    const theirs = await insertProject(under.catalog, clock, { organisationId: other, displayName: 'Theirs' })
    const unknown = ['NotFound', 'PROJECT_NOT_FOUND']
    for (const id of [theirs, 123_456, '01', 'x'] as const)
      expect(await refusalOf(invite(GUEST, [[String(id), VIEWER]]))).toEqual(unknown)
    const none = invite(GUEST, [[shop, OrgRole.UNSPECIFIED]])
    await expect(none).rejects.toThrow('projectRoles[0].role: must be a role')
    const twice = invite(GUEST, [
      [shop, VIEWER],
      [shop, MEMBER],
    ])
    expect(await refusalOf(twice)).toEqual(['InvalidArgument', 'INVALID_REQUEST'])
    const needless = invite(ADMIN, [[shop, VIEWER]])
    expect(await refusalOf(needless)).toEqual(['FailedPrecondition', 'CANNOT_RESTRICT_ADMIN'])
    expect(await listed()).toEqual([])
    expect(mails).toEqual([])
  })
})
