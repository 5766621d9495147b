import type { UniversalServerResponse } from '@connectrpc/connect/protocol'
import type { JWTPayload } from 'jose'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { describeCatalog } from '../../../test/harness/describe-catalog.ts'
import {
  CLIENT_ID,
  CLIENT_SECRET,
  type IdentityProvider,
  startIdentityProvider,
} from '../../../test/harness/identity-provider.ts'
import { openTestProviders } from '../../../test/harness/provider-ports.ts'
import { systemClock } from '../../kernel/clock.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import { insertCustomer } from '../customers/customers.ts'
import { beginSession } from '../customers/refresh-sessions.ts'
import { insertIdentity } from '../oidc/identities.ts'
import { createLogoutEndpoints } from './logout-endpoint.ts'

const EVENTS = { 'http://schemas.openid.net/event/backchannel-logout': {} }
const NOW = (): number => Math.floor(Date.now() / 1000)

describeCatalog('logouts at a provider', (under) => {
  let idp: IdentityProvider
  let catalog: Catalog
  let forgotten: number
  let send: (body: string, method?: string) => Promise<UniversalServerResponse>

  beforeAll(async () => {
    idp = await startIdentityProvider({ account: { sub: 'carol-1' } })
  })

  afterAll(async () => {
    await idp?.stop()
  })

  beforeEach(async () => {
    ;({ catalog } = under)
    forgotten = 0
    const provider = {
      id: 'kc',
      issuer: idp.issuer,
      clientId: CLIENT_ID,
      clientSecret: CLIENT_SECRET,
      label: 'Keycloak',
      scopes: ['openid'],
      groupsClaim: 'groups',
      domains: [],
      groupRules: [],
    }
    const endpoints = createLogoutEndpoints({
      catalog,
      clock: systemClock,
      oidc: openTestProviders([provider], systemClock),
      forgetSessions: () => {
        forgotten++
      },
    })
    const serve = endpoints.get('/oauth/logout/kc')
    if (!serve) throw new Error('there is no endpoint')
    send = async (body, method = 'POST') =>
      await serve({
        httpVersion: '1.1',
        method,
        url: 'https://stats.example.org/oauth/logout/kc',
        header: new Headers(),
        body: (async function* () {
          yield Buffer.from(body)
        })(),
        signal: new AbortController().signal,
      })
    await addSessions('carol')
    await addSessions('dora')
  })

  const addSessions = async (name: string): Promise<void> => {
    const email = `${name}@example.org`
    const account = { email, displayName: name, isEmailVerified: true, passwordHash: undefined }
    const customerId = await insertCustomer(catalog, systemClock, account)
    const key = { issuer: idp.issuer, subject: `${name}-1`, customerId, email }
    const id = await insertIdentity(catalog, systemClock, key)
    const ports = { catalog, clock: systemClock, key: Buffer.alloc(32, 1) }
    await beginSession(ports, { customerId, method: 'password' })
    for (const providerSession of [`${name}-s1`, `${name}-s2`])
      await beginSession(ports, { customerId, method: 'oidc', identity: { id, providerSession } })
  }
  const remaining = async (): Promise<readonly string[]> => {
    const rows = await catalog.selectFrom('refresh_sessions').select(['method', 'provider_session']).execute()
    return rows.map(({ method, provider_session }) => provider_session || method).sort()
  }
  const tokenWith = async (
    claims: Readonly<Record<string, unknown>>,
    header?: Parameters<IdentityProvider['sign']>[1],
  ) =>
    await idp.sign(
      {
        iss: idp.issuer,
        aud: CLIENT_ID,
        iat: NOW(),
        exp: NOW() + 120,
        jti: `jti-${Math.random()}`,
        events: EVENTS,
        ...claims,
      },
      header,
    )
  const sendToken = async (token: string): Promise<number> =>
    (await send(new URLSearchParams({ logout_token: token }).toString())).status
  const ALL = ['carol-s1', 'carol-s2', 'dora-s1', 'dora-s2', 'password', 'password']

  test.each<[string, JWTPayload, readonly string[]]>([
    ['a session', { sub: 'carol-1', sid: 'carol-s1' }, ALL.filter((name) => name !== 'carol-s1')],
    ['a session without its user', { sid: 'carol-s1' }, ALL.filter((name) => name !== 'carol-s1')],
    ['all sessions of a user', { sub: 'carol-1' }, ALL.filter((name) => !name.startsWith('carol'))],
    ['a session of another user', { sub: 'dora-1', sid: 'carol-s1' }, ALL],
    ['an unknown user', { sub: 'eve-1' }, ALL],
  ])('end %s, and no others', async (_, claims, expected) => {
    expect(await sendToken(await tokenWith(claims, { typ: 'logout+jwt' }))).toBe(200)
    expect(await remaining()).toEqual(expected)
    expect(forgotten).toBe(1)
  })

  test('count once: a repeated token ends no later session', async () => {
    const token = await tokenWith({ sub: 'carol-1' })
    expect(await sendToken(token)).toBe(200)
    await catalog.updateTable('identities').set({ last_ms: 1 }).execute()
    const [identity] = await catalog
      .selectFrom('identities')
      .selectAll()
      .where('subject', '=', 'carol-1')
      .execute()
    if (!identity) throw new Error('there is no identity')
    const ports = { catalog, clock: systemClock, key: Buffer.alloc(32, 1) }
    const carol = await catalog
      .selectFrom('customers')
      .select('id')
      .where('email', '=', 'carol@example.org')
      .executeTakeFirstOrThrow()
    await beginSession(ports, {
      customerId: carol.id as never,
      method: 'oidc',
      identity: { id: identity.id, providerSession: 'carol-s3' },
    })
    expect(await sendToken(token)).toBe(200)
    expect(await remaining()).toContain('carol-s3')
  })

  test.each<[string, Readonly<Record<string, unknown>>]>([
    ['another issuer', { iss: 'https://evil.example' }],
    ['another audience', { aud: 'another' }],
    ['no event of a logout', { events: {} }],
    ['no events', { events: undefined }],
    ['the nonce of an ID token', { nonce: 'n' }],
    ['no id', { jti: undefined }],
    ['neither user nor session', { sub: undefined }],
    ['an expiry in the past', { exp: NOW() - 300 }],
    ['an old time of issue', { iat: NOW() - 3600, exp: undefined }],
    ['no time of issue', { iat: undefined }],
  ])('with %s are refused', async (_, claims) => {
    expect(await sendToken(await tokenWith({ sub: 'carol-1', ...claims }))).toBe(400)
    expect(await remaining()).toEqual(ALL)
    expect(forgotten).toBe(0)
  })

  test('without a signature of the provider are refused', async () => {
    const token = await tokenWith({ sub: 'carol-1' })
    const [header, payload] = token.split('.')
    const none = Buffer.from('{"alg":"none"}').toString('base64url')
    for (const forged of [`${header}.${payload}.AAAA`, `${none}.${payload}.`, 'no token'])
      expect(await sendToken(forged)).toBe(400)
    expect(await remaining()).toEqual(ALL)
  })

  test('need a form with a token, of a bounded length', async () => {
    expect((await send('', 'GET')).status).toBe(405)
    expect((await send('a=b')).status).toBe(400)
    const token = await tokenWith({ sub: 'carol-1' })
    expect((await send(`logout_token=${token}&padding=${'x'.repeat(17_000)}`)).status).toBe(400)
    expect(await remaining()).toEqual(ALL)
  })

  test('are not lost while the provider is down', async () => {
    idp.misbehaviour = {
      answer: (context) => {
        context.response.status = 503
        return true
      },
    }
    const token = await tokenWith({ sub: 'carol-1' })
    expect(await sendToken(token)).toBe(503)
    idp.misbehaviour = {}
    expect(await sendToken(token)).toBe(200)
    expect(await remaining()).toEqual(ALL.filter((name) => !name.startsWith('carol')))
  })
})
