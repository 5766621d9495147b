import { create, type MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromDate, timestampMs } from '@bufbuild/protobuf/wkt'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openWorldStore, type WorldStore } from '../../../../test/differential/world-store.ts'
import { waitFor } from '../../../../test/harness/wait.ts'
import { FilterOperator } from '../../../contract/gen/common/v1/filter_pb.js'
import {
  Granularity,
  type InsightQuerySpecSchema,
  InsightType,
} from '../../../contract/gen/shared/insights/v1/insight_query_spec_pb.js'
import {
  QueryRequestSchema,
  QueryResponseSchema,
} from '../../../contract/gen/shared/insights/v1/insights_service_pb.js'
import { SessionMetric } from '../../../contract/gen/shared/insights/v1/session_query_pb.js'
import { asProjectId, type ProjectId } from '../../../contract/ids.ts'
import { prepareInsight } from '../../insight-types.ts'
import type { QueryRunner } from '../../sql/select.ts'
import { render } from '../../sql/sql.ts'

type Spec = MessageInitShape<typeof InsightQuerySpecSchema>

/** A session (the last digits of its id), a time, a page, and the last digits of the event's id. */
type Visit = readonly [session: number, at: string, page: string, id: number]

const { SESSIONS, AVG_DURATION, BOUNCE_RATE, ENTRY, EXIT, AVG_EVENTS_PER_SESSION } = SessionMetric

let store: WorldStore
let projectCount = 1000

beforeAll(async () => {
  store = await openWorldStore()
})

afterAll(async () => {
  await store.close()
})

const uuid = (digits: number): string => `00000000-0000-4000-8000-${String(digits).padStart(12, '0')}`

/** Stores each list in a separate INSERT. */
async function loadVisits(...lists: readonly (readonly Visit[])[]): Promise<ProjectId> {
  const project = asProjectId(++projectCount)
  for (const visits of lists) {
    const values = visits.map(([session, at, page, id]) => ({
      project,
      kind: 'view',
      time: at.replace('T', ' ').replace('Z', ''),
      distinct_id: `of-${session}`,
      session_id: uuid(session),
      event_id: uuid(id),
      strings: { page },
    }))
    await store.clickhouse.insert({ table: 'events', format: 'JSONEachRow', values })
  }
  return project
}

interface SessionCase {
  readonly from: string
  readonly to: string
  readonly spec: Spec
  readonly run?: QueryRunner
}

const runInStore: QueryRunner = async (query) => await store.run(query, AbortSignal.timeout(30_000))

async function answer(projectId: ProjectId, { from, to, spec, run = runInStore }: SessionCase) {
  const request = create(QueryRequestSchema, {
    spec,
    timeRange: { from: timestampFromDate(new Date(from)), to: timestampFromDate(new Date(to)) },
    granularity: Granularity.DAY,
  })
  return create(
    QueryResponseSchema,
    await prepareInsight(request, { projectId, projectTimeZone: 'UTC' }).answer(run),
  ).result
}

const RANGE = { from: '2026-01-05T00:00:00Z', to: '2026-01-07T00:00:00Z' }

async function total(projectId: ProjectId, metric: SessionMetric, range = RANGE): Promise<unknown> {
  const spec = { insightType: InsightType.SEGMENTATION, session: { metric } }
  const result = await answer(projectId, { ...range, spec })
  return result.case === 'segmentation' ? result.value.total : result.case
}

async function series(
  projectId: ProjectId,
  metric: SessionMetric,
  more: Partial<Exclude<Spec, { $typeName: string }>> = {},
): Promise<unknown> {
  const spec = { insightType: InsightType.TRENDS, session: { metric }, ...more }
  const result = await answer(projectId, { ...RANGE, spec })
  if (result.case !== 'trends') return result.case
  return result.value.series.map(({ eventKind, breakdown, points }) => {
    expect(points.map(({ time }) => time && timestampMs(time))).toEqual([
      Date.parse('2026-01-05'),
      Date.parse('2026-01-06'),
    ])
    return `${eventKind} [${Object.values(breakdown)}]: ${points.map(({ value }) => value).join(' ')}`
  })
}

const byPage = { breakdowns: [{ property: 'page' }] }

/** Looks up everything that has arrived so far. */
async function foldAll(): Promise<void> {
  await waitFor('a fold of all arrivals', async () => {
    await store.clickhouse.command({ query: 'SYSTEM REFRESH VIEW long_sessions_fold' })
    await store.clickhouse.command({ query: 'SYSTEM WAIT VIEW long_sessions_fold' })
    const result = await store.clickhouse.query({
      query: `SELECT toUInt32(count()) AS waiting FROM session_arrivals
        WHERE arrived >= (SELECT max(last) FROM long_sessions WHERE project = 0)`,
      format: 'JSONEachRow',
    })
    const [row] = await result.json<{ waiting: number }>()
    return row?.waiting === 0 ? row : undefined
  })
}

describe('a session', () => {
  test('counts as a whole in the bucket where it began', async () => {
    const project = await loadVisits([
      [1, '2026-01-04T23:50:00Z', 'home', 1],
      [1, '2026-01-05T00:10:00Z', 'shop', 2],
      [2, '2026-01-05T00:00:00Z', 'home', 3],
      [2, '2026-01-05T00:20:30Z', 'shop', 4],
      [3, '2026-01-06T23:59:59.999Z', 'home', 5],
      [3, '2026-01-07T00:30:00.999Z', 'shop', 6],
      [4, '2026-01-06T12:00:00Z', 'shop', 7],
      [5, '2026-01-07T00:00:00Z', 'home', 8],
    ])
    expect(await series(project, SESSIONS)).toEqual(['$session []: 1 2'])
    expect(await series(project, AVG_DURATION)).toEqual(['$session []: 1230 900.5'])
    expect(await series(project, BOUNCE_RATE)).toEqual(['$session []: 0 50'])
    expect(await series(project, AVG_EVENTS_PER_SESSION)).toEqual(['$session []: 2 1.5'])
    expect(await series(project, ENTRY, byPage)).toEqual(['$session [home]: 1 1', '$session [shop]: 0 1'])
    expect(await series(project, EXIT, byPage)).toEqual(['$session [shop]: 1 2'])
    expect(await total(project, SESSIONS)).toBe(3)
    expect(await total(project, BOUNCE_RATE)).toBeCloseTo(100 / 3, 9)
  })

  test('begins at its first matching event', async () => {
    const project = await loadVisits([
      [1, '2026-01-04T23:50:00Z', 'home', 1],
      [1, '2026-01-05T00:10:00Z', 'shop', 2],
      [1, '2026-01-05T00:15:00Z', 'home', 3],
    ])
    const filters = [{ property: 'page', operator: FilterOperator.EQUALS, value: 'shop' }]
    const scoped = { session: { metric: BOUNCE_RATE, scope: { kind: 'view', filters } } }
    expect(await series(project, BOUNCE_RATE, scoped)).toEqual(['view []: 100 0'])
    expect(await series(project, SESSIONS, { filterGroups: [{ filters }] })).toEqual(['$session []: 1 0'])
    expect(await series(project, SESSIONS)).toEqual(['$session []: 0 0'])
  })

  test('that lasts for years is one session, before and after the fold records it as long', async () => {
    const project = await loadVisits(
      [[1, '2026-01-05T10:00:00Z', 'middle', 2]],
      [[1, '2023-03-01T00:00:00Z', 'start', 1]],
      [[1, '2029-12-31T23:59:59Z', 'end', 3]],
      [[2, '2026-01-05T11:00:00Z', 'middle', 4]],
    )
    const start = { from: '2023-03-01T00:00:00Z', to: '2023-03-02T00:00:00Z' }
    const check = async (): Promise<void> => {
      expect(await total(project, SESSIONS)).toBe(1)
      expect(await total(project, SESSIONS, start)).toBe(1)
      expect(await total(project, AVG_EVENTS_PER_SESSION, start)).toBe(3)
      expect(await total(project, AVG_DURATION, start)).toBe(
        (Date.parse('2029-12-31T23:59:59Z') - Date.parse(start.from)) / 1000,
      )
      expect(await series(project, EXIT, byPage)).toEqual(['$session [middle]: 1 0'])
    }
    await check()
    await foldAll()
    await check()
  })

  test('that grows after the fold recorded it as long is found in full', async () => {
    const project = await loadVisits([
      [1, '2026-01-05T10:00:00Z', 'a', 1],
      [1, '2026-01-05T20:00:00Z', 'b', 2],
    ])
    await foldAll()
    await store.clickhouse.insert({
      table: 'events',
      format: 'JSONEachRow',
      values: [
        {
          project,
          kind: 'view',
          time: '2025-01-05 10:00:00',
          session_id: uuid(1),
          event_id: uuid(3),
          distinct_id: 'other',
        },
      ],
    })
    expect(await total(project, SESSIONS)).toBe(0)
  })

  test('of exactly six hours is read in full from any range that it overlaps', async () => {
    const project = await loadVisits([
      [1, '2026-01-04T18:00:00Z', 'a', 1],
      [1, '2026-01-05T00:00:00Z', 'b', 2],
      [2, '2026-01-06T23:59:59.999Z', 'a', 3],
      [2, '2026-01-07T05:59:59.999Z', 'b', 4],
    ])
    await foldAll()
    expect(await total(project, SESSIONS)).toBe(1)
    expect(await total(project, AVG_DURATION)).toBe(6 * 3600)
  })

  test('counts duplicates of an event once', async () => {
    const visit: Visit = [1, '2026-01-05T10:00:00Z', 'a', 1]
    const project = await loadVisits([visit, visit], [visit])
    expect(await total(project, BOUNCE_RATE)).toBe(100)
    expect(await total(project, AVG_EVENTS_PER_SESSION)).toBe(1)
  })

  test('does not count for an event that arrived again under another session', async () => {
    const project = asProjectId(++projectCount)
    const sent = { project, kind: 'view', time: '2026-01-05 10:00:00', distinct_id: 'x', event_id: uuid(1) }
    for (const session of [1, 2]) {
      const values = [{ ...sent, session_id: uuid(session) }]
      await store.clickhouse.insert({ table: 'events', format: 'JSONEachRow', values })
    }
    expect(await total(project, SESSIONS)).toBe(1)
    // The table of sessions keeps what was inserted: it narrows the search and is not the result.
    const known = await store.clickhouse.query({
      query:
        'SELECT toUInt32(uniqExact(session_id)) AS sessions FROM sessions WHERE project = {project:UInt32}',
      query_params: { project },
      format: 'JSONEachRow',
    })
    expect(await known.json()).toEqual([{ sessions: 2 }])
  })

  test('with events at one instant begins and ends by the text of their ids', async () => {
    const at = '2026-01-05T10:00:00Z'
    const project = await loadVisits([
      [1, at, 'second', 2],
      [1, at, 'third', 3],
      [1, at, 'first', 1],
    ])
    expect(await series(project, ENTRY, byPage)).toEqual(['$session [first]: 1 0'])
    expect(await series(project, EXIT, byPage)).toEqual(['$session [third]: 1 0'])
  })
})

describe('a result', () => {
  test('without sessions is one series of zeros, or none with a breakdown', async () => {
    const project = await loadVisits()
    expect(await series(project, AVG_DURATION)).toEqual(['$session []: 0 0'])
    expect(await series(project, AVG_DURATION, byPage)).toEqual([])
    expect(await total(project, BOUNCE_RATE)).toBe(0)
    expect(await total(project, SESSIONS)).toBe(0)
  })

  test('with a breakdown ranks by the metric, ties bytewise, and computes the rest as a group', async () => {
    const project = await loadVisits([
      [1, '2026-01-05T10:00:00Z', 'b', 1],
      [2, '2026-01-05T10:00:00Z', 'a', 2],
      [3, '2026-01-05T10:00:00Z', 'c', 3],
      [3, '2026-01-05T10:01:00Z', 'c', 4],
      [4, '2026-01-06T10:00:00Z', '', 5],
      [4, '2026-01-06T10:02:00Z', 'a', 6],
      [4, '2026-01-06T10:04:00Z', 'a', 7],
    ])
    expect(await series(project, SESSIONS, { ...byPage, breakdownLimit: 2 })).toEqual([
      '$session []: 0 1',
      '$session [a]: 1 0',
      '$session [$others]: 2 0',
    ])
    expect(await series(project, AVG_EVENTS_PER_SESSION, { ...byPage, breakdownLimit: 1 })).toEqual([
      '$session []: 0 3',
      `$session [$others]: ${4 / 3} 0`,
    ])
    expect(await series(project, AVG_DURATION, { ...byPage, breakdownLimit: 1 })).toEqual([
      '$session []: 0 240',
      '$session [$others]: 20 0',
    ])
  })
})

/** Rows that the engine reads to answer about a week. */
async function countRowsRead(project: ProjectId, spec: Spec): Promise<number> {
  let rows = 0
  const from = '2025-12-31T00:00:00Z'
  const result = await answer(project, {
    from,
    to: '2026-01-07T00:00:00Z',
    spec,
    run: async (query) => {
      const { statement } = query
      const { text, params } = render(statement)
      const answered = await store.clickhouse.query({
        query: text,
        format: 'JSONCompactEachRow',
        query_params: { ...params },
        clickhouse_settings: { wait_end_of_query: 1, output_format_json_quote_64bit_integers: 1 },
      })
      const cells = await answered.json<unknown[]>()
      const summary: unknown = JSON.parse(String(answered.response_headers['x-clickhouse-summary']))
      rows += Number(Object(summary).read_rows)
      return cells.map((row) => query.decode(row))
    },
  })
  expect(result).toMatchObject({ case: 'trends', value: { series: [{ points: { length: 7 } }] } })
  return rows
}

describe('the number of rows read', () => {
  /** Four events a session, eight hundred sessions a day, one after the other. */
  async function loadHistory(days: number): Promise<ProjectId> {
    const project = asProjectId(++projectCount)
    await store.clickhouse.command({
      query: `INSERT INTO events (project, kind, time, distinct_id, session_id, event_id)
        SELECT {project:UInt32}, 'view', toDateTime64('2026-01-07 00:00:00', 3, 'UTC') - toIntervalSecond(27 * (number + 1)),
          toString(intDiv(number, 4)), reinterpretAsUUID(sipHash128(intDiv(number, 4))), generateUUIDv4()
        FROM numbers({days:UInt32} * 3200)`,
      query_params: { project, days },
      clickhouse_settings: { max_partitions_per_insert_block: '0' },
    })
    return project
  }

  test('for a week does not grow with the history', async () => {
    const [month, year] = [await loadHistory(30), await loadHistory(365)]
    await foldAll()
    for (const metric of [SESSIONS, AVG_DURATION, BOUNCE_RATE]) {
      const spec = { insightType: InsightType.TRENDS, session: { metric } }
      const [ofMonth, ofYear] = [await countRowsRead(month, spec), await countRowsRead(year, spec)]
      expect(ofMonth).toBeGreaterThan(7 * 3200)
      expect(ofYear).toBeLessThan(1.2 * ofMonth)
    }
  })
})

test('an id in constant use is one session, and its history is not read', async () => {
  const { clickhouse } = store
  const project = asProjectId(++projectCount)
  await clickhouse.command({
    query: `INSERT INTO events (project, kind, time, distinct_id, session_id, event_id)
      SELECT ${project}, if(number % 1000 = 0, 'rare', 'view'), toDateTime64('2025-01-05 00:00:00', 3, 'UTC') + toIntervalMinute(10 * number),
        toString(number % 7), toUUID('${uuid(1)}'), generateUUIDv4()
      FROM numbers(100000)`,
    clickhouse_settings: { max_partitions_per_insert_block: '0' },
  })
  await foldAll()
  expect(await total(project, SESSIONS)).toBe(0)
  expect(await series(project, SESSIONS, { session: { metric: SESSIONS, scope: { kind: 'rare' } } })).toEqual(
    ['rare []: 0 0'],
  )
  const spec = { insightType: InsightType.TRENDS, session: { metric: BOUNCE_RATE } }
  expect(await countRowsRead(project, spec)).toBeLessThan(50_000)
})

describe('the tables of sessions', () => {
  test('receive the missing rows of a half-failed INSERT when it is retried', async () => {
    const { clickhouse } = store
    const project = asProjectId(++projectCount)
    const insert = async (): Promise<void> => {
      await clickhouse.command({
        query: `INSERT INTO events (project, kind, time, distinct_id, session_id, event_id)
          SELECT ${project}, 'view', toDateTime64('2026-01-05 00:00:00', 3, 'UTC'), 'a', toUUID('${uuid(1)}'), toUUID('${uuid(2)}')`,
        clickhouse_settings: { async_insert: 0 },
      })
    }
    await clickhouse.command({ query: 'CREATE TABLE nowhere (project UInt32) ENGINE = Null' })
    await clickhouse.command({
      query: `CREATE MATERIALIZED VIEW trap TO nowhere AS SELECT throwIf(project = ${project}) AS project FROM sessions`,
    })
    await expect(insert()).rejects.toThrow('throwIf')
    await clickhouse.command({ query: 'DROP VIEW trap SYNC' })
    await insert()
    await insert()
    const result = await clickhouse.query({
      query: `SELECT
          (SELECT count() FROM events FINAL WHERE project = ${project}) AS events,
          (SELECT uniqExact(session_id) FROM sessions WHERE project = ${project}) AS sessions,
          (SELECT uniqExact(session_id) FROM session_arrivals WHERE project = ${project}) AS arrivals`,
      format: 'JSONEachRow',
      clickhouse_settings: { output_format_json_quote_64bit_integers: 0 },
    })
    expect(await result.json()).toEqual([{ events: 1, sessions: 1, arrivals: 1 }])
  })

  test('are not marked complete beyond the start of a running INSERT', async () => {
    const { clickhouse } = store
    const queryId = 'slow-insert'
    const slow = clickhouse
      .command({
        query: `INSERT INTO FUNCTION null('x UInt8') SELECT sleepEachRow(1) FROM numbers(100) SETTINGS max_block_size = 1`,
        query_id: queryId,
        clickhouse_settings: { function_sleep_max_microseconds_per_block: '0' },
      })
      .catch(() => 'killed')
    const startedMs = await waitFor('the INSERT to run', async () => {
      const result = await clickhouse.query({
        query: `SELECT toUnixTimestamp64Milli(now64(3)) - toInt64(elapsed * 1000) AS started FROM system.processes WHERE query_id = '${queryId}'`,
        format: 'JSONEachRow',
      })
      const [row] = await result.json<{ started: string }>()
      return row && Number(row.started)
    })
    await clickhouse.command({ query: 'SYSTEM REFRESH VIEW long_sessions_fold' })
    await clickhouse.command({ query: 'SYSTEM WAIT VIEW long_sessions_fold' })
    const result = await clickhouse.query({
      query: 'SELECT toUnixTimestamp64Milli(max(last)) AS covered FROM long_sessions WHERE project = 0',
      format: 'JSONEachRow',
    })
    const [row] = await result.json<{ covered: string }>()
    expect(Number(row?.covered)).toBeLessThan(startedMs)
    await clickhouse.command({ query: `KILL QUERY WHERE query_id = '${queryId}' SYNC` })
    expect(await slow).toBe('killed')
  })
})
