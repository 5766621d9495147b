import { beforeEach, expect, test } from 'vitest'
import { addCustomer, clientOf, refusalOf } from '../../../test/harness/console-callers.ts'
import { describeCatalog } from '../../../test/harness/describe-catalog.ts'
import { OrgRole } from '../../contract/gen/dashboard/orgs/v1/org_pb.js'
import { OrgsService } from '../../contract/gen/dashboard/orgs/v1/orgs_service_pb.js'
import { InvitationsService } from '../../contract/gen/millrace/account/v1/invitations_service_pb.js'
import type { CustomerId } from '../../contract/ids.ts'
import { insertInvitationLink, insertMagicLink } from '../customers/magic-links.ts'
import type { MailRoute } from '../mail/choose-sender.ts'
import type { Mail } from '../mail/mail-queue.ts'
import { createInvitationsService, createOrganisationsService } from './organisations-service.ts'

const DAY_MS = 24 * 3_600_000
const BOB = 'bob@example.org'
const NOT_FOUND = ['NotFound', 'INVITATION_NOT_FOUND']

describeCatalog('the link of an invitation', (under) => {
  let nowMs: number
  let mails: Mail[]
  let route: MailRoute
  let service: ReturnType<typeof createOrganisationsService>
  let orgId: string
  let ada: CustomerId

  const clock = { nowMs: () => nowMs }
  const as = (customerId: CustomerId) => clientOf(OrgsService, service, { customerId })
  const accept = async (customerId: CustomerId, request: { readonly token: string }) =>
    await clientOf(InvitationsService, createInvitationsService({ catalog: under.catalog, clock }), {
      customerId,
    }).accept(request)

  beforeEach(async () => {
    nowMs = Date.parse('2026-03-01T12:00:00Z')
    mails = []
    route = 'server'
    service = createOrganisationsService({
      catalog: under.catalog,
      clock,
      sendMail: async (mail) => {
        mails.push(mail)
      },
      routeMail: async () => route,
      magicLinkUrl: (token) => `https://example.org/sign-in?token=${token}`,
    })
    ada = await addCustomer(under.catalog, 'ada@example.org')
    const { org } = await as(ada).create({ displayName: 'Analytical Engines' })
    orgId = org?.id ?? ''
  })

  const tokenIn = (text = ''): string => /token=([\w-]+)/.exec(text)?.[1] ?? ''
  const invite = async (): Promise<{ readonly token: string; readonly invitationId: string }> => {
    const { invitation } = await as(ada).inviteMember({ orgId, email: BOB, role: OrgRole.VIEWER })
    return { token: tokenIn(mails.at(-1)?.text), invitationId: invitation?.id ?? '' }
  }
  const linksThatProve = async (): Promise<readonly boolean[]> => {
    const rows = await under.catalog.selectFrom('magic_links').select('returned').execute()
    return rows.map(({ returned }) => returned === 0)
  }

  test.each([
    ['provider', { mailed: false, organisation: true }],
    ['server', { mailed: true, organisation: false }],
  ] as const)('by the way of the %s: %j', async (way, { mailed, organisation }) => {
    route = way
    await invite()
    expect(await linksThatProve()).toEqual([mailed])
    expect(mails.map((mail) => mail.organisationId)).toEqual([organisation ? orgId : undefined])
  })

  test('of the log proves the address, and the one of the answer does not', async () => {
    route = 'log'
    const { link } = await as(ada).inviteMember({ orgId, email: BOB, role: OrgRole.VIEWER })
    expect((await linksThatProve()).toSorted()).toEqual([false, true])
    expect(mails.map((mail) => mail.organisationId)).toEqual([undefined])
    expect(tokenIn(link)).not.toBe(tokenIn(mails.at(-1)?.text))
  })

  test.each(['provider', 'server', 'log'] as const)(
    'joins the account that is signed in, once: %s',
    async (way) => {
      route = way
      const { token } = await invite()
      const bob = await addCustomer(under.catalog, BOB)
      expect(await accept(bob, { token })).toMatchObject({
        org: { id: orgId, displayName: 'Analytical Engines', role: OrgRole.VIEWER },
      })
      expect(await refusalOf(accept(bob, { token }))).toEqual(NOT_FOUND)
    },
  )

  test('is not used up by others, and reveals nothing to them', async () => {
    const { token } = await invite()
    const eve = await addCustomer(under.catalog, 'eve@example.org')
    const textOf = async (sent: string): Promise<string> =>
      await accept(eve, { token: sent }).then(
        () => 'accepted',
        (error) => String(error),
      )
    expect(await textOf(token)).toBe(await textOf('unknown'))
    expect(await refusalOf(accept(eve, { token }))).toEqual(NOT_FOUND)
    expect((await as(eve).list({})).orgs).toEqual([])
    const bob = await addCustomer(under.catalog, BOB)
    expect(await accept(bob, { token })).toBeDefined()
  })

  test('is not one that only signs in, which stays unused', async () => {
    const bob = await addCustomer(under.catalog, BOB)
    const token = await insertMagicLink(under.catalog, clock, BOB)
    expect(await refusalOf(accept(bob, { token }))).toEqual(NOT_FOUND)
    const links = await under.catalog.selectFrom('magic_links').select('used_ms').execute()
    expect(links).toEqual([{ used_ms: null }])
  })

  test('is over with the invitation', async () => {
    const { token, invitationId } = await invite()
    const bob = await addCustomer(under.catalog, BOB)
    nowMs += 7 * DAY_MS
    const expired = ['FailedPrecondition', 'INVITATION_EXPIRED']
    expect(await refusalOf(accept(bob, { token }))).toEqual(expired)
    await as(ada).revokeInvite({ orgId, invitationId })
    const revoked = ['FailedPrecondition', 'INVITATION_NOT_PENDING']
    expect(await refusalOf(accept(bob, { token }))).toEqual(revoked)
    nowMs += 30 * DAY_MS
    expect(await refusalOf(accept(bob, { token }))).toEqual(NOT_FOUND)
  })

  test('keeps the role of a member', async () => {
    const { invitationId } = await invite()
    const link = { email: 'ada@example.org', invitationId, expiresMs: nowMs + DAY_MS, provesAddress: false }
    const token = await insertInvitationLink(under.catalog, clock, link)
    expect(await accept(ada, { token })).toMatchObject({ org: { role: OrgRole.ADMIN } })
  })
})
