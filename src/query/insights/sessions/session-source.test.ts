import { create, type MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import { describe, expect, test, vi } from 'vitest'
import { createScriptedRunner } from '../../../../test/harness/scripted-runner.ts'
import { FilterOperator } from '../../../contract/gen/common/v1/filter_pb.js'
import {
  Granularity,
  type InsightQuerySpecSchema,
  InsightType,
} from '../../../contract/gen/shared/insights/v1/insight_query_spec_pb.js'
import { QueryRequestSchema } from '../../../contract/gen/shared/insights/v1/insights_service_pb.js'
import { SessionMetric } from '../../../contract/gen/shared/insights/v1/session_query_pb.js'
import { asProjectId } from '../../../contract/ids.ts'
import { VISIT_LAYOUT } from '../../../store/clickhouse/migrations/fold-visits.ts'
import { prepareInsight } from '../../insight-types.ts'
import type { QueryRunner } from '../../sql/select.ts'

type Spec = Exclude<MessageInitShape<typeof InsightQuerySpecSchema>, { $typeName: string }>

const DAY_MS = 86_400_000
const FROM_MS = Date.UTC(2026, 0, 5)
const RANGE = { from: timestampFromMs(FROM_MS), to: timestampFromMs(FROM_MS + 2 * DAY_MS) }
const NOW_MS = FROM_MS + 30 * DAY_MS

/** The first answer: the table covers the range, and has all sessions as they are. */
const COVERED = {
  coveredMs: NOW_MS,
  layout: VISIT_LAYOUT,
  startMs: 0,
  nowMs: NOW_MS,
  sessionIds: [] as string[],
  firstMs: [] as number[],
  lastMs: [] as number[],
  rowCount: 9,
}
const OTHER = '00000000-0000-4000-8000-000000000001'
const ONE_OTHER = { ...COVERED, sessionIds: [OTHER], firstMs: [FROM_MS + 1], lastMs: [FROM_MS + 2] }

async function ask(spec: Spec, run: QueryRunner): Promise<void> {
  const request = create(QueryRequestSchema, { spec, timeRange: RANGE, granularity: Granularity.DAY })
  await prepareInsight(request, { projectId: asProjectId(7), projectTimeZone: 'UTC' }).answer(run)
}

async function textsOf(spec: Spec, ...results: readonly (readonly unknown[])[]): Promise<readonly string[]> {
  const { run, statements } = createScriptedRunner(...results)
  await ask(spec, run)
  return statements.map(({ text }) => text)
}

const trends = (metric: SessionMetric, property?: string, more: Spec = {}): Spec => ({
  insightType: InsightType.TRENDS,
  session: { metric },
  breakdowns: property === undefined ? [] : [{ property }],
  ...more,
})

const entry = trends(SessionMetric.ENTRY, '$pathname')

describe('sessions', () => {
  test.each([
    ['by their first page', entry, 'pathname AS key0 FROM visits'],
    ['by their last page', trends(SessionMetric.EXIT, '$pathname'), 'last_pathname AS key0 FROM visits'],
    ['by channel', trends(SessionMetric.BOUNCE_RATE, '$channel'), 'channel AS key0 FROM visits'],
    ['as a number', trends(SessionMetric.SESSIONS), '0 AS part FROM visits'],
    ['by duration', trends(SessionMetric.AVG_DURATION), 'toInt64(spent) AS part FROM visits'],
  ])('%s are read from rows alone when nothing has arrived since', async (_, spec, part) => {
    const [, rows, ...more] = await textsOf(spec, [COVERED])
    expect(rows).toContain(` ${part}`)
    expect(rows).not.toMatch(/FROM events|session_id NOT IN/)
    expect(rows).toContain('AND NOT is_gone')
    expect(more).toEqual([])
  })

  test('with new arrivals are read from events, and not from rows', async () => {
    const [, both] = await textsOf(entry, [ONE_OTHER])
    expect(both).toMatch(/FROM visits .* session_id NOT IN .* UNION ALL .* FROM events .* session_id IN /)
  })

  test('of which some events are of bots are read from events where those are left out', async () => {
    const [found, rows] = await textsOf({ ...entry, excludeBots: true }, [ONE_OTHER])
    expect(found).toContain('is_bot AND bot_count < event_count')
    expect(rows).toMatch(/FROM visits .* NOT is_bot .* FROM events .* NOT bools\['\$bot'\]/)
    const [all] = await textsOf(entry, [COVERED])
    expect(all).not.toContain('is_bot')
  })

  const filter = { property: 'plan', operator: FilterOperator.EQUALS, value: 'pro' }
  test.each([
    ['a scope', { ...trends(SessionMetric.SESSIONS), session: { metric: 1, scope: { kind: 'page_view' } } }],
    ['a filter', { ...entry, filterGroups: [{ filters: [filter] }] }],
    ['another property', trends(SessionMetric.ENTRY, '$hostname')],
    ['a property of the last event', trends(SessionMetric.EXIT, '$channel')],
  ])('are read from events for %s', async (_, spec) => {
    const texts = await textsOf(spec)
    expect(texts.some((text) => text.includes('visit_coverage'))).toBe(false)
    expect(texts.at(-1)).toContain('FROM events')
  })

  test('are read from events when the table does not cover them', async () => {
    const texts = await textsOf(entry, [{ ...COVERED, coveredMs: 0 }])
    expect(texts.at(-1)).toContain('FROM events')
    expect(texts.at(-1)).not.toContain('FROM visits')
  })

  test('are read again from events when rows took longer than folds wait', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    try {
      const scripted = createScriptedRunner([COVERED])
      const run: QueryRunner = async (query) => {
        const rows = await scripted.run(query)
        if (scripted.statements.length === 2) vi.advanceTimersByTime(8000)
        return rows
      }
      await ask(entry, run)
      expect(scripted.statements[1]?.text).toContain('FROM visits')
      expect(scripted.statements.at(-1)?.text).not.toContain('FROM visits')
    } finally {
      vi.useRealTimers()
    }
  })
})
