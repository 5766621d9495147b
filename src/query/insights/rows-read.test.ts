import { create, type MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type OwnEngine, startOwnEngine } from '../../../test/harness/own-engine.ts'
import { AggregationType } from '../../contract/gen/shared/insights/v1/event_query_pb.js'
import {
  Granularity,
  type InsightQuerySpecSchema,
  InsightType,
} from '../../contract/gen/shared/insights/v1/insight_query_spec_pb.js'
import { QueryRequestSchema } from '../../contract/gen/shared/insights/v1/insights_service_pb.js'
import { asProjectId } from '../../contract/ids.ts'
import type { ClickHouse } from '../../store/clickhouse/client.ts'
import { prepareInsight } from '../insight-types.ts'
import { createRunQuery } from '../sql/run.ts'

const DAY_MS = 86_400_000
const END_MS = Date.UTC(2026, 5, 1)
const KINDS = 8

/** Rows that the engine reads at least, when it reads any of a part. */
const GRANULE = 2048

/**
 * Projects by the length of their history: a month, the same month after ten quieter ones, and a week of days with many
 * granules.
 */
const HISTORIES = [
  { project: 1, days: 30, endMs: END_MS, perDay: 16_000 },
  { project: 2, days: 30, endMs: END_MS, perDay: 16_000 },
  { project: 2, days: 300, endMs: END_MS - 30 * DAY_MS, perDay: 4000 },
  { project: 3, days: 7, endMs: END_MS, perDay: 160_000 },
] as const

let store: OwnEngine
let clickhouse: ClickHouse

beforeAll(async () => {
  store = await startOwnEngine()
  clickhouse = store.clickhouse
  for (const history of HISTORIES) await fill(history)
}, 180_000)

afterAll(async () => {
  await store?.stop()
})

/** The same number of events on each day up to an end, of every kind as many. */
async function fill({ project, days, endMs, perDay }: (typeof HISTORIES)[number]): Promise<void> {
  await clickhouse.command({
    query: `INSERT INTO events (project, kind, time, distinct_id, session_id, event_id)
      SELECT {project:UInt32}, concat('kind', toString(number % ${KINDS})),
        fromUnixTimestamp64Milli(toInt64({end:Int64} - 1 - intDiv(number, {perDay:UInt64}) * ${DAY_MS} - (number % {perDay:UInt64}) * 500), 'UTC'),
        concat('user', toString(cityHash64(number) % 5000)), toUUID('00000000-0000-4000-8000-000000000000'), generateUUIDv4()
      FROM numbers({count:UInt64})`,
    query_params: { project, end: endMs, perDay, count: days * perDay },
    clickhouse_settings: { max_partitions_per_insert_block: '0' },
  })
}

/** Rows that ClickHouse read for a query over the last week. */
async function rowsRead(
  project: number,
  spec: MessageInitShape<typeof InsightQuerySpecSchema>,
): Promise<number> {
  let readRows = 0
  const limits = {
    timeoutSeconds: 60,
    memoryBytesMax: 2 * 1024 ** 3,
    readRowsMax: 1e9,
    resultRowsMax: 1e6,
    resultBytesMax: 1e8,
  }
  const run = createRunQuery(clickhouse, limits, {
    onCost: (cost) => {
      readRows += cost.readRows
    },
  })
  const request = create(QueryRequestSchema, {
    spec,
    timeRange: { from: timestampFromMs(END_MS - 7 * DAY_MS), to: timestampFromMs(END_MS) },
    granularity: Granularity.DAY,
  })
  const insight = prepareInsight(request, { projectId: asProjectId(project), projectTimeZone: 'UTC' })
  await insight.answer(async (query) => await run(query, AbortSignal.timeout(60_000)))
  return readRows
}

const ONE = { event: { kind: 'kind3' } }
const OTHER = { event: { kind: 'kind5' } }
const QUESTIONS: readonly (readonly [string, MessageInitShape<typeof InsightQuerySpecSchema>])[] = [
  ['trends', { insightType: InsightType.TRENDS, events: [ONE] }],
  [
    'unique users',
    { insightType: InsightType.TRENDS, events: [{ ...ONE, aggregation: AggregationType.UNIQUE_USERS }] },
  ],
  ['segmentation', { insightType: InsightType.SEGMENTATION, events: [ONE] }],
  ['a funnel', { insightType: InsightType.FUNNEL, events: [ONE, OTHER] }],
  ['retention', { insightType: InsightType.RETENTION, events: [ONE, OTHER] }],
  ['stickiness', { insightType: InsightType.STICKINESS, events: [ONE, OTHER] }],
  ['user flow', { insightType: InsightType.USER_FLOW, userFlow: { scope: { kind: 'kind3' } } }],
  [
    'top-K',
    {
      insightType: InsightType.TOP_K,
      topK: { dimension: 1, property: '$browser', scope: { kind: 'kind3' } },
    },
  ],
  ['a map', { insightType: InsightType.MAP, map: { scope: { kind: 'kind3' } } }],
]

test.each(QUESTIONS)('%s about a week reads as much of a year as of a month', async (_, spec) => {
  const [month, year] = [await rowsRead(1, spec), await rowsRead(2, spec)]
  expect(month).toBeGreaterThan(0)
  expect(year).toBeLessThanOrEqual(month * 1.25)
})

test('a query about one kind reads that kind, give or take three granules a day', async () => {
  const ofOne = await rowsRead(3, { insightType: InsightType.SEGMENTATION, events: [ONE] })
  const ofAll = await rowsRead(3, { insightType: InsightType.SEGMENTATION, events: [{ event: {} }] })
  expect(ofAll).toBeGreaterThanOrEqual(7 * 160_000)
  expect(ofOne).toBeLessThanOrEqual((7 * 160_000) / KINDS + 7 * 3 * GRANULE)
})
