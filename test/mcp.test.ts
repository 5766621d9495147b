import { readFileSync } from 'node:fs'
import { connect } from 'node:http2'
import { resolve } from 'node:path'
import type { Client } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { TOOLS, type ToolName } from '../src/query/mcp/tools.ts'
import { BATCH_CREATE, makeEvent } from './harness/events.ts'
import {
  fetchOver,
  MCP_PATH,
  MCP_WIRES,
  type McpWire,
  type OpenMcpClient,
  openMcpClient,
} from './harness/mcp-client.ts'
import { PRIVATE_KEY, PUBLIC_KEY, runMillrace, TestService } from './harness/service.ts'
import { waitFor } from './harness/wait.ts'
import { SLOW_FILTER, StoreBackdoor } from './protocols/slow-traits.ts'

const BODY_BYTES_MAX = 64 * 1024
const PROFILES = 'shared.profiles.v1.ProfilesService'
const ACCOUNT = { email: 'owner@example.org', password: 'correct horse' }
const DAY = { from: '2026-05-01T00:00:00Z', to: '2026-05-02T00:00:00Z' }
const FIRST_WIRE: McpWire = { http: '1.1', revision: '2025-11-25' }

let service: TestService
let requestId = ''
let profileId = ''
let cohortId = ''

beforeAll(async () => {
  service = await TestService.start({
    SERVICE_MAX_BODY_BYTES: String(BODY_BYTES_MAX),
    SERVICE_BOOTSTRAP_EMAIL: ACCOUNT.email,
    SERVICE_BOOTSTRAP_PASSWORD: ACCOUNT.password,
  })
  const events = ['Firefox', 'Safari', 'Safari'].map((browser) =>
    makeEvent({
      distinctId: 'ann',
      occurTime: '2026-05-01T12:00:00Z',
      autoProperties: { $browser: { stringValue: browser }, $country: { stringValue: 'FR' } },
      customProperties: { cents: { intValue: '9007199254740993' } },
    }),
  )
  await service.call(BATCH_CREATE, { events })
  for (const externalId of ['ann', 'bob']) {
    await service.call('sdk.profiles.v1.ProfilesSDKService/Identify', { externalId, traits: { plan: 'pro' } })
  }
  await service.call(BATCH_CREATE, { events: [makeEvent({ kind: 'no kind' })] })
  await waitFor('the warning of an event that is refused', async () => {
    const { body } = await service.call('millrace.ingest.v1.WarningsService/List', {})
    return body.totalCount === 1 ? true : undefined
  })
  await waitFor('the events', async () => {
    const { body } = await service.call('shared.activity.v1.ActivityService/GetEventExplorer', {})
    return (body.events as unknown[] | undefined)?.length === events.length ? true : undefined
  })
  profileId = await waitFor('the profiles', async () => {
    const ids = await Promise.all(['ann', 'bob'].map(profileIdOf))
    return ids.every(Boolean) ? ids[0] : undefined
  })
  const { body } = await service.call('millrace.cohorts.v1.CohortsService/Create', {
    name: 'Visitors',
    definition: { condition: { performed: {} } },
  })
  cohortId = (body.cohort as { id: string }).id
  await service.call('millrace.library.v1.SavedInsightsService/Create', {
    content: {
      name: 'Views',
      spec: { insightType: 'INSIGHT_TYPE_TRENDS', events: [{ event: { kind: 'page_view' } }] },
    },
  })
  await service.call('millrace.library.v1.AnnotationsService/Create', { text: 'Release of Safari' })
  await service.call('millrace.web.v1.GoalsService/Create', { name: 'Docs', pagePattern: '/docs/*' })
  await service.call('millrace.alerts.v1.AlertsService/Create', {
    content: {
      name: 'Few views',
      spec: { insightType: 'INSIGHT_TYPE_TRENDS', events: [{ event: { kind: 'page_view' } }] },
      point: { series: {} },
      condition: { subject: 'SUBJECT_VALUE', operator: 'OPERATOR_BELOW', threshold: 5 },
      cadence: 'ALERT_CADENCE_MONTHLY',
    },
  })
  requestId = await eraseBob()
})

afterAll(async () => {
  await service.destroy()
})

async function profileIdOf(externalId: string): Promise<string | undefined> {
  const { body } = await service.call(`${PROFILES}/GetByExternalId`, { externalId })
  return (body.profile as { id: string } | undefined)?.id
}

async function eraseBob(): Promise<string> {
  const { body } = await service.call(`${PROFILES}/DeleteDataSubject`, { externalId: 'bob' })
  await waitFor('the erasure', async () => {
    const state = await service.call(`${PROFILES}/GetDeletionRequest`, { requestId: body.requestId })
    return state.body.status === 'COMPLIANCE_REQUEST_STATUS_COMPLETED' ? true : undefined
  })
  return String(body.requestId)
}

/** Arguments to which there is an answer, for each tool. */
const ARGUMENTS = {
  query_insights: () => ({
    spec: {
      insightType: 'INSIGHT_TYPE_TRENDS',
      events: [{ event: { kind: 'page_view' } }],
      breakdowns: [{ property: '$browser' }],
    },
    timeRange: DAY,
    granularity: 'GRANULARITY_HOUR',
  }),
  list_actors: () => ({
    query: {
      spec: { insightType: 'INSIGHT_TYPE_TRENDS', events: [{ event: { kind: 'page_view' } }] },
      timeRange: DAY,
      granularity: 'GRANULARITY_HOUR',
    },
    point: { trends: {} },
  }),
  list_cohorts: () => ({}),
  list_cohort_members: () => ({ cohortId }),
  list_user_cohorts: () => ({ distinctId: 'ann' }),
  list_saved_insights: () => ({ search: 'views' }),
  list_annotations: () => ({}),
  list_alerts: () => ({}),
  list_dictionary_events: () => ({}),
  get_dictionary_event: () => ({ name: 'page_view' }),
  list_dictionary_properties: () => ({ selection: { search: 'browser' } }),
  list_ingestion_warnings: () => ({ hours: 24 }),
  query_web_overview: () => ({ timeRange: DAY, granularity: 'GRANULARITY_DAY' }),
  query_web_table: () => ({ timeRange: DAY, dimension: 'DIMENSION_BROWSER' }),
  query_web_realtime: () => ({}),
  list_goals: () => ({}),
  get_insights_filter_schema: () => ({ eventKind: 'page_view' }),
  get_insights_property_values: () => ({ propertyKey: '$browser', source: 'PROPERTY_SOURCE_AUTO' }),
  get_activity_feed: () => ({ distinctId: 'ann', pageSize: 2 }),
  explore_events: () => ({ events: [{ kind: 'page_view' }], timeRange: DAY }),
  get_activity_filter_schema: () => ({}),
  get_activity_property_values: () => ({ propertyKey: 'plan', source: 'PROPERTY_SOURCE_PROFILE' }),
  get_activity_heatmap: () => ({ timeRange: DAY }),
  get_profile_stats: () => ({ distinctId: 'ann' }),
  get_profile: () => ({ id: profileId }),
  get_profile_by_external_id: () => ({ externalId: 'ann' }),
  get_deletion_request: () => ({ requestId }),
} satisfies Record<ToolName, () => object>

const TOOL_NAMES = Object.keys(ARGUMENTS) as readonly ToolName[]

function methodOf(name: ToolName): string {
  const { parent, name: method } = TOOLS[name].method
  return `${parent.typeName}/${method}`
}

/** An answer to a tool call, as far as tests look at it. */
interface ToolAnswer {
  readonly isError?: boolean | undefined
  readonly structuredContent?: unknown
  readonly content: readonly { readonly type: string; readonly text?: string }[]
}

async function callTool(client: Client, name: string, args: object): Promise<ToolAnswer> {
  return (await client.callTool({ name, arguments: { ...args } })) as ToolAnswer
}

/** The content of the error of a call. */
function errorIn({ isError, structuredContent, content }: ToolAnswer): Record<string, unknown> {
  expect({ isError, structuredContent, length: content.length }).toEqual({
    isError: true,
    structuredContent: undefined,
    length: 1,
  })
  return JSON.parse(content[0]?.text ?? '')
}

describe.each(MCP_WIRES)('a client of revision $revision over HTTP/$http', (wire) => {
  let open: OpenMcpClient

  beforeAll(async () => {
    open = await openMcpClient(service, wire)
  })

  afterAll(async () => {
    await open.close()
  })

  test('learns the server name, version and instructions', () => {
    expect(open.client.getNegotiatedProtocolVersion()).toBe(wire.revision)
    expect(open.client.getServerVersion()).toMatchObject({ name: 'millrace' })
    expect(open.client.getServerCapabilities()).toEqual({ tools: {} })
    expect(open.client.getInstructions()).toContain('get_insights_filter_schema')
  })

  test('sees tools that only read', async () => {
    const { tools } = await open.client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(TOOL_NAMES)
    const reading = tools.filter(({ annotations }) => annotations?.readOnlyHint === true)
    expect(reading).toHaveLength(TOOL_NAMES.length)
  })

  test.each(TOOL_NAMES)('gets the answer of the RPC from %s', async (name) => {
    const args = ARGUMENTS[name]()
    const { status, body } = await service.call(methodOf(name), args)
    expect({ status, isEmpty: Object.keys(body).length === 0 }).toEqual({ status: 200, isEmpty: false })
    const { isError, structuredContent, content } = await callTool(open.client, name, args)
    expect({ isError, structuredContent }).toEqual({ isError: undefined, structuredContent: body })
    expect(content.map(({ text }) => JSON.parse(text ?? ''))).toEqual([body])
  })

  test('gets an error that describes the fix', async () => {
    const answer = await callTool(open.client, 'query_insights', {
      spec: { insightType: 'INSIGHT_TYPE_TRENDS', events: [{ aggregation: 'AGGREGATION_TYPE_SUM' }] },
      timeRange: DAY,
      granularity: 'GRANULARITY_DAY',
    })
    expect(errorIn(answer)).toMatchObject({
      code: 'invalid_argument',
      reason: 'INVALID_INSIGHT_QUERY',
      violations: [{ field: expect.stringContaining('spec.events[0]'), description: expect.any(String) }],
      requestId: expect.stringMatching(/./),
    })
  })

  test.each([
    ['an unknown profile', 'get_profile', { id: 'nobody' }, 'not_found PROFILE_NOT_FOUND'],
    [
      'an enum value without such a name',
      'query_insights',
      { granularity: 'DAILY' },
      'invalid_argument INVALID_REQUEST',
    ],
    [
      'a time that is none',
      'explore_events',
      { timeRange: { from: 'x' } },
      'invalid_argument INVALID_REQUEST',
    ],
    ['a wrong type', 'explore_events', { pageSize: [] }, 'invalid_argument INVALID_REQUEST'],
    ['a page too long', 'explore_events', { pageSize: 1001 }, 'invalid_argument INVALID_ACTIVITY_FILTER'],
  ])('gets an error result for %s', async (_, name, args, expected) => {
    const { code, reason } = errorIn(await callTool(open.client, name, args))
    expect(`${code} ${reason}`).toBe(expected)
  })

  test.each(['delete_data_subject', 'list_profiles', 'segment_users', 'toString'])(
    'cannot call %s, which is not a tool',
    async (name) => {
      await expect(open.client.callTool({ name, arguments: {} })).rejects.toMatchObject({ code: -32_602 })
    },
  )
})

interface Posted {
  readonly status: number
  readonly headers: Headers
  readonly body: Record<string, unknown> & {
    readonly error?: { readonly code: number; readonly data?: Record<string, unknown> }
    readonly result?: Record<string, unknown>
  }
}

async function post(message: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Posted> {
  const response = await fetch(`${service.url}${MCP_PATH}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': PRIVATE_KEY, ...headers },
    body: typeof message === 'string' ? message : JSON.stringify(message),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: text === '' ? {} : JSON.parse(text) }
}

const PING = { jsonrpc: '2.0', id: 1, method: 'ping' }

function toolCall(name: ToolName, args: object, id = 1): object {
  return { jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args } }
}

describe('authentication', () => {
  const UNKNOWN_KEY = `prv_${'z'.repeat(24)}`

  test.each([
    ['a private key', { 'x-api-key': PRIVATE_KEY }],
    ['a private key as a bearer token', { 'x-api-key': '', authorization: `Bearer ${PRIVATE_KEY}` }],
  ])('accepts %s', async (_, headers) => {
    expect(await post(PING, headers)).toMatchObject({ status: 200, body: { id: 1, result: {} } })
  })

  test.each([
    ['a call without a credential', {}, '401 INVALID_API_KEY', 'Bearer realm="millrace"'],
    [
      'an unknown key',
      { 'x-api-key': UNKNOWN_KEY },
      '401 INVALID_API_KEY',
      'Bearer realm="millrace", error="invalid_token"',
    ],
    [
      'an unknown key as a bearer token',
      { authorization: `Bearer ${UNKNOWN_KEY}` },
      '401 INVALID_API_KEY',
      'Bearer realm="millrace", error="invalid_token"',
    ],
    [
      'an invalid token',
      { authorization: 'Bearer a.b.c' },
      '401 INVALID_TOKEN',
      'Bearer realm="millrace", error="invalid_token"',
    ],
    ['a public key', { 'x-api-key': PUBLIC_KEY }, '403 PUBLIC_KEY_NOT_ALLOWED', null],
    [
      'a public key as a bearer token',
      { authorization: `Bearer ${PUBLIC_KEY}` },
      '403 PUBLIC_KEY_NOT_ALLOWED',
      null,
    ],
    [
      'a page of another origin with a private key',
      { 'x-api-key': PRIVATE_KEY, origin: 'https://example.com' },
      '403 ORIGIN_NOT_ALLOWED',
      null,
    ],
  ])('refuses %s', async (_, headers, expected, authenticate) => {
    const answer = await post(PING, { 'x-api-key': '', ...headers })
    expect(`${answer.status} ${answer.body.error?.data?.reason}`).toBe(expected)
    const metadata = `resource_metadata="${service.url}/.well-known/oauth-protected-resource/mcp"`
    expect(answer.headers.get('www-authenticate')).toBe(
      authenticate && `${authenticate}, ${metadata}, scope="read"`,
    )
    expect(answer.body).toMatchObject({ jsonrpc: '2.0', id: null, error: { code: -32_000 } })
  })

  test('a session token works in the projects of its user only', async () => {
    const signIn = 'public.auth.v1.AuthService/SignInWithEmail'
    const { body } = await service.call(signIn, ACCOUNT, { 'x-api-key': '' })
    const bearer = { 'x-api-key': '', authorization: `Bearer ${body.token}` }
    const call = toolCall('get_activity_heatmap', { timeRange: DAY })
    expect((await post(call, { ...bearer, 'x-project-id': '1' })).body.result).toMatchObject({
      structuredContent: { days: [{ date: '2026-05-01', count: '3' }] },
    })
    const elsewhere = await post(call, { ...bearer, 'x-project-id': '77' })
    expect(`${elsewhere.status} ${elsewhere.body.error?.data?.reason}`).toBe('404 PROJECT_NOT_FOUND')
  })

  test('a key reads only its own project', async () => {
    const made = await runMillrace(['projects', 'create', 'Other'], service.environment)
    const key = await runMillrace(['keys', 'create', made.stdout.trim(), 'private'], service.environment)
    const { client, close } = await openMcpClient(service, FIRST_WIRE, { 'x-api-key': key.stdout.trim() })
    const answers = await Promise.all(
      TOOL_NAMES.map(async (name) => await callTool(client, name, ARGUMENTS[name]())),
    )
    await close()
    const seen = TOOL_NAMES.filter((_, index) =>
      /Safari|page_view|pro"|2026-05-01T12|COMPLETED/.test(JSON.stringify(answers[index])),
    )
    expect(seen).toEqual([])
    const refused = TOOL_NAMES.filter((_, index) => answers[index]?.isError === true)
    expect(refused).toEqual([
      'list_cohort_members',
      'get_dictionary_event',
      'get_profile',
      'get_profile_by_external_id',
      'get_deletion_request',
    ])
  })
})

describe('a request', () => {
  test.each(['GET', 'DELETE', 'PUT'])('of method %s is not allowed', async (method) => {
    const response = await fetch(`${service.url}${MCP_PATH}`, {
      method,
      headers: { 'x-api-key': PRIVATE_KEY },
    })
    expect({ status: response.status, allow: response.headers.get('allow') }).toEqual({
      status: 405,
      allow: 'POST',
    })
  })

  test.each([
    ['that is not JSON', '{', 400, -32_700],
    ['that is empty', '', 400, -32_700],
    ['that is not a JSON-RPC message', '{}', 400, -32_600],
    ['of an unknown method', { ...PING, method: 'resources/list' }, 200, -32_601],
    ['with arguments that are not an object', toolCall('get_profile', [] as object), 200, -32_602],
    ['with too many messages', Array.from({ length: 17 }, (_, id) => ({ ...PING, id })), 400, -32_000],
  ])('%s is an error', async (_, message, status, code) => {
    const answer = await post(message)
    expect(answer).toMatchObject({
      status,
      body: { jsonrpc: '2.0', error: code === undefined ? {} : { code } },
    })
  })

  test('of another content type is refused', async () => {
    expect(await post(PING, { 'content-type': 'text/plain' })).toMatchObject({ status: 415 })
  })

  test('without an id is accepted as a notification', async () => {
    expect(await post({ jsonrpc: '2.0', method: 'notifications/initialized' })).toMatchObject({ status: 202 })
  })

  test.each(['application/json', '*/*', 'application/json, text/event-stream'])(
    'with Accept: %s gets JSON',
    async (accept) => {
      const answer = await post(toolCall('get_activity_heatmap', {}), { accept })
      expect(answer).toMatchObject({ status: 200, body: { result: { structuredContent: {} } } })
      expect(answer.headers.get('content-type')).toBe('application/json')
    },
  )

  test.each(['gzip', 'br'])('with Accept-Encoding: %s gets long answers compressed', async (coding) => {
    const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
    const { headers, body } = await post(list, { 'accept-encoding': coding })
    expect(headers.get('content-encoding')).toBe(coding)
    expect(body.result?.tools).toHaveLength(TOOL_NAMES.length)
    const short = await post(PING, { 'accept-encoding': coding })
    expect(short.headers.get('content-encoding')).toBeNull()
  })

  test('may be a batch of messages', async () => {
    const { status, body } = await post([PING, toolCall('get_profile', { id: profileId }, 2)])
    expect({ status, body }).toMatchObject({
      status: 200,
      body: [
        { id: 1, result: {} },
        { id: 2, result: { structuredContent: { profile: { externalId: 'ann' } } } },
      ],
    })
  })

  test('returns its request id', async () => {
    const call = toolCall('get_profile', { id: 'nobody' })
    const { headers, body } = await post(call, { 'x-request-id': 'mine-1' })
    expect(headers.get('x-request-id')).toBe('mine-1')
    const { content } = body.result as unknown as ToolAnswer
    expect(JSON.parse(content[0]?.text ?? '')).toMatchObject({ requestId: 'mine-1' })
  })

  test('is refused over HTTP/1.1 and HTTP/2 when it is too large', async () => {
    const message = JSON.stringify({ ...PING, padding: 'x'.repeat(BODY_BYTES_MAX) })
    const refused = { status: 429, body: { error: { data: { reason: 'BODY_TOO_LARGE' } } } }
    expect(await post(message)).toMatchObject(refused)
    const session = connect(service.url)
    const request = new Request(`${service.url}${MCP_PATH}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': PRIVATE_KEY },
      body: message,
    })
    const response = await fetchOver(session, request)
    session.close()
    expect({ status: response.status, body: await response.json() }).toMatchObject(refused)
  })

  test('to listen for changes of the tool list is refused at once', async () => {
    const { client, close } = await openMcpClient(service, { http: '1.1', revision: '2026-07-28' })
    await expect(client.listen({ toolsListChanged: true })).rejects.toMatchObject({ code: -32_603 })
    await close()
  })
})

test.each(MCP_WIRES)(
  'a cancelled call cancels its ClickHouse query: $revision over HTTP/$http',
  async (wire) => {
    const store = new StoreBackdoor(service)
    await store.makeTraitsSlow()
    try {
      const { client, close } = await openMcpClient(service, wire)
      const filter = {
        property: SLOW_FILTER.property,
        operator: 'FILTER_OPERATOR_IS_NOT_SET',
        source: 'PROPERTY_SOURCE_PROFILE',
      }
      const leaving = new AbortController()
      const call = client.callTool(
        { name: 'explore_events', arguments: { propertyFilters: [filter] } },
        { signal: leaving.signal },
      )
      const outcome = expect(call).rejects.toThrow()
      await store.untilQueries(1)
      leaving.abort()
      await outcome
      await close()
      await store.untilQueries(0)
    } finally {
      await store.makeTraitsFast()
    }
  },
)

describe('the documentation', () => {
  const text = readFileSync(resolve(import.meta.dirname, '../docs/mcp.md'), 'utf8')

  test('lists the tools and their methods', () => {
    const rows = [...text.matchAll(/^\| `(\w+)` \| `(\w+\/\w+)` \|$/gm)].map(
      ([, name, method]) => `${name} ${method}`,
    )
    expect(rows).toEqual(TOOL_NAMES.map((name) => `${name} ${methodOf(name).split('.').at(-1)}`))
  })

  test('has an example that works', async () => {
    const [, message = ''] = /-d '(.*?)'/s.exec(text) ?? []
    const { status, body } = await post(message)
    // Nothing happened on that day, and a zero is left out.
    expect({ status, answer: body.result?.structuredContent }).toEqual({
      status: 200,
      answer: { segmentation: { values: [0] } },
    })
  })
})

test('calls are counted by tool and outcome', async () => {
  await post(toolCall('get_profile', { id: 'nobody' }))
  const metrics = await (await fetch(`${service.adminUrl}/metrics`)).text()
  expect(metrics).toMatch(
    /^millrace_mcp_tool_calls_total\{[^}]*tool="get_profile"[^}]*outcome="not_found"[^}]*\} \d+$/m,
  )
})

test('MCP works with SERVICE_HTTP2=off', async () => {
  const plain = await TestService.start({ SERVICE_HTTP2: 'off' })
  try {
    const { client, close } = await openMcpClient(plain, FIRST_WIRE)
    expect(await callTool(client, 'explore_events', {})).toMatchObject({ structuredContent: {} })
    await close()
  } finally {
    await plain.destroy()
  }
})
