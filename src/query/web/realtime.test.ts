import { create, type MessageInitShape } from '@bufbuild/protobuf'
import { timestampMs } from '@bufbuild/protobuf/wkt'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ReferenceWorld } from '../../../test/differential/model.ts'
import { projectOf } from '../../../test/differential/project-of.ts'
import { type EventSample, sampleProfile, sampleWorld } from '../../../test/differential/sample.ts'
import { openSharedWorldStore } from '../../../test/differential/shared-world-store.ts'
import type { WorldStore } from '../../../test/differential/world-store.ts'
import { FilterOperator } from '../../contract/gen/common/v1/filter_pb.js'
import { CohortDefinitionSchema } from '../../contract/gen/millrace/cohorts/v1/cohort_pb.js'
import {
  QueryRealtimeRequestSchema,
  type QueryRealtimeResponse,
  QueryRealtimeResponseSchema,
} from '../../contract/gen/millrace/web/v1/realtime_pb.js'
import type { ProjectId } from '../../contract/ids.ts'
import { answerRealtime } from './realtime.ts'

const MINUTE_MS = 60_000
const START_MS = Date.now()

/** An event some minutes before the test began. */
function sample(minutesAgo: number, by: string, rest: Partial<EventSample> = {}): EventSample {
  const at = new Date(START_MS - minutesAgo * MINUTE_MS).toISOString()
  return { kind: 'page_view', at, by, ...rest }
}

const page = ($pathname: string) => ({ properties: { $pathname } })

const world = sampleWorld(
  [
    // Ada before and after she signed in, from a search that began 20 minutes ago.
    sample(20, 'anon-ada', {
      properties: { $pathname: '/', $referrerDomain: 'search.example', $country: 'DE' },
    }),
    sample(4, 'anon-ada', page('/tea')),
    sample(3, 'ada', { properties: { $pathname: '/tea', $country: 'FR' } }),
    sample(1, 'ada', { kind: 'signup' }),
    sample(2, 'cookieless-x', page('/tea')),
    sample(2, 'bob', page('/cups')),
    sample(6, 'eve', page('/old')),
    sample(31.5, 'old', page('/older')),
    // Clocks that are ahead: a little counts on arrival, more does not.
    sample(-3, 'fast', page('/cups')),
    sample(-20, 'future', page('/future')),
    sample(1, 'crawler', { properties: { $pathname: '/tea', $bot: true } }),
  ],
  [
    {
      ...sampleProfile('ada', { anonymousIds: ['anon-ada'] }),
      profileId: '01930000-0000-7000-8000-0000000000a0',
    },
  ],
)

let store: WorldStore
let projectId: ProjectId
let nowMs: number

beforeAll(async () => {
  store = await openSharedWorldStore()
  const scene = { timeZone: 'UTC', anchorMs: 0 }
  projectId = await store.load({ seed: 0, world, copies: world.events, scene, instants: [] })
  await store.settle()
  nowMs = Date.now()
})

afterAll(async () => await store?.close())

const SHOPPERS = '01930000-0000-7000-8000-0000000000c0'

/** The world, with a cohort of the people who saw the page of cups. */
function worldWithShoppers(): ReferenceWorld {
  const filters = [{ property: '$pathname', operator: FilterOperator.EQUALS, value: '/cups' }]
  const event = { kind: 'page_view', filters }
  const kind = { case: 'performed', value: { event } } as const
  const definition = create(CohortDefinitionSchema, { node: { case: 'condition', value: { kind } } })
  return { ...world, cohorts: [{ id: SHOPPERS, definition }], nowMs: START_MS }
}

async function query(
  fields: MessageInitShape<typeof QueryRealtimeRequestSchema> = {},
  atMs = nowMs,
): Promise<QueryRealtimeResponse> {
  const request = create(QueryRealtimeRequestSchema, fields)
  const answer = await answerRealtime({
    request,
    project: projectOf(worldWithShoppers(), projectId),
    nowMs: atMs,
    run: async (compiled) => await store.run(compiled, AbortSignal.timeout(30_000)),
  })
  return create(QueryRealtimeResponseSchema, answer)
}

const print = (rows: QueryRealtimeResponse['pages']): string[] =>
  rows.map(({ value, visitors }) => `${value} ${visitors}`)

test('visitors of the last 5 minutes are canonical users, copies and merges aside', async () => {
  // Ada, the cookieless visitor, Bob and the visitor with a fast clock.
  expect((await query()).visitors).toBe(4n)
})

test('the lists are of the visitors of the last 5 minutes', async () => {
  const { pages, sources, countries } = await query()
  expect(print(pages)).toEqual(['/cups 2', '/tea 2'])
  expect(print(sources)).toEqual([' 3', 'search.example 1'])
  expect(print(countries)).toEqual([' 3', 'FR 1'])
})

test('there are 30 minutes, and each event is in one of them', async () => {
  const { minutes } = await query()
  const starts = minutes.map(({ time }) => (time ? timestampMs(time) : 0))
  expect(starts).toHaveLength(30)
  expect(starts.at(-1)).toBe(Math.floor(nowMs / MINUTE_MS) * MINUTE_MS)
  expect(starts.every((start, index) => index === 0 || start - (starts[index - 1] ?? 0) === MINUTE_MS)).toBe(
    true,
  )
  const sum = (of: 'events' | 'pageViews') => minutes.reduce((total, minute) => total + minute[of], 0n)
  expect([sum('events'), sum('pageViews')]).toEqual([8n, 7n])
  const inMinute = (atMs: number) => minutes[starts.findLastIndex((start) => start <= atMs)]
  expect(inMinute(START_MS - 20 * MINUTE_MS)).toMatchObject({ visitors: 1n, events: 1n, pageViews: 1n })
  expect(inMinute(START_MS - 2 * MINUTE_MS)).toMatchObject({ visitors: 2n, events: 2n, pageViews: 2n })
})

test('an event that is dated too far ahead never counts, not even when its time has come', async () => {
  const later = await query({}, nowMs + 21 * MINUTE_MS)
  expect([later.visitors, print(later.pages)]).toEqual([0n, []])
})

test('bots count on request', async () => {
  const { visitors, pages } = await query({ includeBots: true })
  expect([visitors, print(pages)]).toEqual([5n, ['/tea 3', '/cups 2']])
})

test('lists have the requested number of rows', async () => {
  const { visitors, pages, sources, countries } = await query({ limit: 1 })
  expect([visitors, ...[pages, sources, countries].map(print)]).toEqual([4n, ['/cups 2'], [' 3'], [' 3']])
})

test('the traffic of cohorts is that of their users, without cookieless visitors', async () => {
  const eventsOf = ({ minutes }: QueryRealtimeResponse): bigint =>
    minutes.reduce((total, { events }) => total + events, 0n)
  const shoppers = await query({ cohorts: [{ cohortId: SHOPPERS }] })
  expect([shoppers.visitors, eventsOf(shoppers), print(shoppers.pages)]).toEqual([2n, 2n, ['/cups 2']])
  const others = await query({ cohorts: [{ cohortId: SHOPPERS, negate: true }] })
  // Ada is online; the only event of Eve is older than 5 minutes.
  expect([others.visitors, eventsOf(others), print(others.pages)]).toEqual([1n, 5n, ['/tea 1']])
  expect([print(others.sources), print(others.countries)]).toEqual([['search.example 1'], ['FR 1']])
})

test('a cohort that the project does not have is not found', async () => {
  const unknown = query({ cohorts: [{ cohortId: '01930000-0000-7000-8000-0000000000c1' }] })
  await expect(unknown).rejects.toMatchObject({ reason: 'COHORT_NOT_FOUND' })
})
