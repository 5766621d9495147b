import { describe, expect, test } from 'vitest'
import { createScriptedRunner } from '../../../test/harness/scripted-runner.ts'
import { asProjectId } from '../../contract/ids.ts'
import { sql } from '../sql/sql.ts'
import {
  type EventCursor,
  type EventPageQuery,
  encodeEventCursor,
  listEvents,
  parseEventCursor,
} from './event-page.ts'
import { PROJECT_SPANS_MS, USER_SPANS_MS } from './newest-spans.ts'

const HOUR_MS = 3_600_000
const NOW_MS = Date.UTC(2026, 0, 31)
const EVENT_ID = '0197a1c0-0000-7000-8000-000000000001'

const QUERY: EventPageQuery = {
  scope: { projectId: asProjectId(1), fromMs: 0, toMs: NOW_MS + 1000 },
  conditions: [],
  pageSize: 2,
  cursor: undefined,
  spansMs: PROJECT_SPANS_MS,
  nowMs: NOW_MS,
}

function rowAt(timeMs: number): object {
  return {
    eventId: EVENT_ID,
    kind: 'a',
    distinctId: 'anna',
    sessionId: EVENT_ID,
    timeMs,
    arrivalMs: NOW_MS + timeMs,
    promoted: [],
    string: {},
    int: {},
    double: {},
    bool: {},
    time: {},
  }
}

/** The ranges of time of the statements, as offsets from the query's present, and the rows that each may return. */
async function searched(query: EventPageQuery, ...results: readonly (readonly unknown[])[]) {
  const { run, statements } = createScriptedRunner(...results)
  const page = await listEvents(query, run)
  const ranges = statements.map(({ text, params }) => {
    const bound = (pattern: RegExp): number => Number(params[pattern.exec(text)?.[1] ?? ''])
    return {
      from: bound(/time >= fromUnixTimestamp64Milli\(\{(p\d+)/) - NOW_MS,
      to: bound(/time < fromUnixTimestamp64Milli\(\{(p\d+)/) - NOW_MS,
      limit: bound(/LIMIT \{(p\d+)/),
    }
  })
  return { page, ranges }
}

describe('a page of events', () => {
  test('is found in the last hour when that has enough', async () => {
    const { page, ranges } = await searched(QUERY, [rowAt(3), rowAt(2), rowAt(1)])
    expect(ranges).toEqual([{ from: -HOUR_MS, to: 1000, limit: 3 }])
    expect(page.events.map(({ occurTime }) => occurTime.nanos)).toEqual([3e6, 2e6])
    expect(parseEventCursor(page.nextPageToken, 'occurrence')).toEqual({
      timeMs: 2,
      eventId: EVENT_ID,
      kind: 'a',
      distinctId: 'anna',
    })
    expect(page.events[0]).not.toHaveProperty('arrivalTime')
  })

  test('is searched further back, in adjacent spans, until it is full', async () => {
    const { page, ranges } = await searched(QUERY, [rowAt(3)], [], [rowAt(2)], [], [])
    expect(ranges).toEqual([
      { from: -HOUR_MS, to: 1000, limit: 3 },
      { from: -24 * HOUR_MS, to: -HOUR_MS, limit: 2 },
      { from: -7 * 24 * HOUR_MS, to: -24 * HOUR_MS, limit: 2 },
      { from: -60 * 24 * HOUR_MS, to: -7 * 24 * HOUR_MS, limit: 1 },
      { from: -NOW_MS, to: -60 * 24 * HOUR_MS, limit: 1 },
    ])
    expect([page.events.length, page.nextPageToken]).toEqual([2, ''])
  })

  test('of one user is read with one statement', async () => {
    const { ranges } = await searched({ ...QUERY, spansMs: USER_SPANS_MS })
    expect(ranges).toEqual([{ from: -NOW_MS, to: 1000, limit: 3 }])
  })

  test('has no empty span when the range is short', async () => {
    const scope = { ...QUERY.scope, fromMs: NOW_MS - HOUR_MS }
    const { ranges } = await searched({ ...QUERY, scope })
    expect(ranges).toEqual([{ from: -HOUR_MS, to: 1000, limit: 3 }])
  })

  test('after a cursor includes the millisecond of the cursor, whose events are compared by id', async () => {
    const cursor: EventCursor = { timeMs: NOW_MS - 5, eventId: EVENT_ID, kind: 'a', distinctId: 'anna' }
    const { run, statements } = createScriptedRunner()
    await listEvents({ ...QUERY, cursor, spansMs: [], conditions: [sql`kind = 'a'`] }, run)
    const [statement] = statements
    expect(statement?.text).toMatch(
      / AND kind = 'a' AND \(toUnixTimestamp64Milli\(time\), toString\(event_id\), toString\(kind\), distinct_id\) < \(\{/,
    )
    expect(statement?.text).toContain(
      'ORDER BY time DESC, toString(event_id) DESC, kind DESC, distinct_id DESC',
    )
    expect(Object.values(statement?.params ?? {})).toContain(NOW_MS - 4)
  })
})

describe('a page by arrival', () => {
  const arrivals = { fromMs: 0, toMs: NOW_MS + 1000 }

  test('has spans of arrivals, independent of the times of the events', async () => {
    const { run, statements } = createScriptedRunner([rowAt(3), rowAt(2)], [], [rowAt(1)])
    const page = await listEvents({ ...QUERY, arrivals }, run)
    const [first, second] = statements
    expect(statements).toHaveLength(3)
    expect(first?.text).toMatch(
      /time >= fromUnixTimestamp64Milli\(\{p\d+:Int64\}, 'UTC'\) AND time < .* WHERE 1 AND ingested >= fromUnixTimestamp64Milli\(\{p\d+:Int64\}, 'UTC'\) AND ingested < .* ORDER BY ingested DESC, time DESC, toString\(event_id\) DESC/,
    )
    expect(Object.values(first?.params ?? {})).toEqual(
      expect.arrayContaining([0, NOW_MS + 1000, NOW_MS - HOUR_MS]),
    )
    expect(Object.values(second?.params ?? {})).toEqual(
      expect.arrayContaining([0, NOW_MS - HOUR_MS, NOW_MS - 24 * HOUR_MS]),
    )
    expect(page.events.map(({ arrivalTime }) => arrivalTime?.nanos)).toEqual([3e6, 2e6])
    expect(parseEventCursor(page.nextPageToken, 'arrival')).toEqual({
      arrivalMs: NOW_MS + 2,
      timeMs: 2,
      eventId: EVENT_ID,
      kind: 'a',
      distinctId: 'anna',
    })
  })

  test('continues within the millisecond of the last arrival', async () => {
    const cursor = {
      arrivalMs: NOW_MS - 5,
      timeMs: NOW_MS + HOUR_MS,
      eventId: EVENT_ID,
      kind: 'a',
      distinctId: 'b',
    }
    const { run, statements } = createScriptedRunner()
    await listEvents({ ...QUERY, arrivals, cursor, spansMs: [] }, run)
    expect(statements[0]?.text).toContain(
      'AND (toUnixTimestamp64Milli(ingested), toUnixTimestamp64Milli(time), toString(event_id), toString(kind), distinct_id) < ({',
    )
    expect(Object.values(statements[0]?.params ?? {})).toContain(NOW_MS - 4)
    expect(Object.values(statements[0]?.params ?? {})).toContain(NOW_MS + 1000)
  })
})

describe('a cursor', () => {
  const CURSOR: EventCursor = { timeMs: 7, eventId: EVENT_ID, kind: 'a', distinctId: 'ünï' }

  test('round-trips as a token', () => {
    expect(parseEventCursor(encodeEventCursor(CURSOR), 'occurrence')).toEqual(CURSOR)
    const arrived = { ...CURSOR, arrivalMs: 9 }
    expect(parseEventCursor(encodeEventCursor(arrived), 'arrival')).toEqual(arrived)
    expect(parseEventCursor('', 'arrival')).toBeUndefined()
  })

  test('of one order is rejected in the other', () => {
    const arrived = encodeEventCursor({ ...CURSOR, arrivalMs: 9 })
    expect(() => parseEventCursor(arrived, 'occurrence')).toThrow('pageToken')
    expect(() => parseEventCursor(encodeEventCursor(CURSOR), 'arrival')).toThrow('pageToken')
  })

  test.each<[string, object]>([
    ['a time that is not an integer', { timeMs: 0.5 }],
    ['a time beyond the safe integers', { timeMs: 2 ** 53 }],
    ['an id that is not a UUID', { eventId: `${EVENT_ID}0` }],
    ['an id in upper case', { eventId: EVENT_ID.toUpperCase() }],
    ['a kind that is not a string', { kind: 1 }],
    ['no distinct id', { distinctId: null }],
  ])('with %s is rejected', (_, change) => {
    const token = encodeEventCursor({ ...CURSOR, ...change })
    expect(() => parseEventCursor(token, 'occurrence')).toThrow('pageToken')
  })
})
