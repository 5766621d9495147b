import { create } from '@bufbuild/protobuf'
import { createContextValues, type HandlerContext } from '@connectrpc/connect'
import { createLocalJWKSet, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { describeCatalog } from '../../../test/harness/describe-catalog.ts'
import { openTestProviders } from '../../../test/harness/provider-ports.ts'
import { sessionOf } from '../../../test/harness/signed-in.ts'
import { waitFor } from '../../../test/harness/wait.ts'
import { SignInWithEmailRequestSchema } from '../../contract/gen/public/auth/v1/auth_service_pb.js'
import type { CustomerId } from '../../contract/ids.ts'
import { ServiceError } from '../../contract/service-error.ts'
import { parseAddressRanges } from '../../kernel/address-ranges.ts'
import type { Clock } from '../../kernel/clock.ts'
import { createLogger } from '../../kernel/log.ts'
import { Sealer } from '../../kernel/sealer.ts'
import { edgeNotesKey } from '../../rpc/call-context.ts'
import type { EdgeNotes } from '../../rpc/edge-notes.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import { AccessTokens } from '../access/access-token.ts'
import { findCustomerByEmail, insertCustomer } from '../customers/customers.ts'
import { createMagicLinkUrl } from '../customers/magic-links.ts'
import type { Mail } from '../mail/mail-queue.ts'
import { acceptByLink } from '../organisations/accept-invitation.ts'
import { type InvitationPorts, inviteMember } from '../organisations/invitations.ts'
import { createOrganisation, listOrganisations } from '../organisations/organisations.ts'
import { type AuthPorts, createSignInLimits } from './auth-ports.ts'
import { createAuthService } from './auth-service.ts'
import { createLinkShare } from './fair-share.ts'
import type { GoogleSignIn } from './google-sign-in.ts'
import { KnownNetworks } from './known-networks.ts'
import { PasswordHasher } from './password-hasher.ts'
import { requestMagicLink, signInWithGoogle, signInWithLink, signInWithPassword } from './sign-in.ts'
import { createSignInLinkJob } from './sign-in-mail.ts'

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
  let invitations: InvitationPorts

  /** The job that the service does in the background. */
  async function mailAtOnce(email: string): Promise<void> {
    const sealer = new Sealer(Buffer.alloc(32, 5))
    const { signUp } = ports
    const job = createSignInLinkJob({
      ...invitations,
      sealer,
      signUp,
      log: createLogger({ role: 'test', level: 'silent' }),
    })
    const sealed = sealer.seal({ purpose: 'sign-in-link/r-1', text: email })
    const payload = { requestId: 'r-1', sealed }
    const context = { signal: new AbortController().signal, save: async () => undefined }
    await job.run(
      { id: 'j-1', kind: 'send-sign-in-link', projectId: undefined, payload, attempts: 1 },
      context,
    )
  }

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
      networks: new KnownNetworks({ catalog, clock, key: Buffer.alloc(32, 4) }),
      signUp: 'open',
      oidc: openTestProviders([], clock),
      linkShare: createLinkShare(),
      queueSignInLink: mailAtOnce,
      trustedProxies,
    }
    invitations = {
      catalog,
      clock,
      sendMail: async (mail) => {
        mails.push(mail)
      },
      routeMail: async () => 'server',
      magicLinkUrl: createMagicLinkUrl('https://stats.example.org/'),
    }
  })

  async function addAlice(passwordHash: string | undefined = hashedPassword): Promise<CustomerId> {
    const alice = { email: ALICE, displayName: 'Alice', isEmailVerified: false, passwordHash }
    return await insertCustomer(catalog, ports.clock, alice)
  }

  async function addBob(): Promise<CustomerId> {
    const bob = { email: 'bob@example.org', displayName: 'Bob', isEmailVerified: true }
    return await insertCustomer(catalog, ports.clock, { ...bob, passwordHash: hashedPassword })
  }

  async function requestToken(email: string): Promise<string> {
    await requestMagicLink(ports, { email, network: NETWORK })
    return tokenIn(mails.at(-1))
  }

  test('a password signs in with any case of the address', async () => {
    const customerId = await addAlice()
    const attempt = { email: ' Alice@Example.ORG', password: PASSWORD, network: NETWORK }
    expect(await signInWithPassword(ports, attempt)).toMatchObject({ customerId })
  })

  test('a sign-in is noted for the edge as verified, a failed one is not', async () => {
    await addAlice()
    const { signInWithEmail } = createAuthService(ports)
    const attempt = async (password: string): Promise<EdgeNotes> => {
      const notes: EdgeNotes = { holdMs: 0, isVerified: false }
      const context = {
        requestHeader: new Headers({ 'x-forwarded-for': NETWORK }),
        responseHeader: new Headers(),
        values: createContextValues().set(edgeNotesKey, notes),
        signal: new AbortController().signal,
      } as unknown as HandlerContext
      const request = create(SignInWithEmailRequestSchema, { email: ALICE, password })
      await Promise.allSettled([signInWithEmail?.(request, context)])
      return notes
    }
    expect(await attempt(PASSWORD)).toEqual({ holdMs: 0, isVerified: true })
    expect(await attempt('wrong')).toEqual({ holdMs: 0, isVerified: false })
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

  test('wrong passwords are delayed for existing and unknown accounts alike, also when concurrent', async () => {
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

  test('attempts on many accounts from one network are delayed', async () => {
    const passwords = new PasswordHasher({ functions: { hash: async () => '', verify: async () => false } })
    const attempts = Array.from({ length: 60 }, async (_, index) => {
      const attempt = { email: `${index}@example.org`, password: 'x', network: NETWORK }
      return await signInWithPassword({ ...ports, passwords }, attempt).catch(({ reason }) => reason)
    })
    expect((await Promise.all(attempts)).filter((reason) => reason === 'RATE_LIMITED')).toHaveLength(9)
  })

  test('the right password after wrong ones resets the counter', async () => {
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

  test('a link signs in once, and creates the account and its first project in the given time zone', async () => {
    const token = await requestToken('New.Person@Example.org')
    expect(mails[0]).toMatchObject({ to: 'new.person@example.org' })
    expect(mails[0]?.text).toContain(`https://stats.example.org/sign-in?token=${token}`)
    const { customerId } = await signInWithLink(ports, { token, timezone: 'Europe/Berlin', network: NETWORK })
    expect(await findCustomerByEmail(catalog, 'new.person@example.org')).toMatchObject({
      id: customerId,
      isEmailVerified: true,
    })
    expect(await listOrganisations(catalog, customerId)).toMatchObject([
      { displayName: 'new.person', role: 'admin' },
    ])
    const projects = await catalog.selectFrom('projects').selectAll().execute()
    expect(projects).toMatchObject([{ display_name: 'Default', reporting_timezone: 'Europe/Berlin' }])
    await expect(signInWithLink(ports, { token, timezone: '', network: NETWORK })).rejects.toMatchObject({
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

  test('a link of an existing account verifies the address and creates nothing', async () => {
    const id = await addAlice()
    const token = await requestToken(ALICE)
    expect(await signInWithLink(ports, { token, timezone: '', network: NETWORK })).toMatchObject({
      customerId: id,
    })
    expect(await findCustomerByEmail(catalog, ALICE)).toMatchObject({ isEmailVerified: true })
    expect(await listOrganisations(catalog, id)).toEqual([])
  })

  test('a link works for 15 minutes', async () => {
    const first = await requestToken(ALICE)
    nowMs += 15 * MINUTE_MS - 1
    await signInWithLink(ports, { token: first, timezone: '', network: NETWORK })
    const second = await requestToken(ALICE)
    nowMs += 15 * MINUTE_MS
    await expect(
      signInWithLink(ports, { token: second, timezone: '', network: NETWORK }),
    ).rejects.toMatchObject({
      reason: 'INVALID_TOKEN',
    })
  })

  test('a link that is opened concurrently signs in once', async () => {
    const token = await requestToken(ALICE)
    const opened = await Promise.allSettled(
      [1, 2, 3, 4].map(async () => await signInWithLink(ports, { token, timezone: '', network: NETWORK })),
    )
    expect(opened.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await catalog.selectFrom('customers').selectAll().execute()).toHaveLength(1)
    expect(await catalog.selectFrom('organisations').selectAll().execute()).toHaveLength(1)
  })

  test('an unknown time zone is rejected and the link stays valid', async () => {
    const token = await requestToken(ALICE)
    await expect(
      signInWithLink(ports, { token, timezone: 'Mars/Base', network: NETWORK }),
    ).rejects.toMatchObject({
      code: 'invalid_argument',
      reason: 'INVALID_TIMEZONE',
      violations: [{ field: 'timezone' }],
    })
    expect(await signInWithLink(ports, { token, timezone: '', network: NETWORK })).toBeDefined()
  })

  test('requests for links to one address are limited', async () => {
    for (let index = 0; index < 6; index++) await requestToken(ALICE)
    await expect(requestToken(ALICE)).rejects.toMatchObject({ reason: 'RATE_LIMITED', retryAfterSeconds: 30 })
    await requestToken('bob@example.org')
    expect(mails).toHaveLength(7)
  })

  test('the link of an invitation joins its organisation instead of creating one', async () => {
    const owner = await addAlice()
    const { id: organisationId } = await createOrganisation(catalog, ports.clock, {
      customerId: owner,
      displayName: 'Acme',
    })
    await inviteMember(invitations, {
      organisationId,
      customerId: owner,
      email: 'bob@example.org',
      role: 'viewer',
    })
    const token = tokenIn(mails.at(-1))
    const { customerId } = await signInWithLink(ports, { token, timezone: '', network: NETWORK })
    expect(await listOrganisations(catalog, customerId)).toMatchObject([
      { displayName: 'Acme', role: 'viewer' },
    ])
    expect(await findCustomerByEmail(catalog, 'bob@example.org')).toMatchObject({ isEmailVerified: true })
    await expect(signInWithLink(ports, { token, timezone: '', network: NETWORK })).rejects.toMatchObject({
      reason: 'INVALID_TOKEN',
    })
  })

  describe.each([
    ['got, as there is no mail server', 'log'],
    ['can read, as it left through the mail provider of the organisation', 'provider'],
  ] as const)('a link that the inviter %s', (_, route) => {
    const inviteBob = async (): Promise<string> => {
      const owner = await addAlice()
      const acme = { customerId: owner, displayName: 'Acme' }
      const { id } = await createOrganisation(catalog, ports.clock, acme)
      const invited = { organisationId: id, customerId: owner, email: 'bob@example.org' }
      const { link } = await inviteMember(
        { ...invitations, routeMail: async () => route },
        { ...invited, role: 'viewer' },
      )
      return route === 'log' ? (/token=([\w-]+)/.exec(link)?.[1] ?? '') : tokenIn(mails.at(-1))
    }
    const open = async (token: string) =>
      sessionOf(await signInWithLink(ports, { token, timezone: '', network: NETWORK }))

    test('creates an account whose address is not verified', async () => {
      const { customerId } = await open(await inviteBob())
      expect(await listOrganisations(catalog, customerId)).toMatchObject([{ displayName: 'Acme' }])
      const bob = await findCustomerByEmail(catalog, 'bob@example.org')
      expect(bob).toMatchObject({ isEmailVerified: false, isUnproved: true })
    })

    test('does not open an account that the address got in the meantime, which joins once it is signed in', async () => {
      const token = await inviteBob()
      const bob = await addBob()
      await expect(open(token)).rejects.toMatchObject({
        code: 'failed_precondition',
        reason: 'INVITATION_NEEDS_SIGN_IN',
      })
      expect(await listOrganisations(catalog, bob)).toEqual([])
      await acceptByLink(ports, { customerId: bob, token })
      expect(await listOrganisations(catalog, bob)).toMatchObject([{ displayName: 'Acme', role: 'viewer' }])
    })

    test('reports no lost password to an owner whose account had none', async () => {
      await open(await inviteBob())
      expect(await open(await requestToken('bob@example.org'))).toMatchObject({ isPasswordRemoved: false })
    })

    test('has the error of its invitation first', async () => {
      const token = await inviteBob()
      await addBob()
      nowMs += 7 * 24 * 60 * MINUTE_MS
      await expect(open(token)).rejects.toMatchObject({ reason: 'INVITATION_EXPIRED' })
    })

    test('keeps no password and no session once the owner of the address signs in', async () => {
      const { customerId, sessionId } = await open(await inviteBob())
      await catalog.updateTable('customers').set({ password_hash: hashedPassword }).execute()
      const session = await open(await requestToken('bob@example.org'))
      expect(session).toMatchObject({ customerId, isPasswordRemoved: true })
      const sessions = await catalog.selectFrom('refresh_sessions').select('id').execute()
      expect(sessions.map(({ id }) => id)).toEqual([session.sessionId])
      expect(session.sessionId).not.toBe(sessionId)
      const bob = await findCustomerByEmail(catalog, 'bob@example.org')
      expect(bob).toMatchObject({ isEmailVerified: true, isUnproved: false, passwordHash: undefined })
    })
  })

  test.each(['server', 'log'] as const)(
    'the invitation link of the %s opens an account of its address',
    async (route) => {
      const owner = await addAlice()
      const bob = await addBob()
      const { id } = await createOrganisation(catalog, ports.clock, {
        customerId: owner,
        displayName: 'Acme',
      })
      const invited = {
        organisationId: id,
        customerId: owner,
        email: 'bob@example.org',
        role: 'viewer',
      } as const
      await inviteMember({ ...invitations, routeMail: async () => route }, invited)
      const mailed = { token: tokenIn(mails.at(-1)), timezone: '', network: NETWORK }
      expect(await signInWithLink(ports, mailed)).toMatchObject({ customerId: bob })
    },
  )

  test('the link of an expired invitation has its own error and creates no account', async () => {
    const owner = await addAlice()
    const { id: organisationId } = await createOrganisation(catalog, ports.clock, {
      customerId: owner,
      displayName: 'Acme',
    })
    const { expiresMs } = await inviteMember(invitations, {
      organisationId,
      customerId: owner,
      email: 'bob@example.org',
      role: 'member',
    })
    const token = tokenIn(mails.at(-1))
    nowMs = expiresMs
    await expect(signInWithLink(ports, { token, timezone: '', network: NETWORK })).rejects.toMatchObject({
      code: 'failed_precondition',
      reason: 'INVITATION_EXPIRED',
    })
    expect(await findCustomerByEmail(catalog, 'bob@example.org')).toBeUndefined()
  })

  describe('who may create an account', () => {
    const NEWCOMER = 'new.person@example.org'
    const byGoogle = async (): Promise<unknown> => {
      const google = await openGoogle(ports.clock)
      const credential = await google.sign({ email: NEWCOMER, exp: nowMs / 1000 + 60 })
      return await signInWithGoogle(
        { ...ports, google: google.signIn },
        { credential, timezone: '', network: NETWORK },
      ).catch(({ code, reason }) => `${code} ${reason}`)
    }
    const REFUSED = 'permission_denied SIGN_UP_NOT_ALLOWED'
    const invite = async (): Promise<void> => {
      const owner = await addAlice()
      const { id } = await createOrganisation(catalog, ports.clock, {
        customerId: owner,
        displayName: 'Acme',
      })
      const invited = { organisationId: id, customerId: owner, email: 'New.Person@example.org' }
      await inviteMember(invitations, { ...invited, role: 'viewer' })
      mails = []
    }

    test.each([
      ['invited', 'invited', false],
      ['of another domain', { domains: ['example.com'] }, false],
      ['of a domain', { domains: ['example.com', 'example.org'] }, true],
      ['open to everybody', 'open', true],
    ] as const)('%s: a link and Google alike', async (_, signUp, may) => {
      ports = { ...ports, signUp }
      await requestMagicLink(ports, { email: NEWCOMER, network: NETWORK })
      expect(mails.map(({ to }) => to)).toEqual(may ? [NEWCOMER] : [])
      expect(await byGoogle()).toEqual(
        may ? expect.objectContaining({ sessionId: expect.anything() }) : REFUSED,
      )
      expect((await findCustomerByEmail(catalog, NEWCOMER)) !== undefined).toBe(may)
    })

    test('an existing account signs in under any policy', async () => {
      ports = { ...ports, signUp: 'invited' }
      await addAlice()
      const token = await requestToken(ALICE)
      expect(await signInWithLink(ports, { token, timezone: '', network: NETWORK })).toBeDefined()
    })

    test('an invited address may, with any sign-in method, until the invitation expires', async () => {
      ports = { ...ports, signUp: 'invited' }
      await invite()
      await requestMagicLink(ports, { email: NEWCOMER, network: NETWORK })
      expect(mails.map(({ to }) => to)).toEqual([NEWCOMER])
      nowMs += 7 * 24 * 60 * MINUTE_MS
      expect(await byGoogle()).toBe(REFUSED)
      await requestMagicLink(ports, { email: NEWCOMER, network: NETWORK })
      expect(mails).toHaveLength(1)
    })

    test('an invited address may not after the invitation is revoked', async () => {
      ports = { ...ports, signUp: 'invited' }
      await invite()
      await catalog.updateTable('invitations').set({ status: 'revoked' }).execute()
      expect(await byGoogle()).toBe(REFUSED)
    })

    test('a link mailed under another policy creates no account', async () => {
      const token = await requestToken(NEWCOMER)
      ports = { ...ports, signUp: 'invited' }
      const link = { token, timezone: '', network: NETWORK }
      await expect(signInWithLink(ports, link)).rejects.toMatchObject({ reason: 'SIGN_UP_NOT_ALLOWED' })
      expect(await findCustomerByEmail(catalog, NEWCOMER)).toBeUndefined()
      ports = { ...ports, signUp: 'open' }
      expect(await signInWithLink(ports, link)).toBeDefined()
    })

    test('a request for a link does the same for every address', async () => {
      await addAlice()
      const queued: string[] = []
      const asking: AuthPorts = {
        ...ports,
        signUp: 'invited',
        queueSignInLink: async (email) => {
          queued.push(email)
        },
      }
      for (const email of [ALICE, NEWCOMER]) await requestMagicLink(asking, { email, network: NETWORK })
      expect(queued).toEqual([ALICE, NEWCOMER])
    })
  })

  describe('during attempts by strangers from many networks', () => {
    const HOME = '192.0.2.1'
    const wrong = new PasswordHasher({ functions: { hash: async () => '', verify: async () => false } })
    const reasonOf = async (signIn: Promise<unknown>): Promise<string> =>
      await signIn.then(
        () => 'signed in',
        ({ reason }) => reason,
      )
    const signInFrom = async (network: string, password = PASSWORD): Promise<string> =>
      await reasonOf(signInWithPassword(ports, { email: ALICE, password, network }))
    const junk = async (network: string): Promise<string> =>
      await reasonOf(
        signInWithPassword({ ...ports, passwords: wrong }, { email: ALICE, password: 'x', network }),
      )
    const junkFrom = async (count: number): Promise<readonly string[]> =>
      await Promise.all(Array.from({ length: count }, async (_, index) => await junk(`198.51.100.${index}`)))

    beforeEach(async () => {
      await addAlice()
      expect(await signInFrom(HOME)).toBe('signed in')
    })

    test('on an account, its owner signs in from a known network', async () => {
      expect(await junkFrom(20)).toContain('RATE_LIMITED')
      expect(await signInFrom('203.0.113.77')).toBe('RATE_LIMITED')
      expect(await signInFrom(HOME)).toBe('signed in')
      // Strangers get no more attempts by that.
      expect(await junk('198.51.100.250')).toBe('RATE_LIMITED')
    })

    test('its owner gets a link from a known network', async () => {
      const ask = async (network: string): Promise<string> =>
        await reasonOf(requestMagicLink(ports, { email: ALICE, network }))
      const asked = await Promise.all(
        Array.from({ length: 10 }, async (_, index) => await ask(`198.51.100.${index}`)),
      )
      expect(asked).toContain('RATE_LIMITED')
      expect(await ask(HOME)).toBe('signed in')
    })

    test('requests of links wait in a bounded queue, in which its owner comes first', async () => {
      const gate = Promise.withResolvers<void>()
      const order: string[] = []
      const linkShare = createLinkShare()
      const run = vi.spyOn(linkShare, 'run')
      const queueSignInLink = async (email: string): Promise<void> => {
        order.push(email)
        await gate.promise
      }
      const request = async (email: string, network: string): Promise<string> =>
        await reasonOf(requestMagicLink({ ...ports, linkShare, queueSignInLink }, { email, network }))
      const strangers = Array.from(
        { length: 60 },
        async (_, index) => await request(`crowd-${index}@example.org`, `198.51.100.${index}`),
      )
      await waitFor('all strangers to wait', () => (run.mock.calls.length === 60 ? true : undefined))
      const owner = request(ALICE, HOME)
      await waitFor('the owner to wait', () => (run.mock.calls.length === 61 ? true : undefined))
      gate.resolve()
      expect(await owner).toBe('signed in')
      const reasons = await Promise.all(strangers)
      expect(reasons.filter((reason) => reason === 'OVERLOADED')).toHaveLength(60 - 33)
      expect(order.indexOf(ALICE)).toBe(1)
    })

    test('wrong passwords from a known network are delayed, too', async () => {
      const tried = await Promise.all(Array.from({ length: 30 }, async () => await junk(HOME)))
      expect(tried.filter((reason) => reason === 'INVALID_CREDENTIALS')).toHaveLength(11)
      expect(tried.filter((reason) => reason === 'RATE_LIMITED')).toHaveLength(19)
    })

    test('a sign-in by link makes its network known, too', async () => {
      const token = await requestToken(ALICE)
      await signInWithLink(ports, { token, timezone: '', network: '192.0.2.2' })
      expect(await junkFrom(20)).toContain('RATE_LIMITED')
      expect(await signInFrom('192.0.2.2')).toBe('signed in')
    })

    /** Attempts from unknown networks that are being checked or queued at a time. */
    const PLACES = 33

    test('on any accounts, the queue has room and an early turn for a known network', async () => {
      const order: string[] = []
      let begin = (): void => undefined
      const started = new Promise<void>((resolve) => {
        begin = resolve
      })
      const passwords = new PasswordHasher({
        functions: {
          hash: async () => '',
          verify: async (_, password) => {
            await started
            order.push(password)
            return password === PASSWORD
          },
        },
      })
      const attempt = async (email: string, network: string, password: string): Promise<string> =>
        await reasonOf(signInWithPassword({ ...ports, passwords }, { email, password, network }))
      const flood = Array.from({ length: 100 }, (_, index) =>
        attempt(`${index}@example.org`, `198.51.100.${index}`, 'x'),
      )
      let refusedCount = 0
      for (const one of flood) void one.then(() => refusedCount++)
      await waitFor('the rest of the flood to be refused', () =>
        refusedCount === flood.length - PLACES ? true : undefined,
      )
      const verify = vi.spyOn(passwords, 'verify')
      const mine = attempt(ALICE, HOME, PASSWORD)
      const colleague = attempt('bob@example.org', HOME, 'bob')
      await waitFor('both to be queued', () => {
        const known = verify.mock.calls.filter(([, , applicant]) => applicant?.standing !== 'unknown')
        return known.length === 2 ? true : undefined
      })
      begin()
      expect([await mine, await colleague]).toEqual(['signed in', 'INVALID_CREDENTIALS'])
      // The first hash had begun before.
      expect(order.slice(0, 4)).toEqual(expect.arrayContaining([PASSWORD, 'bob']))
      expect((await Promise.all(flood)).filter((reason) => reason === 'INVALID_CREDENTIALS')).toHaveLength(
        PLACES,
      )
    })

    test('an attempt that is not queued does not count', async () => {
      const full = new PasswordHasher()
      full.requireAccepted = () => {
        throw new ServiceError({ code: 'resource_exhausted', reason: 'OVERLOADED', message: 'full' })
      }
      const attempt = { email: 'bob@example.org', password: 'x', network: NETWORK }
      const counted = await catalog.selectFrom('sign_in_attempts').selectAll().execute()
      for (let index = 0; index < 60; index++)
        expect(await reasonOf(signInWithPassword({ ...ports, passwords: full }, attempt))).toBe('OVERLOADED')
      expect(await catalog.selectFrom('sign_in_attempts').selectAll().execute()).toEqual(counted)
    })
  })

  test('Google signs in with a verified address', async () => {
    const google = await openGoogle(ports.clock)
    const credential = await google.sign({ name: 'Carol' })
    const withGoogle = { ...ports, google: google.signIn }
    const { customerId } = await signInWithGoogle(withGoogle, {
      credential,
      timezone: 'Asia/Tokyo',
      network: NETWORK,
    })
    expect(await findCustomerByEmail(catalog, 'carol@example.org')).toMatchObject({
      id: customerId,
      isEmailVerified: true,
    })
    const again = await signInWithGoogle(withGoogle, { credential, timezone: '', network: NETWORK })
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
  ])('a token of Google %s is rejected', async (_, claims) => {
    const google = await openGoogle(ports.clock)
    const request = { credential: await google.sign(claims), timezone: '', network: NETWORK }
    await expect(signInWithGoogle({ ...ports, google: google.signIn }, request)).rejects.toMatchObject(
      INVALID,
    )
  })

  test('a foreign or malformed token is rejected', async () => {
    const [google, other] = [await openGoogle(ports.clock), await openGoogle(ports.clock)]
    for (const credential of [await other.sign({}), 'no token']) {
      const request = { credential, timezone: '', network: NETWORK }
      await expect(signInWithGoogle({ ...ports, google: google.signIn }, request)).rejects.toMatchObject(
        INVALID,
      )
    }
  })

  test("while Google's keys are unavailable, the refusal is temporary", async () => {
    const google = await openGoogle(ports.clock)
    const keys = async (): Promise<never> => {
      throw new TypeError('fetch failed')
    }
    const request = { credential: await google.sign({}), timezone: '', network: NETWORK }
    const broken = { ...ports, google: { ...google.signIn, keys } }
    await expect(signInWithGoogle(broken, request)).rejects.toMatchObject({
      code: 'unavailable',
      reason: 'IDENTITY_PROVIDER_UNAVAILABLE',
    })
  })

  test('without Google configured, the error names the cause', async () => {
    await expect(
      signInWithGoogle(ports, { credential: 'x', timezone: '', network: NETWORK }),
    ).rejects.toMatchObject({
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
