import { createHash } from 'node:crypto'
import { timestampMs } from '@bufbuild/protobuf/wkt'
import type { Client } from '@connectrpc/connect'
import { beforeEach, describe, expect, test } from 'vitest'
import {
  addCustomer,
  addMember,
  clientOf,
  type Refusal,
  refusalOf,
} from '../../../test/harness/console-callers.ts'
import { describeCatalog } from '../../../test/harness/describe-catalog.ts'
import { InvitationStatus, OrgRole } from '../../contract/gen/dashboard/orgs/v1/org_pb.js'
import { OrgsService } from '../../contract/gen/dashboard/orgs/v1/orgs_service_pb.js'
import { asCustomerId, asOrganisationId, type CustomerId, type OrganisationId } from '../../contract/ids.ts'
import type { Role } from '../../contract/role.ts'
import { inTransaction } from '../../store/catalog/transaction.ts'
import { beginSession, continueSession } from '../customers/refresh-sessions.ts'
import type { MailRoute } from '../mail/choose-sender.ts'
import type { Mail } from '../mail/mail-queue.ts'
import { acceptInvitation } from './accept-invitation.ts'
import { recordMailError } from './invitations.ts'
import { createOrganisationsService } from './organisations-service.ts'

const DAY_MS = 24 * 3_600_000
const START_MS = Date.parse('2026-03-01T12:00:00Z')
const { ADMIN, MEMBER, VIEWER } = OrgRole

describeCatalog('organisations', (under) => {
  let nowMs: number
  let mails: Mail[]
  let route: MailRoute
  let service: ReturnType<typeof createOrganisationsService>
  /** The organisation of ada, who is its admin. */
  let organisationId: OrganisationId
  let orgId: string
  let ada: CustomerId

  const clock = { nowMs: () => nowMs }
  const as = (customerId: CustomerId): Client<typeof OrgsService> =>
    clientOf(OrgsService, service, { customerId })
  const join = async (email: string, role: Role): Promise<CustomerId> =>
    await addMember(under.catalog, { organisationId, email, role })

  beforeEach(async () => {
    nowMs = START_MS
    mails = []
    route = 'server'
    service = createOrganisationsService({
      catalog: under.catalog,
      clock,
      sendMail: async (mail) => {
        mails.push(mail)
      },
      routeMail: async (_, id) => (id === organisationId ? route : 'log'),
      magicLinkUrl: (token) => `https://example.org/link?token=${token}`,
    })
    ada = await addCustomer(under.catalog, 'ada@example.org')
    const { org } = await as(ada).create({ displayName: 'Analytical Engines' })
    orgId = org?.id ?? ''
    organisationId = asOrganisationId(orgId)
  })

  const invite = async (
    email: string,
    role = MEMBER,
  ): Promise<{ readonly id: string; readonly token: string }> => {
    const { invitation } = await as(ada).inviteMember({ orgId, email, role })
    return { id: invitation?.id ?? '', token: tokenIn(mails.at(-1)) }
  }

  const accept = async (invitationId: string, customerId: CustomerId): Promise<OrganisationId> =>
    await inTransaction(
      under.catalog,
      async (transaction) => await acceptInvitation(transaction, clock, { invitationId, customerId }),
    )

  const tokenIn = (mail: Mail | undefined): string =>
    /https:\/\/example\.org\/link\?token=([\w-]+)/.exec(mail?.text ?? '')?.[1] ?? ''

  const rolesByEmail = async (): Promise<Record<string, OrgRole>> => {
    const { members } = await as(ada).listMembers({ orgId })
    return Object.fromEntries(members.map(({ email, role }) => [email, role]))
  }

  test('the creator of an organisation is its admin and only member', async () => {
    const { org } = await as(ada).get({ orgId })
    expect(org).toMatchObject({ id: orgId, displayName: 'Analytical Engines', role: ADMIN })
    expect(await rolesByEmail()).toEqual({ 'ada@example.org': ADMIN })
    expect(await under.catalog.selectFrom('projects').selectAll().execute()).toEqual([])
  })

  test('a list has the organisations of the caller only, with the role in each', async () => {
    const bob = await join('bob@example.org', 'viewer')
    nowMs++
    const { org } = await as(bob).create({ displayName: 'Other' })
    expect(await as(bob).list({})).toMatchObject({
      orgs: [
        { id: orgId, displayName: 'Analytical Engines', role: VIEWER },
        { id: org?.id, displayName: 'Other', role: ADMIN },
      ],
    })
    expect((await as(ada).list({})).orgs).toHaveLength(1)
  })

  describe('a list of members', () => {
    const NAMES = ['bob', 'cy', 'dan', 'eve_1', 'evex1']

    beforeEach(async () => {
      // All but the creator join at the same instant, so that ids decide.
      for (const name of NAMES) await join(`${name}@example.org`, name === 'bob' ? 'admin' : 'viewer')
    })

    const list = async (request: Parameters<Client<typeof OrgsService>['listMembers']>[0]) => {
      const { members, nextPageToken } = await as(ada).listMembers({ orgId, ...request })
      return { names: members.map(({ email }) => email.replace('@example.org', '')), nextPageToken }
    }

    test('has every member once over its pages', async () => {
      const whole = await list({})
      expect([whole.nextPageToken, [...whole.names].sort()]).toEqual(['', ['ada', ...NAMES]])
      const names: string[] = []
      let pageToken = ''
      do {
        const page = await list({ pageSize: 2, pageToken })
        names.push(...page.names)
        pageToken = page.nextPageToken
        expect(page.names).toHaveLength(2)
      } while (pageToken !== '')
      expect(names).toEqual(whole.names)
    })

    test('can be searched by address and name, and narrowed to a role and to accounts', async () => {
      await under.catalog
        .updateTable('customers')
        .set({ display_name: '100% Cyrus' })
        .where('email', '=', 'cy@example.org')
        .execute()
      const { members } = await as(ada).listMembers({ orgId, role: ADMIN })
      expect(members.map(({ email }) => email).sort()).toEqual(['ada@example.org', 'bob@example.org'])
      expect((await list({ search: 'BOB@' })).names).toEqual(['bob'])
      expect((await list({ search: '% cYRUS' })).names).toEqual(['cy'])
      expect((await list({ search: 'eve_' })).names).toEqual(['eve_1'])
      expect((await list({ search: '%' })).names).toEqual(['cy'])
      expect((await list({ search: 'nobody' })).names).toEqual([])
      const customerIds = [...members.map(({ customerId }) => customerId), 'unknown']
      expect((await list({ customerIds, search: 'bob' })).names).toEqual(['bob'])
    })

    test('refuses pages that it did not name', async () => {
      const refused = ['InvalidArgument', 'INVALID_PAGE_TOKEN']
      for (const pageToken of ['x', Buffer.from('["1","a"]').toString('base64url')])
        expect(await refusalOf(list({ pageToken }))).toEqual(refused)
    })
  })

  test('an organisation can be renamed', async () => {
    const renamed = await as(ada).updateDisplayName({ orgId, displayName: 'New' })
    expect(renamed).toMatchObject({ org: { id: orgId, displayName: 'New', role: ADMIN } })
    expect((await as(ada).get({ orgId })).org?.displayName).toBe('New')
  })

  test('a role can be changed and a member removed', async () => {
    const bob = await join('bob@example.org', 'viewer')
    const change = { orgId, customerId: bob }
    expect(await as(ada).updateMemberRole({ ...change, role: MEMBER })).toMatchObject({
      member: { orgId, customerId: bob, displayName: '', email: 'bob@example.org', role: MEMBER },
    })
    expect(await rolesByEmail()).toEqual({ 'ada@example.org': ADMIN, 'bob@example.org': MEMBER })
    await as(ada).removeMember(change)
    expect(await rolesByEmail()).toEqual({ 'ada@example.org': ADMIN })
    expect(await as(bob).list({})).toMatchObject({ orgs: [] })
  })

  test('an admin can leave when there is another one', async () => {
    const bob = await join('bob@example.org', 'admin')
    await as(ada).leave({ orgId })
    expect((await as(bob).listMembers({ orgId })).members).toHaveLength(1)
  })

  const UNKNOWN = '00000000-0000-4000-8000-000000000000'
  const denied = (reason: string): Refusal => ['PermissionDenied', reason]
  const failed = (reason: string): Refusal => ['FailedPrecondition', reason]
  type Call = () => Promise<unknown>
  const refusals: Readonly<Record<string, readonly [Refusal, () => Promise<Call>]>> = {
    'an unknown organisation': [
      ['NotFound', 'ORG_NOT_FOUND'],
      async () => async () => await as(ada).get({ orgId: UNKNOWN }),
    ],
    'an organisation without the caller': [
      denied('ORG_NOT_A_MEMBER'),
      async () => {
        const eve = await addCustomer(under.catalog, 'eve@example.org')
        return async () => await as(eve).get({ orgId })
      },
    ],
    'a new name from a member': [
      denied('ORG_ADMIN_REQUIRED'),
      async () => {
        const bob = await join('bob@example.org', 'member')
        return async () => await as(bob).updateDisplayName({ orgId, displayName: 'B' })
      },
    ],
    'an invitation from a member': [
      denied('ORG_ADMIN_REQUIRED'),
      async () => {
        const bob = await join('bob@example.org', 'member')
        const wanted = { orgId, email: 'c@example.org', role: VIEWER }
        return async () => await as(bob).inviteMember(wanted)
      },
    ],
    'the list of invitations for a member': [
      denied('ORG_ADMIN_REQUIRED'),
      async () => {
        const bob = await join('bob@example.org', 'member')
        return async () => await as(bob).listInvitations({ orgId })
      },
    ],
    'a member who removes oneself': [
      denied('ORG_ADMIN_REQUIRED'),
      async () => {
        const bob = await join('bob@example.org', 'member')
        return async () => await as(bob).removeMember({ orgId, customerId: bob })
      },
    ],
    'the removal of a non-member': [
      ['NotFound', 'MEMBER_NOT_FOUND'],
      async () => async () => await as(ada).removeMember({ orgId, customerId: UNKNOWN }),
    ],
    'the removal of the last admin': [
      failed('CANNOT_REMOVE_LAST_ADMIN'),
      async () => {
        await join('bob@example.org', 'member')
        return async () => await as(ada).removeMember({ orgId, customerId: ada })
      },
    ],
    'another role for the last admin': [
      failed('CANNOT_DEMOTE_LAST_ADMIN'),
      async () => {
        await join('bob@example.org', 'member')
        const change = { orgId, customerId: ada, role: MEMBER }
        return async () => await as(ada).updateMemberRole(change)
      },
    ],
    'the last admin who leaves others': [
      failed('CANNOT_REMOVE_LAST_ADMIN'),
      async () => {
        await join('bob@example.org', 'member')
        return async () => await as(ada).leave({ orgId })
      },
    ],
    'the last member who leaves': [
      failed('CANNOT_LEAVE_AS_LAST_MEMBER'),
      async () => async () => await as(ada).leave({ orgId }),
    ],
    'an invitation of a member': [
      ['AlreadyExists', 'ORG_ALREADY_A_MEMBER'],
      async () => {
        await join('bob@example.org', 'viewer')
        return async () => await invite('Bob@Example.org')
      },
    ],
    'an unknown invitation': [
      ['NotFound', 'INVITATION_NOT_FOUND'],
      async () => async () => await as(ada).resendInvite({ orgId, invitationId: UNKNOWN }),
    ],
    'an invitation of another organisation': [
      ['NotFound', 'INVITATION_NOT_FOUND'],
      async () => {
        const { id } = await invite('bob@example.org')
        const { org } = await as(ada).create({ displayName: 'Other' })
        const key = { orgId: org?.id ?? '', invitationId: id }
        return async () => await as(ada).revokeInvite(key)
      },
    ],
    'an accepted invitation that is resent': [
      failed('INVITATION_NOT_PENDING'),
      async () => {
        const { id } = await invite('bob@example.org')
        await accept(id, await addCustomer(under.catalog, 'bob@example.org'))
        return async () => await as(ada).resendInvite({ orgId, invitationId: id })
      },
    ],
    'an invitation that is revoked twice': [
      failed('INVITATION_NOT_PENDING'),
      async () => {
        const { id } = await invite('bob@example.org')
        await as(ada).revokeInvite({ orgId, invitationId: id })
        return async () => await as(ada).revokeInvite({ orgId, invitationId: id })
      },
    ],
    'a revoked invitation that is accepted': [
      failed('INVITATION_NOT_PENDING'),
      async () => {
        const { id } = await invite('bob@example.org')
        await as(ada).revokeInvite({ orgId, invitationId: id })
        const bob = await addCustomer(under.catalog, 'bob@example.org')
        return async () => await accept(id, bob)
      },
    ],
    'an invitation that is accepted twice': [
      failed('INVITATION_NOT_PENDING'),
      async () => {
        const { id } = await invite('bob@example.org')
        const bob = await addCustomer(under.catalog, 'bob@example.org')
        await accept(id, bob)
        return async () => await accept(id, bob)
      },
    ],
    'an expired invitation that is accepted': [
      failed('INVITATION_EXPIRED'),
      async () => {
        const { id } = await invite('bob@example.org')
        const bob = await addCustomer(under.catalog, 'bob@example.org')
        nowMs += 7 * DAY_MS
        return async () => await accept(id, bob)
      },
    ],
    'an eleventh mail of a day': [
      ['ResourceExhausted', 'RATE_LIMITED'],
      async () => {
        for (let index = 0; index < 10; index++) await invite(`guest-${index}@example.org`)
        nowMs += DAY_MS - 1
        return async () => await invite('guest-0@example.org')
      },
    ],
    'an unspecified role': [
      ['InvalidArgument', 'INVALID_REQUEST'],
      async () => async () => await invite('bob@example.org', OrgRole.UNSPECIFIED),
    ],
  }

  test.each(Object.entries(refusals))('%s is refused', async (_, [refusal, prepare]) => {
    const call = await prepare()
    expect(await refusalOf(call())).toEqual(refusal)
  })

  test('the link of an invitation joins the organisation with its role', async () => {
    const { id, token } = await invite('Bob@Example.ORG', VIEWER)
    expect(mails).toMatchObject([{ to: 'bob@example.org' }])
    const links = await under.catalog.selectFrom('magic_links').selectAll().execute()
    const sha256 = createHash('sha256').update(token).digest('hex')
    expect(links).toMatchObject([{ sha256, email: 'bob@example.org', invitation_id: id, used_ms: null }])
    expect(JSON.stringify(links)).not.toContain(token)
    const bob = await addCustomer(under.catalog, 'bob@example.org')
    nowMs += 7 * DAY_MS - 1
    expect(await accept(id, bob)).toBe(organisationId)
    expect(await rolesByEmail()).toEqual({ 'ada@example.org': ADMIN, 'bob@example.org': VIEWER })
    const { invitations } = await as(ada).listInvitations({ orgId })
    expect(invitations).toMatchObject([{ id, status: InvitationStatus.ACCEPTED }])
  })

  test('the inviter gets a link only when no mail server sends one, and not the one of the mail', async () => {
    const bob = { orgId, email: 'bob@example.org', role: VIEWER }
    const { invitation, link } = await as(ada).inviteMember(bob)
    const key = { orgId, invitationId: invitation?.id ?? '' }
    expect([link, (await as(ada).resendInvite(key)).link]).toEqual(['', ''])
    route = 'log'
    const answers = [await as(ada).inviteMember(bob), await as(ada).resendInvite(key)]
    const tokens = answers.map((answer) => /token=([\w-]{43})$/.exec(answer.link)?.[1] ?? '')
    const returned = await under.catalog
      .selectFrom('magic_links')
      .select('sha256')
      .where('returned', '=', 1)
      .execute()
    const digests = tokens.map((token) => createHash('sha256').update(token).digest('hex'))
    expect(returned.map(({ sha256 }) => sha256).toSorted()).toEqual(digests.toSorted())
    expect(JSON.stringify(mails)).not.toMatch(new RegExp(tokens.join('|')))
    expect(JSON.stringify(await as(ada).listInvitations({ orgId }))).not.toContain('token=')
  })

  test('a member was last active when one of their sessions last got a token', async () => {
    const bob = await join('bob@example.org', 'viewer')
    const ports = { catalog: under.catalog, clock, key: Buffer.alloc(32, 1) }
    await beginSession(ports, { customerId: bob, method: 'link' })
    nowMs += DAY_MS
    const { refreshToken } = await beginSession(ports, { customerId: bob, method: 'link' })
    nowMs += 1000
    await continueSession(ports, { refreshToken, repeatMs: 0 })
    const { members } = await as(ada).listMembers({ orgId })
    expect(members.map((one) => [one.email, one.lastActiveTime && timestampMs(one.lastActiveTime)])).toEqual([
      ['bob@example.org', nowMs],
      ['ada@example.org', undefined],
    ])
  })

  test('a customer who joined in the meantime keeps the role', async () => {
    const { id } = await invite('bob@example.org', VIEWER)
    await accept(id, await join('bob@example.org', 'admin'))
    expect(await rolesByEmail()).toMatchObject({ 'bob@example.org': ADMIN })
  })

  test('inviting an address again renews its invitation with the new role and expiry', async () => {
    const first = await invite('bob@example.org', VIEWER)
    nowMs += DAY_MS
    const second = await invite('BOB@example.org', ADMIN)
    expect(second.id).toBe(first.id)
    expect(second.token).not.toBe(first.token)
    expect((await as(ada).listInvitations({ orgId })).invitations).toMatchObject([
      {
        id: first.id,
        orgId,
        email: 'bob@example.org',
        role: ADMIN,
        status: InvitationStatus.PENDING,
        expiresAt: '2026-03-09T12:00:00.000Z',
      },
    ])
  })

  test('an expired invitation is listed as pending, and works after it is resent', async () => {
    const { id } = await invite('bob@example.org')
    nowMs += 8 * DAY_MS
    const { invitations } = await as(ada).listInvitations({ orgId })
    expect(invitations).toMatchObject([
      { status: InvitationStatus.PENDING, expiresAt: '2026-03-08T12:00:00.000Z' },
    ])
    const { invitation } = await as(ada).resendInvite({ orgId, invitationId: id })
    expect(invitation).toMatchObject({ id, expiresAt: '2026-03-16T12:00:00.000Z' })
    expect(mails).toHaveLength(2)
    await accept(id, await addCustomer(under.catalog, 'bob@example.org'))
    expect(await rolesByEmail()).toMatchObject({ 'bob@example.org': MEMBER })
  })

  test('an invitation names why its newest mail was not sent', async () => {
    await invite('bob@example.org')
    const errors = async () =>
      (await as(ada).listInvitations({ orgId })).invitations.map((one) => one.mailError)
    const fail = async (error: string): Promise<void> => {
      const { invitation } = mails.at(0) ?? {}
      if (invitation) await recordMailError(under.catalog, invitation, error)
    }
    await fail('the mail server rejected the recipient')
    expect(await errors()).toEqual(['the mail server rejected the recipient'])
    nowMs++
    await invite('bob@example.org')
    expect(await errors()).toEqual([''])
    // A late failure of the first mail.
    await fail('the mail server cannot be reached')
    expect(await errors()).toEqual([''])
  })

  test('a revoked invitation is not listed, and the address can be invited again', async () => {
    const { id } = await invite('bob@example.org')
    await as(ada).revokeInvite({ orgId, invitationId: id })
    expect(await as(ada).listInvitations({ orgId })).toMatchObject({ invitations: [] })
    expect((await invite('bob@example.org')).id).not.toBe(id)
  })

  test('invitation mails older than a day do not count towards the limit', async () => {
    for (let index = 0; index < 10; index++) await invite(`guest-${index}@example.org`)
    nowMs += DAY_MS
    await invite('guest-10@example.org')
    expect(mails).toHaveLength(11)
  })

  test('a mail that cannot be queued rolls the invitation back', async () => {
    const broken = createOrganisationsService({
      catalog: under.catalog,
      clock,
      sendMail: async () => {
        throw new Error('no room')
      },
      routeMail: async () => 'server',
      magicLinkUrl: (token) => token,
    })
    const wanted = { orgId, email: 'bob@example.org', role: MEMBER }
    const client = clientOf(OrgsService, broken, { customerId: ada })
    await expect(client.inviteMember(wanted)).rejects.toThrow()
    expect(await as(ada).listInvitations({ orgId })).toMatchObject({ invitations: [] })
  })

  test('a customer is in at most 100 organisations', async () => {
    for (let index = 1; index < 100; index++) await as(ada).create({ displayName: 'More' })
    const refusal = await refusalOf(as(ada).create({ displayName: 'Too many' }))
    expect(refusal).toEqual(['FailedPrecondition', 'LIMIT_REACHED'])
  })

  test('of two admins who demote each other concurrently, one succeeds', async () => {
    for (let round = 0; round < 5; round++) {
      const bob = await join(`bob-${round}@example.org`, 'admin')
      const demote = async (who: CustomerId, by: CustomerId): Promise<Refusal | undefined> =>
        await refusalOf(as(by).updateMemberRole({ orgId, customerId: who, role: MEMBER }))
      const outcomes = await Promise.all([demote(bob, ada), demote(ada, bob)])
      expect(outcomes.filter((outcome) => outcome === undefined)).toHaveLength(1)
      const admins = await readAdmins()
      expect(admins).toHaveLength(1)
      await under.catalog.updateTable('memberships').set({ role: 'viewer' }).execute()
      await under.catalog
        .updateTable('memberships')
        .set({ role: 'admin' })
        .where('customer_id', '=', ada)
        .execute()
    }
  })

  test('of admins who leave concurrently, one stays', async () => {
    const others = await Promise.all(
      [1, 2, 3].map(async (index) => await join(`admin-${index}@example.org`, 'admin')),
    )
    await join('viewer@example.org', 'viewer')
    const outcomes = await Promise.all(
      [ada, ...others].map(async (who) => await refusalOf(as(who).leave({ orgId }))),
    )
    expect(outcomes.filter((outcome) => outcome !== undefined)).toEqual([failed('CANNOT_REMOVE_LAST_ADMIN')])
    expect(await readAdmins()).toHaveLength(1)
  })

  test('concurrent invitations of an address create one invitation', async () => {
    const ids = await Promise.all([1, 2, 3, 4].map(async () => (await invite('bob@example.org')).id))
    expect(new Set(ids).size).toBe(1)
    expect(await under.catalog.selectFrom('invitations').selectAll().execute()).toHaveLength(1)
  })

  const readAdmins = async (): Promise<CustomerId[]> => {
    const rows = await under.catalog
      .selectFrom('memberships')
      .select('customer_id')
      .where('role', '=', 'admin')
      .execute()
    return rows.map(({ customer_id }) => asCustomerId(customer_id))
  }
})
