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
