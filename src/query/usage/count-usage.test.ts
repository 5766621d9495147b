import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type OwnEngine, startOwnEngine, WIDE_LIMITS } from '../../../test/harness/own-engine.ts'
import { asProjectId } from '../../contract/ids.ts'
import type { ClickHouse } from '../../store/clickhouse/client.ts'
import { insertCells, overKept } from '../sql/day-cells.ts'
import { createInsertFound } from '../sql/execute.ts'
import { daysOf, type Span } from '../sql/spans.ts'
import { compileUsage, covers, monthOf, toWholeDays } from './count-usage.ts'

const SHOP = asProjectId(1)
const BLOG = asProjectId(2)
const DAY_MS = 86_400_000
const FIRST_MS = Date.UTC(2026, 4, 30)
/** The days on both sides of the end of May. */
const RANGE = { fromMs: FIRST_MS, toMs: FIRST_MS + 4 * DAY_MS }
const COUNTED = [
  { dayMs: FIRST_MS, count: 3 },
  { dayMs: FIRST_MS + DAY_MS, count: 5 },
  { dayMs: FIRST_MS + 3 * DAY_MS, count: 1 },
]

let store: OwnEngine
let clickhouse: ClickHouse

beforeAll(async () => {
  store = await startOwnEngine()
  clickhouse = store.clickhouse
  // A merge would remove the copies.
  await clickhouse.command({ query: 'SYSTEM STOP MERGES events' })
  await insert(SHOP, '2026-05-29 23:59:59.999', 7)
  await insert(SHOP, '2026-05-30 00:00:00.000', 3)
  await insert(SHOP, '2026-05-31 23:59:59.999', 5)
  await insert(SHOP, '2026-06-02 12:00:00.000', 1)
  await insert(SHOP, '2026-06-03 00:00:00.000', 9)
  await insert(BLOG, '2026-05-31 12:00:00.000', 11)
  // The same events once more, in a part of their own.
  await insert(SHOP, '2026-05-31 23:59:59.999', 5)
}, 60_000)

afterAll(async () => {
  await store?.stop()
})

async function insert(project: number, time: string, count: number): Promise<void> {
  await clickhouse.command({
    query: `INSERT INTO events (project, kind, time, distinct_id, event_id)
      SELECT ${project}, 'page_view', toDateTime64('${time}', 3, 'UTC'), 'visitor', toUUID(concat('00000000-0000-4000-8000-', leftPad(toString(number), 12, '0')))
      FROM numbers(${count})`,
  })
}

test('the events of the whole days of a range are counted by day, copies once', async () => {
  const stored = await clickhouse.query({
    query: `SELECT toUInt32(count()) AS rows FROM events WHERE project = ${SHOP} AND toDate(time) = '2026-05-31'`,
    format: 'JSONEachRow',
  })
  expect(await stored.json()).toEqual([{ rows: 10 }])
  expect(await store.run(compileUsage(SHOP, RANGE))).toEqual(COUNTED)
  expect(await store.run(compileUsage(BLOG, RANGE))).toEqual([{ dayMs: FIRST_MS + DAY_MS, count: 11 }])
})

test('days whose counts are kept have the same counts', async () => {
  const { days: cells, decode } = compileUsage(SHOP, RANGE)
  if (!cells) throw new Error('the days cannot be kept')
  const [spec, fill] = [randomUUID(), randomUUID()]
  const spans = daysOf(RANGE)
  const kept = spans.slice(0, 2)
  const insertFound = createInsertFound(clickhouse, WIDE_LIMITS)
  await insertFound(insertCells(cells, { spec, fill, erasures: 0n }, kept), AbortSignal.timeout(30_000))
  const over = (others: readonly Span[]) =>
    store.run({
      statement: overKept(cells, { spec, kept: kept.map((span) => ({ ...span, fill })), others }),
      decode,
    })
  expect(await over(spans.slice(2))).toEqual(COUNTED)
  expect(await over([])).toEqual(COUNTED.slice(0, 2))
})

test('ranges are extended to days and compared by what they cover', () => {
  const noon = FIRST_MS + DAY_MS / 2
  expect(toWholeDays({ fromMs: noon, toMs: noon + 1 })).toEqual({ fromMs: FIRST_MS, toMs: FIRST_MS + DAY_MS })
  expect(toWholeDays(RANGE)).toEqual(RANGE)
  expect(monthOf(Date.UTC(2026, 11, 31, 23))).toEqual({
    fromMs: Date.UTC(2026, 11, 1),
    toMs: Date.UTC(2027, 0, 1),
  })
  expect(covers(RANGE, RANGE)).toBe(true)
  expect(covers(RANGE, { ...RANGE, toMs: RANGE.toMs + 1 })).toBe(false)
})
