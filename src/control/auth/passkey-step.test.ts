import { beforeEach, expect, test } from 'vitest'
import { addCustomer, refusalOf } from '../../../test/harness/console-callers.ts'
import { describeCatalog } from '../../../test/harness/describe-catalog.ts'
import { openTestProviders } from '../../../test/harness/provider-ports.ts'
import { sessionOf, stepOf } from '../../../test/harness/signed-in.ts'
import { type Alterations, SoftPasskey } from '../../../test/harness/soft-passkey.ts'
import type { CustomerId } from '../../contract/ids.ts'
import { parseAddressRanges } from '../../kernel/address-ranges.ts'
import { openCatalog } from '../../store/catalog/catalog.ts'
import { inTransaction } from '../../store/catalog/transaction.ts'
import { AccessTokens } from '../access/access-token.ts'
import { handOver } from '../customers/customers.ts'
import { checkRegistration, startProof, startRegistration } from '../factors/passkey-factor.ts'
import { insertPasskey } from '../factors/passkeys.ts'
import { relyingPartyOf } from '../factors/relying-party.ts'
import { findProof } from '../factors/second-factor.ts'
import { type AuthPorts, createSignInLimits } from './auth-ports.ts'
import { createLinkShare } from './fair-share.ts'
import { KnownNetworks } from './known-networks.ts'
import { PasswordHasher } from './password-hasher.ts'
import { beginOrDefer, completeSecondFactor, startSecondFactor } from './second-factor-step.ts'

const ALICE = 'alice@example.org'
const ORIGIN = 'https://analytics.example.org'
const NETWORK = '203.0.113.9'
const MINUTE_MS = 60_000
const INVALID = ['InvalidArgument', 'PASSKEY_INVALID']
const OVER = ['Unauthenticated', 'SIGN_IN_ATTEMPT_INVALID']
const trusted = parseAddressRanges(['127.0.0.0/8'])
if (!trusted.ok) throw new Error('no ranges')
const trustedProxies = trusted.value

describeCatalog('a sign-in with a passkey', (under) => {
  let nowMs: number
  let ports: AuthPorts
  let alice: CustomerId
  let passkey: SoftPasskey
  const clock = { nowMs: () => nowMs }

  /** The ports of a process. */
  const openPorts = (catalog = under.catalog): AuthPorts => ({
    catalog,
    clock,
    tokens: new AccessTokens(Buffer.alloc(32, 1), clock),
    passwords: new PasswordHasher(),
    key: Buffer.alloc(32, 3),
    limits: createSignInLimits({ catalog, clock, key: Buffer.alloc(32, 2) }),
    networks: new KnownNetworks({ catalog, clock, key: Buffer.alloc(32, 4) }),
    signUp: 'open',
    oidc: openTestProviders([], clock),
    relyingParty: relyingPartyOf(ORIGIN),
    linkShare: createLinkShare(),
    queueSignInLink: async () => undefined,
    trustedProxies,
  })
  const factors = () => ({ ...ports, sealer: ports.oidc.sealer })
  const addTo = async (customerId: CustomerId, added: SoftPasskey): Promise<void> => {
    const options = await startRegistration(factors(), { id: customerId, email: ALICE }, 'a session')
    const response = { customerId, within: 'a session', passkey: added.create(options) }
    const { found } = await checkRegistration(factors(), response)
    await insertPasskey(under.catalog, clock, { ...found, customerId, displayName: 'Laptop' })
  }
  const begin = async (): Promise<string> =>
    stepOf(await beginOrDefer(ports, { customerId: alice, method: 'password' }))
  const optionsOf = async (attempt: string): Promise<string> =>
    (await startSecondFactor(ports, attempt)).passkeyOptions
  const complete = async (attempt: string, response: string, process = ports) =>
    await completeSecondFactor(process, { attempt, code: '', passkey: response, network: NETWORK })
  const answer = async (attempt: string, altered: Alterations = {}) =>
    await complete(attempt, passkey.get(await optionsOf(attempt), altered))
  const sessionCount = async (): Promise<number> =>
    (await under.catalog.selectFrom('refresh_sessions').select('id').execute()).length

  beforeEach(async () => {
    nowMs = 1_800_000_000_000
    ports = openPorts()
    alice = await addCustomer(under.catalog, ALICE)
    passkey = new SoftPasskey(ORIGIN, { signCount: 1 })
    await addTo(alice, passkey)
  })

  test('starts no session before the response, and records the proof in the session', async () => {
    const attempt = await begin()
    expect(await sessionCount()).toBe(0)
    expect(await startSecondFactor(ports, attempt)).toMatchObject({ hasTotp: false })
    expect(JSON.parse(await optionsOf(attempt))).toMatchObject({
      rpId: 'analytics.example.org',
      allowCredentials: [{ id: passkey.id.toString('base64url') }],
      userVerification: 'preferred',
    })
    const session = sessionOf(await answer(attempt))
    expect(session.customerId).toBe(alice)
    expect(await findProof(under.catalog, session)).toBe(nowMs)
    expect(await ports.networks.standingOf({ email: ALICE, network: NETWORK })).toBe('account')
  })

  test('is completed once, and its response counts for no other sign-in', async () => {
    const [first, second] = [await begin(), await begin()]
    const response = passkey.get(await optionsOf(first))
    expect(await refusalOf(complete(second, response))).toEqual(INVALID)
    expect(await complete(first, response)).toBeDefined()
    expect(await refusalOf(complete(first, response))).toEqual(INVALID)
    expect(await refusalOf(answer(first))).toEqual(OVER)
    expect(await sessionCount()).toBe(1)
  })

  test('is completed once in two processes', async () => {
    const other = openCatalog(under.place)
    try {
      const attempt = await begin()
      const response = passkey.get(await optionsOf(attempt))
      expect(await complete(attempt, response, openPorts(other))).toBeDefined()
      expect(await refusalOf(complete(attempt, response))).toEqual(INVALID)
    } finally {
      await other.destroy()
    }
  })

  test('does not go on with a proof for a session, a passkey of another account, or a late response', async () => {
    const attempt = await begin()
    const { id: within } = JSON.parse(
      ports.oidc.sealer.unseal({ purpose: 'second factor due', sealed: attempt }),
    )
    const proof = await startProof(factors(), { customerId: alice, use: 'proof', within })
    expect(await refusalOf(complete(attempt, passkey.get(proof)))).toEqual(INVALID)
    const bob = await addCustomer(under.catalog, 'bob@example.org')
    const bobs = new SoftPasskey(ORIGIN)
    await addTo(bob, bobs)
    const options = await optionsOf(attempt)
    expect(await refusalOf(complete(attempt, bobs.get(options)))).toEqual(INVALID)
    nowMs += 5 * MINUTE_MS
    expect(await refusalOf(complete(attempt, passkey.get(options)))).toEqual(INVALID)
    expect(await answer(attempt)).toBeDefined()
  })

  test('does not go on with another origin, host or challenge', async () => {
    const attempt = await begin()
    const forgeries: readonly Alterations[] = [
      { origin: 'https://analytics.example.com' },
      { rpId: 'example.com' },
      { challenge: Buffer.alloc(60, 1).toString('base64url') },
    ]
    const refusals: unknown[] = []
    for (const altered of forgeries) refusals.push(await refusalOf(answer(attempt, altered)))
    expect(refusals).toEqual(forgeries.map(() => INVALID))
    expect(await sessionCount()).toBe(0)
  })

  test('does not go on when the counter goes back', async () => {
    await answer(await begin(), { signCount: 7 })
    expect(await refusalOf(answer(await begin(), { signCount: 6 }))).toEqual([
      'InvalidArgument',
      'PASSKEY_COPIED',
    ])
    expect(await sessionCount()).toBe(1)
  })

  test('is over after ten minutes', async () => {
    const attempt = await begin()
    nowMs += 10 * MINUTE_MS
    expect(await refusalOf(startSecondFactor(ports, attempt))).toEqual(OVER)
    expect(await refusalOf(startSecondFactor(ports, 'forged'))).toEqual(OVER)
  })

  test('goes on without one where the public URL allows none', async () => {
    const attempt = await begin()
    ports = { ...ports, relyingParty: undefined }
    expect(await startSecondFactor(ports, attempt)).toEqual({ hasTotp: false, passkeyOptions: '' })
  })

  test('does not open an account for the inviter whose owner came', async () => {
    await inTransaction(under.catalog, async (transaction) => await handOver(transaction, alice))
    const result = await beginOrDefer(ports, { customerId: alice, method: 'link' })
    expect(sessionOf(result).customerId).toBe(alice)
  })
})
