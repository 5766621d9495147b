import { timestampMs } from '@bufbuild/protobuf/wkt'
import { type Client, Code, ConnectError } from '@connectrpc/connect'
import { beforeEach, expect, test } from 'vitest'
import { addCustomer, clientOf, refusalOf } from '../../../test/harness/console-callers.ts'
import { describeCatalog } from '../../../test/harness/describe-catalog.ts'
import { CustomersService } from '../../contract/gen/dashboard/customers/v1/customers_service_pb.js'
import { BadRequestSchema } from '../../contract/gen/google/rpc/error_details_pb.js'
import { SessionsService, SignInMethod } from '../../contract/gen/millrace/account/v1/sessions_service_pb.js'
import type { CustomerId } from '../../contract/ids.ts'
import { createSignInLimits } from '../auth/auth-ports.ts'
import { PasswordHasher } from '../auth/password-hasher.ts'
import {
  beginSession,
  type SignInMethod as Method,
  type RefreshSession,
} from '../customers/refresh-sessions.ts'
import { createCustomersService, createSessionsService } from './account-services.ts'

const OLD = 'the old password'
const NEW = 'the new password'
const MINUTE_MS = 60_000
const SIGN_IN_AGAIN = ['FailedPrecondition', 'REAUTHENTICATION_REQUIRED']
const ENDED = ['Unauthenticated', 'INVALID_TOKEN']

/** Reads like a hash, and takes no time. */
const passwords = new PasswordHasher({
  functions: {
    hash: async (password) => `hash of ${password}`,
    verify: async (hashed, password) => hashed === `hash of ${password}`,
  },
})

describeCatalog('the account of the caller', (under) => {
  let nowMs: number
  let alice: CustomerId
  let service: ReturnType<typeof createCustomersService>
  const clock = { nowMs: () => nowMs }

  beforeEach(async () => {
    nowMs = 1_800_000_000_000
    const { catalog } = under
    alice = await addCustomer(catalog, 'alice@example.org')
    const { currentPasswords } = createSignInLimits({ catalog, clock, key: Buffer.alloc(32, 2) })
    service = createCustomersService({ catalog, clock, passwords, attempts: currentPasswords, providers: [] })
  })

  const begin = async (method: Method = 'password', customerId = alice): Promise<RefreshSession> =>
    await beginSession({ catalog: under.catalog, clock, key: Buffer.alloc(32, 1) }, { customerId, method })
  const account = (session: RefreshSession): Client<typeof CustomersService> =>
    clientOf(CustomersService, service, session)
  const sessionsOf = (session: RefreshSession): Client<typeof SessionsService> =>
    clientOf(
      SessionsService,
      createSessionsService({ catalog: under.catalog, clock, providers: [] }),
      session,
    )
  const usePassword = async (password: string): Promise<void> => {
    await under.catalog
      .updateTable('customers')
      .set({ password_hash: `hash of ${password}` })
      .execute()
  }
  const storedHash = async (): Promise<string | null | undefined> =>
    (await under.catalog.selectFrom('customers').select('password_hash').executeTakeFirst())?.password_hash
  const liveIds = async (): Promise<readonly string[]> =>
    (await under.catalog.selectFrom('refresh_sessions').select('id').execute()).map(({ id }) => id)

  test('gets a new password with the current one, however old the sign-in', async () => {
    await usePassword(OLD)
    const session = await begin()
    nowMs += 60 * 24 * 60 * MINUTE_MS
    await account(session).setPassword({ password: NEW, currentPassword: OLD })
    expect(await storedHash()).toBe(`hash of ${NEW}`)
  })

  test.each([
    ['with a password', OLD],
    ['without a password', undefined],
  ])('%s keeps its password against an old session without the current one', async (_, password) => {
    if (password !== undefined) await usePassword(password)
    const before = await storedHash()
    const session = await begin('link')
    nowMs += 10 * MINUTE_MS + 1
    expect(await refusalOf(account(session).setPassword({ password: NEW }))).toEqual(SIGN_IN_AGAIN)
    expect(await storedHash()).toBe(before)
  })

  test('without a password accepts no text as the current one', async () => {
    const session = await begin('link')
    nowMs += 10 * MINUTE_MS + 1
    const change = { password: NEW, currentPassword: 'anything' }
    expect(await refusalOf(account(session).setPassword(change))).toEqual(SIGN_IN_AGAIN)
  })

  test.each(['link', 'google'] as const)(
    'replaces a forgotten password within 10 minutes after a sign-in by %s',
    async (method) => {
      await usePassword(OLD)
      const session = await begin(method)
      nowMs += 10 * MINUTE_MS
      await account(session).setPassword({ password: NEW })
      expect(await storedHash()).toBe(`hash of ${NEW}`)
    },
  )

  test('keeps its password without the current one in a new session that began with the password', async () => {
    await usePassword(OLD)
    const session = await begin('password')
    expect(await refusalOf(account(session).setPassword({ password: NEW }))).toEqual(SIGN_IN_AGAIN)
    expect(await storedHash()).toBe(`hash of ${OLD}`)
  })

  test('tells its owner whether it has a password, and nothing of it', async () => {
    const session = await begin('link')
    expect(await account(session).getMe({})).toMatchObject({ email: 'alice@example.org', hasPassword: false })
    await usePassword(OLD)
    const me = await account(session).getMe({})
    expect(me.hasPassword).toBe(true)
    expect(JSON.stringify(me)).not.toContain('hash of')
  })

  test('keeps its password against a wrong one, also in a new session, and the error names the field', async () => {
    await usePassword(OLD)
    const session = await begin()
    const change = { password: NEW, currentPassword: 'wrong' }
    const error = await account(session)
      .setPassword(change)
      .catch((thrown: unknown) => ConnectError.from(thrown))
    if (!(error instanceof ConnectError)) throw new Error('it was set')
    expect(error.code).toBe(Code.InvalidArgument)
    const [violation] = error.findDetails(BadRequestSchema).flatMap((detail) => detail.fieldViolations)
    expect(violation).toMatchObject({
      field: 'currentPassword',
      description: 'is not the password of this account',
    })
    expect(await storedHash()).toBe(`hash of ${OLD}`)
  })

  test('limits guesses of the current password', async () => {
    await usePassword(OLD)
    const session = await begin()
    const guesses = Array.from({ length: 14 }, async (_, index) => {
      return await refusalOf(
        account(session).setPassword({ password: NEW, currentPassword: `guess ${index}` }),
      )
    })
    const reasons = (await Promise.all(guesses)).map((refusal) => refusal?.[1])
    expect(reasons.filter((reason) => reason === 'RATE_LIMITED')).toHaveLength(3)
    expect(reasons.filter((reason) => reason === 'INVALID_REQUEST')).toHaveLength(11)
  })

  test('ends its own other sessions when the password changes', async () => {
    await usePassword(OLD)
    const bob = await addCustomer(under.catalog, 'bob@example.org')
    const [here, , others] = [await begin(), await begin('google'), await begin('password', bob)]
    await account(here).setPassword({ password: NEW, currentPassword: OLD })
    expect((await liveIds()).toSorted()).toEqual([here.sessionId, others.sessionId].toSorted())
  })

  test('keeps its password when the session ends while the new one is hashed', async () => {
    await usePassword(OLD)
    const session = await begin()
    const slow = new PasswordHasher({
      functions: {
        hash: async () => {
          await under.catalog.deleteFrom('refresh_sessions').execute()
          return 'hash of a thief'
        },
        verify: async () => true,
      },
    })
    const { currentPasswords: attempts } = createSignInLimits({
      catalog: under.catalog,
      clock,
      key: Buffer.alloc(32, 2),
    })
    service = createCustomersService({
      catalog: under.catalog,
      clock,
      passwords: slow,
      attempts,
      providers: [],
    })
    const change = { password: NEW, currentPassword: OLD }
    expect(await refusalOf(account(session).setPassword(change))).toEqual(ENDED)
    expect(await storedHash()).toBe(`hash of ${OLD}`)
  })

  test('lists its sessions, and marks the current one', async () => {
    const startMs = nowMs
    const link = await begin('link')
    nowMs += 1000
    const here = await begin('google')
    await begin('password', await addCustomer(under.catalog, 'bob@example.org'))
    const { sessions } = await sessionsOf(here).list({})
    expect(
      sessions.map(({ id, signInMethod, createTime, lastUsedTime, isCurrent }) => [
        id,
        signInMethod,
        createTime && timestampMs(createTime),
        lastUsedTime && timestampMs(lastUsedTime),
        isCurrent,
      ]),
    ).toEqual([
      [here.sessionId, SignInMethod.GOOGLE, startMs + 1000, startMs + 1000, true],
      [link.sessionId, SignInMethod.LINK, startMs, startMs, false],
    ])
  })

  test('ends one session or all others, and none of another account', async () => {
    const [here, second] = [await begin(), await begin(), await begin(), await begin()]
    const bob = await begin('link', await addCustomer(under.catalog, 'bob@example.org'))
    await sessionsOf(here).end({ id: second.sessionId })
    expect(await liveIds()).toHaveLength(4)
    const foreign = sessionsOf(here).end({ id: bob.sessionId })
    expect(await refusalOf(foreign)).toEqual(['NotFound', 'SESSION_NOT_FOUND'])
    await sessionsOf(here).endOthers({})
    expect((await liveIds()).toSorted()).toEqual([here.sessionId, bob.sessionId].toSorted())
    await sessionsOf(here).end({ id: here.sessionId })
    expect(await liveIds()).toEqual([bob.sessionId])
  })
})
