import {
  Client,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { MCP_PATH } from './harness/mcp-client.ts'
import { McpInspector } from './harness/mcp-inspector.ts'
import { goBack, REDIRECT_URI, ScriptedBrowser } from './harness/oauth-assistant.ts'
import { TestService } from './harness/service.ts'

const ACCOUNT = { email: 'owner@example.org', password: 'correct horse' }
const ASSISTANTS = 'millrace.account.v1.AssistantsService'

let service: TestService
let authorization: string

beforeAll(async () => {
  service = await TestService.start({
    SERVICE_BOOTSTRAP_EMAIL: ACCOUNT.email,
    SERVICE_BOOTSTRAP_PASSWORD: ACCOUNT.password,
  })
  const { body } = await service.call('public.auth.v1.AuthService/SignInWithEmail', ACCOUNT)
  authorization = `Bearer ${body.token}`
})

afterAll(async () => {
  await service?.destroy()
})

type Stored<Name extends 'tokens' | 'clientInformation'> = Awaited<ReturnType<OAuthClientProvider[Name]>>

/** An assistant that knows the address only; its browser is that of a signed-in member. */
class Assistant implements OAuthClientProvider {
  readonly redirectUrl = REDIRECT_URI
  readonly clientMetadata = { client_name: 'Official client', redirect_uris: [REDIRECT_URI] }
  readonly #kept: {
    tokens?: Stored<'tokens'>
    client?: Stored<'clientInformation'>
    verifier?: string
    discovery?: OAuthDiscoveryState
    answer?: URLSearchParams
  } = {}

  clientInformation = () => this.#kept.client
  saveClientInformation = (client: Stored<'clientInformation'>) => {
    this.#kept.client = client
  }
  tokens = () => this.#kept.tokens
  saveTokens = (tokens: Stored<'tokens'>) => {
    this.#kept.tokens = tokens
  }
  saveCodeVerifier = (verifier: string) => {
    this.#kept.verifier = verifier
  }
  codeVerifier = () => this.#kept.verifier ?? ''
  discoveryState = () => this.#kept.discovery
  saveDiscoveryState = (discovery: OAuthDiscoveryState) => {
    this.#kept.discovery = discovery
  }

  /** The answer that the browser brought. */
  get answer(): URLSearchParams {
    return this.#kept.answer ?? new URLSearchParams()
  }

  /** Opens the browser: its member consents. */
  async redirectToAuthorization(url: URL): Promise<void> {
    this.#kept.answer = await answerTo(url)
  }
}

/** Answers as the member, in a browser that an assistant opened. Returns what its address gets. */
async function answerTo(url: URL, how: 'Connect' | 'Refuse' = 'Connect'): Promise<URLSearchParams> {
  const browser = new ScriptedBrowser()
  const page = await browser.open(url.href)
  const consentUrl = new URL(page.headers.get('location') ?? '', service.url)
  const requestId = consentUrl.searchParams.get('request') ?? ''
  const request = how === 'Connect' ? { requestId, projectId: '1', scope: 'TOKEN_SCOPE_READ' } : { requestId }
  const { body } = await service.call(`${ASSISTANTS}/${how}`, request, { authorization })
  return await goBack(browser, String(body.continueUrl), url.searchParams.get('redirect_uri') ?? '')
}

/** Connects as the protocol says: the first attempt is refused, and tells where to ask. */
async function connect(assistant: Assistant): Promise<Client> {
  const url = new URL(MCP_PATH, service.url)
  const first = new StreamableHTTPClientTransport(url, { authProvider: assistant })
  const refused = new Client({ name: 'test', version: '1' }).connect(first)
  await expect(refused).rejects.toBeInstanceOf(UnauthorizedError)
  await first.finishAuth(assistant.answer)
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(new StreamableHTTPClientTransport(url, { authProvider: assistant }))
  return client
}

async function callMcp(token: string): Promise<Response> {
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
  return await fetch(new URL(MCP_PATH, service.url), {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify(message),
  })
}

test('the official client connects with the address alone, and calls a tool until it is disconnected', async () => {
  const assistant = new Assistant()
  const client = await connect(assistant)
  const result = await client.callTool({ name: 'get_insights_filter_schema', arguments: {} })
  expect(result.isError).not.toBe(true)
  expect(result.structuredContent).toBeDefined()
  await client.close()

  const token = assistant.tokens()?.access_token ?? ''
  expect((await callMcp(token)).status).toBe(200)
  const { body } = await service.call(`${ASSISTANTS}/List`, {}, { authorization })
  const [connected] = body.assistants as { readonly id: string; readonly displayName: string }[]
  expect(connected?.displayName).toBe('Official client')
  await service.call(`${ASSISTANTS}/Disconnect`, { id: connected?.id }, { authorization })
  const refused = await callMcp(token)
  expect(refused.status).toBe(401)
  expect(refused.headers.get('www-authenticate')).toContain('error="invalid_token"')
})

/** The command line of the Inspector; its browser is that of the member. */
async function withInspector(work: (inspector: McpInspector) => Promise<void>): Promise<void> {
  const inspector = await McpInspector.for(new URL(MCP_PATH, service.url).href)
  try {
    await work(inspector)
  } finally {
    inspector.destroy()
  }
}

test('the Inspector connects with the address alone, goes on without a browser, and asks again once it is disconnected', async () => {
  await withInspector(async (inspector) => {
    const opened: URL[] = []
    const browse = (how: 'Connect' | 'Refuse') => async (address: string) => {
      const url = new URL(address)
      opened.push(url)
      await fetch(`${url.searchParams.get('redirect_uri')}?${await answerTo(url, how)}`)
    }
    const listed = await inspector.run(['--method', 'tools/list'], browse('Connect'))
    expect([listed.code, listed.stderr]).toEqual([0, expect.stringContaining('Authorization complete')])
    const tools = listed.result.tools as readonly { readonly name: string }[]
    expect(tools.map(({ name }) => name)).toContain('query_insights')
    // It asks for every scope of the metadata, and goes on with what the member gave.
    expect(opened.map(({ searchParams }) => Object.fromEntries(searchParams))).toMatchObject([
      { code_challenge_method: 'S256', resource: `${service.url}${MCP_PATH}`, scope: 'read write' },
    ])

    const call = ['--method', 'tools/call', '--tool-name', 'get_insights_filter_schema']
    const called = await inspector.run([...call, '--stored-auth-only'])
    expect([called.code, called.result.structuredContent]).toEqual([0, expect.any(Object)])

    const { body } = await service.call(`${ASSISTANTS}/List`, {}, { authorization })
    const assistants = body.assistants as readonly { readonly id: string; readonly displayName: string }[]
    const connected = assistants.find(({ displayName }) => displayName === 'MCP Inspector')
    await service.call(`${ASSISTANTS}/Disconnect`, { id: connected?.id }, { authorization })
    const ended = await inspector.run(['--method', 'tools/list'], browse('Refuse'))
    expect([ended.code, ended.stderr]).toEqual([1, expect.stringContaining('the member refused')])
    expect(opened).toHaveLength(2)
  })
})

test('a caller without a credential learns where to ask, in the words of RFC 9728', async () => {
  const { status, headers } = await callMcp('')
  expect(status).toBe(401)
  const metadata = `${service.url}/.well-known/oauth-protected-resource${MCP_PATH}`
  expect(headers.get('www-authenticate')).toBe(
    `Bearer realm="millrace", resource_metadata="${metadata}", scope="read"`,
  )
  expect(await (await fetch(metadata)).json()).toMatchObject({ resource: `${service.url}${MCP_PATH}` })
})

test('the token of an assistant counts for no method and for no events', async () => {
  const assistant = new Assistant()
  await (await connect(assistant)).close()
  const key = { 'x-api-key': assistant.tokens()?.access_token ?? '' }
  for (const method of [
    'shared.insights.v1.InsightsService/GetFilterSchema',
    'sdk.events.v1.EventsService/BatchCreate',
  ]) {
    const { status } = await service.call(method, {}, key)
    expect(status).toBe(401)
  }
})

test('the page that asks for consent is in no frame of another site', async () => {
  const page = await fetch(new URL('/connect?request=x', service.url), { headers: { accept: 'text/html' } })
  expect(page.headers.get('x-frame-options')).toBe('DENY')
  expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
})

test('what members did with assistants is in the audit log', async () => {
  await (await connect(new Assistant())).close()
  const { body: listed } = await service.call(`${ASSISTANTS}/List`, {}, { authorization })
  const [newest] = listed.assistants as { readonly id: string }[]
  await service.call(`${ASSISTANTS}/Disconnect`, { id: newest?.id }, { authorization })
  const { body: orgs } = await service.call('dashboard.orgs.v1.OrgsService/List', {}, { authorization })
  const [org] = orgs.orgs as { readonly id: string }[]
  const { body } = await service.call(
    'millrace.audit.v1.AuditLogService/List',
    { orgId: org?.id, pageSize: 100 },
    { authorization },
  )
  const actions = (body.entries as { readonly action: string }[]).map(({ action }) => action)
  expect(actions).toContain('assistant.connect')
  expect(actions).toContain('assistant.disconnect')
  expect(JSON.stringify(body)).not.toMatch(/o[art][tc]_[A-Za-z0-9]{32}/)
})
