import { createRemoteJWKSet, type JWTVerifyGetKey, customFetch as joseFetch } from 'jose'
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  type Configuration,
  type CustomFetch,
  calculatePKCECodeChallenge,
  clockTolerance,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  type IDToken,
  None,
} from 'openid-client'
import type { Clock } from '../../kernel/clock.ts'
import type { Outbound } from '../../kernel/outbound/outbound.ts'
import type { OidcProvider } from '../../settings/oidc-settings.ts'
import { invalidResponse, wrongClock } from './oidc-errors.ts'
import { explainFailure } from './provider-failure.ts'
import { createProviderFetch } from './provider-fetch.ts'
import { type ProviderUser, readUser } from './provider-user.ts'

/** Clocks may differ by this much. */
const CLOCK_TOLERANCE_SECONDS = 60

/** A provider changes its endpoints rarely; its keys have a cache of their own. */
const DISCOVERED_MS = 3_600_000

/** Deadline of one request, in seconds; that of the connection is shorter. */
const REQUEST_SECONDS = 8

/** Dependencies of a provider's client. */
export interface ProviderParts {
  readonly provider: OidcProvider
  readonly outbound: Outbound
  readonly clock: Clock
}

/** The secrets of one sign-in. */
export interface SignInSecrets {
  readonly state: string
  readonly nonce: string
  readonly codeVerifier: string
  readonly redirectUri: string
}

/** A code, and what proves that it belongs to a sign-in. */
export interface CodeToExchange extends Omit<SignInSecrets, 'state'> {
  readonly code: string
  /** Absent when the client checked it. */
  readonly state: string | undefined
  /** The issuer that the response names (RFC 9207); empty without one. */
  readonly issuer: string
}

/** Talks to one OpenID Connect provider; every check of its tokens is that of `openid-client`. */
export class ProviderClient {
  readonly provider: OidcProvider
  readonly #clock: Clock
  readonly #fetch: CustomFetch
  #discovered: { readonly untilMs: number; readonly configuration: Promise<Configuration> } | undefined
  #keys: { readonly url: string; readonly get: JWTVerifyGetKey } | undefined
  #clockDifferenceMs = 0

  constructor({ provider, outbound, clock }: ProviderParts) {
    this.provider = provider
    this.#clock = clock
    this.#fetch = createProviderFetch({
      issuer: provider.issuer,
      outbound,
      clock,
      onClock: (differenceMs) => {
        this.#clockDifferenceMs = differenceMs
      },
    })
  }

  /** The address of the provider's page. Throws `unavailable`. */
  async authorizationUrl(secrets: SignInSecrets, loginHint: string): Promise<string> {
    return await this.#explained(async () => {
      const configuration = await this.#discover()
      const url = buildAuthorizationUrl(configuration, {
        redirect_uri: secrets.redirectUri,
        scope: this.provider.scopes.join(' '),
        state: secrets.state,
        nonce: secrets.nonce,
        code_challenge: await calculatePKCECodeChallenge(secrets.codeVerifier),
        code_challenge_method: 'S256',
        ...(loginHint === '' ? {} : { login_hint: loginHint }),
      })
      return url.href
    })
  }

  /** Exchanges a code for the user whom it proves. Throws `unauthenticated` and `unavailable`. */
  async exchange(sent: CodeToExchange): Promise<ProviderUser> {
    return await this.#explained(async () => {
      const configuration = await this.#discover()
      const url = responseUrl(sent, configuration)
      const tokens = await authorizationCodeGrant(configuration, url, {
        pkceCodeVerifier: sent.codeVerifier,
        expectedNonce: sent.nonce,
        idTokenExpected: true,
        ...(sent.state === undefined ? {} : { expectedState: sent.state }),
      })
      const claims = tokens.claims()
      if (!claims) throw invalidResponse(this.provider)
      this.#checkClock(claims)
      return readUser(this.provider, await this.#complete(configuration, claims, tokens.access_token))
    })
  }

  /** The keys that sign the tokens of the provider. Throws `unavailable`. */
  async keys(): Promise<JWTVerifyGetKey> {
    return await this.#explained(async () => {
      const { jwks_uri: url } = (await this.#discover()).serverMetadata()
      if (url === undefined) throw invalidResponse(this.provider)
      if (this.#keys?.url !== url) {
        const fetchKeys = async (href: string, { signal }: { readonly signal: AbortSignal }) =>
          await this.#fetch(href, { method: 'GET', headers: {}, body: undefined, redirect: 'manual', signal })
        this.#keys = { url, get: createRemoteJWKSet(new URL(url), { [joseFetch]: fetchKeys }) }
      }
      return this.#keys.get
    })
  }

  async #discover(): Promise<Configuration> {
    const nowMs = this.#clock.nowMs()
    if (this.#discovered && nowMs < this.#discovered.untilMs) return await this.#discovered.configuration
    const found = { untilMs: nowMs + DISCOVERED_MS, configuration: this.#readConfiguration() }
    this.#discovered = found
    try {
      return await found.configuration
    } catch (error) {
      // The next sign-in tries again.
      if (this.#discovered === found) this.#discovered = undefined
      throw error
    }
  }

  async #readConfiguration(): Promise<Configuration> {
    const { issuer, clientId, clientSecret } = this.provider
    const isPlain = issuer.startsWith('http:')
    const configuration = await discovery(
      new URL(issuer),
      clientId,
      { [clockTolerance]: CLOCK_TOLERANCE_SECONDS },
      clientSecret === undefined ? None() : authenticateBy(clientSecret),
      {
        [customFetch]: this.#fetch,
        timeout: REQUEST_SECONDS,
        // The settings accept http:// only for providers on this machine.
        execute: [enableNonRepudiationChecks, ...(isPlain ? [allowInsecureRequests] : [])],
      },
    )
    // The library accepts some issuers of Microsoft with a placeholder, whose addresses any tenant can choose.
    if (configuration.serverMetadata().issuer !== issuer)
      throw new Error('the discovery document names another issuer')
    return configuration
  }

  /** An ID token may leave the address and the groups to the user info. */
  async #complete(configuration: Configuration, claims: IDToken, accessToken: string): Promise<IDToken> {
    const { groupRules, groupsClaim } = this.provider
    const isComplete =
      claims.email !== undefined && (groupRules.length === 0 || claims[groupsClaim] !== undefined)
    if (isComplete || configuration.serverMetadata().userinfo_endpoint === undefined) return claims
    const info = await fetchUserInfo(configuration, accessToken, claims.sub)
    // A claim of the ID token counts before the same one of the user info, but an address and its verification belong together.
    const { email, email_verified: isVerified, ...rest } = info
    const address = claims.email === undefined ? { email, email_verified: isVerified } : {}
    return { ...rest, ...claims, ...address } as IDToken
  }

  /** The library compares only the expiry with the time, which may be hours away. */
  #checkClock({ iat }: IDToken): void {
    const toleranceMs = CLOCK_TOLERANCE_SECONDS * 1000
    const isFuture = iat * 1000 > this.#clock.nowMs() + toleranceMs
    if (isFuture || Math.abs(this.#clockDifferenceMs) > 2 * toleranceMs) throw wrongClock(this.provider)
  }

  async #explained<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      throw explainFailure(this.provider, error)
    }
  }
}

/** Sends the secret in the body where the provider supports it, else in the header, which is the default of OpenID Connect. */
function authenticateBy(secret: string): ClientAuth {
  const [byBody, byHeader] = [ClientSecretPost(secret), ClientSecretBasic(secret)]
  return (server, client, body, headers) => {
    const { token_endpoint_auth_methods_supported: supported = [] } = server
    const authenticate = supported.includes('client_secret_post') ? byBody : byHeader
    authenticate(server, client, body, headers)
  }
}

/** The address that the provider returned to, with its parameters, for the library to check. */
function responseUrl(
  { code, state, issuer, redirectUri }: CodeToExchange,
  configuration: Configuration,
): URL {
  const url = new URL(redirectUri)
  url.searchParams.set('code', code)
  const metadata = configuration.serverMetadata()
  if (state !== undefined) url.searchParams.set('state', state)
  if (issuer !== '') url.searchParams.set('iss', issuer)
  // A client that began the sign-in itself has checked it and does not pass it on.
  else if (state === undefined && metadata.authorization_response_iss_parameter_supported === true)
    url.searchParams.set('iss', metadata.issuer)
  return url
}
