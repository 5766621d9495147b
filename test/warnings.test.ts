import { PostHog } from 'posthog-node'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openClickHouse } from '../src/store/clickhouse/client.ts'
import { BATCH_CREATE, makeEvent } from './harness/events.ts'
import { PUBLIC_KEY, TestService } from './harness/service.ts'
import { waitFor } from './harness/wait.ts'

const LIST = 'millrace.ingest.v1.WarningsService/List'

/** A warning as the list has it. */
interface Listed {
  readonly dialect: string
  readonly sdk?: string
  readonly sdkVersion?: string
  readonly reason: string
  readonly effect: string
  readonly count: string
  readonly firstTime: string
  readonly lastTime: string
  readonly sample?: {
    readonly fields?: readonly string[]
    readonly eventJson?: string
    readonly problem?: string
  }
}

let service: TestService

beforeAll(async () => {
  service = await TestService.start()
})

afterAll(async () => {
  await service?.destroy()
})

async function list(request: object = {}): Promise<readonly Listed[]> {
  const { status, body } = await service.call(LIST, request)
  expect(status).toBe(200)
  return (body.warnings ?? []) as readonly Listed[]
}

/** The warnings of an interface by reason, once the counts are as expected. */
async function expectCounts(
  dialect: string,
  counts: Readonly<Record<string, number>>,
): Promise<Readonly<Record<string, Listed>>> {
  let found: readonly Listed[] = []
  const read = async (): Promise<Record<string, number>> => {
    found = await list({ dialects: [dialect] })
    const sums: Record<string, number> = {}
    for (const { reason, count } of found) sums[reason] = (sums[reason] ?? 0) + Number(count)
    return sums
  }
  await expect.poll(read, { timeout: 40_000 }).toEqual(counts)
  return Object.fromEntries(found.map((warning) => [warning.reason, warning]))
}

async function post(
  path: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<number> {
  const response = await fetch(`${service.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  await response.arrayBuffer()
  return response.status
}

test('posthog-node learns of every event that is dropped or changed, by its name and version', async () => {
  const client = new PostHog(PUBLIC_KEY, { host: `${service.url}/posthog` })
  const bio = 'Ada of 7 Secret Street '.repeat(100)
  client.capture({ distinctId: 'ann', event: 'Profile Saved', properties: { bio, plan: 'pro' } })
  client.capture({ distinctId: 'ann', event: 'Profile Saved', properties: { bio, plan: 'pro' } })
  client.capture({ distinctId: 'x'.repeat(2000), event: 'lost' })
  client.groupIdentify({ groupType: 'company', groupKey: 'acme' })
  await client.shutdown()
  const found = await expectCounts('posthog', {
    text_cut: 2,
    invalid_distinct_id: 1,
    groups_not_supported: 1,
  })
  expect(found.text_cut).toMatchObject({
    sdk: 'posthog-node',
    sdkVersion: expect.stringMatching(/^\d+\.\d+\.\d+$/),
    effect: 'WARNING_EFFECT_CHANGED',
    sample: { fields: ['properties.bio'], eventJson: expect.stringContaining('"event": "Profile Saved"') },
  })
  expect(found.text_cut?.sample?.eventJson).toContain('"bio": "text of 2300 characters"')
  expect(JSON.stringify(found)).not.toMatch(/Secret|"pro"|ann/)
  expect(found.groups_not_supported?.effect).toBe('WARNING_EFFECT_DROPPED')
  expect(found.text_cut?.firstTime.localeCompare(found.text_cut.lastTime)).toBeLessThanOrEqual(0)
})

test('a clock that is off, a time that is none, and texts with broken characters are noted', async () => {
  const event = {
    type: 'track',
    event: 'step',
    anonymousId: 'a1',
    context: { library: { name: 'x', version: '1' } },
  }
  const sentAt = new Date(Date.now() - 3_600_000).toISOString()
  const auth = { authorization: `Basic ${Buffer.from(`${PUBLIC_KEY}:`).toString('base64')}` }
  expect(await post('/segment/v1/batch', { batch: [event, event], sentAt }, auth)).toBe(200)
  const broken = JSON.stringify({ batch: [{ ...event, properties: { a: '\ud800', b: 'fine' } }] })
  expect(await post('/segment/v1/batch', broken, auth)).toBe(200)
  const late = { ...event, timestamp: '24.12.2026 18:00' }
  expect(await post('/segment/v1/batch', { batch: [late] }, auth)).toBe(200)
  expect(await post('/segment/v1/batch', { batch: [{ ...event, type: 'group' }] }, auth)).toBe(200)
  const found = await expectCounts('segment', {
    clock_skewed: 2,
    characters_replaced: 1,
    time_replaced: 1,
    groups_not_supported: 1,
  })
  expect(found.characters_replaced?.sample?.fields).toEqual(['properties.a'])
  expect(found.time_replaced?.sample).toMatchObject({
    fields: ['timestamp'],
    eventJson: expect.stringContaining('text like 00.00.0000 00:00'),
  })
  expect(found.clock_skewed).toMatchObject({ sdk: 'x', sdkVersion: '1' })
})

test('every other interface counts what it drops and changes', async () => {
  const track = {
    event: 'e',
    properties: { token: PUBLIC_KEY, distinct_id: 'm1', long: 'x'.repeat(2000), mp_lib: 'web' },
  }
  expect(await post('/mixpanel/track', [track])).toBe(200)
  const add = { $token: PUBLIC_KEY, $distinct_id: 'm1', $add: { visits: 1 } }
  expect(await post('/mixpanel/engage', [add])).toBe(200)
  const late = { client_upload_time: '2026-01-01T00:00:00.000Z' }
  const events = [{ event_type: 'e', user_id: 'u1', library: 'amplitude-node-ts/1.5.0' }, { user_id: 'u1' }]
  expect(await post('/amplitude/2/httpapi', { api_key: PUBLIC_KEY, events, ...late })).toBe(200)
  expect(await post(`/plausible/${PUBLIC_KEY}/api/event`, { u: 'https://a.test/' })).toBe(202)
  const payload = { id: 'y'.repeat(2000), name: 'e' }
  expect(await post(`/umami/${PUBLIC_KEY}/api/send`, { type: 'event', payload })).toBe(400)
  const openpanel = {
    'openpanel-client-id': PUBLIC_KEY,
    'openpanel-sdk-name': 'web',
    'openpanel-sdk-version': '1.4.1',
  }
  expect(await post('/openpanel/track', { type: 'replay', payload: {} }, openpanel)).toBe(202)
  const params = { long: 'x'.repeat(2000) }
  const ga4 = { client_id: 'c1', events: [{ name: 'e', params }] }
  expect(await post(`/ga4/mp/collect?api_secret=${PUBLIC_KEY}`, ga4)).toBe(204)
  expect(await post(`/ga4/debug/mp/collect?api_secret=${PUBLIC_KEY}`, ga4)).toBe(200)
  const mixpanel = await expectCounts('mixpanel', { text_cut: 1, operation_not_supported: 1 })
  expect(mixpanel.text_cut?.sdk).toBe('mixpanel-browser')
  expect(mixpanel.operation_not_supported?.sample?.fields).toEqual(['$add'])
  const amplitude = await expectCounts('amplitude', { clock_skewed: 1, no_name: 1 })
  expect(amplitude.clock_skewed).toMatchObject({ sdk: 'amplitude-node-ts', sdkVersion: '1.5.0' })
  await expectCounts('plausible', { no_name: 1 })
  await expectCounts('umami', { invalid_distinct_id: 1 })
  const ofOpenpanel = await expectCounts('openpanel', { recordings_not_supported: 1 })
  expect(ofOpenpanel.recordings_not_supported).toMatchObject({ sdk: 'web', sdkVersion: '1.4.1' })
  const ofGa4 = await expectCounts('ga4', { text_cut: 1 })
  expect(ofGa4.text_cut?.sample?.fields).toEqual(['params.long'])
})

test('refused requests of a known project count, for other vendors and for Millrace itself', async () => {
  const wrong = await service.call(BATCH_CREATE, { events: [makeEvent({ kind: 'not a kind' })] })
  expect(wrong.status).toBe(400)
  const foreign = { 'x-api-key': 'pub_unknown-key' }
  expect((await service.call(BATCH_CREATE, { events: [makeEvent()] }, foreign)).status).toBe(401)
  const found = await expectCounts('millrace', { invalid_event_batch: 1 })
  expect(found.invalid_event_batch).toMatchObject({
    effect: 'WARNING_EFFECT_REJECTED',
    sample: { fields: ['events[0].kind'], problem: expect.stringContaining('must match') },
  })
})

test('a list is filtered and paged, and a token of another list is refused', async () => {
  const all = await list()
  expect(all.length).toBeGreaterThan(5)
  const rejected = await list({ effects: ['WARNING_EFFECT_REJECTED'] })
  expect(rejected.map(({ reason }) => reason)).toEqual(['invalid_event_batch'])
  expect(await list({ effects: ['WARNING_EFFECT_REJECTED'], reasons: ['text_cut'] })).toEqual([])
  expect((await list({ reasons: ['text_cut'], hours: 1 })).map(({ dialect }) => dialect).sort()).toEqual([
    'ga4',
    'mixpanel',
    'posthog',
  ])
  const paged: Listed[] = []
  let pageToken = ''
  do {
    const { body } = await service.call(LIST, { pageSize: 2, pageToken })
    expect(body.totalCount).toBe(all.length)
    paged.push(...(body.warnings as readonly Listed[]))
    pageToken = String(body.nextPageToken ?? '')
  } while (pageToken !== '')
  expect(paged).toEqual(all)
  const { body } = await service.call(LIST, { pageSize: 2 })
  const other = await service.call(LIST, { dialects: ['posthog'], pageToken: body.nextPageToken })
  expect(other).toMatchObject({ status: 400, body: { code: 'invalid_argument' } })
})

test('a public key may not list warnings', async () => {
  const { status } = await service.call(LIST, {}, { 'x-api-key': PUBLIC_KEY })
  expect(status).toBe(403)
})

test('warnings survive a restart, what came right before it included, and count on', async () => {
  const before = await list()
  const event = { event: 'e', distinct_id: 'd', properties: { $lib: 'last', long: 'x'.repeat(2000) } }
  expect(await post('/posthog/batch', { api_key: PUBLIC_KEY, batch: [event] })).toBe(200)
  await service.shutDown()
  await service.launch()
  const after = await list()
  expect(after.map(({ sdk }) => sdk)).toContain('last')
  expect(after.filter(({ sdk }) => sdk !== 'last')).toEqual(before)
  expect(await post('/posthog/batch', { api_key: PUBLIC_KEY, batch: [event, event] })).toBe(200)
  await waitFor('the counts of both runs', async () => {
    const sums = (await list()).filter(({ sdk }) => sdk === 'last').map(({ count }) => count)
    return sums.length === 1 && sums[0] === '3' ? true : undefined
  })
})

test('a store of warnings that fails neither slows nor fails ingestion, and gets them later', async () => {
  const clickhouse = openClickHouse(service.clickhouse(), {
    application: 'test',
    connectionsMax: 1,
    requestTimeoutMs: 30_000,
  })
  await clickhouse.command({ query: 'RENAME TABLE ingestion_warnings TO away' })
  const event = { event: 'e', distinct_id: 'd', properties: { $lib: 'away', long: 'x'.repeat(2000) } }
  try {
    expect(await post('/posthog/batch', { api_key: PUBLIC_KEY, batch: [event] })).toBe(200)
    await waitFor(
      'a failed write',
      async () => {
        const metrics = await (await fetch(`${service.adminUrl}/metrics`)).text()
        return /millrace_ingestion_warnings_failed_writes_total(\{[^}]*\})? [1-9]/.test(metrics)
          ? true
          : undefined
      },
      40_000,
    )
    expect((await service.call(LIST, {})).status).toBe(503)
    expect(await post('/posthog/batch', { api_key: PUBLIC_KEY, batch: [event] })).toBe(200)
  } finally {
    await clickhouse.command({ query: 'RENAME TABLE away TO ingestion_warnings' })
    await clickhouse.close()
  }
  await expect
    .poll(async () => (await list()).filter(({ sdk }) => sdk === 'away').map(({ count }) => count), {
      timeout: 40_000,
    })
    .toEqual(['2'])
})
