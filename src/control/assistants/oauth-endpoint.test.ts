import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Client } from '@connectrpc/connect'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { addCustomer, addMember, clientOf, refusalOf } from '../../../test/harness/console-callers.ts'
import { describeCatalog } from '../../../test/harness/describe-catalog.ts'
import {
  type Attempt,
  ask,
  authorizeUrl,
  begin,
  exchange,
  goBack,
  post,
  prepare,
  REDIRECT_URI,
  refresh,
  register,
  ScriptedBrowser,
  type TokenAnswer,
} from '../../../test/harness/oauth-assistant.ts'
import { AssistantsService } from '../../contract/gen/millrace/account/v1/assistants_service_pb.js'
import { TokenScope } from '../../contract/gen/millrace/account/v1/tokens_service_pb.js'
import type { CustomerId, OrganisationId } from '../../contract/ids.ts'
import { systemClock } from '../../kernel/clock.ts'
import { createLogger } from '../../kernel/log.ts'
import { Sealer } from '../../kernel/sealer.ts'
import type { NodeEndpoint } from '../../rpc/node-endpoint.ts'
import { Router, route } from '../../rpc/router.ts'
import { digestOf } from '../../store/catalog/api-keys.ts'
import { findAccessToken } from '../../store/catalog/assistant-grants.ts'
import { insertProject } from '../../store/catalog/projects.ts'
import { createSignInLimits } from '../auth/auth-ports.ts'
import { handOver } from '../customers/customers.ts'
import { removeMember } from '../organisations/members.ts'
import { createOrganisation } from '../organisations/organisations.ts'
import { createAssistantsService } from './assistants-service.ts'
import { createOauthEndpoints } from './oauth-endpoint.ts'
import { RecordCleaner } from './record-cleaner.ts'

const KEY = Buffer.alloc(32, 7)
const clock = systemClock
const NOBODY = { cidrs: [], includes: () => false }

describeCatalog('an assistant that connects by the address', (under) => {
  let base: string
  let ada: CustomerId
  let organisationId: OrganisationId
  let projectId: string
  let forgotten: number
  let stop: (() => Promise<void>)[] = []

  beforeEach(async () => {
    forgotten = 0
    ada = await addCustomer(under.catalog, 'ada@example.org')
    const own = { customerId: ada, displayName: 'Org' }
    organisationId = (await createOrganisation(under.catalog, clock, own)).id
    projectId = String(await insertProject(under.catalog, clock, { organisationId, displayName: 'Shop' }))
    base = await startProcess()
  })

  afterEach(async () => {
    for (const end of stop) await end()
    stop = []
  })

  /** The authorization server of one process; a second one has the public URL of the first. */
  async function startProcess(publicUrl?: string): Promise<string> {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const endpoints = createOauthEndpoints({
      ...{ catalog: under.catalog, clock, key: KEY, sealer: new Sealer(KEY), trustedProxies: NOBODY },
      publicUrl: publicUrl ?? url,
      limits: createSignInLimits({ catalog: under.catalog, clock, key: KEY }),
      log: createLogger({ role: 'test', level: 'silent' }),
      forgetTokens: () => void forgotten++,
    })
    const router = new Router<NodeEndpoint | undefined>(
      Array.from(endpoints, ([path, serve]) => route('any', path, serve)),
      undefined,
    )
    server.on('request', (request, response) => {
      const serve = router.find(request.method ?? '', (request.url ?? '').split('?', 1)[0] ?? '')
      if (serve) void serve(request, response)
      else response.writeHead(404).end()
    })
    stop.push(async () => {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    })
    return url
  }

  const as = (customerId: CustomerId): Client<typeof AssistantsService> => {
    const ports = { catalog: under.catalog, clock, sealer: new Sealer(KEY), publicUrl: base }
    return clientOf(AssistantsService, createAssistantsService(ports), { customerId })
  }

  /** Consents; returns the URL by which the browser goes on. */
  const consent = async (
    requestId: string,
    { who = ada, scope = TokenScope.READ }: { who?: CustomerId; scope?: TokenScope } = {},
  ): Promise<string> => (await as(who).connect({ requestId, projectId, scope })).continueUrl

  /** Goes the whole way to the code. */
  const getCode = async (attempt: Attempt, scope = TokenScope.READ): Promise<string> => {
    const browser = new ScriptedBrowser()
    const answer = await goBack(browser, await consent(await ask(base, attempt, browser), { scope }))
    expect(answer.get('state')).toBe('the-state')
    expect(answer.get('iss')).toBe(base)
    return answer.get('code') ?? ''
  }

  const connect = async (
    query: Readonly<Record<string, string>> = {},
    scope = TokenScope.READ,
  ): Promise<{ readonly attempt: Attempt; readonly tokens: TokenAnswer['body'] }> => {
    const attempt = await begin(base, query)
    const { status, body } = await exchange(base, attempt, await getCode(attempt, scope))
    expect(status).toBe(200)
    return { attempt, tokens: body }
  }

  const rightsOf = async (token: unknown) => await findAccessToken(under.catalog, String(token))
  const tokenCount = async (): Promise<number> =>
    (
      await under.catalog
        .selectFrom('oauth_records')
        .select('kind')
        .where('kind', '=', 'AccessToken')
        .execute()
    ).length
  const grantCount = async (): Promise<number> =>
    (await under.catalog.selectFrom('oauth_grants').select('id').execute()).length

  test('gets tokens for one project, which the catalog has as digests only', async () => {
    const { tokens } = await connect()
    expect(tokens).toMatchObject({ token_type: 'Bearer', expires_in: 900, scope: 'read' })
    expect(tokens.access_token).toMatch(/^oat_[A-Za-z0-9]{32}$/)
    expect(tokens.refresh_token).toMatch(/^ort_[A-Za-z0-9]{32}$/)
    expect(await rightsOf(tokens.access_token)).toMatchObject({
      customerId: ada,
      scope: 'read',
      projectIds: [Number(projectId)],
    })
    const stored = JSON.stringify([
      await under.catalog.selectFrom('oauth_records').selectAll().execute(),
      await under.catalog.selectFrom('oauth_grants').selectAll().execute(),
    ])
    expect(stored).toContain(digestOf(String(tokens.access_token)))
    expect(stored).not.toContain(tokens.access_token)
    expect(stored).not.toContain(tokens.refresh_token)
    const { assistants } = await as(ada).list({})
    expect(assistants).toMatchObject([
      { displayName: 'Test assistant', redirectHost: '127.0.0.1:9', projectId, scope: TokenScope.READ },
    ])
  })

  test('is described where clients look for it', async () => {
    const server = await (await fetch(`${base}/.well-known/oauth-authorization-server`)).json()
    expect(server).toMatchObject({
      issuer: base,
      authorization_endpoint: `${base}/oauth2/authorize`,
      token_endpoint: `${base}/oauth2/token`,
      registration_endpoint: `${base}/oauth2/register`,
      revocation_endpoint: `${base}/oauth2/revoke`,
      code_challenge_methods_supported: ['S256'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      response_types_supported: ['code'],
      response_modes_supported: ['query'],
      token_endpoint_auth_methods_supported: ['none'],
      scopes_supported: ['read', 'write'],
    })
    const forOpenId = await (await fetch(`${base}/.well-known/openid-configuration`)).json()
    expect(forOpenId).toEqual(server)
    for (const path of [
      '/.well-known/oauth-protected-resource',
      '/.well-known/oauth-protected-resource/mcp',
    ]) {
      const resource = await (await fetch(`${base}${path}`)).json()
      expect(resource).toMatchObject({ resource: `${base}/mcp`, authorization_servers: [base] })
    }
  })

  test('a host that a request claims is in no URL', async () => {
    const headers = { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' }
    const sent = await fetch(`${base}/.well-known/oauth-authorization-server`, { headers })
    expect(await sent.text()).not.toContain('evil.example')
  })

  test('a request begun in one process goes on in another', async () => {
    const other = await startProcess(base)
    const attempt = await begin(base)
    const browser = new ScriptedBrowser()
    const continueUrl = await consent(await ask(other, attempt, browser))
    const answer = await goBack(browser, continueUrl)
    const { status, body } = await exchange(other, attempt, answer.get('code') ?? '')
    expect(status).toBe(200)
    expect((await refresh(base, attempt, body.refresh_token)).status).toBe(200)
  })

  test('a refusal reaches the assistant, and leaves nothing', async () => {
    const attempt = await begin(base)
    const browser = new ScriptedBrowser()
    const { continueUrl } = await as(ada).refuse({ requestId: await ask(base, attempt, browser) })
    const answer = await goBack(browser, continueUrl)
    expect(answer.get('error')).toBe('access_denied')
    expect(answer.get('code')).toBeNull()
    expect(await grantCount()).toBe(0)
  })

  describe('consent', () => {
    test('is asked for each time, in the words of the request', async () => {
      const attempt = await begin(base, { scope: 'openid write' })
      const browser = new ScriptedBrowser()
      const requestId = await ask(base, attempt, browser)
      expect(await as(ada).getRequest({ requestId })).toMatchObject({
        displayName: 'Test assistant',
        redirectHost: '127.0.0.1:9',
        scope: TokenScope.WRITE,
      })
      await goBack(browser, await consent(requestId))
      // The same browser, and the same client.
      expect(await ask(base, prepare(attempt.clientId), browser)).not.toBe(requestId)
      const gone = refusalOf(as(ada).getRequest({ requestId }))
      expect(await gone).toEqual(['NotFound', 'ASSISTANT_REQUEST_NOT_FOUND'])
    })

    test('counts in the browser that began the request only', async () => {
      const attempt = await begin(base)
      const [attacker, victim] = [new ScriptedBrowser(), new ScriptedBrowser()]
      const requestId = await ask(base, attempt, attacker)
      const continueUrl = await consent(requestId)
      const page = await victim.open(continueUrl)
      expect(page.status).toBe(400)
      expect(await page.text()).toContain('another browser')
      // The attacker has the cookie, but not the answer, which the service gave to the browser of the victim.
      const without = await attacker.open(continueUrl.split('?')[0] ?? '')
      expect(without.headers.get('location') ?? '').not.toContain('code=')
      const forged = await attacker.open(`${continueUrl.split('?')[0]}?answer=${'A'.repeat(120)}`)
      expect(forged.status).toBe(400)
    })

    test('with an answer of another request is refused', async () => {
      const [first, second] = [new ScriptedBrowser(), new ScriptedBrowser()]
      const one = await ask(base, await begin(base), first)
      const other = await ask(base, await begin(base), second)
      const { search } = new URL(await consent(one))
      expect((await second.open(`${base}/oauth2/authorize/${other}${search}`)).status).toBe(400)
    })

    test('gives no more than the request asks for, and no project of others', async () => {
      const eve = await addCustomer(under.catalog, 'eve@example.org')
      const requestId = await ask(base, await begin(base), new ScriptedBrowser())
      const write = refusalOf(consent(requestId, { scope: TokenScope.WRITE }))
      expect(await write).toEqual(['InvalidArgument', 'INVALID_REQUEST'])
      const foreign = refusalOf(consent(requestId, { who: eve }))
      expect(await foreign).toEqual(['InvalidArgument', 'INVALID_REQUEST'])
      expect(await grantCount()).toBe(0)
    })

    test('gives no project that is closed to a member of its organisation', async () => {
      const bob = await addMember(under.catalog, { organisationId, email: 'bob@example.org', role: 'viewer' })
      const requestId = await ask(base, await begin(base), new ScriptedBrowser())
      const role = {
        project_id: Number(projectId),
        organisation_id: organisationId,
        customer_id: bob,
        created_ms: 0,
      }
      await under.catalog
        .insertInto('project_roles')
        .values({ ...role, role: 'guest' })
        .execute()
      const closed = refusalOf(consent(requestId, { who: bob }))
      expect(await closed).toEqual(['InvalidArgument', 'INVALID_REQUEST'])
      await under.catalog.deleteFrom('project_roles').execute()
      await consent(requestId, { who: bob })
      expect(await grantCount()).toBe(1)
    })

    test('to read a request to write gives tokens that read', async () => {
      const { tokens } = await connect({ scope: 'read write' }, TokenScope.READ)
      expect(tokens.scope).toBe('read')
      expect(await rightsOf(tokens.access_token)).toMatchObject({ scope: 'read' })
      const written = await connect({ scope: 'read write' }, TokenScope.WRITE)
      expect(await rightsOf(written.tokens.access_token)).toMatchObject({ scope: 'write' })
    })

    test('is limited by the consent and by the token, whichever gives less', async () => {
      const { attempt, tokens } = await connect({ scope: 'read write' }, TokenScope.WRITE)
      const less = await post(`${base}/oauth2/token`, {
        ...{ grant_type: 'refresh_token', client_id: attempt.clientId, scope: 'read' },
        refresh_token: String(tokens.refresh_token),
      })
      expect(less.body.scope).toBe('read')
      expect(await rightsOf(less.body.access_token)).toMatchObject({ scope: 'read' })
      expect(await rightsOf(tokens.access_token)).toMatchObject({ scope: 'write' })
      await under.catalog
        .updateTable('oauth_grants')
        .set({ scope: 'read' } as never)
        .execute()
      expect(await rightsOf(tokens.access_token)).toMatchObject({ scope: 'read' })
    })

    test('is given within the time of the request', async () => {
      const requestId = await ask(base, await begin(base), new ScriptedBrowser())
      await age(requestId)
      expect(await refusalOf(consent(requestId))).toEqual(['NotFound', 'ASSISTANT_REQUEST_NOT_FOUND'])
      expect(await grantCount()).toBe(0)
    })

    test('needs the second factor that the organisation requires', async () => {
      await under.catalog.updateTable('organisations').set({ second_factor_required: 1 }).execute()
      const requestId = await ask(base, await begin(base), new ScriptedBrowser())
      expect(await refusalOf(consent(requestId))).toEqual(['PermissionDenied', 'SECOND_FACTOR_REQUIRED'])
      const factor = { sealed_secret: '', last_step: 0, created_ms: 1, last_ms: 1 }
      await under.catalog
        .insertInto('totp_factors')
        .values({ customer_id: ada, ...factor })
        .execute()
      const proof = await refusalOf(consent(requestId))
      expect(proof).toEqual(['FailedPrecondition', 'SECOND_FACTOR_PROOF_REQUIRED'])
    })

    test('is limited to fifty assistants of an account', async () => {
      const requestId = await ask(base, await begin(base), new ScriptedBrowser())
      for (let count = 0; count < 50; count++) await consent(requestId)
      expect(await refusalOf(consent(requestId))).toEqual(['FailedPrecondition', 'LIMIT_REACHED'])
    })

    test('pages are in no frame, and the errors of clients are not markup', async () => {
      const page = await fetch(`${base}/oauth2/authorize?client_id=<script>`, {
        headers: { accept: 'text/html' },
      })
      expect(page.status).toBe(400)
      expect(page.headers.get('x-frame-options')).toBe('DENY')
      expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
      expect(await page.text()).not.toContain('<script>')
    })
  })

  describe('a code is refused', () => {
    test('with anything that differs from its request', async () => {
      const changes: readonly (readonly [Readonly<Record<string, string>>, string])[] = [
        [{ code_verifier: 'x'.repeat(43) }, 'invalid_grant'],
        [{ code_verifier: '' }, 'invalid_grant'],
        [{ redirect_uri: 'http://127.0.0.1:9/other' }, 'invalid_grant'],
        [{ resource: 'https://evil.example/mcp' }, 'invalid_target'],
        [{ code: `oac_${'A'.repeat(32)}` }, 'invalid_grant'],
        [{ grant_type: 'password' }, 'unsupported_grant_type'],
      ]
      const errors: unknown[] = []
      for (const [change] of changes) {
        const attempt = await begin(base)
        errors.push((await exchange(base, attempt, await getCode(attempt), change)).body.error)
      }
      expect(errors).toEqual(changes.map(([, error]) => error))
      expect(await tokenCount()).toBe(0)
    })

    test('from another client', async () => {
      const attempt = await begin(base)
      const thief = await begin(base)
      const stolen = await exchange(base, { ...attempt, clientId: thief.clientId }, await getCode(attempt))
      expect([stolen.status, stolen.body.error]).toEqual([400, 'invalid_grant'])
    })

    test('the second time, which ends the tokens of the first', async () => {
      const attempt = await begin(base)
      const code = await getCode(attempt)
      const { body } = await exchange(base, attempt, code)
      const again = await exchange(base, attempt, code)
      expect([again.status, again.body.error]).toEqual([400, 'invalid_grant'])
      expect(await rightsOf(body.access_token)).toBeUndefined()
      expect(forgotten).toBeGreaterThan(0)
    })

    test('in all but one of two requests at once', async () => {
      const attempt = await begin(base)
      const code = await getCode(attempt)
      const answers = await Promise.all([1, 2, 3].map(async () => await exchange(base, attempt, code)))
      const given = answers.filter(({ status }) => status === 200)
      expect(given.length).toBeLessThanOrEqual(1)
      expect(answers.map(({ status }) => status).filter((status) => status >= 500)).toEqual([])
    })

    test('when it is older than a minute', async () => {
      const attempt = await begin(base)
      const code = await getCode(attempt)
      await age(code)
      const late = await exchange(base, attempt, code)
      expect([late.status, late.body.error]).toEqual([400, 'invalid_grant'])
    })
  })

  /** Lets a code or token expire. */
  async function age(text: string): Promise<void> {
    const found = under.catalog
      .selectFrom('oauth_records')
      .select('payload')
      .where('sha256', '=', digestOf(text))
    const { payload } = await found.executeTakeFirstOrThrow()
    const old = JSON.stringify({ ...JSON.parse(payload), exp: Math.floor(Date.now() / 1000) - 1 })
    await under.catalog
      .updateTable('oauth_records')
      .set({ payload: old, expires_ms: 1 } as never)
      .where('sha256', '=', digestOf(text))
      .execute()
  }

  describe('a refresh token', () => {
    test('is replaced with each use, and a used one ends the connection', async () => {
      const { attempt, tokens } = await connect()
      const second = await refresh(base, attempt, tokens.refresh_token)
      expect(second.status).toBe(200)
      expect(second.body.refresh_token).not.toBe(tokens.refresh_token)
      expect(await rightsOf(second.body.access_token)).toMatchObject({ customerId: ada })
      const stolen = await refresh(base, attempt, tokens.refresh_token)
      expect([stolen.status, stolen.body.error]).toEqual([400, 'invalid_grant'])
      expect(await rightsOf(second.body.access_token)).toBeUndefined()
      expect((await refresh(base, attempt, second.body.refresh_token)).status).toBe(400)
      expect(await grantCount()).toBe(0)
    })

    test('of another client, or one that has expired, is refused', async () => {
      const { attempt, tokens } = await connect()
      const other = await begin(base)
      expect((await refresh(base, other, tokens.refresh_token)).body.error).toBe('invalid_grant')
      await age(String(tokens.refresh_token))
      expect((await refresh(base, attempt, tokens.refresh_token)).body.error).toBe('invalid_grant')
    })

    test('asks for no scope beyond the consent', async () => {
      const { attempt, tokens } = await connect({ scope: 'read write' }, TokenScope.READ)
      const form = { grant_type: 'refresh_token', client_id: attempt.clientId, scope: 'read write' }
      const more = await post(`${base}/oauth2/token`, {
        ...form,
        refresh_token: String(tokens.refresh_token),
      })
      const rights = await rightsOf(more.body.access_token ?? tokens.access_token)
      expect(rights).toMatchObject({ scope: 'read' })
    })
  })

  describe('the connection ends', () => {
    const ends = {
      'when its member ends it': async () => {
        const { assistants } = await as(ada).list({})
        await as(ada).disconnect({ id: assistants[0]?.id ?? '' })
      },
      'when its member leaves the organisation': async () => {
        const admin = await addMember(under.catalog, {
          organisationId,
          email: 'bob@example.org',
          role: 'admin',
        })
        await removeMember(under.catalog, { organisationId, customerId: admin, memberId: ada })
      },
      'when its account goes to the owner of the address': async () => await handOver(under.catalog, ada),
      'with the project': async () => {
        await under.catalog.deleteFrom('projects').execute()
      },
    } satisfies Readonly<Record<string, () => Promise<void>>>

    test.each(Object.entries(ends))('%s', async (_, end) => {
      const { attempt, tokens } = await connect()
      await end()
      expect(await rightsOf(tokens.access_token)).toBeUndefined()
      expect((await refresh(base, attempt, tokens.refresh_token)).status).toBe(400)
      expect(await grantCount()).toBe(0)
    })

    test.each(['access_token', 'refresh_token'])('when the assistant revokes its %s', async (name) => {
      const { attempt, tokens } = await connect()
      const form = { client_id: attempt.clientId, token: String(tokens[name]) }
      expect((await post(`${base}/oauth2/revoke`, form)).status).toBe(200)
      expect(await rightsOf(tokens.access_token)).toBeUndefined()
      expect(await grantCount()).toBe(0)
      const entries = await under.catalog.selectFrom('audit_entries').selectAll().execute()
      expect(entries).toMatchObject([
        {
          action: 'assistant.disconnect',
          actor_id: ada,
          object_name: 'Test assistant',
          organisation_id: organisationId,
        },
      ])
    })

    test('not by another client or another account', async () => {
      const { tokens } = await connect()
      const other = await begin(base)
      await post(`${base}/oauth2/revoke`, { client_id: other.clientId, token: String(tokens.access_token) })
      const eve = await addCustomer(under.catalog, 'eve@example.org')
      const { assistants } = await as(ada).list({})
      const ended = refusalOf(as(eve).disconnect({ id: assistants[0]?.id ?? '' }))
      expect(await ended).toEqual(['NotFound', 'ASSISTANT_NOT_FOUND'])
      expect(await rightsOf(tokens.access_token)).toBeDefined()
    })
  })

  describe('a request is refused', () => {
    test('at the address of its client', async () => {
      const changes: readonly (readonly [Readonly<Record<string, string>>, string])[] = [
        [{ resource: 'https://evil.example/mcp' }, 'invalid_target'],
        [{ resource: `${base}/mcp#x` }, 'invalid_target'],
        [{ code_challenge: '' }, 'invalid_request'],
        [{ code_challenge: '', code_challenge_method: '' }, 'invalid_request'],
        [{ code_challenge_method: 'plain' }, 'invalid_request'],
        [{ response_type: 'token' }, 'unsupported_response_type'],
        [{ prompt: 'none' }, 'consent_required'],
      ]
      const answers: string[] = []
      for (const [change] of changes) {
        const response = await new ScriptedBrowser().open(authorizeUrl(base, await begin(base, change)))
        answers.push(response.headers.get('location') ?? '')
      }
      const errors = answers.map((url) => /[?&#]error=(\w+)/.exec(url)?.[1])
      expect(errors).toEqual(changes.map(([, error]) => error))
      expect(answers.every((url) => url.startsWith(REDIRECT_URI))).toBe(true)
    })

    test('on a page, if it does not come from its client or leads elsewhere', async () => {
      const changes: readonly Readonly<Record<string, string>>[] = [
        { redirect_uri: 'https://evil.example/callback' },
        { redirect_uri: 'http://127.0.0.1:9/callback/../evil' },
        { redirect_uri: 'http://127.0.0.1.evil.example:9/callback' },
        { client_id: 'mcp_unknown' },
      ]
      const answers: unknown[] = []
      for (const change of changes) {
        const response = await new ScriptedBrowser().open(authorizeUrl(base, await begin(base, change)))
        answers.push([response.status, response.headers.get('location')])
      }
      expect(answers).toEqual(changes.map(() => [400, null]))
    })

    test('but on another port of the machine it is not, as its programs take any', async () => {
      const attempt = await begin(base, { redirect_uri: 'http://127.0.0.1:4711/callback' })
      expect(await ask(base, attempt, new ScriptedBrowser())).not.toBe('')
    })
  })

  describe('a registration', () => {
    test('with an address that its user cannot trust is refused', async () => {
      const refused: readonly unknown[] = [
        ['http://evil.example/callback'],
        ['evil:/callback'],
        ['javascript:alert(1)'],
        ['https://example.org/callback#x'],
        ['https://127.0.0.1@evil.example/callback'],
        ['http://127.0.0.1.evil.example/callback'],
        [],
        Array.from({ length: 11 }, (_, index) => `https://example.org/${index}`),
        [7],
      ]
      const answers: unknown[] = []
      for (const redirect_uris of refused) {
        const response = await register(base, { redirect_uris })
        const { error } = (await response.json()) as { readonly error?: string }
        answers.push([response.status, error])
      }
      expect(answers).toEqual(refused.map(() => [400, 'invalid_redirect_uri']))
    })

    // What these programs register with; a test with each of them goes the whole way.
    const PROGRAMS: Readonly<
      Record<string, { readonly redirect_uris: readonly string[]; readonly host: string }>
    > = {
      Cursor: {
        redirect_uris: ['cursor://anysphere.cursor-mcp/oauth/callback'],
        host: 'cursor://anysphere.cursor-mcp',
      },
      'an earlier Cursor': {
        redirect_uris: ['cursor://anysphere.cursor-retrieval/oauth/user-millrace/callback'],
        host: 'cursor://anysphere.cursor-retrieval',
      },
      Cline: {
        redirect_uris: ['vscode://saoudrizwan.claude-dev/mcp-auth/callback/Zm9v'],
        host: 'vscode://saoudrizwan.claude-dev',
      },
      'an extension of Windsurf': {
        redirect_uris: ['windsurf://MermaidChart.vscode-mermaid-chart'],
        host: 'windsurf://MermaidChart.vscode-mermaid-chart',
      },
      'Visual Studio Code': {
        redirect_uris: [
          'http://127.0.0.1:33418/',
          'http://127.0.0.1/',
          'https://vscode.dev/redirect',
          'https://insiders.vscode.dev/redirect',
        ],
        host: '127.0.0.1:33418',
      },
      'a program with the name of a domain': {
        redirect_uris: ['com.example.program:/oauth2redirect'],
        host: 'com.example.program:',
      },
    }

    test.each(Object.entries(PROGRAMS))('of %s leads to its tokens', async (_, { redirect_uris, host }) => {
      const [redirect_uri = ''] = redirect_uris
      const metadata = {
        ...{ redirect_uris, client_name: 'Editor', application_type: 'native', response_types: ['code'] },
        ...{ grant_types: ['authorization_code', 'refresh_token'], token_endpoint_auth_method: 'none' },
      }
      const registered = await register(base, metadata)
      expect(registered.status).toBe(201)
      const { client_id } = (await registered.json()) as { readonly client_id: string }
      const attempt = prepare(client_id, { redirect_uri, resource: `${base}/mcp` })
      const browser = new ScriptedBrowser()
      const requestId = await ask(base, attempt, browser)
      expect(await as(ada).getRequest({ requestId })).toMatchObject({ redirectHost: host })
      const answer = await goBack(browser, await consent(requestId), redirect_uri)
      const { status, body } = await exchange(base, attempt, answer.get('code') ?? '', { redirect_uri })
      expect(status).toBe(200)
      expect(await rightsOf(body.access_token)).toMatchObject({ customerId: ada })
    })

    test('of a program is for its whole address only', async () => {
      const [uri] = PROGRAMS.Cursor?.redirect_uris ?? []
      const registered = await register(base, { redirect_uris: [uri] })
      const { client_id } = (await registered.json()) as { readonly client_id: string }
      const statuses: number[] = []
      for (const redirect_uri of [`${uri}/x`, 'cursor://evil.extension/oauth/callback', 'vscode://x/y'])
        statuses.push(
          (await new ScriptedBrowser().open(authorizeUrl(base, prepare(client_id, { redirect_uri })))).status,
        )
      expect(statuses).toEqual([400, 400, 400])
    })

    test('keeps no secret and no name that reads backwards', async () => {
      const metadata = {
        client_name: 'Good\u202e \u0000 tnatsissa',
        token_endpoint_auth_method: 'client_secret_post',
        grant_types: ['client_credentials', 'implicit'],
        logo_uri: 'https://evil.example/logo',
      }
      const response = await register(base, metadata)
      expect(response.status).toBe(201)
      const registered = await response.json()
      expect(registered).toMatchObject({
        client_name: 'Good tnatsissa',
        token_endpoint_auth_method: 'none',
        grant_types: ['authorization_code', 'refresh_token'],
      })
      expect(registered).not.toHaveProperty('client_secret')
      expect(registered).not.toHaveProperty('logo_uri')
    })

    test('that is too long is refused', async () => {
      expect((await register(base, { client_name: 'x'.repeat(101) })).status).toBe(400)
      expect((await register(base, { client_name: 'x'.repeat(100_000) })).status).toBe(400)
    })

    test('floods are slowed down by network', async () => {
      const statuses: number[] = []
      for (let count = 0; count < 22; count++) statuses.push((await register(base)).status)
      expect(statuses.slice(0, 20)).toEqual(Array(20).fill(201))
      expect(statuses).toContain(429)
    })
  })

  test('floods of requests are slowed down by network', async () => {
    const attempt = await begin(base)
    const browser = new ScriptedBrowser()
    const statuses: number[] = []
    for (let count = 0; count < 52; count++)
      statuses.push((await browser.open(authorizeUrl(base, attempt))).status)
    expect(statuses.slice(0, 50)).toEqual(Array(50).fill(303))
    expect(statuses).toContain(429)
  })

  test('what expired is cleaned up, and a client with a connection stays', async () => {
    const { tokens } = await connect()
    await begin(base)
    await under.catalog
      .updateTable('oauth_clients')
      .set({ created_ms: 1 } as never)
      .execute()
    await age(String(tokens.access_token))
    await new RecordCleaner(under.catalog, clock).cleanNow()
    const clients = await under.catalog.selectFrom('oauth_clients').select('id').execute()
    expect(clients).toHaveLength(1)
    expect(await rightsOf(tokens.access_token)).toBeUndefined()
    expect(await grantCount()).toBe(1)
  })
})
