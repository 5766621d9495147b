import type { MessageInitShape } from '@bufbuild/protobuf'
import { type Client, createClient } from '@connectrpc/connect'
import { createConnectTransport } from '@connectrpc/connect-node'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ListRequestSchema } from '../src/contract/gen/shared/profiles/v1/profiles_service_pb.js'
import { ProfilesService } from '../src/contract/gen/shared/profiles/v1/profiles_service_pb.js'
import { BATCH_CREATE, makeEvent } from './harness/events.ts'
import { PRIVATE_KEY, TestService } from './harness/service.ts'
import { waitFor } from './harness/wait.ts'

const PROFILES = 'shared.profiles.v1.ProfilesService'
const VISITORS = 230
const START_MS = Date.UTC(2026, 0, 1)

let service: TestService
let client: Client<typeof ProfilesService>

/** Visitors of one event each, a minute apart, and one with more. */
const VISITS = Array.from({ length: VISITORS }, (_, index) =>
  makeEvent({
    distinctId: `anon-${index}`,
    occurTime: new Date(START_MS + index * 60_000).toISOString(),
    autoProperties: { $country: { stringValue: index % 2 === 0 ? 'DE' : 'FR' } },
  }),
)
const REGULAR = [
  makeEvent({
    distinctId: 'anon-regular',
    occurTime: '2026-02-01T00:00:00Z',
    autoProperties: { $os: { stringValue: 'Linux' } },
  }),
  makeEvent({ distinctId: 'anon-regular', occurTime: '2026-02-03T00:00:00Z', kind: 'sign_up' }),
  makeEvent({
    distinctId: 'anon-regular',
    occurTime: '2026-02-02T00:00:00Z',
    autoProperties: { $os: { stringValue: 'macOS' } },
  }),
]

beforeAll(async () => {
  service = await TestService.start()
  const answer = await service.call(BATCH_CREATE, { events: [...VISITS, ...REGULAR] })
  expect(answer).toMatchObject({ status: 200, body: { accepted: VISITORS + REGULAR.length } })
  client = createClient(
    ProfilesService,
    createConnectTransport({
      baseUrl: service.url,
      httpVersion: '1.1',
      interceptors: [
        (next) => async (request) => {
          request.header.set('x-api-key', PRIVATE_KEY)
          return await next(request)
        },
      ],
    }),
  )
  await waitFor('the visitors', async () => {
    const { status } = await service.call(`${PROFILES}/Get`, { id: 'anon-regular' })
    return status === 200 ? true : undefined
  })
})

afterAll(async () => {
  await service.destroy()
})

/** One page: the ids of all of its messages, and the token of the next. */
async function listPage(request: MessageInitShape<typeof ListRequestSchema>) {
  const ids: string[] = []
  let nextPageToken = ''
  for await (const frame of client.list(request)) {
    ids.push(...frame.profiles.map(({ id }) => id))
    nextPageToken = frame.nextPageToken
  }
  return { ids, nextPageToken }
}

const NEWEST_FIRST = VISITS.map(({ distinctId }) => String(distinctId)).reverse()

describe('people without a name', () => {
  test('have a profile with their activity', async () => {
    const { body } = await service.call(`${PROFILES}/Get`, { id: 'anon-regular' })
    expect(body.profile).toEqual({
      id: 'anon-regular',
      projectId: '1',
      createTime: '2026-02-01T00:00:00Z',
      updateTime: '2026-02-01T00:00:00Z',
      properties: {},
      activity: {
        firstSeen: '2026-02-01T00:00:00Z',
        lastSeen: '2026-02-03T00:00:00Z',
        totalEvents: '3',
        pageviews: '2',
        sessions: '3',
        os: 'macOS',
      },
    })
  })

  test('are listed by their first event, newest first, a hundred a page', async () => {
    const first = await listPage({})
    const second = await listPage({ pageToken: first.nextPageToken })
    const third = await listPage({ pageToken: second.nextPageToken })
    expect([first.ids.length, second.ids.length, third.ids.length]).toEqual([100, 100, 31])
    expect([...first.ids, ...second.ids, ...third.ids]).toEqual(['anon-regular', ...NEWEST_FIRST])
    expect(third.nextPageToken).toBe('')
  })

  test('are found by their latest auto properties', async () => {
    const filters = [{ property: '$country', operator: 1, value: 'FR', source: 1 }]
    const { ids } = await listPage({ filterGroups: [{ filters }] })
    expect(ids).toEqual(NEWEST_FIRST.filter((id) => Number(id.slice('anon-'.length)) % 2 === 1).slice(0, 100))
  })

  test('stay deleted when they send events again', async () => {
    expect(await service.call(`${PROFILES}/Delete`, { id: 'anon-7' })).toMatchObject({
      status: 200,
      body: {},
    })
    await service.call(BATCH_CREATE, { events: [makeEvent({ distinctId: 'anon-7' })] })
    const { body } = await service.call(`${PROFILES}/Get`, { id: 'anon-7' })
    expect(body).toMatchObject({ code: 'not_found' })
    const { ids } = await listPage({})
    expect(ids).not.toContain('anon-7')
  })
})

describe('the export of a person', () => {
  const EXPORT = 'millrace.people.v1.PersonExportService/Export'
  const EVENTS = 1200

  /** The parts of an export, as objects by kind. */
  async function exportPerson(id: string): Promise<Readonly<Record<string, readonly ExportedLine[]>>> {
    const lines: Readonly<Record<string, ExportedLine>>[] = []
    let pageToken = ''
    do {
      const { status, body } = await service.call(EXPORT, { id, pageToken })
      expect(status).toBe(200)
      lines.push(...readLines(String(body.jsonLines ?? '')))
      pageToken = String(body.nextPageToken ?? '')
    } while (pageToken !== '')
    const byKind = Map.groupBy(lines, (line) => Object.keys(line).join())
    return Object.fromEntries([...byKind].map(([kind, some]) => [kind, some.map((line) => line[kind] ?? {})]))
  }

  beforeAll(async () => {
    const events = Array.from({ length: EVENTS }, (_, index) =>
      makeEvent({
        distinctId: index % 2 === 0 ? 'anon-phone-of-eve' : 'eve',
        occurTime: new Date(START_MS + index * 1000).toISOString(),
        customProperties: { index: { intValue: String(index) } },
      }),
    )
    for (const some of [events.slice(0, 1000), events.slice(1000)])
      expect(await service.call(BATCH_CREATE, { events: some })).toMatchObject({
        body: { accepted: some.length },
      })
    const identity = { externalId: 'eve', anonymousId: 'anon-phone-of-eve', traits: { plan: 'pro' } }
    expect(await service.call('sdk.profiles.v1.ProfilesSDKService/Identify', identity)).toMatchObject({
      status: 200,
    })
    await service.call('sdk.devices.v1.DevicesService/Subscribe', {
      deviceId: 'pixel',
      platform: 'android',
      token: 'secret-of-pixel',
      profileExternalId: 'eve',
      properties: { model: '9' },
    })
    const definition = { condition: { performed: {} } }
    await service.call('millrace.cohorts.v1.CohortsService/Create', { name: 'Active', definition })
    await waitFor('the events of both ids', async () => {
      const { body } = await service.call(`${PROFILES}/GetByExternalId`, { externalId: 'eve' })
      const profile = body.profile as { readonly activity?: { readonly totalEvents?: string } } | undefined
      return profile?.activity?.totalEvents === String(EVENTS) ? true : undefined
    })
  })

  test('has the profile, the ids, the devices, the cohorts and every event once', async () => {
    const lines = await exportPerson('eve')
    expect(lines.person).toMatchObject([{ externalId: 'eve', properties: { plan: 'pro' } }])
    expect(lines.id).toMatchObject([{ id: 'anon-phone-of-eve' }])
    expect(lines.cohort).toMatchObject([{ name: 'Active' }])
    expect(lines.device).toMatchObject([{ deviceId: 'pixel', status: 'active', properties: { model: '9' } }])
    expect(JSON.stringify(lines)).not.toContain('secret-of-pixel')
    const indexes = lines.event?.map(({ customProperties }) => customProperties?.index)
    expect(indexes).toEqual(Array.from({ length: EVENTS }, (_, index) => EVENTS - 1 - index))
    expect(await exportPerson('anon-phone-of-eve')).toEqual(lines)
  })

  test('of somebody without a name has their events, also when their profile is hidden', async () => {
    const before = await exportPerson('anon-8')
    expect(before).toMatchObject({ person: [{ id: 'anon-8' }], event: [{ distinctId: 'anon-8' }] })
    await service.call(`${PROFILES}/Delete`, { id: 'anon-8' })
    expect(await exportPerson('anon-8')).toEqual(before)
  })

  test.each([
    ['an unknown person', { id: 'nobody' }, 'not_found'],
    ['no person', {}, 'invalid_argument'],
    ['a token that is none', { id: 'eve', pageToken: 'x' }, 'invalid_argument'],
    [
      'a token of events that is none',
      { id: 'eve', pageToken: tokenOf(['events', 'x']) },
      'invalid_argument',
    ],
  ])('of %s is refused', async (_, request, code) => {
    expect((await service.call(EXPORT, request)).body).toMatchObject({ code })
  })
})

/** What a line of an export is about. */
interface ExportedLine {
  readonly customProperties?: Readonly<Record<string, unknown>>
}

function readLines(text: string): Readonly<Record<string, ExportedLine>>[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
}

function tokenOf(values: readonly string[]): string {
  return Buffer.from(JSON.stringify(values)).toString('base64url')
}

test.each([
  ['Get', { id: 'nobody' }, 'not_found'],
  ['Get', {}, 'invalid_argument'],
  ['GetByExternalId', { externalId: 'nobody' }, 'not_found'],
  ['GetByExternalId', { externalId: 'anon-1' }, 'not_found'],
  ['Delete', { id: 'nobody' }, 'not_found'],
])('%s of %j is %s', async (method, request, code) => {
  const { body } = await service.call(`${PROFILES}/${method}`, request)
  expect(body).toMatchObject({ code })
})

test.each([
  ['a page token that is none', { pageToken: 'x' }, 'pageToken'],
  [
    'a filter without its value',
    { filterGroups: [{ filters: [{ property: 'plan', operator: 1 }] }] },
    'filterGroups[0].filters[0]',
  ],
  [
    'a property of events',
    { filterGroups: [{ filters: [{ property: 'plan', operator: 5, source: 2 }] }] },
    'plan',
  ],
])('a list refuses %s', async (_, request, field) => {
  await expect(listPage(request)).rejects.toMatchObject({
    code: 3,
    rawMessage: expect.stringContaining(field),
  })
})
