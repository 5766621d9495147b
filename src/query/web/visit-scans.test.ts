import { create } from '@bufbuild/protobuf'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import { expect, test } from 'vitest'
import { createScriptedRunner } from '../../../test/harness/scripted-runner.ts'
import {
  Dimension,
  QueryOverviewRequestSchema,
  QueryTableRequestSchema,
} from '../../contract/gen/millrace/web/v1/web_analytics_service_pb.js'
import { Granularity } from '../../contract/gen/shared/insights/v1/insight_query_spec_pb.js'
import { asProjectId } from '../../contract/ids.ts'
import { VISIT_LAYOUT } from '../../store/clickhouse/migrations/fold-visits.ts'
import type { QueryRunner } from '../sql/select.ts'
import { answerOverview } from './overview.ts'
import { answerTable } from './table.ts'
import { VisitScans } from './visit-scans.ts'
import { parseOverview, parseTable } from './web-query.ts'

const DAY_MS = 86_400_000
const FROM_MS = Date.parse('2026-01-05T00:00:00Z')
const RANGE = { from: timestampFromMs(FROM_MS), to: timestampFromMs(FROM_MS + 2 * DAY_MS) }
const PROJECT = { projectId: asProjectId(7), projectTimeZone: 'UTC' }

/** The answer to the search for visits: the table has all of them as they are. */
const COVERED = {
  coveredMs: FROM_MS + 30 * DAY_MS,
  layout: VISIT_LAYOUT,
  startMs: 0,
  nowMs: FROM_MS + 30 * DAY_MS,
  sessionIds: [],
  firstMs: [],
  lastMs: [],
  rowCount: 12,
}

const NO_TABLE = { ...COVERED, coveredMs: 0 }
const NO_LONG_SESSIONS = { sessionCount: 0, firstMs: 0, lastMs: 0 }

const TOTALS = { visitors: 8, visits: 12, views: 20, bounces: 3, spentMs: 5000 }

/** The rows of an overview and of tables by channel and by page. */
const SCANNED = [
  { part: -1, key: '', rank: 1, rowCount: 1, ...TOTALS },
  { part: 0, key: String(FROM_MS), rank: 1, rowCount: 1, ...TOTALS, visits: 12 },
  { part: 1, key: 'Direct', rank: 1, rowCount: 2, ...TOTALS, visitors: 6 },
  { part: 1, key: 'Email', rank: 2, rowCount: 2, ...TOTALS, visitors: 2 },
  { part: 2, key: '/', rank: 1, rowCount: 1, ...TOTALS, visitors: 4 },
]

function overview(reading: Parameters<typeof answerOverview>[2], timeRange = RANGE) {
  const asked = create(QueryOverviewRequestSchema, { timeRange, granularity: Granularity.DAY })
  return answerOverview(parseOverview(asked, PROJECT), [], reading)
}

function table(
  reading: Parameters<typeof answerTable>[2],
  dimension: Dimension,
  page: { readonly offset?: number; readonly search?: string } = {},
) {
  const asked = create(QueryTableRequestSchema, { timeRange: RANGE, dimension, ...page })
  return answerTable(parseTable(asked, PROJECT), [], reading)
}

test('questions about the same visits that are asked together are answered by one statement', async () => {
  const { run, statements } = createScriptedRunner([COVERED], SCANNED)
  const reading = { run, scans: new VisitScans() }
  const [over, channels, pages] = await Promise.all([
    overview(reading),
    table(reading, Dimension.CHANNEL),
    table(reading, Dimension.PAGE),
  ])
  expect(statements).toHaveLength(2)
  expect(statements[1]?.text).toMatch(
    /GROUPING SETS \(\(\), \(key0\), \(key1\)\) UNION ALL .* ARRAY JOIN found/,
  )
  expect(over.totals?.visits).toBe(12n)
  expect(over.points?.map(({ metrics }) => metrics?.visits)).toEqual([12n, 0n])
  expect(channels.rows?.map(({ value, share }) => [value, share])).toEqual([
    ['Direct', 75],
    ['Email', 25],
  ])
  expect(channels.totalRows).toBe(2n)
  expect(pages.rows?.map(({ value, share }) => [value, share])).toEqual([['/', 50]])
})

test('a page beyond the last row has the number of rows', async () => {
  const first = { part: 0, key: 'Direct', rank: 1, rowCount: 2, ...TOTALS }
  const { run } = createScriptedRunner([COVERED], [first])
  const answer = await table({ run, scans: new VisitScans() }, Dimension.CHANNEL, { offset: 10 })
  expect(answer).toMatchObject({ rows: [], totalRows: 2n })
})

test('visits of another range, and other pages of one table, are read by themselves', async () => {
  const { run, statements } = createScriptedRunner([COVERED], [COVERED], [COVERED])
  const reading = { run, scans: new VisitScans() }
  await Promise.all([
    overview(reading),
    overview(reading, { ...RANGE, to: timestampFromMs(FROM_MS + DAY_MS) }),
    table(reading, Dimension.CHANNEL, { search: 'a' }),
    table(reading, Dimension.CHANNEL, { search: 'b' }),
  ])
  expect(statements).toHaveLength(6)
})

test('a question that is asked after the visits were found is answered by another scan', async () => {
  const scripted = createScriptedRunner([COVERED], [], [COVERED], [])
  const scans = new VisitScans()
  let later: Promise<unknown> | undefined
  const run: QueryRunner = async (query) => {
    const rows = await scripted.run(query)
    if (scripted.statements.length === 2) later = table({ run: scripted.run, scans }, Dimension.COUNTRY)
    return rows
  }
  await overview({ run, scans })
  await later
  expect(scripted.statements).toHaveLength(4)
})

test('a question runs alone when the caller who began its scan leaves', async () => {
  const scans = new VisitScans()
  const gone: QueryRunner = async () => await Promise.reject(new Error('canceled'))
  const { run, statements } = createScriptedRunner([COVERED], SCANNED)
  const [left, answered] = await Promise.allSettled([
    overview({ run: gone, scans }),
    table({ run, scans }, Dimension.CHANNEL),
  ])
  expect(left.status).toBe('rejected')
  expect(answered).toMatchObject({ status: 'fulfilled' })
  expect(statements).toHaveLength(2)
})

test('without the table one statement groups events, and pages have one of their own', async () => {
  const { run, statements } = createScriptedRunner([NO_TABLE], [NO_LONG_SESSIONS], [], [NO_LONG_SESSIONS])
  const reading = { run, scans: new VisitScans() }
  await Promise.all([overview(reading), table(reading, Dimension.CHANNEL), table(reading, Dimension.PAGE)])
  const read = statements.map(({ text }) => text).filter((text) => text.includes('FROM events FINAL'))
  expect(read).toHaveLength(2)
  expect(read[0]).toMatch(/GROUPING SETS \(\(\), \(key0\), \(key1\)\)/)
  expect(read[0]).not.toContain('ARRAY JOIN')
  expect(read[1]).toContain('ARRAY JOIN')
})

test.each([
  ['listed while the visits are few', 4_000_000, 'arrayUniq(groupArrayArray(users))'],
  ['counted by sets when there are many', 4_000_001, 'uniqExactArray(users)'],
])('users are %s', async (_, rowCount, expression) => {
  const { run, statements } = createScriptedRunner([{ ...COVERED, rowCount }])
  await overview({ run, scans: new VisitScans() })
  expect(statements[1]?.text).toContain(expression)
})
