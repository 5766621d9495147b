import { beforeEach, describe, expect, test } from 'vitest'
import { addCustomer, refusalOf } from '../../../test/harness/console-callers.ts'
import { describeCatalog } from '../../../test/harness/describe-catalog.ts'
import { openTestProviders } from '../../../test/harness/provider-ports.ts'
import { sessionOf, stepOf } from '../../../test/harness/signed-in.ts'
import { codeAt } from '../../../test/harness/totp-codes.ts'
import type { CustomerId } from '../../contract/ids.ts'
import { parseAddressRanges } from '../../kernel/address-ranges.ts'
import { openCatalog } from '../../store/catalog/catalog.ts'
import { inTransaction } from '../../store/catalog/transaction.ts'
import { AccessTokens } from '../access/access-token.ts'
import { handOver } from '../customers/customers.ts'
import { insertMagicLink } from '../customers/magic-links.ts'
import { replaceRecoveryCodes } from '../factors/recovery-codes.ts'
import { findProof, removeSecondFactor } from '../factors/second-factor.ts'
import { generateSecret } from '../factors/totp.ts'
import { storeTotp } from '../factors/totp-factor.ts'
import { insertIdentity } from '../oidc/identities.ts'
import { type AuthPorts, createSignInLimits } from './auth-ports.ts'
import { createLinkShare } from './fair-share.ts'
import { KnownNetworks } from './known-networks.ts'
import { PasswordHasher } from './password-hasher.ts'
import { beginOrDefer, completeSecondFactor } from './second-factor-step.ts'
import { signInWithLink, signInWithPassword } from './sign-in.ts'

const ALICE = 'alice@example.org'
const PASSWORD = 'correct horse'
const NETWORK = '203.0.113.9'
const MINUTE_MS = 60_000
const STEP_MS = 30_000
const WRONG = ['InvalidArgument', 'SECOND_FACTOR_INVALID']
const OVER = ['Unauthenticated', 'SIGN_IN_ATTEMPT_INVALID']
const LIMITED = ['ResourceExhausted', 'RATE_LIMITED']
const trusted = parseAddressRanges(['127.0.0.0/8'])
if (!trusted.ok) throw new Error('no ranges')
const trustedProxies = trusted.value

/** Reads like a hash, and takes no time. */
const passwords = new PasswordHasher({
  functions: {
    hash: async (password) => `hash of ${password}`,
    verify: async (hashed, password) => hashed === `hash of ${password}`,
  },
})

describeCatalog('a sign-in with a second factor', (under) => {
  let nowMs: number
  let ports: AuthPorts
  let alice: CustomerId
  let secret: string
  let recoveryCodes: readonly string[]
  const clock = { nowMs: () => nowMs }

  /** The ports of a process. */
  const openPorts = (catalog = under.catalog): AuthPorts => ({
    catalog,
    clock,
    tokens: new AccessTokens(Buffer.alloc(32, 1), clock),
    passwords,
    key: Buffer.alloc(32, 3),
    limits: createSignInLimits({ catalog, clock, key: Buffer.alloc(32, 2) }),
    networks: new KnownNetworks({ catalog, clock, key: Buffer.alloc(32, 4) }),
    signUp: 'open',
    oidc: openTestProviders([], clock),
    linkShare: createLinkShare(),
    queueSignInLink: async () => undefined,
    trustedProxies,
  })
  const factors = () => ({ catalog: under.catalog, clock, sealer: ports.oidc.sealer })
  const codeNow = (stepsOff = 0): string => codeAt(secret, nowMs, stepsOff)
  const enter = async (network = NETWORK) =>
    await signInWithPassword(ports, { email: ALICE, password: PASSWORD, network })
  const begin = async (network = NETWORK): Promise<string> => stepOf(await enter(network))
  const complete = async (attempt: string, code: string, network = NETWORK) =>
    await completeSecondFactor(ports, { attempt, code, passkey: '', network })
  const refusal = async (attempt: string, code: string, network = NETWORK) =>
    await refusalOf(complete(attempt, code, network))
  const sessionCount = async (): Promise<number> =>
    (await under.catalog.selectFrom('refresh_sessions').select('id').execute()).length

  beforeEach(async () => {
    nowMs = 1_800_000_000_000
    ports = openPorts()
    alice = await addCustomer(under.catalog, ALICE)
    await under.catalog
      .updateTable('customers')
      .set({ password_hash: `hash of ${PASSWORD}` })
      .execute()
    secret = generateSecret()
    recoveryCodes = await storeTotp(factors(), { customerId: alice, secret, code: codeNow() })
    nowMs += 10 * MINUTE_MS
  })

  test('starts no session before the code, and records the proof in the session', async () => {
    const attempt = await begin()
    expect(await sessionCount()).toBe(0)
    const session = sessionOf(await complete(attempt, codeNow()))
    expect(session.customerId).toBe(alice)
    expect(await findProof(under.catalog, session)).toBe(nowMs)
  })

  test('accepts codes of a clock that is a step behind or ahead', async () => {
    expect(await complete(await begin(), codeNow(-1))).toBeDefined()
    nowMs += 10 * MINUTE_MS
    expect(await complete(await begin(), codeNow(1))).toBeDefined()
  })

  test('refuses every other code, and starts no session', async () => {
    const attempt = await begin()
    const codes = [codeNow(-2), codeNow(2), codeAt(generateSecret(), nowMs), '', 'abcdef', `${codeNow()}0`]
    const refusals: unknown[] = []
    for (const code of codes) refusals.push(await refusal(attempt, code))
    expect(refusals).toEqual(codes.map(() => WRONG))
    expect(await sessionCount()).toBe(0)
  })

  test('accepts a code that is written in groups', async () => {
    const code = codeNow()
    expect(await complete(await begin(), `${code.slice(0, 3)} ${code.slice(3)}`)).toBeDefined()
  })

  test('accepts a code once, and none from before it', async () => {
    const [first, second, third] = [await begin(), await begin(), await begin()]
    await complete(first, codeNow())
    expect(await refusal(second, codeNow())).toEqual(WRONG)
    expect(await refusal(second, codeNow(-1))).toEqual(WRONG)
    nowMs += STEP_MS
    expect(await complete(third, codeNow())).toBeDefined()
  })

  test('accepts the code of the set-up for no sign-in', async () => {
    nowMs -= 10 * MINUTE_MS
    expect(await refusal(await begin(), codeNow())).toEqual(WRONG)
  })

  /** At once; on SQLite one after the other, because two connections of one thread that write wait for each other. */
  async function race<T>(attempts: readonly (() => Promise<T>)[]): Promise<T[]> {
    if (under.place.databaseUrl !== undefined)
      return await Promise.all(attempts.map(async (attempt) => await attempt()))
    const outcomes: T[] = []
    for (const attempt of attempts) outcomes.push(await attempt())
    return outcomes
  }

  test('accepts one of several attempts of two processes with the same code', async () => {
    const other = openCatalog(under.place)
    try {
      const processes = [ports, openPorts(other)]
      const attempts = [await begin(), await begin(), await begin(), await begin()]
      const code = codeNow()
      const outcomes = await race(
        attempts.map((attempt, index) => async () => {
          const answer = { attempt, code, passkey: '', network: `198.51.100.${index}` }
          return await refusalOf(completeSecondFactor(processes[index % 2] ?? ports, answer))
        }),
      )
      expect(outcomes.filter((outcome) => outcome === undefined)).toHaveLength(1)
      expect(await sessionCount()).toBe(1)
    } finally {
      await other.destroy()
    }
  })

  test('is completed once, also with another code', async () => {
    const attempt = await begin()
    await complete(attempt, codeNow())
    nowMs += STEP_MS
    expect(await refusal(attempt, codeNow())).toEqual(OVER)
    expect(await sessionCount()).toBe(1)
  })

  test('is over after ten minutes', async () => {
    const attempt = await begin()
    nowMs += 10 * MINUTE_MS
    expect(await refusal(attempt, codeNow())).toEqual(OVER)
  })

  test('is over when the password changes', async () => {
    const attempt = await begin()
    await under.catalog.updateTable('customers').set({ password_hash: 'hash of another' }).execute()
    expect(await refusal(attempt, codeNow())).toEqual(OVER)
  })

  test('is over when its identity is disconnected', async () => {
    const identity = { issuer: 'https://login.example.org', subject: 's', customerId: alice, email: ALICE }
    const id = await insertIdentity(under.catalog, clock, identity)
    const start = { customerId: alice, method: 'oidc', identity: { id, providerSession: '' } } as const
    const [kept, lost] = [await beginOrDefer(ports, start), await beginOrDefer(ports, start)]
    expect(await complete(stepOf(kept), codeNow())).toBeDefined()
    await under.catalog.deleteFrom('identities').execute()
    nowMs += STEP_MS
    expect(await refusal(stepOf(lost), codeNow())).toEqual(OVER)
  })

  test('cannot be forged', async () => {
    const forged = ['', 'forged', 'AAAA'.repeat(40)]
    const refusals = await Promise.all(forged.map(async (attempt) => await refusal(attempt, codeNow())))
    expect(refusals).toEqual(forged.map(() => OVER))
  })

  test('is due after a link from a mail, too', async () => {
    const token = await insertMagicLink(under.catalog, clock, ALICE)
    const result = await signInWithLink(ports, { token, timezone: '', network: NETWORK })
    expect(sessionOf(await complete(stepOf(result), codeNow())).customerId).toBe(alice)
  })

  test('is not due for an account without a second factor', async () => {
    await removeSecondFactor(under.catalog, alice)
    expect(sessionOf(await enter()).customerId).toBe(alice)
  })

  test('is not due for the owner of an address whose inviter had set one up', async () => {
    await inTransaction(under.catalog, async (transaction) => await handOver(transaction, alice))
    const token = await insertMagicLink(under.catalog, clock, ALICE)
    expect(sessionOf(await signInWithLink(ports, { token, timezone: '', network: NETWORK })).customerId).toBe(
      alice,
    )
  })

  describe('with a lost phone', () => {
    test('accepts each recovery code once, however it is written', async () => {
      const [first = '', second = ''] = recoveryCodes
      expect(await complete(await begin(), first.toUpperCase().replaceAll('-', ' '))).toBeDefined()
      expect(await refusal(await begin(), first)).toEqual(WRONG)
      expect(await complete(await begin(), second)).toBeDefined()
    })

    test('accepts one of several attempts of two processes with the same recovery code', async () => {
      const other = openCatalog(under.place)
      try {
        const [code = ''] = recoveryCodes
        const attempts = [await begin(), await begin()]
        const outcomes = await race(
          [ports, openPorts(other)].map((process, index) => async () => {
            const answer = {
              attempt: attempts[index] ?? '',
              code,
              passkey: '',
              network: `198.51.100.${index}`,
            }
            return await refusalOf(completeSecondFactor(process, answer))
          }),
        )
        expect(outcomes.filter((outcome) => outcome === undefined)).toHaveLength(1)
      } finally {
        await other.destroy()
      }
    })

    test('accepts no code of another account, and none that was replaced', async () => {
      const bob = await addCustomer(under.catalog, 'bob@example.org')
      const [theirs = ''] = await replaceRecoveryCodes(factors(), bob)
      const [old = ''] = recoveryCodes
      await replaceRecoveryCodes(factors(), alice)
      const attempt = await begin()
      expect(await refusal(attempt, theirs)).toEqual(WRONG)
      expect(await refusal(attempt, old)).toEqual(WRONG)
    })
  })

  describe('limits guesses', () => {
    const guess = async (network: string): Promise<unknown> =>
      (await refusal(await begin(network), '000000', network))?.[1]

    test('over all processes, networks and sign-ins of the account', async () => {
      const other = openCatalog(under.place)
      try {
        const mine = ports
        const seen: unknown[] = []
        for (let index = 0; index < 8; index++) {
          ports = index % 2 === 0 ? mine : openPorts(other)
          seen.push(await guess(`198.51.100.${index}`))
        }
        ports = mine
        expect(seen.filter((reason) => reason === 'SECOND_FACTOR_INVALID')).toHaveLength(6)
        expect(seen.slice(6)).toEqual(['RATE_LIMITED', 'RATE_LIMITED'])
        const attempt = await begin('198.51.100.20')
        expect(await refusal(attempt, codeNow(), '198.51.100.20')).toEqual(LIMITED)
      } finally {
        await other.destroy()
      }
    })

    test('of recovery codes alike', async () => {
      const outcomes: unknown[] = []
      for (let index = 0; index < 7; index++)
        outcomes.push((await refusal(await begin(), 'aaaa-bbbb-cccc'))?.[1])
      expect(outcomes.at(-1)).toBe('RATE_LIMITED')
    })

    test('without keeping out the owner in a known network', async () => {
      await complete(await begin(), codeNow())
      nowMs += STEP_MS
      for (let index = 0; index < 8; index++) await guess('198.51.100.7')
      expect(await complete(await begin(), codeNow())).toBeDefined()
    })

    test('in a network that a password alone does not make known', async () => {
      await begin('198.51.100.7')
      const origin = { email: ALICE, network: '198.51.100.7' }
      expect(await ports.networks.standingOf(origin)).toBe('unknown')
      await complete(await begin('198.51.100.7'), codeNow(), '198.51.100.7')
      expect(await ports.networks.standingOf(origin)).toBe('account')
    })

    test('and forgives them after a right code', async () => {
      for (let index = 0; index < 5; index++) await guess('198.51.100.7')
      await complete(await begin('198.51.100.8'), codeNow(), '198.51.100.8')
      nowMs += STEP_MS
      expect(await guess('198.51.100.9')).toBe('SECOND_FACTOR_INVALID')
    })
  })

  test('stores the secret sealed, and recovery codes as digests', async () => {
    const rows = await under.catalog.selectFrom('totp_factors').selectAll().execute()
    const digests = await under.catalog.selectFrom('recovery_codes').selectAll().execute()
    const stored = JSON.stringify([rows, digests])
    expect(digests).toHaveLength(10)
    expect([secret, ...recoveryCodes].filter((text) => stored.includes(text))).toEqual([])
  })
})
