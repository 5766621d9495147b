import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type OwnEngine, startOwnEngine } from '../../../test/harness/own-engine.ts'
import { asProjectId } from '../../contract/ids.ts'
import { type ClickHouse, insertJsonRows } from '../../store/clickhouse/client.ts'
import { compileWarnings, type FoundWarning, type WarningsQuery } from './warnings-sql.ts'

const HOUR = 3600
/** The running hour, so that no row is old enough to be removed. */
const NOW = Math.floor(Date.now() / 1000 / HOUR) * HOUR
const PROJECT = asProjectId(7)

let store: OwnEngine
let clickhouse: ClickHouse

beforeAll(async () => {
  store = await startOwnEngine()
  clickhouse = store.clickhouse
}, 60_000)

beforeEach(async () => {
  await clickhouse.command({ query: 'TRUNCATE TABLE ingestion_warnings' })
})

afterAll(async () => {
  await store?.stop()
})

const ROW = {
  project: PROJECT,
  hour: NOW,
  dialect: 'posthog',
  reason: 'text_cut',
  sdk: 'posthog-node',
  sdk_version: '5.70.0',
  writer: 'a',
  count: 1,
  first: '2026-05-01 10:00:00.250',
  last: '2026-05-01 10:00:00.250',
  sample: '',
}

async function insert(...rows: readonly Partial<typeof ROW>[]): Promise<void> {
  const text = rows.map((row) => `${JSON.stringify({ ...ROW, ...row })}\n`).join('')
  await insertJsonRows(clickhouse, { table: 'ingestion_warnings', blocks: [Buffer.from(text)], id: 'test' })
}

async function find(query: Partial<WarningsQuery> = {}): Promise<readonly FoundWarning[]> {
  const compiled = compileWarnings({ projectId: PROJECT, fromMs: (NOW - HOUR) * 1000, ...query })
  return await store.run(compiled)
}

const countsOf = (found: readonly FoundWarning[]): readonly bigint[] => found.map(({ count }) => count)

test('the greatest count of each writer and hour counts, however often it is written, before and after merges', async () => {
  await insert({ count: 2 }, { count: 5 }, { writer: 'b', count: 3 })
  await insert({ count: 4 }, { hour: NOW - HOUR, count: 10 })
  await insert({ count: 5 }, { writer: 'b', count: 3 })
  expect(countsOf(await find())).toEqual([18n])
  await clickhouse.command({ query: 'OPTIMIZE TABLE ingestion_warnings FINAL' })
  expect(countsOf(await find())).toEqual([18n])
})

test('a warning has its first and last time, and the newest sample there is', async () => {
  await insert(
    { hour: NOW - HOUR, first: '2026-05-01 09:00:00.000', last: '2026-05-01 09:30:00.000', sample: 'old' },
    { last: '2026-05-01 10:20:00.000', sample: 'new' },
    { writer: 'b', last: '2026-05-01 10:40:00.123' },
  )
  expect(await find()).toEqual([
    {
      dialect: 'posthog',
      reason: 'text_cut',
      sdk: 'posthog-node',
      sdkVersion: '5.70.0',
      count: 3n,
      firstMs: Date.parse('2026-05-01T09:00:00Z'),
      lastMs: Date.parse('2026-05-01T10:40:00.123Z'),
      sample: 'new',
    },
  ])
})

test('a list has only its project, its period, its interfaces and its reasons', async () => {
  await insert(
    { count: 1 },
    { project: asProjectId(8), count: 100 },
    { hour: NOW - 2 * HOUR, count: 100 },
    { dialect: 'ga4', count: 2 },
    { reason: "o'clock {x:String}", count: 3 },
  )
  expect((await find()).map(({ count }) => Number(count)).sort()).toEqual([1, 2, 3])
  expect(countsOf(await find({ dialects: ['ga4', 'umami'] }))).toEqual([2n])
  expect(countsOf(await find({ reasons: ["o'clock {x:String}"] }))).toEqual([3n])
  expect(await find({ reasons: [] })).toEqual([])
})

test('of more than 1,000 warnings, a list has those seen last', async () => {
  const rows = Array.from({ length: 1100 }, (_, index) => ({
    sdk_version: String(index),
    last: new Date(Date.parse('2026-05-01T10:00:00Z') + index).toISOString().replace('T', ' ').slice(0, -1),
  }))
  await insert(...rows)
  const found = await find()
  expect(found).toHaveLength(1000)
  expect([found[0]?.sdkVersion, found.at(-1)?.sdkVersion]).toEqual(['1099', '100'])
})
