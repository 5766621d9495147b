import type { Client } from '@connectrpc/connect'
import { beforeEach, describe, expect, test } from 'vitest'
import { addCustomer, addMember, clientOf, refusalOf } from '../../../test/harness/console-callers.ts'
import { describeCatalog } from '../../../test/harness/describe-catalog.ts'
import { codeAt } from '../../../test/harness/totp-codes.ts'
import { CustomersService } from '../../contract/gen/dashboard/customers/v1/customers_service_pb.js'
import { OrgsService } from '../../contract/gen/dashboard/orgs/v1/orgs_service_pb.js'
import { ApiKeyKind } from '../../contract/gen/dashboard/projects/v1/project_pb.js'
import { ProjectsService } from '../../contract/gen/dashboard/projects/v1/projects_service_pb.js'
import { SecondFactorsService } from '../../contract/gen/millrace/account/v1/second_factors_service_pb.js'
import type { CustomerId, OrganisationId } from '../../contract/ids.ts'
import { Sealer } from '../../kernel/sealer.ts'
import { insertProject } from '../../store/catalog/projects.ts'
import { createSignInLimits } from '../auth/auth-ports.ts'
import { PasswordHasher } from '../auth/password-hasher.ts'
import { beginSession, type RefreshSession } from '../customers/refresh-sessions.ts'
import type { Mail } from '../mail/mail-queue.ts'
import { createOrganisation } from '../organisations/organisations.ts'
import { createOrganisationsService } from '../organisations/organisations-service.ts'
import { createProjectsService } from '../projects/projects-service.ts'
import { createCustomersService } from './account-services.ts'
import { createSecondFactorsService } from './second-factors-service.ts'

const PASSWORD = 'correct horse'
const MINUTE_MS = 60_000
const STEP_MS = 30_000
const WRONG = ['InvalidArgument', 'SECOND_FACTOR_INVALID']
const NONE = ['FailedPrecondition', 'SECOND_FACTOR_NOT_SET_UP']
const PROVE_FIRST = ['FailedPrecondition', 'SECOND_FACTOR_PROOF_REQUIRED']
const SIGN_IN_AGAIN = ['FailedPrecondition', 'REAUTHENTICATION_REQUIRED']
const REMOVED = 'The second factor of your account was removed'
const REQUIRED = ['PermissionDenied', 'SECOND_FACTOR_REQUIRED']

/** Reads like a hash, and takes no time. */
const passwords = new PasswordHasher({
  functions: {
    hash: async (password) => `hash of ${password}`,
    verify: async (hashed, password) => hashed === `hash of ${password}`,
  },
})

describeCatalog('the second factor of an account', (under) => {
  let nowMs: number
  let alice: CustomerId
  let session: RefreshSession
  let secret: string
  let mails: unknown[]
  let ports: Parameters<typeof createSecondFactorsService>[0]
  const clock = { nowMs: () => nowMs }
  const begin = async (customerId = alice): Promise<RefreshSession> =>
    await beginSession(
      { catalog: under.catalog, clock, key: Buffer.alloc(32, 1) },
      { customerId, method: 'password' },
    )
  const factorOf = (caller = session): Client<typeof SecondFactorsService> =>
    clientOf(SecondFactorsService, createSecondFactorsService(ports), caller)
  const codeNow = (stepsOff = 0): string => codeAt(secret, nowMs, stepsOff)
  /** A code that was not used before. */
  const nextCode = (): string => {
    nowMs += STEP_MS
    return codeNow()
  }
  const setUp = async (caller = session): Promise<readonly string[]> => {
    const started = await factorOf(caller).startTotp({})
    secret = started.secret
    const confirmed = await factorOf(caller).confirmTotp({ attempt: started.attempt, code: codeNow() })
    return confirmed.recoveryCodes
  }

  beforeEach(async () => {
    nowMs = 1_800_000_000_000
    const { catalog } = under
    const limits = createSignInLimits({ catalog, clock, key: Buffer.alloc(32, 2) })
    const sealer = new Sealer(Buffer.alloc(32, 5))
    const { currentPasswords: attempts, codesOfSession: codes } = limits
    mails = []
    const sendMail = async ({ to, subject }: Mail): Promise<void> => void mails.push([to, subject])
    ports = { catalog, clock, sealer, passwords, attempts, codes, sendMail }
    alice = await addCustomer(catalog, 'alice@example.org')
    await catalog
      .updateTable('customers')
      .set({ password_hash: `hash of ${PASSWORD}` })
      .execute()
    session = await begin()
  })

  test('is set up with a code of the app, which returns ten recovery codes and ends the other sessions', async () => {
    await begin()
    const { uri, secret: key } = await factorOf().startTotp({})
    expect(uri).toContain(`secret=${key}`)
    expect(uri).toMatch(/^otpauth:\/\/totp\/Millrace:alice%40example\.org\?/)
    expect(await factorOf().get({})).toMatchObject({ hasTotp: false, recoveryCodesLeft: 0 })
    const codes = await setUp()
    expect(new Set(codes).size).toBe(10)
    expect(codes.filter((code) => !/^[0-9a-z]{4}(-[0-9a-z]{4}){2}$/.test(code))).toEqual([])
    expect(await factorOf().get({})).toMatchObject({ hasTotp: true, recoveryCodesLeft: 10 })
    const rows = await under.catalog.selectFrom('refresh_sessions').select(['id', 'factor_ms']).execute()
    expect(rows).toEqual([{ id: session.sessionId, factor_ms: nowMs }])
  })

  test('is not set up with a wrong code, in another session or too late', async () => {
    const { attempt, secret: key } = await factorOf().startTotp({})
    secret = key
    expect(await refusalOf(factorOf().confirmTotp({ attempt, code: codeNow(5) }))).toEqual(WRONG)
    const confirm = async (caller: RefreshSession) =>
      await refusalOf(factorOf(caller).confirmTotp({ attempt, code: codeNow() }))
    const bob = await begin(await addCustomer(under.catalog, 'bob@example.org'))
    expect([await confirm(await begin()), await confirm(bob)]).toEqual(
      Array(2).fill(['InvalidArgument', 'INVALID_REQUEST']),
    )
    nowMs += 15 * MINUTE_MS
    expect(await confirm(session)).toEqual(['InvalidArgument', 'INVALID_REQUEST'])
    expect(await factorOf().get({})).toMatchObject({ hasTotp: false })
  })

  test('is set up in an old session with the password only', async () => {
    nowMs += 10 * MINUTE_MS + 1
    expect(await refusalOf(factorOf().startTotp({}))).toEqual(SIGN_IN_AGAIN)
    const wrong = factorOf().startTotp({ currentPassword: 'wrong' })
    expect(await refusalOf(wrong)).toEqual(['InvalidArgument', 'INVALID_REQUEST'])
    expect((await factorOf().startTotp({ currentPassword: PASSWORD })).attempt).not.toBe('')
  })

  test('is replaced after a proof only, and not by a set-up that began before it', async () => {
    const other = await begin()
    const early = await factorOf(other).startTotp({})
    await setUp()
    const stolen = await begin()
    expect(await refusalOf(factorOf(stolen).startTotp({ currentPassword: PASSWORD }))).toEqual(PROVE_FIRST)
    const late = factorOf(other).confirmTotp({ attempt: early.attempt, code: codeAt(early.secret, nowMs) })
    expect(await refusalOf(late)).toEqual(['Unauthenticated', 'INVALID_TOKEN'])
    const before = secret
    await setUp()
    nowMs += STEP_MS
    expect(await refusalOf(factorOf().prove({ code: codeAt(before, nowMs) }))).toEqual(WRONG)
    expect(await refusalOf(factorOf().prove({ code: codeNow() }))).toBeUndefined()
  })

  test('is removed with a code, also with a recovery code, and not without', async () => {
    const [recoveryCode = ''] = await setUp()
    expect(await refusalOf(factorOf().remove({ code: '000000' }))).toEqual(WRONG)
    expect(await factorOf().get({})).toMatchObject({ hasTotp: true })
    await factorOf().remove({ code: recoveryCode })
    expect(await factorOf().get({})).toMatchObject({ hasTotp: false, recoveryCodesLeft: 0 })
    expect(await under.catalog.selectFrom('recovery_codes').selectAll().execute()).toEqual([])
    expect(mails).toEqual([['alice@example.org', REMOVED]])
  })

  test('has new recovery codes after a code, and the old ones no longer count', async () => {
    const [old = ''] = await setUp()
    const { recoveryCodes } = await factorOf().replaceRecoveryCodes({ code: nextCode() })
    expect(await refusalOf(factorOf().prove({ code: old }))).toEqual(WRONG)
    expect(await refusalOf(factorOf().prove({ code: recoveryCodes[3] ?? '' }))).toBeUndefined()
    expect(await factorOf().get({})).toMatchObject({ recoveryCodesLeft: 9 })
  })

  test('that is not set up proves nothing', async () => {
    const calls = [
      factorOf().prove({ code: '000000' }),
      factorOf().remove({ code: '000000' }),
      factorOf().replaceRecoveryCodes({ code: '000000' }),
    ]
    expect(await Promise.all(calls.map(refusalOf))).toEqual(Array(3).fill(NONE))
  })

  test('limits guesses of signed-in callers over all methods', async () => {
    await setUp()
    const outcomes: unknown[] = []
    for (let index = 0; index < 4; index++) {
      outcomes.push((await refusalOf(factorOf().prove({ code: '000000' })))?.[1])
      outcomes.push((await refusalOf(factorOf().remove({ code: '000000' })))?.[1])
    }
    expect(outcomes.filter((reason) => reason === 'SECOND_FACTOR_INVALID')).toHaveLength(6)
    expect(outcomes.slice(6)).toEqual(['RATE_LIMITED', 'RATE_LIMITED'])
    expect((await refusalOf(factorOf().prove({ code: nextCode() })))?.[1]).toBeUndefined()
  })

  describe('is proved within ten minutes', () => {
    let organisationId: OrganisationId
    let asProject: (caller: RefreshSession) => Client<typeof ProjectsService>

    beforeEach(async () => {
      const { catalog } = under
      ;({ id: organisationId } = await createOrganisation(catalog, clock, {
        customerId: alice,
        displayName: 'Engines',
      }))
      const projectId = await insertProject(catalog, clock, { organisationId, displayName: 'Site' })
      const projects = createProjectsService({
        catalog,
        clock,
        sealer: ports.sealer,
        fillDemo: async () => undefined,
      })
      const project = { projectId, organisationId, role: 'admin' } as const
      asProject = (caller) => clientOf(ProjectsService, projects, { ...caller, project })
    })

    const password = async (): Promise<unknown> => {
      const customers = createCustomersService({ ...ports, providers: [] })
      const change = { password: 'the new password', currentPassword: PASSWORD }
      return await refusalOf(clientOf(CustomersService, customers, session).setPassword(change))
    }
    const key = async (kind: ApiKeyKind): Promise<unknown> =>
      await refusalOf(asProject(session).createApiKey({ kind, displayName: 'k' }))
    const deletion = async (): Promise<unknown> => await refusalOf(asProject(session).delete({}))

    test('for passwords, private keys and the deletion of projects, and not for public keys', async () => {
      await setUp()
      nowMs += 10 * MINUTE_MS + 1
      expect([await password(), await key(ApiKeyKind.PRIVATE), await deletion()]).toEqual(
        Array(3).fill(PROVE_FIRST),
      )
      expect(await key(ApiKeyKind.PUBLIC)).toBeUndefined()
      await factorOf().prove({ code: codeNow() })
      nowMs += 10 * MINUTE_MS
      expect([await password(), await key(ApiKeyKind.PRIVATE), await deletion()]).toEqual(
        Array(3).fill(undefined),
      )
    })

    test('and asked of accounts that have one only', async () => {
      expect([await password(), await key(ApiKeyKind.PRIVATE), await deletion()]).toEqual(
        Array(3).fill(undefined),
      )
    })
  })

  describe('in an organisation', () => {
    let orgId: string
    const asAdmin = (caller: RefreshSession): Client<typeof OrgsService> =>
      clientOf(
        OrgsService,
        createOrganisationsService({
          catalog: under.catalog,
          clock,
          sendMail: ports.sendMail,
          routeMail: async () => 'log',
          magicLinkUrl: (token) => token,
        }),
        caller,
      )

    beforeEach(async () => {
      const organisation = { customerId: alice, displayName: 'Engines' }
      orgId = (await createOrganisation(under.catalog, clock, organisation)).id
    })

    const addBob = async (): Promise<{ readonly id: CustomerId; readonly session: RefreshSession }> => {
      const organisationId = orgId as OrganisationId
      const id = await addMember(under.catalog, { organisationId, email: 'bob@example.org', role: 'member' })
      const bobs = await begin(id)
      await setUp(bobs)
      return { id, session: bobs }
    }

    test('is required by an admin who has one', async () => {
      const require = asAdmin(session).updateSecondFactor({ orgId, required: true })
      expect(await refusalOf(require)).toEqual(NONE)
      await setUp()
      const { org } = await asAdmin(session).updateSecondFactor({ orgId, required: true })
      expect(org).toMatchObject({ id: orgId, displayName: 'Engines', secondFactorRequired: true })
      expect(await factorOf().get({})).toMatchObject({ requiredBy: ['Engines'] })
      expect(await refusalOf(factorOf().remove({ code: nextCode() }))).toEqual(REQUIRED)
      nowMs += 10 * MINUTE_MS + 1
      const withdraw = async () => await asAdmin(session).updateSecondFactor({ orgId, required: false })
      expect(await refusalOf(withdraw())).toEqual(PROVE_FIRST)
      await factorOf().prove({ code: nextCode() })
      expect((await withdraw()).org?.secondFactorRequired).toBe(false)
    })

    test('is shown to admins only', async () => {
      const { session: bobs } = await addBob()
      const seen = async (caller: RefreshSession): Promise<readonly boolean[]> =>
        (await asAdmin(caller).listMembers({ orgId })).members.map(({ hasSecondFactor }) => hasSecondFactor)
      expect([await seen(session), await seen(bobs)]).toEqual([
        [true, false],
        [false, false],
      ])
    })

    test('of a member who lost it is reset by an admin, which ends their sessions', async () => {
      const { id: customerId } = await addBob()
      await asAdmin(session).resetMemberSecondFactor({ orgId, customerId })
      const rows = await under.catalog.selectFrom('refresh_sessions').select('customer_id').execute()
      expect(rows).toEqual([{ customer_id: alice }])
      expect(await under.catalog.selectFrom('totp_factors').selectAll().execute()).toEqual([])
      expect(mails).toEqual([['bob@example.org', REMOVED]])
      const again = asAdmin(session).resetMemberSecondFactor({ orgId, customerId })
      expect(await refusalOf(again)).toEqual(NONE)
    })

    test('is not reset where another organisation relies on it, nor by an admin without a recent proof', async () => {
      const { id: customerId } = await addBob()
      const reset = async () =>
        await refusalOf(asAdmin(session).resetMemberSecondFactor({ orgId, customerId }))
      const other = await createOrganisation(under.catalog, clock, { customerId, displayName: 'Other' })
      expect(await reset()).toEqual(['FailedPrecondition', 'MEMBER_OF_OTHER_ORGS'])
      const membership = { organisation_id: other.id, customer_id: alice, created_ms: 1 }
      await under.catalog
        .insertInto('memberships')
        .values({ ...membership, role: 'member' })
        .execute()
      expect(await reset()).toEqual(['FailedPrecondition', 'MEMBER_OF_OTHER_ORGS'])
      await under.catalog
        .updateTable('memberships')
        .set({ role: 'admin' })
        .where('customer_id', '=', alice)
        .execute()
      const bobsSecret = secret
      session = await begin()
      await setUp()
      nowMs += 10 * MINUTE_MS + 1
      expect(await reset()).toEqual(PROVE_FIRST)
      await factorOf().prove({ code: codeNow() })
      expect(await reset()).toBeUndefined()
      expect(bobsSecret).not.toBe(secret)
    })

    test('of oneself is not reset', async () => {
      await setUp()
      const own = asAdmin(session).resetMemberSecondFactor({ orgId, customerId: alice })
      expect(await refusalOf(own)).toEqual(['InvalidArgument', 'INVALID_REQUEST'])
    })
  })
})
