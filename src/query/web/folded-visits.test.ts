import { create } from '@bufbuild/protobuf'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import { describe, expect, test, vi } from 'vitest'
import { createScriptedRunner } from '../../../test/harness/scripted-runner.ts'
import { FilterOperator } from '../../contract/gen/common/v1/filter_pb.js'
import { PropertySource } from '../../contract/gen/common/v1/property_pb.js'
import {
  Dimension,
  QueryTableRequestSchema,
  type WebFilter,
} from '../../contract/gen/millrace/web/v1/web_analytics_service_pb.js'
import { asProjectId } from '../../contract/ids.ts'
import { VISIT_LAYOUT } from '../../store/clickhouse/migrations/fold-visits.ts'
import type { QueryRunner } from '../sql/select.ts'
import { answerTable } from './table.ts'
import { VisitScans } from './visit-scans.ts'
import { parseTable } from './web-query.ts'

const DAY_MS = 86_400_000
const FROM_MS = Date.parse('2026-01-05T00:00:00Z')
const RANGE = { from: timestampFromMs(FROM_MS), to: timestampFromMs(FROM_MS + 7 * DAY_MS) }
const NOW_MS = FROM_MS + 30 * DAY_MS

/** The first answer: what the table covers, and the sessions that it does not have as they are. */
const COVERED = {
  coveredMs: NOW_MS,
  layout: VISIT_LAYOUT,
  startMs: 0,
  nowMs: NOW_MS,
  sessionIds: [] as string[],
  firstMs: [] as number[],
  lastMs: [] as number[],
}

const uuid = (digits: number): string => `00000000-0000-4000-8000-${String(digits).padStart(12, '0')}`

/** Sessions that begin a minute apart from an instant on. */
function others(count: number, fromMs = FROM_MS) {
  const firstMs = Array.from({ length: count }, (_, index) => fromMs + index * 60_000)
  return {
    sessionIds: firstMs.map((_, index) => uuid(index)),
    firstMs,
    lastMs: firstMs.map((ms) => ms + 1000),
  }
}

function request(dimension = Dimension.CHANNEL, filters: WebFilter[] = []) {
  const asked = create(QueryTableRequestSchema, { timeRange: RANGE, dimension, filters })
  return parseTable(asked, { projectId: asProjectId(7), projectTimeZone: 'UTC' })
}

/** The statements of an answer, given the answers to the first of them. */
async function statementsOf(query: ReturnType<typeof request>, ...results: readonly (readonly unknown[])[]) {
  const { run, statements } = createScriptedRunner(...results)
  await answerTable(query, [], { run, scans: new VisitScans() })
  return statements.map(({ text, params }) => ({ text, values: Object.values(params) }))
}

describe('a table of visits', () => {
  test('is read from rows alone when nothing has arrived since', async () => {
    const [, rows, ...more] = await statementsOf(request(), [COVERED])
    expect(rows?.text).toContain('FROM visits FINAL WHERE project = ')
    expect(rows?.text).not.toMatch(/FROM events|session_id NOT IN/)
    expect(more).toEqual([])
  })

  test('has the sessions with new arrivals from their events, and not from rows', async () => {
    const [, both] = await statementsOf(request(), [{ ...COVERED, ...others(2) }])
    expect(both?.text).toMatch(
      /FROM visits .* session_id NOT IN .* UNION ALL .* FROM events .* session_id IN /,
    )
    const ids = [uuid(0), uuid(1)]
    expect(both?.values.filter((value) => JSON.stringify(value) === JSON.stringify(ids))).toHaveLength(2)
    // The events are where those sessions are.
    expect(both?.values).toContain(FROM_MS + 61_001)
  })

  const inUse = { sessionIds: [uuid(1)], firstMs: [FROM_MS - 8 * DAY_MS], lastMs: [FROM_MS + DAY_MS] }

  test('leaves out a session in constant use that begins before its range, without reading its events', async () => {
    const start = { sessionId: uuid(1), startMs: FROM_MS - 8 * DAY_MS }
    const [, starts, rows, ...more] = await statementsOf(request(), [{ ...COVERED, ...inUse }], [start])
    expect(starts?.text).toMatch(/min\(time\).* FROM events FINAL .* GROUP BY session_id/)
    expect(rows?.text).toContain('session_id NOT IN')
    expect(rows?.text).not.toContain('FROM events')
    expect(more).toEqual([])
  })

  test.each([
    ['none of its events is there', []],
    ['another event is the first', [{ sessionId: uuid(1), startMs: FROM_MS - 7 * DAY_MS }]],
  ])('has a session in constant use from its events when at its recorded start %s', async (_, starts) => {
    const [, , rows] = await statementsOf(request(), [{ ...COVERED, ...inUse }], starts)
    expect(rows?.text).toMatch(/FROM visits .* UNION ALL .* FROM events .* session_id IN /)
  })

  test('has the latest days from events as a whole when too many sessions have new arrivals', async () => {
    const [, reach, all] = await statementsOf(request(), [{ ...COVERED, ...others(3001) }])
    expect(reach?.text).toContain('long_sessions')
    // Session 3000 begins on the third day.
    expect(all?.values).toContain(FROM_MS + 2 * DAY_MS)
    expect(all?.text.match(/UNION ALL/g)).toHaveLength(2)
    const named = all?.values.find((value): value is string[] => Array.isArray(value) && value.length > 1)
    expect(named).toHaveLength(2 * 24 * 60)
  })

  test('is read from events when all sessions of the first day have new arrivals', async () => {
    const ofOneDay = { ...others(3001), firstMs: Array.from({ length: 3001 }, (_, index) => FROM_MS + index) }
    const statements = await statementsOf(request(), [{ ...COVERED, ...ofOneDay }])
    expect(statements.at(-1)?.text).not.toContain('FROM visits')
  })

  test.each([
    ['there is no table yet', { coveredMs: 0 }],
    ['the rows are those of an earlier release', { layout: VISIT_LAYOUT - 1 }],
    ['the days are not filled yet', { startMs: FROM_MS - 7 * DAY_MS + 1 }],
    ['the clock shows an earlier time', { nowMs: NOW_MS - 1 }],
    ['the table is far behind', { coveredMs: NOW_MS - 8 * DAY_MS }],
  ])('is read from events while %s', async (_, lacking) => {
    const statements = await statementsOf(request(), [{ ...COVERED, ...lacking }])
    expect(statements.at(-1)?.text).toContain('FROM events')
    expect(statements.at(-1)?.text).not.toContain('FROM visits')
  })

  test('is read from events when a condition or the dimension needs them', async () => {
    const filter = (dimension: Dimension, source = PropertySource.UNSPECIFIED): WebFilter => ({
      $typeName: 'millrace.web.v1.WebFilter',
      dimension,
      source,
      operator: FilterOperator.EQUALS,
      value: 'x',
      values: [],
      goalId: '',
    })
    for (const query of [
      request(Dimension.HOSTNAME),
      request(Dimension.EVENT_KIND),
      request(Dimension.CHANNEL, [filter(Dimension.PAGE)]),
      request(Dimension.CHANNEL, [filter(Dimension.COUNTRY, PropertySource.FIRST_TOUCH)]),
    ]) {
      const statements = await statementsOf(query)
      expect(statements.some(({ text }) => text.includes('visit_coverage'))).toBe(false)
      expect(statements.at(-1)?.text).toContain('FROM events')
    }
    const [, rows] = await statementsOf(request(Dimension.PAGE, [filter(Dimension.ENTRY_PAGE)]), [COVERED])
    expect(rows?.text).toContain('entry_page = ')
  })

  test('that took longer than folds wait is read again from events', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    try {
      const texts: string[] = []
      const scripted = createScriptedRunner([COVERED])
      const run: QueryRunner = async (query) => {
        const rows = await scripted.run(query)
        texts.push(scripted.statements.at(-1)?.text ?? '')
        if (texts.length === 2) vi.advanceTimersByTime(8000)
        return rows
      }
      await answerTable(request(), [], { run, scans: new VisitScans() })
      expect(texts[1]).toContain('FROM visits')
      expect(texts.at(-1)).not.toContain('FROM visits')
    } finally {
      vi.useRealTimers()
    }
  })
})
