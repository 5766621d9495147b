import { create, type MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { projectOf } from '../../../test/differential/project-of.ts'
import { type EventSample, sampleId, sampleProfile, sampleWorld } from '../../../test/differential/sample.ts'
import { openSharedWorldStore } from '../../../test/differential/shared-world-store.ts'
import type { WorldStore } from '../../../test/differential/world-store.ts'
import { FilterOperator } from '../../contract/gen/common/v1/filter_pb.js'
import { PropertySource } from '../../contract/gen/common/v1/property_pb.js'
import { CohortDefinitionSchema } from '../../contract/gen/millrace/cohorts/v1/cohort_pb.js'
import {
  VisitsServiceGetRequestSchema,
  VisitsServiceGetResponseSchema,
  VisitsServiceListRequestSchema,
  VisitsServiceListResponseSchema,
} from '../../contract/gen/millrace/web/v1/visits_service_pb.js'
import { Dimension } from '../../contract/gen/millrace/web/v1/web_analytics_service_pb.js'
import type { ProjectId } from '../../contract/ids.ts'
import type { QueryRunner } from '../sql/select.ts'
import { render } from '../sql/sql.ts'
import { listVisits } from './list-visits.ts'
import type { PreselectionLimits } from './preselect.ts'
import { readVisit } from './read-visit.ts'

const NOW_MS = Date.parse('2026-01-06T00:00:00Z')
const PROFILE_ID = '01930000-0000-7000-8000-0000000000b0'

let store: WorldStore
let projectId: ProjectId

beforeAll(async () => {
  store = await openSharedWorldStore()
})

afterAll(async () => {
  await store.close()
})

/** Texts of the statements that ran. */
const ran: string[] = []

const run: QueryRunner = async (query) => {
  ran.push(render(query.statement).text)
  return await store.run(query, AbortSignal.timeout(30_000))
}

const ann = sampleProfile('ann', { anonymousIds: ['anon'], traits: { name: 'Ann' } })

/** Stores the events in a new project, where `anon` is Ann. */
async function load(...samples: readonly EventSample[]): Promise<void> {
  const world = sampleWorld(samples, [{ ...ann, profileId: PROFILE_ID }])
  projectId = await store.load({
    seed: 0,
    world,
    copies: world.events,
    scene: { timeZone: 'UTC', anchorMs: 0 },
    instants: [],
  })
  await store.settle()
}

const BUYERS = '01930000-0000-7000-8000-0000000000c0'

/** The project, with a cohort of the people who bought something. */
function projectWithBuyers() {
  const kind = { case: 'performed', value: { event: { kind: 'buy' } } } as const
  const definition = create(CohortDefinitionSchema, { node: { case: 'condition', value: { kind } } })
  const world = { ...sampleWorld([]), cohorts: [{ id: BUYERS, definition }], nowMs: NOW_MS }
  return projectOf(world, projectId)
}

type ListInit = Exclude<MessageInitShape<typeof VisitsServiceListRequestSchema>, { $typeName: string }>

async function list(more: ListInit = {}, preselections?: readonly PreselectionLimits[]) {
  const timeRange = { from: timestampFromMs(NOW_MS - 86_400_000), to: timestampFromMs(NOW_MS) }
  const request = create(VisitsServiceListRequestSchema, { timeRange, ...more })
  const call = { request, project: projectWithBuyers(), goals: [], nowMs: NOW_MS, run }
  const answer = await listVisits({ ...call, ...(preselections && { preselections }) })
  const { visits, nextPageToken } = create(VisitsServiceListResponseSchema, answer)
  return { visits, nextPageToken, sessions: visits.map(({ sessionId }) => Number(sessionId.slice(-12))) }
}

async function read(session: number, more: { readonly pageSize?: number; readonly pageToken?: string } = {}) {
  const request = create(VisitsServiceGetRequestSchema, { sessionId: sampleId(session), ...more })
  return create(VisitsServiceGetResponseSchema, await readVisit({ request, projectId, run }))
}

const page = (path: string, more: Readonly<Record<string, string>> = {}) => ({ $pathname: path, ...more })

describe('a list', () => {
  test('has the visits that start in the range, the latest start first, and ties by session id', async () => {
    await load(
      { at: '2026-01-04T23:59:59.999Z', session: 1 },
      { at: '00:00', session: 1 },
      { at: '00:00', session: 2 },
      { at: '23:59:59.999', session: 3 },
      { at: '2026-01-06T03:00:00Z', session: 3 },
      { at: '12:00', session: 5 },
      { at: '12:00', session: 4 },
      { at: '2026-01-06T00:00:00Z', session: 6 },
    )
    expect((await list()).sessions).toEqual([3, 5, 4, 2])
  })

  test('continues after the last visit of a page, even within one instant', async () => {
    await load(
      ...[3, 1, 4, 2].map((session) => ({ at: '12:00', session })),
      { at: '11:00', session: 9 },
      { at: '23:30', session: 8 },
    )
    const first = await list({ pageSize: 3 })
    expect(first.sessions).toEqual([8, 4, 3])
    const second = await list({ pageSize: 2, pageToken: first.nextPageToken })
    expect(second.sessions).toEqual([2, 1])
    const third = await list({ pageSize: 2, pageToken: second.nextPageToken })
    expect(third).toMatchObject({ sessions: [9], nextPageToken: '' })
    await expect(list({ pageToken: first.nextPageToken, includeBots: true })).rejects.toThrow('pageToken')
  })

  test('measures a visit over its whole life and has the properties of its first event', async () => {
    await load(
      { at: '10:00', kind: 'open', by: 'anon', properties: { $channel: 'Email', $city: 'Berlin' } },
      { at: '10:01', kind: 'page_view', by: 'anon', properties: page('/in', { $channel: 'Direct' }) },
      { at: '10:05', kind: 'page_view', by: 'ann', properties: page('/out') },
      { at: '10:06', kind: 'close', by: 'ann', properties: page('/never') },
    )
    const { visits } = await list()
    expect(visits).toMatchObject([
      {
        startTime: timestampFromMs(Date.parse('2026-01-05T10:00:00Z')),
        endTime: timestampFromMs(Date.parse('2026-01-05T10:06:00Z')),
        events: 4n,
        pageViews: 2n,
        bounced: false,
        entryPage: '/in',
        exitPage: '/out',
        channel: 'Email',
        city: 'Berlin',
        isBot: false,
        visitor: { id: 'ann', profileId: PROFILE_ID, traits: { name: 'Ann' }, isCookieless: false },
      },
    ])
  })

  test('names visitors without a profile by their distinct id', async () => {
    await load({ at: '10:00', by: 'stranger' }, { at: '11:00', by: 'cookieless-x', session: 2 })
    const { visits } = await list()
    expect(visits.map(({ visitor }) => visitor)).toMatchObject([
      { id: 'cookieless-x', profileId: '', isCookieless: true },
      { id: 'stranger', profileId: '', isCookieless: false },
    ])
    expect(visits.map(({ bounced }) => bounced)).toEqual([true, true])
  })

  test('leaves out visits of bots unless they are asked for', async () => {
    await load(
      { at: '10:00', session: 1 },
      { at: '10:01', session: 1, properties: { $bot: true } },
      { at: '10:02', session: 2 },
    )
    expect((await list()).sessions).toEqual([2])
    const { sessions, visits } = await list({ includeBots: true })
    expect(sessions).toEqual([2, 1])
    expect(visits.map(({ isBot }) => isBot)).toEqual([false, true])
  })

  test('has the visits that meet all conditions', async () => {
    await load(
      { at: '10:00', kind: 'page_view', session: 1, properties: page('/a', { $channel: 'Email' }) },
      { at: '10:01', kind: 'buy', session: 1 },
      { at: '10:02', kind: 'page_view', session: 2, properties: page('/a', { $channel: 'Email' }) },
      { at: '10:03', kind: 'buy', session: 3 },
    )
    const filters = [
      { dimension: Dimension.CHANNEL, operator: FilterOperator.EQUALS, value: 'Email' },
      { dimension: Dimension.EVENT_KIND, operator: FilterOperator.EQUALS, value: 'buy' },
    ]
    const { visits, sessions } = await list({ filters })
    expect(sessions).toEqual([1])
    expect(visits[0]).toMatchObject({ events: 2n, pageViews: 1n })
    await expect(
      list({ filters: [{ dimension: Dimension.GOAL, operator: FilterOperator.EQUALS, goalId: 'x' }] }),
    ).rejects.toMatchObject({ reason: 'GOAL_NOT_FOUND' })
  })

  test('has the visits with an event of a person, under every id', async () => {
    await load(
      { at: '10:00', session: 1, by: 'anon' },
      { at: '10:01', session: 1, by: 'bob' },
      { at: '10:02', session: 2, by: 'bob' },
      { at: '10:03', session: 3, by: 'ann' },
      { at: '10:04', session: 4, by: 'cookieless-x' },
    )
    for (const distinctId of ['ann', 'anon', PROFILE_ID]) {
      expect((await list({ distinctId })).sessions, distinctId).toEqual([3, 1])
    }
    const { sessions, visits } = await list({ distinctId: 'bob' })
    expect(sessions).toEqual([2, 1])
    expect(visits[1]).toMatchObject({ events: 2n, visitor: { id: 'ann' } })
    expect((await list({ distinctId: 'cookieless-x' })).sessions).toEqual([4])
    expect((await list({ distinctId: 'unknown' })).sessions).toEqual([])
  })

  test('has the visits with an event that meets all conditions on properties', async () => {
    await load(
      { at: '10:00', kind: 'buy', session: 1, properties: { plan: 'team', seats: 3n } },
      { at: '10:01', kind: 'buy', session: 2, properties: { plan: 'team', seats: 1n } },
      { at: '10:02', kind: 'buy', session: 2, properties: { plan: 'solo', seats: 3n } },
      { at: '10:03', kind: 'try', session: 3, by: 'ann', properties: { plan: 'team', seats: 3n } },
    )
    const propertyFilters = [
      { property: 'plan', operator: FilterOperator.EQUALS, value: 'team' },
      { property: 'seats', operator: FilterOperator.GT, value: '2' },
    ]
    expect((await list({ propertyFilters })).sessions).toEqual([3, 1])
    const filters = [{ dimension: Dimension.EVENT_KIND, operator: FilterOperator.EQUALS, value: 'buy' }]
    expect((await list({ filters, propertyFilters })).sessions).toEqual([1])
    expect((await list({ filters, propertyFilters }, [])).sessions).toEqual([1])
    const trait = { property: 'name', source: PropertySource.PROFILE }
    const isAnn = { ...trait, operator: FilterOperator.EQUALS, value: 'Ann' }
    expect((await list({ propertyFilters: [isAnn] })).sessions).toEqual([3])
  })

  test('of a cohort has visits, and of these the events, of its people only', async () => {
    await load(
      { at: '10:00', kind: 'page_view', session: 1, by: 'bob', properties: page('/in') },
      { at: '10:01', kind: 'buy', session: 1, by: 'anon' },
      { at: '10:04', kind: 'page_view', session: 1, by: 'ann', properties: page('/thanks') },
      { at: '10:05', session: 1, by: 'bob' },
      { at: '10:06', session: 2, by: 'ann' },
      { at: '10:07', kind: 'buy', session: 3, by: 'cookieless-x' },
      { at: '10:08', session: 4, by: 'bob' },
    )
    const { sessions, visits } = await list({ cohorts: [{ cohortId: BUYERS }] })
    expect(sessions).toEqual([2, 1])
    expect(visits[1]).toMatchObject({
      startTime: timestampFromMs(Date.parse('2026-01-05T10:01:00Z')),
      endTime: timestampFromMs(Date.parse('2026-01-05T10:04:00Z')),
      events: 2n,
      pageViews: 1n,
      entryPage: '/thanks',
      visitor: { id: 'ann' },
    })
    const others = await list({ cohorts: [{ cohortId: BUYERS, negate: true }] })
    expect(others.sessions).toEqual([4, 1])
    expect(others.visits[1]).toMatchObject({ events: 2n, entryPage: '/in', visitor: { id: 'bob' } })
    const both = await list({ cohorts: [{ cohortId: BUYERS }, { cohortId: BUYERS, negate: true }] })
    expect(both.sessions).toEqual([])
    const ofBob = await list({ distinctId: 'bob', cohorts: [{ cohortId: BUYERS }] })
    expect(ofBob.sessions).toEqual([])
  })

  test('rejects a cohort that the project does not have', async () => {
    await load({ at: '10:00' })
    const unknown = list({ cohorts: [{ cohortId: PROFILE_ID }] })
    await expect(unknown).rejects.toMatchObject({ reason: 'COHORT_NOT_FOUND' })
    await expect(list({ cohorts: [{ cohortId: '' }] })).rejects.toThrow('cohorts[0].cohortId')
  })

  test('has visits that meet a condition without an event that does', async () => {
    await load(
      { at: '10:00', kind: 'buy', session: 1, properties: page('/a') },
      { at: '10:01', kind: 'page_view', session: 2, properties: page('/a') },
      { at: '10:02', kind: 'page_view', session: 3, properties: page('/b') },
    )
    const exitsFrom = (operator: FilterOperator, value: string) => ({
      filters: [{ dimension: Dimension.EXIT_PAGE, operator, value }],
    })
    expect((await list(exitsFrom(FilterOperator.NOT_EQUALS, '/a'))).sessions).toEqual([3, 1])
    expect((await list(exitsFrom(FilterOperator.IS_NOT_SET, ''))).sessions).toEqual([1])
  })

  test('has visits of a first touch that lies in an earlier visit', async () => {
    const hour = (at: string, session: number, channel: string): EventSample => {
      return { at, session, by: 'ann', properties: { $channel: channel } }
    }
    await load(hour('2026-01-03T10:00:00Z', 1, 'Email'), hour('10:00', 2, 'Direct'))
    const channel = { dimension: Dimension.CHANNEL, operator: FilterOperator.EQUALS, value: 'Email' }
    expect((await list({ filters: [channel] })).sessions).toEqual([])
    const source = PropertySource.FIRST_TOUCH
    expect((await list({ filters: [{ ...channel, source }] })).sessions).toEqual([2])
  })

  test('reads whole visits only where an event meets the condition', async () => {
    const samples = Array.from({ length: 60 }, (_, index) => ({
      at: `12:00:${String(index).padStart(2, '0')}`,
      session: index,
      properties: page(index % 20 === 0 ? '/rare' : '/common'),
    }))
    await load(...samples)
    const onPage = (value: string) => ({
      filters: [{ dimension: Dimension.PAGE, operator: FilterOperator.EQUALS, value }],
    })
    ran.length = 0
    expect((await list(onPage('/never'))).sessions).toEqual([])
    expect(ran.filter((text) => text.includes('FROM events FINAL'))).toEqual([])
    expect((await list(onPage('/rare'))).sessions).toEqual([40, 20, 0])
    const whole = ran.filter((text) => text.includes('FROM events FINAL'))
    expect(whole.length).toBeGreaterThan(0)
    expect(whole.filter((text) => !text.includes('session_id IN'))).toEqual([])
  })

  test.each([
    ['one session at a time', [1, 1, 1]],
    ['all sessions of an instant', [3]],
    ['every session at once', [100]],
  ])('is complete when it preselects %s', async (_, sessionsMax) => {
    await load(
      ...[1, 2, 3, 4, 5].map((session) => ({ at: '12:00', kind: 'buy', session })),
      { at: '11:59', session: 5 },
      { at: '11:00', kind: 'buy', session: 6 },
      { at: '11:30', kind: 'other', session: 7 },
      { at: '2026-01-06T01:00:00Z', kind: 'buy', session: 6 },
      { at: '2026-01-06T02:00:00Z', kind: 'buy', session: 8 },
    )
    const filters = [{ dimension: Dimension.EVENT_KIND, operator: FilterOperator.EQUALS, value: 'buy' }]
    const preselections = sessionsMax.map((most) => ({ eventsMax: 100, sessionsMax: most, hashesMax: 0 }))
    expect((await list({ filters }, preselections)).sessions).toEqual([4, 3, 2, 1, 5, 6])
  })

  test('finds a visit of many people, and one that lasts for days', async () => {
    const people = Array.from({ length: 101 }, (_, index) => ({
      at: `10:00:00.${String(index).padStart(3, '0')}`,
      by: `guest-${index}`,
    }))
    await load(...people, { at: '09:00', session: 2 }, { at: '2026-01-12T09:00:00Z', session: 2, by: 'late' })
    const { visits } = await list()
    expect(visits.map(({ events }) => events)).toEqual([101n, 2n])
    expect((await read(1)).visit?.visitor?.id).toBe('guest-0')
  })

  test('is empty for a range without events and for a project without any', async () => {
    await load()
    expect(await list()).toMatchObject({ visits: [], nextPageToken: '' })
  })

  test.each<[what: string, more: ListInit, field: string]>([
    ['a page that is too long', { pageSize: 1001 }, 'pageSize'],
    ['a made-up token', { pageToken: 'x' }, 'pageToken'],
    ['a condition without an operator', { propertyFilters: [{ property: 'plan' }] }, 'propertyFilters[0]'],
    [
      'a range of eleven years',
      { timeRange: { from: timestampFromMs(0), to: timestampFromMs(11 * 365 * 86_400_000) } },
      'timeRange: spans more than 3652 days',
    ],
  ])('%s is rejected', async (_, more, message) => {
    const reason = message === 'pageToken' ? 'INVALID_PAGE_TOKEN' : 'INVALID_WEB_QUERY'
    await expect(list(more)).rejects.toMatchObject({ reason, message: expect.stringContaining(message) })
  })
})

describe('a visit', () => {
  test('has its events in the order of their times, then of their ids, page by page', async () => {
    await load(
      { at: '10:00', kind: 'third', id: 30 },
      { at: '10:00', kind: 'second', id: 20, by: 'other', properties: { plan: 'team' } },
      { at: '09:00', kind: 'first', id: 90 },
      { at: '10:00', kind: 'of another', session: 2 },
    )
    const first = await read(1, { pageSize: 2 })
    expect(first.events.map(({ kind }) => kind)).toEqual(['first', 'second'])
    expect(first.events[1]).toMatchObject({
      distinctId: 'other',
      sessionId: sampleId(1),
      customProperties: { plan: 'team' },
    })
    expect(first.events[0]?.arrivalTime).toBeUndefined()
    expect(first.visit).toMatchObject({ events: 3n, visitor: { id: 'anna' } })
    const second = await read(1, { pageSize: 2, pageToken: first.nextPageToken })
    expect(second.events.map(({ kind }) => kind)).toEqual(['third'])
    expect(second).toMatchObject({ nextPageToken: '', visit: { events: 3n } })
  })

  test('is found in its own project only', async () => {
    await load({ at: '10:00', session: 1 })
    await load({ at: '10:00', session: 2 })
    await expect(read(1)).rejects.toMatchObject({ code: 'not_found', reason: 'VISIT_NOT_FOUND' })
    expect((await read(2)).visit?.events).toBe(1n)
  })
})
