import { create, type MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openSharedWorldStore } from '../../../test/differential/shared-world-store.ts'
import type { WorldStore } from '../../../test/differential/world-store.ts'
import { FilterOperator } from '../../contract/gen/common/v1/filter_pb.js'
import {
  Dimension,
  QueryOverviewRequestSchema,
  QueryOverviewResponseSchema,
  QueryTableRequestSchema,
  QueryTableResponseSchema,
  type WebFilterSchema,
  type WebMetrics,
} from '../../contract/gen/millrace/web/v1/web_analytics_service_pb.js'
import { Granularity } from '../../contract/gen/shared/insights/v1/insight_query_spec_pb.js'
import type { ProjectId } from '../../contract/ids.ts'
import type { Goal } from '../goals/goal-store.ts'
import type { QueryRunner } from '../sql/select.ts'
import { answerOverview } from './overview.ts'
import { answerTable } from './table.ts'
import { VisitScans } from './visit-scans.ts'
import { parseOverview, parseTable } from './web-query.ts'

type Filter = MessageInitShape<typeof WebFilterSchema>

const { EQUALS, NOT_EQUALS } = FilterOperator
const { PAGE, ENTRY_PAGE, EXIT_PAGE, HOSTNAME, CHANNEL, EVENT_KIND, GOAL } = Dimension

const RANGE = {
  from: timestampFromMs(Date.parse('2026-01-05T00:00:00Z')),
  to: timestampFromMs(Date.parse('2026-01-06T00:00:00Z')),
}

/** The parts of an event that differ: its session, time and id, and what else a test sets. */
interface Sent {
  readonly session: number
  readonly at: string
  readonly id: number
  readonly by?: string
  readonly kind?: string
  readonly page?: string
  readonly host?: string
  readonly channel?: string
  readonly bot?: boolean
}

let store: WorldStore
let project: ProjectId

beforeAll(async () => {
  store = await openSharedWorldStore()
})

afterAll(async () => {
  await store.close()
})

const run: QueryRunner = async (query) => await store.run(query, AbortSignal.timeout(30_000))

const uuid = (digits: number): string => `00000000-0000-4000-8000-${String(digits).padStart(12, '0')}`

/** Stores each list in a separate INSERT, in a new project. */
async function load(...lists: readonly (readonly Sent[])[]): Promise<void> {
  project = await store.load(EMPTY_WORLD)
  for (const sent of lists) {
    const values = sent.map(({ session, at, id, by, kind, page, host, channel, bot }) => ({
      project,
      kind: kind ?? 'page_view',
      time: at.replace('T', ' '),
      distinct_id: by ?? `of-${session}`,
      session_id: uuid(session),
      event_id: uuid(id),
      pathname: page ?? '',
      hostname: host ?? '',
      channel: channel ?? '',
      bools: bot === undefined ? {} : { $bot: bot },
    }))
    await store.clickhouse.insert({ table: 'events', format: 'JSONEachRow', values })
  }
}

const EMPTY_WORLD: Parameters<WorldStore['load']>[0] = {
  seed: 0,
  world: { events: [], people: { profiles: [] }, timeZone: '' },
  copies: [],
  scene: { timeZone: 'UTC', anchorMs: 0 },
  instants: [],
}

function context() {
  return { projectId: project, projectTimeZone: 'UTC' }
}

/** `visitors/visits/views, bounce rate, seconds`. */
function brief(metrics: WebMetrics | undefined): string {
  if (!metrics) return 'none'
  const { visitors, visits, pageViews, bounceRate, visitDurationSeconds } = metrics
  return `${visitors}/${visits}/${pageViews}, ${bounceRate} %, ${visitDurationSeconds} s`
}

async function totals(more: { filters?: Filter[]; includeBots?: boolean; range?: typeof RANGE } = {}) {
  const { range = RANGE, ...rest } = more
  const request = create(QueryOverviewRequestSchema, {
    timeRange: range,
    granularity: Granularity.DAY,
    ...rest,
  })
  const answer = await answerOverview(parseOverview(request, context()), [], { run, scans: new VisitScans() })
  return brief(create(QueryOverviewResponseSchema, answer).totals)
}

async function rows(dimension: Dimension, filters: Filter[] = [], goals: readonly Goal[] = []) {
  const request = create(QueryTableRequestSchema, { timeRange: RANGE, dimension, filters })
  const answer = create(
    QueryTableResponseSchema,
    await answerTable(parseTable(request, context()), goals, { run, scans: new VisitScans() }),
  )
  return answer.rows.map(({ value, metrics }) => `${value}: ${brief(metrics)}`)
}

describe('a visit', () => {
  test('counts when its first event of all is in the range, and is measured to its end', async () => {
    await load(
      [
        { session: 1, at: '2026-01-04T23:59:59.999', id: 1 },
        { session: 1, at: '2026-01-05T00:10:00', id: 2 },
        { session: 2, at: '2026-01-05T00:00:00', id: 3, page: '/in' },
        { session: 3, at: '2026-01-05T23:59:59.999', id: 4, page: '/late' },
      ],
      [{ session: 3, at: '2026-01-06T01:59:59.999', id: 5, page: '/after' }],
    )
    expect(await totals()).toBe('2/2/3, 50 %, 3600 s')
    expect(await rows(EXIT_PAGE)).toEqual(['/after: 1/1/2, 0 %, 7200 s', '/in: 1/1/1, 100 %, 0 s'])
  })

  test('of years is found by an event that arrives late', async () => {
    await load(
      [{ session: 1, at: '2026-01-05T10:00:00', id: 1 }],
      [{ session: 1, at: '2029-01-05T10:00:00', id: 2, page: '/end' }],
    )
    expect(await rows(EXIT_PAGE)).toEqual([`/end: 1/1/2, 0 %, ${(3 * 365 + 1) * 86_400} s`])
    await store.clickhouse.insert({
      table: 'events',
      format: 'JSONEachRow',
      values: [{ project, kind: 'x', time: '2024-01-01 00:00:00', session_id: uuid(1), event_id: uuid(3) }],
    })
    expect(await totals()).toBe('0/0/0, 0 %, 0 s')
  })

  test('has the attributes of its first event, by time and then by id, and pages of its page views', async () => {
    const at = '2026-01-05T10:00:00'
    await load([
      { session: 1, at, id: 3, channel: 'Third', page: '/c' },
      { session: 1, at, id: 1, channel: 'First', page: '/no-view', kind: 'click' },
      { session: 1, at, id: 2, channel: 'Second', page: '/b' },
    ])
    expect(await rows(CHANNEL)).toEqual(['First: 1/1/2, 0 %, 0 s'])
    expect(await rows(ENTRY_PAGE)).toEqual(['/b: 1/1/2, 0 %, 0 s'])
    expect(await rows(EXIT_PAGE)).toEqual(['/c: 1/1/2, 0 %, 0 s'])
  })

  test('counts copies of its events once', async () => {
    const sent: Sent = { session: 1, at: '2026-01-05T10:00:00', id: 1, page: '/a' }
    await load([sent, sent], [sent])
    expect(await rows(PAGE)).toEqual(['/a: 1/1/1, 100 %, 0 s'])
  })

  test('of a bot is left out as a whole', async () => {
    await load([
      { session: 1, at: '2026-01-05T10:00:00', id: 1 },
      { session: 1, at: '2026-01-05T10:01:00', id: 2, bot: true },
      { session: 2, at: '2026-01-05T10:00:00', id: 3, bot: false },
    ])
    expect(await totals()).toBe('1/1/1, 100 %, 0 s')
    expect(await totals({ includeBots: true })).toBe('2/2/3, 50 %, 30 s')
  })
})

describe('a table', () => {
  const filter = (dimension: Dimension, value: string, operator = EQUALS): Filter => ({
    dimension,
    operator,
    value,
  })

  test('of pages counts a visit once for a page, and each page view', async () => {
    await load([
      { session: 1, at: '2026-01-05T10:00:00', id: 1, page: '/a' },
      { session: 1, at: '2026-01-05T10:01:00', id: 2, page: '/b' },
      { session: 1, at: '2026-01-05T10:02:00', id: 3, page: '/a' },
      { session: 2, at: '2026-01-05T10:00:00', id: 4, page: '/b' },
      { session: 3, at: '2026-01-05T10:00:00', id: 5, kind: 'click', page: '/c' },
      { session: 4, at: '2026-01-05T10:00:00', id: 6 },
    ])
    expect(await rows(PAGE)).toEqual([
      '/b: 2/2/2, 50 %, 60 s',
      ': 1/1/1, 100 %, 0 s',
      '/a: 1/1/2, 0 %, 120 s',
    ])
  })

  test('has visits with one event that meets all conditions on events, and their matching page views', async () => {
    await load([
      { session: 1, at: '2026-01-05T10:00:00', id: 1, page: '/a', host: 'x' },
      { session: 1, at: '2026-01-05T10:01:00', id: 2, page: '/b', host: 'y' },
      { session: 2, at: '2026-01-05T10:00:00', id: 3, page: '/a', host: 'y' },
      { session: 2, at: '2026-01-05T10:00:00', id: 4, page: '/a', host: 'y', kind: 'click' },
    ])
    const both = [filter(PAGE, '/a'), filter(HOSTNAME, 'y')]
    expect(await totals({ filters: both })).toBe('1/1/1, 0 %, 0 s')
    expect(await rows(EVENT_KIND, both)).toEqual(['click: 1/1/0, 0 %, 0 s', 'page_view: 1/1/1, 0 %, 0 s'])
    expect(await rows(PAGE, [filter(HOSTNAME, 'y', NOT_EQUALS)])).toEqual(['/a: 1/1/1, 0 %, 60 s'])
    expect(await rows(PAGE, [filter(EVENT_KIND, 'click')])).toEqual([])
  })

  test('of goals has every goal, and refuses a condition on one that is not there', async () => {
    await load([{ session: 1, at: '2026-01-05T10:00:00', id: 1, page: '/a' }])
    const goal: Goal = {
      id: 'g',
      name: 'A',
      target: { case: 'pagePattern', value: '/a*' },
      valueProperty: '',
      createdMs: 0,
      updatedMs: 0,
    }
    const other: Goal = { ...goal, id: 'h', name: 'B', target: { case: 'pagePattern', value: '/b' } }
    expect(await rows(GOAL, [], [other, goal])).toEqual(['A: 1/1/1, 100 %, 0 s', 'B: 0/0/0, 0 %, 0 s'])
    expect(await rows(GOAL)).toEqual([])
    const unknown = { dimension: GOAL, operator: EQUALS, goalId: 'i' }
    await expect(rows(PAGE, [unknown], [goal])).rejects.toMatchObject({
      code: 'not_found',
      reason: 'GOAL_NOT_FOUND',
    })
  })
})
