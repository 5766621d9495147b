import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, importJWK, type JWK, type JWTPayload, SignJWT } from 'jose'
import { type Configuration, type KoaContextWithOIDC, Provider } from 'oidc-provider'

/** The client that the tests are. */
export const CLIENT_ID = 'millrace'
export const CLIENT_SECRET = 'secret-of-the-tests'

/** A user of the provider; `sub` is the subject. */
export interface ProviderAccount {
  readonly sub: string
  readonly [claim: string]: unknown
}

/** Misbehaviours of the next responses. */
export interface Misbehaviour {
  /** Changes the claims of ID tokens, which are then signed again. */
  readonly claims?: (claims: JWTPayload) => JWTPayload
  /** Signs ID tokens with a key that the provider does not publish. */
  readonly foreignKey?: true
  /** Answers a request instead of the provider; `false` for those that it should answer. */
  readonly answer?: (context: KoaContextWithOIDC) => Promise<boolean> | boolean
  /** Milliseconds that its clock is ahead, in tokens and in dates of responses. */
  readonly aheadMs?: number
}

/** An OpenID Connect provider on this machine. */
export interface IdentityProvider {
  readonly issuer: string
  /** The user who signs in next. */
  account: ProviderAccount
  misbehaviour: Misbehaviour
  /** The addresses of the client that it may return to. */
  redirectUris: readonly string[]
  /** The session that the last ID token names. */
  readonly lastSession: string
  /** Paths of the requests so far. */
  readonly requests: readonly string[]
  /** Signs a token with the key of the provider. */
  sign(claims: JWTPayload, header?: { readonly alg?: string; readonly typ?: string }): Promise<string>
  /** Ends the sessions of a user at the address of the client, as a logout at the provider does. */
  logOut(logoutUri: string, user: { readonly sub: string; readonly sid: string }): Promise<void>
  /** Goes through the pages of the provider as its user; returns where they lead. */
  visit(authorizationUrl: string): Promise<URL>
  stop(): Promise<void>
}

/** Options of {@link startIdentityProvider}. */
export interface IdentityProviderOptions {
  readonly account: ProviderAccount
  readonly redirectUris?: readonly string[]
  /** Claims are in the user info only, as the specification allows. */
  readonly onlyUserInfo?: true
}

/** Starts a certified provider whose users need no password. */
export async function startIdentityProvider(options: IdentityProviderOptions): Promise<IdentityProvider> {
  const keys = await createKeys()
  const state: Pick<IdentityProvider, 'account' | 'misbehaviour' | 'redirectUris'> & {
    requests: string[]
    lastSession: string
  } = {
    account: options.account,
    misbehaviour: {},
    redirectUris: options.redirectUris ?? [],
    lastSession: '',
    requests: [],
  }
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const provider = new Provider(
    issuer,
    configure(keys.own, { account: () => state.account, onlyUserInfo: options.onlyUserInfo === true }),
  )
  // The addresses of the client are known later than that of the provider.
  provider.Client.prototype.redirectUriAllowed = (uri: string) => state.redirectUris.includes(uri)
  provider.use(async (context, next) => {
    state.requests.push(context.path)
    const { misbehaviour } = state
    if (misbehaviour.aheadMs !== undefined)
      context.set('date', new Date(Date.now() + misbehaviour.aheadMs).toUTCString())
    if ((await misbehaviour.answer?.(context as KoaContextWithOIDC)) === true) return
    if (await interact(provider, context as KoaContextWithOIDC, state.account)) return
    await next()
    const claims = readIdToken(context as KoaContextWithOIDC)
    if (!claims) return
    state.lastSession = String(claims.sid ?? '')
    await changeToken(context as KoaContextWithOIDC, { misbehaviour, keys, claims })
  })
  server.on('request', provider.callback())
  return {
    issuer,
    get account() {
      return state.account
    },
    set account(account) {
      state.account = account
    },
    get misbehaviour() {
      return state.misbehaviour
    },
    set misbehaviour(misbehaviour) {
      state.misbehaviour = misbehaviour
    },
    get redirectUris() {
      return state.redirectUris
    },
    set redirectUris(redirectUris) {
      state.redirectUris = redirectUris
    },
    get lastSession() {
      return state.lastSession
    },
    requests: state.requests,
    sign: async (claims, header = {}) => await signWith(keys.own, claims, header),
    logOut: async (logoutUri, { sub, sid }) => {
      // The types lack both.
      const client = (await provider.Client.find(CLIENT_ID)) as unknown as {
        backchannelLogoutUri: string
        backchannelLogout(sub: string, sid: string): Promise<unknown>
      }
      client.backchannelLogoutUri = logoutUri
      await client.backchannelLogout(sub, sid)
    },
    visit: async (authorizationUrl) => await visit(authorizationUrl, issuer),
    stop: async () => await stop(server),
  }
}

interface Keys {
  readonly own: JWK
  readonly foreign: JWK
}

async function createKeys(): Promise<Keys> {
  const create = async (): Promise<JWK> => {
    const { privateKey } = await generateKeyPair('RS256', { extractable: true })
    return { ...(await exportJWK(privateKey)), kid: 'k-1', alg: 'RS256', use: 'sig' }
  }
  const [own, foreign] = await Promise.all([create(), create()])
  return { own, foreign }
}

function configure(
  key: JWK,
  { account, onlyUserInfo }: { readonly account: () => ProviderAccount; readonly onlyUserInfo: boolean },
): Configuration {
  return {
    clients: [
      {
        client_id: CLIENT_ID,
        client_secret: CLIENT_SECRET,
        redirect_uris: ['https://client.example/callback'],
        token_endpoint_auth_method: 'client_secret_post',
        backchannel_logout_uri: 'https://client.example/logout',
        backchannel_logout_session_required: true,
      },
    ],
    jwks: { keys: [key as never] },
    cookies: { keys: ['cookie key of the tests'] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'], groups: ['groups'] },
    scopes: ['openid', 'email', 'profile', 'groups'],
    conformIdTokenClaims: onlyUserInfo,
    pkce: { required: () => true },
    features: {
      devInteractions: { enabled: false },
      backchannelLogout: { enabled: true },
    },
    // The original refuses addresses of this machine.
    fetch: async (url, options) =>
      await fetch(url, {
        method: options?.method ?? 'GET',
        headers: options?.headers ?? {},
        body: options?.body ?? null,
      }),
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    findAccount: (_, sub) => ({ accountId: sub, claims: async () => ({ ...account(), sub }) }),
    ttl: {
      AccessToken: 600,
      AuthorizationCode: 60,
      Grant: 600,
      IdToken: 3600,
      Interaction: 600,
      Session: 600,
    },
  }
}

/** The page on which the user continues, and its answer. */
async function interact(
  provider: Provider,
  { req, res, path, response }: KoaContextWithOIDC,
  { sub, name }: ProviderAccount,
): Promise<boolean> {
  const [, uid, step] = /^\/interaction\/([\w-]+)(\/continue)?$/.exec(path) ?? []
  if (uid === undefined) return false
  if (step === undefined) {
    response.type = 'html'
    response.body = `<h1>Identity provider</h1><a href="/interaction/${uid}/continue">Continue as ${String(name ?? sub)}</a>`
    return true
  }
  const { params } = await provider.interactionDetails(req, res)
  const grant = new provider.Grant({ accountId: sub, clientId: String(params.client_id) })
  grant.addOIDCScope(String(params.scope))
  const result = { login: { accountId: sub, remember: false }, consent: { grantId: await grant.save() } }
  const to = await provider.interactionResult(req, res, result, { mergeWithLastSubmission: false })
  response.redirect(to)
  return true
}

/** The claims of the ID token in a response. */
function readIdToken({ path, response }: KoaContextWithOIDC): JWTPayload | undefined {
  const body = response.body as { id_token?: unknown } | null
  if (path !== '/token' || typeof body?.id_token !== 'string') return undefined
  const [, payload = ''] = body.id_token.split('.')
  return JSON.parse(Buffer.from(payload, 'base64url').toString())
}

async function changeToken(
  { response }: KoaContextWithOIDC,
  {
    misbehaviour,
    keys,
    claims,
  }: { readonly misbehaviour: Misbehaviour; readonly keys: Keys; readonly claims: JWTPayload },
): Promise<void> {
  const { claims: change, foreignKey, aheadMs = 0 } = misbehaviour
  if (!change && foreignKey === undefined && aheadMs === 0) return
  const ahead = Math.round(aheadMs / 1000)
  const { iat = 0, exp = 0 } = claims
  const shifted = { ...claims, iat: iat + ahead, exp: exp + ahead }
  const key = foreignKey === undefined ? keys.own : keys.foreign
  const token = await signWith(key, change?.(shifted) ?? shifted, {})
  response.body = { ...(response.body as object), id_token: token }
}

async function signWith(
  key: JWK,
  claims: JWTPayload,
  header: { readonly alg?: string; readonly typ?: string },
): Promise<string> {
  return await new SignJWT(claims)
    .setProtectedHeader({ alg: 'RS256', kid: 'k-1', ...header })
    .sign(await importJWK(key, 'RS256'))
}

const REDIRECTS_MAX = 10

async function visit(authorizationUrl: string, issuer: string): Promise<URL> {
  const cookies = new Map<string, string>()
  let url = authorizationUrl
  for (let count = 0; count < REDIRECTS_MAX; count++) {
    const header = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(url, { redirect: 'manual', headers: { cookie: header } })
    for (const cookie of response.headers.getSetCookie()) {
      const [pair = ''] = cookie.split(';')
      cookies.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1))
    }
    const text = await response.text()
    const next = response.headers.get('location') ?? /href="([^"]+)"/.exec(text)?.[1]
    if (next === undefined) throw new Error(`the provider answered ${response.status}: ${text.slice(0, 500)}`)
    url = new URL(next, url).href
    if (!url.startsWith(`${issuer}/`)) return new URL(url)
  }
  throw new Error('the pages of the provider lead nowhere')
}

async function stop(server: Server): Promise<void> {
  server.close()
  server.closeAllConnections()
  if (server.listening) await once(server, 'close')
}
