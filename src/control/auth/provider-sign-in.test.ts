import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { connectAssistant } from '../../../test/harness/assistant-token.ts'
import { describeCatalog } from '../../../test/harness/describe-catalog.ts'
import {
  CLIENT_ID,
  CLIENT_SECRET,
  type IdentityProvider,
  type Misbehaviour,
  startIdentityProvider,
} from '../../../test/harness/identity-provider.ts'
import { openTestProviders } from '../../../test/harness/provider-ports.ts'
import { sessionOf } from '../../../test/harness/signed-in.ts'
import { asOrganisationId, type CustomerId } from '../../contract/ids.ts'
import { ServiceError } from '../../contract/service-error.ts'
import { parseAddressRanges } from '../../kernel/address-ranges.ts'
import { systemClock } from '../../kernel/clock.ts'
import type { OidcProvider } from '../../settings/oidc-settings.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import { insertProject } from '../../store/catalog/projects.ts'
import { AccessTokens } from '../access/access-token.ts'
import { findCustomerByEmail, insertCustomer } from '../customers/customers.ts'
import { insertInvitationLink, insertMagicLink } from '../customers/magic-links.ts'
import { beginSession, continueSession } from '../customers/refresh-sessions.ts'
import { deleteIdentity, listIdentities } from '../oidc/identities.ts'
import { createOrganisation, listOrganisations } from '../organisations/organisations.ts'
import { type AuthPorts, createSignInLimits } from './auth-ports.ts'
import { createLinkShare } from './fair-share.ts'
import { KnownNetworks } from './known-networks.ts'
import { PasswordHasher } from './password-hasher.ts'
import { mayContinue } from './provider-policy.ts'
import { type ProviderResponse, signInWithProvider, startProviderSignIn } from './provider-sign-in.ts'
import { requestMagicLink, signInWithLink, signInWithPassword } from './sign-in.ts'

const CAROL = { sub: 'carol-1', email: 'carol@example.org', email_verified: true, name: 'Carol' }
const NETWORK = '203.0.113.9'
const PASSWORD = 'correct horse'
const CALLBACKS = [
  'https://stats.example.org/oauth/callback',
  'https://stats.example.org/oauth/callback/own',
  'https://stats.example.org/oauth/callback/other',
]

const trusted = parseAddressRanges(['127.0.0.0/8'])
if (!trusted.ok) throw new Error('no ranges')
const trustedProxies = trusted.value
const hashedPassword = await new PasswordHasher().hash(PASSWORD)

async function reasonOf(work: Promise<unknown>): Promise<string> {
  try {
    await work
    return 'none'
  } catch (thrown) {
    return ServiceError.from(thrown).reason
  }
}

describeCatalog('sign-in with a provider', (under) => {
  let own: IdentityProvider
  let other: IdentityProvider
  let catalog: Catalog
  let ports: AuthPorts

  beforeAll(async () => {
    own = await startIdentityProvider({ account: CAROL, redirectUris: CALLBACKS })
    other = await startIdentityProvider({ account: CAROL, redirectUris: CALLBACKS, onlyUserInfo: true })
  })

  afterAll(async () => {
    await own?.stop()
    await other?.stop()
  })

  const describeProvider = (id: string, issuer: string, extra: Partial<OidcProvider> = {}): OidcProvider => ({
    id,
    issuer,
    clientId: CLIENT_ID,
    clientSecret: CLIENT_SECRET,
    label: id === 'own' ? 'Keycloak' : 'Okta',
    scopes: ['openid', 'email', 'profile', 'groups'],
    groupsClaim: 'groups',
    domains: [],
    groupRules: [],
    ...extra,
  })

  const configure = (extra: Partial<OidcProvider> = {}): void => {
    const providers = [describeProvider('other', other.issuer), describeProvider('own', own.issuer, extra)]
    ports = { ...ports, oidc: openTestProviders(providers, ports.clock) }
  }

  beforeEach(() => {
    ;({ catalog } = under)
    for (const provider of [own, other]) {
      provider.account = CAROL
      provider.misbehaviour = {}
    }
    const clock = systemClock
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
      queueSignInLink: async () => undefined,
      trustedProxies,
    }
    configure()
  })

  const EMPTY = { error: '', codeVerifier: '', redirectUri: '', nonce: '', timezone: '', network: NETWORK }

  /** Goes to the page of a provider, and returns its response. */
  const goTo = async (
    provider: IdentityProvider = own,
    connect?: { readonly customerId: CustomerId; readonly sessionId: string },
  ): Promise<ProviderResponse> => {
    const providerId = provider === own ? 'own' : 'other'
    const { authorizationUrl, attempt } = await startProviderSignIn(ports, {
      providerId,
      loginHint: '',
      ...(connect && { connect }),
    })
    const { searchParams } = await provider.visit(authorizationUrl)
    const read = (name: string): string => searchParams.get(name) ?? ''
    return { ...EMPTY, providerId, attempt, code: read('code'), state: read('state'), issuer: read('iss') }
  }
  const signIn = async (provider: IdentityProvider = own) =>
    sessionOf(await signInWithProvider(ports, await goTo(provider)))
  const refusalOf = async (provider: IdentityProvider = own): Promise<string> =>
    await reasonOf(signInWithProvider(ports, await goTo(provider)))
  const addAccount = async (email: string): Promise<CustomerId> =>
    await insertCustomer(catalog, ports.clock, {
      email,
      displayName: email,
      isEmailVerified: true,
      passwordHash: hashedPassword,
    })
  const begin = async (customerId: CustomerId) =>
    await beginSession({ catalog, clock: ports.clock, key: ports.key }, { customerId, method: 'password' })
  const countCustomers = async (): Promise<number> =>
    (await catalog.selectFrom('customers').select('id').execute()).length

  test.each(['own', 'other'] as const)('creates an account, and returns to it (%s)', async (which) => {
    const provider = which === 'own' ? own : other
    const first = await signIn(provider)
    const customer = await findCustomerByEmail(catalog, CAROL.email)
    expect(first.customerId).toBe(customer?.id)
    expect(customer).toMatchObject({ isEmailVerified: true, passwordHash: undefined })
    expect(await listOrganisations(catalog, first.customerId)).toMatchObject([
      { displayName: 'carol', role: 'admin' },
    ])
    expect((await signIn(provider)).customerId).toBe(first.customerId)
    expect(await countCustomers()).toBe(1)
    expect(await ports.networks.standingOf({ email: CAROL.email, network: NETWORK })).toBe('account')
  })

  test('an identity keeps its account when its address changes or is verified no more', async () => {
    const { customerId } = await signIn()
    own.account = { ...CAROL, email: 'caroline@example.org', email_verified: false }
    expect((await signIn()).customerId).toBe(customerId)
    expect(await listIdentities(catalog, customerId)).toMatchObject([{ email: 'caroline@example.org' }])
    expect(await findCustomerByEmail(catalog, 'caroline@example.org')).toBeUndefined()
  })

  test.each([
    ['an unverified address', { email_verified: false }],
    ['an address whose verification it does not state', { email_verified: undefined }],
    ['an address that is verified in a text only', { email_verified: 'yes' }],
    ['no address', { email: undefined }],
    ['no form of an address', { email: 'carol' }],
  ])('%s is refused', async (_, claims) => {
    own.account = { ...CAROL, ...claims }
    expect(await refusalOf()).toBe('EMAIL_NOT_VERIFIED')
    expect(await countCustomers()).toBe(0)
  })

  test('an address without an account needs an invitation', async () => {
    ports = { ...ports, signUp: 'invited' }
    expect(await refusalOf()).toBe('SIGN_UP_NOT_ALLOWED')
    expect(await countCustomers()).toBe(0)
  })

  describe('accounts that exist', () => {
    test('are not given to those who merely claim the address', async () => {
      const carol = await addAccount(CAROL.email)
      expect(await refusalOf()).toBe('ACCOUNT_NOT_CONNECTED')
      expect(await listIdentities(catalog, carol)).toEqual([])
    })

    test('are given to users of a provider that owns the domain', async () => {
      const carol = await addAccount(CAROL.email)
      configure({ domains: ['example.org'] })
      expect((await signIn()).customerId).toBe(carol)
    })

    test('of a domain of the provider are not given to an address that it denies', async () => {
      await addAccount(CAROL.email)
      configure({ domains: ['example.org'] })
      own.account = { ...CAROL, email_verified: false }
      expect(await refusalOf()).toBe('EMAIL_NOT_VERIFIED')
    })

    test('are not given to another subject of the same provider', async () => {
      configure({ domains: ['example.org'] })
      await signIn()
      own.account = { ...CAROL, sub: 'carol-2' }
      expect(await refusalOf()).toBe('IDENTITY_CHANGED')
    })

    test('are not given to a second provider with the same address', async () => {
      const { customerId } = await signIn(other)
      expect(await refusalOf(own)).toBe('ACCOUNT_NOT_CONNECTED')
      expect((await signIn(other)).customerId).toBe(customerId)
    })

    test('that an inviter could open lose its identities when their owner proves the address', async () => {
      const carol = await addAccount(CAROL.email)
      own.account = { ...CAROL, sub: 'inviter', email: 'inviter@example.net' }
      const session = await begin(carol)
      await signInWithProvider(ports, await goTo(own, session))
      await catalog.updateTable('customers').set({ unproved: 1 }).execute()
      configure({ domains: ['example.org'] })
      own.account = CAROL
      expect(await signIn()).toMatchObject({ customerId: carol, isPasswordRemoved: true })
      expect(await listIdentities(catalog, carol)).toMatchObject([{ subject: CAROL.sub }])
    })
  })

  describe('connecting', () => {
    test('adds an identity to the account of the session, which a new one replaces', async () => {
      const dora = await addAccount('dora@example.net')
      const session = await begin(dora)
      own.account = { ...CAROL, email_verified: false }
      expect((await signInWithProvider(ports, await goTo(own, session))).customerId).toBe(dora)
      const sessions = await catalog.selectFrom('refresh_sessions').select('method').execute()
      expect(sessions).toEqual([{ method: 'oidc' }])
      expect((await signIn()).customerId).toBe(dora)
    })

    test('needs the session until its end', async () => {
      const dora = await addAccount('dora@example.net')
      const session = await begin(dora)
      const response = await goTo(own, session)
      await catalog.deleteFrom('refresh_sessions').execute()
      expect(await reasonOf(signInWithProvider(ports, response))).toBe('SIGN_IN_ATTEMPT_INVALID')
      expect(await listIdentities(catalog, dora)).toEqual([])
    })

    test('takes no identity from another account, and no second one of a provider', async () => {
      const { customerId } = await signIn()
      const dora = await addAccount('dora@example.net')
      expect(await reasonOf(signInWithProvider(ports, await goTo(own, await begin(dora))))).toBe(
        'IDENTITY_IN_USE',
      )
      own.account = { ...CAROL, sub: 'carol-2' }
      const again = await goTo(own, await begin(customerId))
      expect(await reasonOf(signInWithProvider(ports, again))).toBe('IDENTITY_CHANGED')
    })

    test('an identity that is disconnected signs in no more, and its sessions end', async () => {
      const { customerId } = await signIn()
      const [identity] = await listIdentities(catalog, customerId)
      await deleteIdentity(catalog, { id: identity?.id ?? '', customerId })
      expect(await catalog.selectFrom('refresh_sessions').select('id').execute()).toEqual([])
      expect(await refusalOf()).toBe('ACCOUNT_NOT_CONNECTED')
    })
  })

  describe('a response is refused', () => {
    const otherClaim = (claims: Readonly<Record<string, unknown>>): Misbehaviour => ({
      claims: (original) => ({ ...original, ...claims }),
    })
    const nowSeconds = Math.floor(Date.now() / 1000)
    const status =
      (path: string, code: number, body: unknown): NonNullable<Misbehaviour['answer']> =>
      (context) => {
        if (context.path !== path) return false
        context.response.status = code
        context.response.body = body
        return true
      }

    test.each<[string, Misbehaviour, string]>([
      ['of another issuer', otherClaim({ iss: 'https://evil.example' }), 'PROVIDER_RESPONSE_INVALID'],
      ['for another audience', otherClaim({ aud: 'another' }), 'PROVIDER_RESPONSE_INVALID'],
      [
        'for several audiences of another party',
        otherClaim({ aud: [CLIENT_ID, 'x'], azp: 'x' }),
        'PROVIDER_RESPONSE_INVALID',
      ],
      ['with another nonce', otherClaim({ nonce: 'another' }), 'PROVIDER_RESPONSE_INVALID'],
      ['without a nonce', otherClaim({ nonce: undefined }), 'PROVIDER_RESPONSE_INVALID'],
      ['without a subject', otherClaim({ sub: undefined }), 'PROVIDER_RESPONSE_INVALID'],
      ['with an endless subject', otherClaim({ sub: 's'.repeat(256) }), 'PROVIDER_RESPONSE_INVALID'],
      ['of another key', { foreignKey: true }, 'PROVIDER_RESPONSE_INVALID'],
      ['that has expired', otherClaim({ exp: nowSeconds - 300 }), 'PROVIDER_CLOCK_WRONG'],
      ['of a clock that is 5 minutes ahead', { aheadMs: 300_000 }, 'PROVIDER_CLOCK_WRONG'],
      ['of a clock that is 5 minutes behind', { aheadMs: -300_000 }, 'PROVIDER_CLOCK_WRONG'],
      ['from the future', otherClaim({ iat: nowSeconds + 300 }), 'PROVIDER_CLOCK_WRONG'],
      ['with an error', { answer: status('/token', 500, 'broken') }, 'IDENTITY_PROVIDER_UNAVAILABLE'],
      ['without JSON', { answer: status('/token', 200, 'broken') }, 'IDENTITY_PROVIDER_UNAVAILABLE'],
      [
        'that is huge',
        { answer: status('/token', 200, { id_token: 'x'.repeat(300_000) }) },
        'IDENTITY_PROVIDER_UNAVAILABLE',
      ],
      [
        'without an ID token',
        { answer: status('/token', 200, { access_token: 'a', token_type: 'bearer' }) },
        'PROVIDER_RESPONSE_INVALID',
      ],
      [
        'to another client',
        { answer: status('/token', 401, { error: 'invalid_client' }) },
        'IDENTITY_PROVIDER_UNAVAILABLE',
      ],
    ])('%s', async (_, misbehaviour, reason) => {
      own.misbehaviour = misbehaviour
      expect(await refusalOf()).toBe(reason)
      expect(await countCustomers()).toBe(0)
      expect(await catalog.selectFrom('used_responses').select('digest').execute()).toEqual([])
    })

    test('that a provider backdates, as Entra ID does, is none of these', async () => {
      own.misbehaviour = { claims: (claims) => ({ ...claims, iat: Number(claims.iat) - 300 }) }
      expect(await refusalOf()).toBe('none')
    })

    test('that does not arrive in time', { timeout: 20_000 }, async () => {
      const { promise, resolve } = Promise.withResolvers<boolean>()
      own.misbehaviour = { answer: ({ path }) => (path === '/token' ? promise : false) }
      const response = await goTo()
      const startMs = Date.now()
      expect(await reasonOf(signInWithProvider(ports, response))).toBe('IDENTITY_PROVIDER_UNAVAILABLE')
      expect(Date.now() - startMs).toBeLessThan(10_000)
      resolve(false)
    })

    test('a second time, also when the provider accepts its code again', async () => {
      const response = await goTo()
      let accepted: unknown
      own.misbehaviour = {
        answer: (context) => {
          if (context.path !== '/token' || accepted === undefined) return false
          context.response.body = accepted
          return true
        },
        claims: (claims) => claims,
      }
      const original = await exchangeAtProvider(response)
      accepted = original
      await signInWithProvider(ports, response)
      expect(await reasonOf(signInWithProvider(ports, response))).toBe('SIGN_IN_CODE_INVALID')
    })

    test('with a code that the provider has exchanged already', async () => {
      const response = await goTo()
      await exchangeAtProvider(response)
      expect(await reasonOf(signInWithProvider(ports, response))).toBe('SIGN_IN_CODE_INVALID')
    })

    /** The tokens of a code, which an accomplice could also get. */
    const exchangeAtProvider = async (response: ProviderResponse): Promise<unknown> => {
      const { codeVerifier, redirectUri } = ports.oidc.attempts.open(response)
      const tokens = await fetch(`${own.issuer}/token`, {
        method: 'POST',
        body: new URLSearchParams({
          grant_type: 'authorization_code',
          client_id: CLIENT_ID,
          client_secret: CLIENT_SECRET,
          code: response.code,
          code_verifier: codeVerifier,
          redirect_uri: redirectUri,
        }),
      })
      expect(tokens.status).toBe(200)
      return await tokens.json()
    }

    test('that arrives at the address of another provider', async () => {
      const response = await goTo()
      const refused = async (change: Partial<ProviderResponse>) =>
        await reasonOf(signInWithProvider(ports, { ...response, ...change }))
      expect(await refused({ providerId: 'other' })).toBe('SIGN_IN_ATTEMPT_INVALID')
      const { attempt, state } = await goTo(other)
      expect(await refused({ attempt })).toBe('SIGN_IN_ATTEMPT_INVALID')
      expect(await refused({ attempt, state, providerId: 'other' })).toBe('PROVIDER_RESPONSE_INVALID')
      expect(await refused({ issuer: other.issuer })).toBe('PROVIDER_RESPONSE_INVALID')
      expect(await refused({ issuer: '' })).toBe('PROVIDER_RESPONSE_INVALID')
      expect(await refused({ providerId: 'unknown' })).toBe('SIGN_IN_NOT_CONFIGURED')
    })

    test('that belongs to no attempt of the browser', async () => {
      const response = await goTo()
      const refused = async (change: Partial<ProviderResponse>) =>
        await reasonOf(signInWithProvider(ports, { ...response, ...change }))
      expect(await refused({ state: 'another' })).toBe('SIGN_IN_ATTEMPT_INVALID')
      expect(await refused({ state: '' })).toBe('SIGN_IN_ATTEMPT_INVALID')
      expect(await refused({ attempt: 'none' })).toBe('SIGN_IN_ATTEMPT_INVALID')
      expect(await refused({ attempt: `${response.attempt.slice(0, -8)}AAAAAAA=` })).toBe(
        'SIGN_IN_ATTEMPT_INVALID',
      )
      const { attempt } = await startProviderSignIn(ports, { providerId: 'own', loginHint: '' })
      expect(await refused({ attempt })).toBe('SIGN_IN_ATTEMPT_INVALID')
    })

    test('eleven minutes after its start', async () => {
      const response = await goTo()
      const late = { nowMs: () => Date.now() + 11 * 60_000 }
      ports = { ...ports, oidc: openTestProviders(ports.oidc.providers, late) }
      expect(await reasonOf(signInWithProvider(ports, response))).toBe('SIGN_IN_ATTEMPT_INVALID')
    })

    test('when the user declines', async () => {
      const { attempt, state, providerId } = await goTo()
      const declined = { ...EMPTY, attempt, state, providerId, issuer: '', code: '', error: 'access_denied' }
      expect(await reasonOf(signInWithProvider(ports, declined))).toBe('PROVIDER_REFUSED')
      expect(await reasonOf(signInWithProvider(ports, { ...declined, error: '' }))).toBe('INVALID_REQUEST')
    })
  })

  test('a provider that is down says so, and is asked again at the next sign-in', async () => {
    own.misbehaviour = {
      answer: (context) => {
        context.response.status = 503
        return true
      },
    }
    const start = async () => await startProviderSignIn(ports, { providerId: 'own', loginHint: '' })
    expect(await reasonOf(start())).toBe('IDENTITY_PROVIDER_UNAVAILABLE')
    own.misbehaviour = {}
    expect(await reasonOf(start())).toBe('none')
    configure({ issuer: 'http://127.0.0.1:1' })
    expect(await reasonOf(start())).toBe('IDENTITY_PROVIDER_UNAVAILABLE')
  })

  test('a discovery document of another issuer, or with addresses inside of the network, is refused', async () => {
    const change = (fields: object): Misbehaviour => ({
      answer: (context) => {
        if (!context.path.startsWith('/.well-known/')) return false
        const { issuer } = own
        context.response.body = {
          issuer,
          authorization_endpoint: `${issuer}/auth`,
          token_endpoint: `${issuer}/token`,
          jwks_uri: `${issuer}/jwks`,
          ...fields,
        }
        return true
      },
    })
    own.misbehaviour = change({ issuer: other.issuer })
    const start = async () => await startProviderSignIn(ports, { providerId: 'own', loginHint: '' })
    expect(await reasonOf(start())).toBe('PROVIDER_RESPONSE_INVALID')
    own.misbehaviour = change({ token_endpoint: `${other.issuer}/token` })
    const requests = other.requests.length
    expect(await refusalOf()).toBe('IDENTITY_PROVIDER_UNAVAILABLE')
    expect(other.requests).toHaveLength(requests)
  })

  test('codes that are guessed are limited by network, for all processes', async () => {
    const { attempt, state } = await startedResponse()
    const guess = async (network: string): Promise<string> =>
      await reasonOf(
        signInWithProvider(ports, {
          ...EMPTY,
          providerId: 'own',
          issuer: own.issuer,
          attempt,
          state,
          code: 'guess',
          network,
        }),
      )
    const reasons = []
    for (let count = 0; count < 52; count++) reasons.push(await guess('198.51.100.7'))
    expect(reasons.slice(0, 50).every((reason) => reason === 'SIGN_IN_CODE_INVALID')).toBe(true)
    expect(reasons.at(-1)).toBe('RATE_LIMITED')
    ports = {
      ...ports,
      limits: createSignInLimits({ catalog, clock: ports.clock, key: Buffer.alloc(32, 2) }),
    }
    expect(await guess('198.51.100.7')).toBe('RATE_LIMITED')
    expect(await guess('198.51.100.8')).toBe('SIGN_IN_CODE_INVALID')
  })

  const startedResponse = async (): Promise<{ readonly attempt: string; readonly state: string }> => {
    const { attempt, authorizationUrl } = await startProviderSignIn(ports, {
      providerId: 'own',
      loginHint: '',
    })
    return { attempt, state: new URL(authorizationUrl).searchParams.get('state') ?? '' }
  }

  describe('a client that began the sign-in itself', () => {
    const SECRETS = {
      codeVerifier: 'v'.repeat(43),
      nonce: '2ec3f0a1-6b1e-4f0e-9d0a-6a1c3b5d7e9f',
      redirectUri: 'https://stats.example.org/oauth/callback',
    }
    const goThrough = async (): Promise<ProviderResponse> => {
      const url = new URL(`${own.issuer}/auth`)
      const challenge = await crypto.subtle.digest('SHA-256', Buffer.from(SECRETS.codeVerifier))
      url.search = new URLSearchParams({
        client_id: CLIENT_ID,
        response_type: 'code',
        redirect_uri: SECRETS.redirectUri,
        scope: 'openid email profile',
        state: 'of-the-client',
        nonce: SECRETS.nonce,
        code_challenge: Buffer.from(challenge).toString('base64url'),
        code_challenge_method: 'S256',
      }).toString()
      const { searchParams } = await own.visit(url.href)
      return {
        ...EMPTY,
        ...SECRETS,
        providerId: 'own',
        attempt: '',
        state: '',
        issuer: '',
        code: searchParams.get('code') ?? '',
      }
    }

    test('signs in with its own secrets, once', async () => {
      const response = await goThrough()
      expect(await signInWithProvider(ports, response)).toMatchObject({ refreshToken: expect.any(String) })
      expect(await reasonOf(signInWithProvider(ports, response))).toBe('SIGN_IN_CODE_INVALID')
    })

    test.each([
      ['another nonce', { nonce: 'another-nonce-of-it' }, 'PROVIDER_RESPONSE_INVALID'],
      ['another verifier', { codeVerifier: 'w'.repeat(43) }, 'SIGN_IN_CODE_INVALID'],
      ['no verifier', { codeVerifier: '' }, 'INVALID_REQUEST'],
      ['no nonce', { nonce: '' }, 'INVALID_REQUEST'],
      ['a page of another origin', { redirectUri: 'https://evil.example/oauth/callback' }, 'INVALID_REQUEST'],
      ['another page', { redirectUri: 'https://stats.example.org/elsewhere' }, 'INVALID_REQUEST'],
    ])('%s is refused', async (_, change, reason) => {
      expect(await reasonOf(signInWithProvider(ports, { ...(await goThrough()), ...change }))).toBe(reason)
    })
  })

  describe('a domain of a provider', () => {
    beforeEach(() => configure({ domains: ['example.org'] }))

    test('admits new accounts, and takes the word of the provider for its addresses', async () => {
      ports = { ...ports, signUp: 'invited' }
      own.account = { ...CAROL, email_verified: undefined }
      expect(await refusalOf()).toBe('none')
    })

    test('does not accept passwords, links and other providers', async () => {
      await addAccount(CAROL.email)
      const origin = { email: 'Carol@Example.org', network: NETWORK }
      const response = await goTo(other)
      const message = 'accounts of example.org sign in with Keycloak only'
      const refusal = { code: 'failed_precondition', reason: 'SSO_REQUIRED', message }
      await expect(signInWithPassword(ports, { ...origin, password: PASSWORD })).rejects.toMatchObject(
        refusal,
      )
      await expect(requestMagicLink(ports, origin)).rejects.toMatchObject(refusal)
      await expect(signInWithProvider(ports, response)).rejects.toMatchObject(refusal)
      const below = { ...origin, email: 'carol@sub.example.org' }
      expect(await reasonOf(requestMagicLink(ports, below))).toBe('none')
    })

    test('leaves links unused, so that an invitation is accepted after the sign-in', async () => {
      const link = async (invitationId?: string): Promise<string> =>
        invitationId === undefined
          ? await insertMagicLink(catalog, ports.clock, CAROL.email)
          : await insertInvitationLink(catalog, ports.clock, {
              email: CAROL.email,
              invitationId,
              expiresMs: Date.now() + 1000,
              provesAddress: true,
            })
      const open = async (token: string): Promise<string> =>
        await reasonOf(signInWithLink(ports, { token, timezone: '', network: NETWORK }))
      expect(await open(await link())).toBe('SSO_REQUIRED')
      expect(await open(await link('an-invitation'))).toBe('INVITATION_NEEDS_SIGN_IN')
      expect(await catalog.selectFrom('magic_links').select('used_ms').execute()).toEqual([
        { used_ms: null },
        { used_ms: null },
      ])
    })

    test('ends the sessions of other methods when they continue', async () => {
      const carol = await addAccount(CAROL.email)
      const byPassword = await begin(carol)
      const { refreshToken } = await signIn()
      const next = async (token: string) => {
        const session = await continueSession(
          { catalog, clock: ports.clock, key: ports.key },
          { refreshToken: token, repeatMs: 0 },
        )
        return session && (await mayContinue(ports, session))
      }
      expect(await next(refreshToken)).toBe(true)
      expect(await next(byPassword.refreshToken)).toBe(false)
      expect(await catalog.selectFrom('refresh_sessions').select('method').execute()).toEqual([
        { method: 'oidc' },
      ])
    })
  })

  describe('groups', () => {
    let organisationId: string
    let founder: CustomerId

    beforeEach(async () => {
      founder = await addAccount('founder@example.net')
      organisationId = (
        await createOrganisation(catalog, ports.clock, { customerId: founder, displayName: 'Acme' })
      ).id
      useRules({ analysts: 'member', admins: 'admin' })
    })

    const useRules = (roles: Readonly<Record<string, 'viewer' | 'member' | 'admin'>>): void => {
      configure({
        groupRules: Object.entries(roles).map(([group, role]) => ({ organisationId, group, role })),
      })
    }
    const roleOf = async (customerId: CustomerId): Promise<string | undefined> =>
      (await listOrganisations(catalog, customerId)).find(({ id }) => id === organisationId)?.role
    const signInAs = async (groups: unknown): Promise<CustomerId> => {
      own.account = { ...CAROL, groups }
      return (await signIn()).customerId
    }

    test('give the highest role, and no organisation of the own', async () => {
      ports = { ...ports, signUp: 'invited' }
      const carol = await signInAs(['analysts', 'admins', 'others'])
      expect(await listOrganisations(catalog, carol)).toMatchObject([{ id: organisationId, role: 'admin' }])
    })

    test('are followed at each sign-in, until they end', async () => {
      const carol = await signInAs(['admins'])
      await signInAs(['analysts'])
      expect(await roleOf(carol)).toBe('member')
      await signInAs([])
      expect(await roleOf(carol)).toBeUndefined()
      await signInAs('analysts')
      expect(await roleOf(carol)).toBe('member')
      useRules({})
      await signInAs(['analysts'])
      expect(await roleOf(carol)).toBeUndefined()
    })

    test('that end take the assistants of the member along', async () => {
      const carol = await signInAs(['analysts'])
      const shop = { organisationId: asOrganisationId(organisationId), displayName: 'Shop' }
      const projectId = String(await insertProject(catalog, ports.clock, shop))
      await connectAssistant(catalog, { customerId: carol, projectId })
      await signInAs([])
      expect(await catalog.selectFrom('oauth_grants').select('id').execute()).toEqual([])
    })

    test('of a list that the provider leaves out end nothing', async () => {
      const carol = await signInAs(['analysts'])
      own.account = { ...CAROL, groups: undefined }
      own.misbehaviour = { claims: (claims) => ({ ...claims, _claim_names: { groups: 'src1' } }) }
      await signIn()
      expect(await roleOf(carol)).toBe('member')
    })

    test('change no membership that people gave, and never end the last admin', async () => {
      const carol = await signInAs(['admins'])
      await catalog.deleteFrom('memberships').where('customer_id', '=', founder).execute()
      await signInAs([])
      expect(await roleOf(carol)).toBe('admin')
      await catalog
        .insertInto('memberships')
        .values({ organisation_id: organisationId, customer_id: founder, role: 'viewer', created_ms: 1 })
        .execute()
      own.account = { sub: 'founder', email: 'founder@example.net', groups: ['admins'] }
      await signInWithProvider(ports, await goTo(own, await begin(founder)))
      expect(await roleOf(founder)).toBe('viewer')
    })

    test('* is every user of the provider, and an organisation that does not exist is skipped', async () => {
      useRules({ '*': 'viewer' })
      expect(await roleOf(await signInAs(undefined))).toBe('viewer')
      configure({
        groupRules: [{ organisationId: '00000000-0000-0000-0000-000000000000', group: '*', role: 'admin' }],
      })
      own.account = { ...CAROL, sub: 'dora-1', email: 'dora@example.org' }
      expect(await listOrganisations(catalog, (await signIn()).customerId)).toMatchObject([
        { displayName: 'dora' },
      ])
    })
  })
})
