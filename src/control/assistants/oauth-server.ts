import { createPrivateKey, hkdfSync } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Adapter, type Configuration, errors, interactionPolicy, Provider } from 'oidc-provider'
import { asCustomerId } from '../../contract/ids.ts'
import type { AddressRanges } from '../../kernel/address-ranges.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Logger } from '../../kernel/log.ts'
import type { Sealer } from '../../kernel/sealer.ts'
import { randomLetters } from '../../store/catalog/api-keys.ts'
import { findGrant } from '../../store/catalog/assistant-grants.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import { OAUTH_RECORD_KINDS, type OauthRecordKind } from '../../store/catalog/schema/assistant-tables.ts'
import type { AttemptLimiter } from '../auth/attempt-limiter.ts'
import { findCustomer } from '../customers/customers.ts'
import { createClientAdapter, parseClientMetadata } from './oauth-clients.ts'
import { renderErrorPage } from './oauth-error-page.ts'
import { ASSISTANT_SCOPES, CONSENT_PATH, ENDPOINTS, issuerOf, resourceOf } from './oauth-paths.ts'
import { createRecordAdapter } from './oauth-records.ts'
import { createRequestRules } from './oauth-request-rules.ts'
import { RecordCleaner } from './record-cleaner.ts'

/** An access token, and so a stolen one, works for this long; the refresh token keeps the connection going. */
const ACCESS_TOKEN_SECONDS = 15 * 60
/** A connection that is not used for this long ends. */
const REFRESH_TOKEN_SECONDS = 30 * 86_400
/** A connection ends after this time in any case, as a personal access token does. */
const GRANT_SECONDS = 366 * 86_400
const CODE_SECONDS = 60
/** Time to sign in and to consent. */
const REQUEST_SECONDS = 600

/** Dependencies of the authorization server. */
export interface OauthServerPorts {
  readonly catalog: Catalog
  readonly clock: Clock
  readonly sealer: Sealer
  /** The secret key of the service. */
  readonly key: Uint8Array
  readonly publicUrl: string
  readonly trustedProxies: AddressRanges
  readonly log: Logger
  readonly limits: {
    readonly registrationsOfNetwork: AttemptLimiter
    readonly requestsOfNetwork: AttemptLimiter
  }
  /** Ends a consent with its codes and tokens, as an entry of the audit log. */
  readonly endGrant: (grantId: string) => Promise<void>
}

/** Answers a request of node:http. */
export type ServeNode = (request: IncomingMessage, response: ServerResponse) => Promise<void>

/**
 * The OAuth 2.1 authorization server for `/mcp`: `oidc-provider` with its data in the catalog, and the console as its pages. This
 * module alone loads the library.
 */
export function createOauthServer(ports: OauthServerPorts): ServeNode {
  const provider = new Provider(issuerOf(ports.publicUrl), configure(ports))
  // The endpoint sets the forwarding headers, so that URLs have the public address regardless of the headers of the request.
  provider.proxy = true
  nameTokens(provider)
  for (const rule of createRequestRules(ports, provider)) provider.use(rule)
  provider.on('server_error', (_, error) =>
    ports.log.error({ err: error }, 'a request of an assistant to connect failed'),
  )
  return provider.callback() as ServeNode
}

/** Tokens with a prefix are found by scanners of secrets, and are told apart from other credentials. */
function nameTokens(provider: Provider): void {
  const prefixes = [
    [provider.AccessToken, 'oat_'],
    [provider.RefreshToken, 'ort_'],
    [provider.AuthorizationCode, 'oac_'],
  ] as const
  for (const [model, prefix] of prefixes)
    Object.defineProperty(model.prototype, 'generateTokenId', {
      value(this: { format?: string }) {
        // The library's own method decides about this too.
        this.format = 'opaque'
        return prefix + randomLetters()
      },
    })
}

function configure(ports: OauthServerPorts): Configuration {
  const { catalog } = ports
  return {
    adapter: createAdapters(ports),
    jwks: { keys: [signingKey(ports.key)] },
    cookies: configureCookies(ports.key),
    routes: ENDPOINTS,
    scopes: [...ASSISTANT_SCOPES],
    responseTypes: ['code'],
    clientAuthMethods: ['none'],
    clientDefaults: {
      application_type: 'native',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      id_token_signed_response_alg: 'EdDSA',
    },
    enabledJWA: { idTokenSigningAlgValues: ['EdDSA'] },
    features: configureFeatures(resourceOf(ports.publicUrl)),
    pkce: { required: () => true },
    interactions: {
      policy: [askAlways()] as unknown as interactionPolicy.DefaultPolicy,
      url: (_, { uid }) => `${CONSENT_PATH}?request=${uid}`,
    },
    findAccount: async (_, sub) => {
      if (!(await findCustomer(catalog, asCustomerId(sub)))) return undefined
      return { accountId: sub, claims: async () => ({ sub }) }
    },
    loadExistingGrant: async ({ oidc }) => {
      const grantId = oidc.result?.consent?.grantId
      return grantId === undefined ? undefined : await oidc.provider.Grant.find(grantId)
    },
    issueRefreshToken: () => true,
    rotateRefreshToken: () => true,
    revokeGrantPolicy: () => true,
    expiresWithSession: () => false,
    clientBasedCORS: () => false,
    renderError: renderErrorPage,
    ttl: {
      AccessToken: ACCESS_TOKEN_SECONDS,
      AuthorizationCode: CODE_SECONDS,
      RefreshToken: REFRESH_TOKEN_SECONDS,
      Grant: GRANT_SECONDS,
      IdToken: ACCESS_TOKEN_SECONDS,
      Interaction: REQUEST_SECONDS,
      Session: REQUEST_SECONDS,
    },
  }
}

/** Registration, revocation and tokens for one resource; everything else is off. */
function configureFeatures(resource: string): NonNullable<Configuration['features']> {
  return {
    devInteractions: { enabled: false },
    userinfo: { enabled: false },
    rpInitiatedLogout: { enabled: false },
    pushedAuthorizationRequests: { enabled: false },
    dPoP: { enabled: false },
    revocation: { enabled: true, allowedPolicy: (_, client, token) => token.clientId === client.clientId },
    registration: {
      enabled: true,
      issueRegistrationAccessToken: false,
      // It runs before the library reads the body.
      idFactory: (context) => {
        restrictMetadata(context as unknown as BodyContext)
        return `mcp_${randomLetters()}`
      },
    },
    resourceIndicators: {
      enabled: true,
      defaultResource: () => resource,
      useGrantedResource: () => true,
      getResourceServerInfo: (_, named) => {
        if (named !== resource)
          throw new errors.InvalidTarget(`tokens are for ${resource} only; leave the parameter resource out`)
        return {
          scope: ASSISTANT_SCOPES.join(' '),
          audience: resource,
          accessTokenFormat: 'opaque',
          accessTokenTTL: ACCESS_TOKEN_SECONDS,
        }
      },
    },
  }
}

function configureCookies(key: Uint8Array): NonNullable<Configuration['cookies']> {
  return {
    names: {
      session: 'millrace_oauth_session',
      interaction: 'millrace_oauth_request',
      resume: 'millrace_oauth_resume',
    },
    keys: [derive(key, 'oauth cookies').toString('base64url')],
    short: { signed: true, httpOnly: true, sameSite: 'lax' },
    long: { signed: true, httpOnly: true, sameSite: 'lax', path: ENDPOINTS.authorization },
  }
}

/** Every request is put to the member: no earlier consent answers a new one. */
function askAlways(): interactionPolicy.Prompt {
  const { Check, Prompt } = interactionPolicy
  return new Prompt(
    { name: 'consent', requestable: true },
    new Check('unanswered', 'a member must consent', ({ oidc }) => oidc.result?.consent === undefined),
  )
}

interface BodyContext {
  readonly oidc: { body: unknown }
}

function restrictMetadata({ oidc }: BodyContext): void {
  const parsed = parseClientMetadata(oidc.body)
  if (!('error' in parsed)) oidc.body = { ...parsed, token_endpoint_auth_method: 'none' }
  else if (parsed.error === 'invalid_redirect_uri')
    throw new errors.CustomOIDCProviderError('invalid_redirect_uri', parsed.description)
  else throw new errors.InvalidClientMetadata(parsed.description)
}

/** Where the library keeps what: what is missing here is never kept. */
function createAdapters(ports: OauthServerPorts): (name: string) => Adapter {
  const { catalog, clock, endGrant } = ports
  const cleaner = new RecordCleaner(catalog, clock)
  const invalidGrant = (reason: string): Error => new errors.InvalidGrant(reason)
  return (name) => {
    if (name === 'Client') return createClientAdapter({ catalog, clock, cleaner })
    if (name === 'Grant') return createGrantAdapter(ports)
    if (isRecordKind(name))
      return createRecordAdapter({ catalog, clock, cleaner, endGrant, invalidGrant }, name)
    return NOTHING
  }
}

function isRecordKind(name: string): name is OauthRecordKind {
  return OAUTH_RECORD_KINDS.some((kind) => kind === name)
}

/** The session of the library is over with each request: the console has its own. */
const NOTHING: Adapter = {
  upsert: async () => undefined,
  find: async () => undefined,
  findByUid: async () => undefined,
  findByUserCode: async () => undefined,
  consume: async () => undefined,
  destroy: async () => undefined,
  revokeByGrantId: async () => undefined,
}

/** The consents of the console, as the library sees them; it creates none. */
function createGrantAdapter({ catalog, publicUrl, endGrant }: OauthServerPorts): Adapter {
  return {
    ...NOTHING,
    find: async (id) => {
      const grant = await findGrant(catalog, id)
      if (!grant) return undefined
      const createdSeconds = Math.floor(grant.createdMs / 1000)
      const scope = grant.scope === 'write' ? 'read write' : 'read'
      return {
        jti: id,
        kind: 'Grant',
        accountId: grant.customerId,
        clientId: grant.clientId,
        iat: createdSeconds,
        exp: createdSeconds + GRANT_SECONDS,
        resources: { [resourceOf(publicUrl)]: scope },
      }
    },
    destroy: endGrant,
  }
}

/** PKCS #8 form of an Ed25519 key, without its 32 bytes. */
const ED25519_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex')

/** The key that the library needs for ID tokens, which this service never issues: the same in every process. */
function signingKey(key: Uint8Array) {
  const der = Buffer.concat([ED25519_HEAD, derive(key, 'oauth signing')])
  const { d = '', x = '' } = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }).export({
    format: 'jwk',
  })
  return { kty: 'OKP', crv: 'Ed25519', alg: 'EdDSA', use: 'sig', d, x } as const
}

function derive(key: Uint8Array, use: string): Buffer {
  return Buffer.from(hkdfSync('sha256', key, '', `millrace ${use}`, 32))
}
