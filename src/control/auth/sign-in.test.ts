import { createLocalJWKSet, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import { beforeEach, expect, test } from 'vitest'
import { describeCatalog } from '../../../test/harness/local-postgres.ts'
import type { CustomerId } from '../../contract/ids.ts'
import { parseAddressRanges } from '../../kernel/address-ranges.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import { AccessTokens } from '../access/access-token.ts'
import { findCustomerByEmail, insertCustomer } from '../customers/customers.ts'
import type { Mail } from '../mail/mail.ts'
import { inviteMember } from '../organisations/invitations.ts'
import { createOrganisation, listOrganisations } from '../organisations/organisations.ts'
import { type AuthPorts, createSignInLimits } from './auth-ports.ts'
import type { GoogleSignIn } from './google-sign-in.ts'
import { createMagicLinkUrl } from './magic-links.ts'
import { PasswordHasher } from './password-hasher.ts'
import { mailMagicLink, signInWithGoogle, signInWithLink, signInWithPassword } from './sign-in.ts'

const MINUTE_MS = 60_000
const ALICE = 'alice@example.org'
const PASSWORD = 'correct horse'
const NETWORK = '203.0.113.9'
const trusted = parseAddressRanges(['127.0.0.0/8'])
if (!trusted.ok) throw new Error('no ranges')
const trustedProxies = trusted.value

const INVALID = { code: 'unauthenticated', reason: 'INVALID_CREDENTIALS' }
const hashedPassword = await new PasswordHasher().hash(PASSWORD)

describeCatalog('sign-in', (under) => {
  let catalog: Catalog
  let nowMs: number
  let mails: Mail[]
  let ports: AuthPorts

  beforeEach(() => {
    catalog = under.catalog
    nowMs = 1_800_000_000_000
    mails = []
    const clock: Clock = { nowMs: () => nowMs }
    ports = {
      catalog,
      clock,
      tokens: new AccessTokens(Buffer.alloc(32, 1), clock),
      passwords: new PasswordHasher(),
      key: Buffer.alloc(32, 3),
      limits: createSignInLimits({ catalog, clock, key: Buffer.alloc(32, 2) }),
      sendMail: async (mail) => {
        mails.push(mail)
      },
      magicLinkUrl: createMagicLinkUrl('https://stats.example.org/'),
      trustedProxies,
    }
  })

  async function addAlice(passwordHash: string | undefined = hashedPassword): Promise<CustomerId> {
    const alice = { email: ALICE, displayName: 'Alice', isEmailVerified: false, passwordHash }
    return await insertCustomer(catalog, ports.clock, alice)
  }

  async function requestToken(email: string): Promise<string> {
    await mailMagicLink(ports, { email, network: NETWORK })
    return tokenIn(mails.at(-1))
  }

  test('a password signs in, whatever the case of the address', async () => {
    const customerId = await addAlice()
    const attempt = { email: ' Alice@Example.ORG', password: PASSWORD, network: NETWORK }
    expect(await signInWithPassword(ports, attempt)).toMatchObject({ customerId })
  })

  test('a wrong password, an unknown address and an account without a password fail alike, after the same work', async () => {
    await addAlice()
    await insertCustomer(catalog, ports.clock, {
      email: 'bob@example.org',
      displayName: 'Bob',
      isEmailVerified: true,
      passwordHash: undefined,
    })
    const hashes: string[] = []
    const passwords = new PasswordHasher({
      functions: {
        hash: async () => '',
        verify: async (hashed) => {
          hashes.push(hashed.replace(/\$[^$]*\$[^$]*$/, ''))
          return false
        },
      },
    })
    const attempt = async (email: string): Promise<unknown> =>
      await signInWithPassword({ ...ports, passwords }, { email, password: 'x', network: NETWORK }).catch(
        ({ code, reason, message }) => ({ code, reason, message }),
      )
    const answers = [await attempt(ALICE), await attempt('bob@example.org'), await attempt('eve@example.org')]
    expect(answers[0]).toMatchObject(INVALID)
    expect(answers).toEqual([answers[0], answers[0], answers[0]])
    expect(hashes).toEqual(Array(3).fill('$argon2id$v=19$m=19456,t=2,p=1'))
  })

  test('wrong passwords are slowed down for a known and an unknown account alike, also when they come at once', async () => {
    await addAlice()
    const passwords = new PasswordHasher({ functions: { hash: async () => '', verify: async () => false } })
    const attempt = async (email: string, index: number): Promise<string> =>
      await signInWithPassword(
        { ...ports, passwords },
        { email, password: 'x', network: `198.51.100.${index}` },
      ).then(
        () => 'signed in',
        ({ reason }) => reason,
      )
    const tried = async (email: string): Promise<string[]> =>
      await Promise.all(Array.from({ length: 30 }, async (_, index) => await attempt(email, index)))
    const known = await tried(ALICE)
    expect(known.filter((reason) => reason === 'RATE_LIMITED')).toHaveLength(19)
    expect(known.filter((reason) => reason === 'INVALID_CREDENTIALS')).toHaveLength(11)
    expect((await tried('eve@example.org')).sort()).toEqual(known.sort())
  })

  test('who comes from one place with many addresses is slowed down', async () => {
    const passwords = new PasswordHasher({ functions: { hash: async () => '', verify: async () => false } })
    const attempts = Array.from({ length: 60 }, async (_, index) => {
      const attempt = { email: `${index}@example.org`, password: 'x', network: NETWORK }
      return await signInWithPassword({ ...ports, passwords }, attempt).catch(({ reason }) => reason)
    })
    expect((await Promise.all(attempts)).filter((reason) => reason === 'RATE_LIMITED')).toHaveLength(9)
  })

  test('the right password after wrong ones starts anew', async () => {
    await addAlice()
    const right = { email: ALICE, password: PASSWORD, network: NETWORK }
    for (let round = 0; round < 4; round++) {
      for (let index = 0; index < 5; index++)
        await expect(signInWithPassword(ports, { ...right, password: 'wrong' })).rejects.toMatchObject(
          INVALID,
        )
      await signInWithPassword(ports, right)
    }
  })

  test('a link signs in once, makes the account and its first project, in the zone that was named', async () => {
    const token = await requestToken('New.Person@Example.org')
    expect(mails[0]).toMatchObject({ to: 'new.person@example.org' })
    expect(mails[0]?.text).toContain(`https://stats.example.org/sign-in?token=${token}`)
    const { customerId } = await signInWithLink(ports, { token, timezone: 'Europe/Berlin' })
    expect(await findCustomerByEmail(catalog, 'new.person@example.org')).toMatchObject({
      id: customerId,
      isEmailVerified: true,
    })
    expect(await listOrganisations(catalog, customerId)).toMatchObject([
      { displayName: 'new.person', role: 'admin' },
    ])
    const projects = await catalog.selectFrom('projects').selectAll().execute()
    expect(projects).toMatchObject([{ display_name: 'Default', reporting_timezone: 'Europe/Berlin' }])
    await expect(signInWithLink(ports, { token, timezone: '' })).rejects.toMatchObject({
      code: 'unauthenticated',
      reason: 'INVALID_TOKEN',
    })
  })

  test('the token of a link is not stored', async () => {
    const token = await requestToken(ALICE)
    const rows = JSON.stringify(await catalog.selectFrom('magic_links').selectAll().execute())
    expect(rows).toContain(ALICE)
    expect(rows).not.toContain(token)
  })

  test('a link of somebody who has an account verifies the address and makes nothing new', async () => {
    const id = await addAlice()
    const token = await requestToken(ALICE)
    expect(await signInWithLink(ports, { token, timezone: '' })).toMatchObject({ customerId: id })
    expect(await findCustomerByEmail(catalog, ALICE)).toMatchObject({ isEmailVerified: true })
    expect(await listOrganisations(catalog, id)).toEqual([])
  })

  test('a link works for 15 minutes', async () => {
    const first = await requestToken(ALICE)
    nowMs += 15 * MINUTE_MS - 1
    await signInWithLink(ports, { token: first, timezone: '' })
    const second = await requestToken(ALICE)
    nowMs += 15 * MINUTE_MS
    await expect(signInWithLink(ports, { token: second, timezone: '' })).rejects.toMatchObject({
      reason: 'INVALID_TOKEN',
    })
  })

  test('a link that is opened several times at once signs in once', async () => {
    const token = await requestToken(ALICE)
    const opened = await Promise.allSettled(
      [1, 2, 3, 4].map(async () => await signInWithLink(ports, { token, timezone: '' })),
    )
    expect(opened.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await catalog.selectFrom('customers').selectAll().execute()).toHaveLength(1)
    expect(await catalog.selectFrom('organisations').selectAll().execute()).toHaveLength(1)
  })

  test('an unknown zone is refused and the link stays good', async () => {
    const token = await requestToken(ALICE)
    await expect(signInWithLink(ports, { token, timezone: 'Mars/Base' })).rejects.toMatchObject({
      code: 'invalid_argument',
      reason: 'INVALID_TIMEZONE',
      violations: [{ field: 'timezone' }],
    })
    expect(await signInWithLink(ports, { token, timezone: '' })).toBeDefined()
  })

  test('an address gets a few links at a time', async () => {
    for (let index = 0; index < 6; index++) await requestToken(ALICE)
    await expect(requestToken(ALICE)).rejects.toMatchObject({ reason: 'RATE_LIMITED', retryAfterSeconds: 30 })
    await requestToken('bob@example.org')
    expect(mails).toHaveLength(7)
  })

  test('the link of an invitation joins its organisation instead of making one', async () => {
    const owner = await addAlice()
    const { id: organisationId } = await createOrganisation(catalog, ports.clock, {
      customerId: owner,
      displayName: 'Acme',
    })
    await inviteMember(ports, {
      organisationId,
      customerId: owner,
      email: 'bob@example.org',
      role: 'viewer',
    })
    const token = tokenIn(mails.at(-1))
    const { customerId } = await signInWithLink(ports, { token, timezone: '' })
    expect(await listOrganisations(catalog, customerId)).toMatchObject([
      { displayName: 'Acme', role: 'viewer' },
    ])
    expect(await findCustomerByEmail(catalog, 'bob@example.org')).toMatchObject({ isEmailVerified: true })
    await expect(signInWithLink(ports, { token, timezone: '' })).rejects.toMatchObject({
      reason: 'INVALID_TOKEN',
    })
  })

  test('the link of an invitation that expired tells so, and makes no account', async () => {
    const owner = await addAlice()
    const { id: organisationId } = await createOrganisation(catalog, ports.clock, {
      customerId: owner,
      displayName: 'Acme',
    })
    const { expiresMs } = await inviteMember(ports, {
      organisationId,
      customerId: owner,
      email: 'bob@example.org',
      role: 'member',
    })
    const token = tokenIn(mails.at(-1))
    nowMs = expiresMs
    await expect(signInWithLink(ports, { token, timezone: '' })).rejects.toMatchObject({
      code: 'failed_precondition',
      reason: 'INVITATION_EXPIRED',
    })
    expect(await findCustomerByEmail(catalog, 'bob@example.org')).toBeUndefined()
  })

  test('Google signs in whose address it has verified', async () => {
    const google = await openGoogle(ports.clock)
    const credential = await google.sign({ name: 'Carol' })
    const withGoogle = { ...ports, google: google.signIn }
    const { customerId } = await signInWithGoogle(withGoogle, { credential, timezone: 'Asia/Tokyo' })
    expect(await findCustomerByEmail(catalog, 'carol@example.org')).toMatchObject({
      id: customerId,
      isEmailVerified: true,
    })
    const again = await signInWithGoogle(withGoogle, { credential, timezone: '' })
    expect(again.customerId).toBe(customerId)
    expect(await listOrganisations(catalog, customerId)).toHaveLength(1)
  })

  test.each([
    ['of another client', { aud: 'other' }],
    ['of another issuer', { iss: 'https://example.org' }],
    ['that expired', { exp: 1_799_999_999 }],
    ['without a verified address', { email_verified: false }],
    ['whose verification is a text', { email_verified: 'true' }],
    ['without an address', { email: undefined }],
  ])('a token of Google %s is refused', async (_, claims) => {
    const google = await openGoogle(ports.clock)
    const request = { credential: await google.sign(claims), timezone: '' }
    await expect(signInWithGoogle({ ...ports, google: google.signIn }, request)).rejects.toMatchObject(
      INVALID,
    )
  })

  test('a token that somebody else signed, or none at all, is refused', async () => {
    const [google, other] = [await openGoogle(ports.clock), await openGoogle(ports.clock)]
    for (const credential of [await other.sign({}), 'no token']) {
      const request = { credential, timezone: '' }
      await expect(signInWithGoogle({ ...ports, google: google.signIn }, request)).rejects.toMatchObject(
        INVALID,
      )
    }
  })

  test("without Google's keys nobody is refused for good", async () => {
    const google = await openGoogle(ports.clock)
    const keys = async (): Promise<never> => {
      throw new TypeError('fetch failed')
    }
    const request = { credential: await google.sign({}), timezone: '' }
    const broken = { ...ports, google: { ...google.signIn, keys } }
    await expect(signInWithGoogle(broken, request)).rejects.toMatchObject({
      code: 'unavailable',
      reason: 'IDENTITY_PROVIDER_UNAVAILABLE',
    })
  })

  test('where Google is not set up, that is what is told', async () => {
    await expect(signInWithGoogle(ports, { credential: 'x', timezone: '' })).rejects.toMatchObject({
      code: 'failed_precondition',
      reason: 'SIGN_IN_NOT_CONFIGURED',
    })
  })
})

function tokenIn(mail: Mail | undefined): string {
  const link = URL.parse(/https:\S+/.exec(mail?.text ?? '')?.[0] ?? '')
  const token = link?.searchParams.get('token')
  if (!token) throw new Error('the mail has no link')
  return token
}

interface FakeGoogle {
  readonly signIn: GoogleSignIn
  readonly sign: (claims: JWTPayload) => Promise<string>
}

/** Signs as Google does, with keys of its own. */
async function openGoogle(clock: Clock): Promise<FakeGoogle> {
  const { publicKey, privateKey } = await generateKeyPair('RS256')
  const keys = createLocalJWKSet({ keys: [{ ...(await exportJWK(publicKey)), kid: 'k-1', alg: 'RS256' }] })
  const claims = {
    iss: 'https://accounts.google.com',
    aud: 'client-1',
    sub: '1234567890',
    exp: 1_800_003_600,
    email: 'Carol@example.org',
    email_verified: true,
  }
  return {
    signIn: { clientId: 'client-1', keys, clock },
    sign: async (extra) =>
      await new SignJWT({ ...claims, ...extra })
        .setProtectedHeader({ alg: 'RS256', kid: 'k-1' })
        .sign(privateKey),
  }
}
