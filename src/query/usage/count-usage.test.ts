import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { asProjectId } from '../../contract/ids.ts'
import { type ClickHouse, openClickHouse } from '../../store/clickhouse/client.ts'
import { migrateClickHouse } from '../../store/clickhouse/migrate.ts'
import { DATABASE, type Engine, LOCAL_ACCESS, startEngine } from '../../store/embedded/engine.ts'
import { insertCells, overKept } from '../sql/day-cells.ts'
import { createInsertFound } from '../sql/execute.ts'
import { createRunQuery } from '../sql/run.ts'
import type { CompiledQuery } from '../sql/select.ts'
import { daysOf, type Span } from '../sql/spans.ts'
import { compileUsage, covers, type DayCount, monthOf, toWholeDays } from './count-usage.ts'

const LIMITS = {
  timeoutSeconds: 30,
  memoryBytesMax: 1024 ** 3,
  readRowsMax: 1e6,
  resultRowsMax: 10_000,
  resultBytesMax: 1e8,
}
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

const dataFolder = mkdtempSync(join(tmpdir(), 'millrace-usage-'))
let engine: Engine
let clickhouse: ClickHouse

beforeAll(async () => {
  engine = await startEngine({ dataFolder })
  clickhouse = openClickHouse(
    { url: engine.url, database: DATABASE, username: engine.admin.user, password: engine.admin.password },
    { application: 'millrace-test', connectionsMax: 2, requestTimeoutMs: 30_000 },
  )
  await migrateClickHouse(clickhouse, LOCAL_ACCESS)
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
  await clickhouse.close()
  await engine.stop()
  rmSync(dataFolder, { recursive: true })
})

async function insert(project: number, time: string, count: number): Promise<void> {
  await clickhouse.command({
    query: `INSERT INTO events (project, kind, time, distinct_id, event_id)
      SELECT ${project}, 'page_view', toDateTime64('${time}', 3, 'UTC'), 'visitor', toUUID(concat('00000000-0000-4000-8000-', leftPad(toString(number), 12, '0')))
      FROM numbers(${count})`,
  })
}

async function run(query: CompiledQuery<DayCount>): Promise<readonly DayCount[]> {
  return await createRunQuery(clickhouse, LIMITS)(query, AbortSignal.timeout(30_000))
}

test('the events of the whole days of a range are counted by day, copies once', async () => {
  const stored = await clickhouse.query({
    query: `SELECT toUInt32(count()) AS rows FROM events WHERE project = ${SHOP} AND toDate(time) = '2026-05-31'`,
    format: 'JSONEachRow',
  })
  expect(await stored.json()).toEqual([{ rows: 10 }])
  expect(await run(compileUsage(SHOP, RANGE))).toEqual(COUNTED)
  expect(await run(compileUsage(BLOG, RANGE))).toEqual([{ dayMs: FIRST_MS + DAY_MS, count: 11 }])
})

test('days whose counts are kept have the same counts', async () => {
  const { days: cells, decode } = compileUsage(SHOP, RANGE)
  if (!cells) throw new Error('the days cannot be kept')
  const [spec, fill] = [randomUUID(), randomUUID()]
  const spans = daysOf(RANGE)
  const kept = spans.slice(0, 2)
  const insertFound = createInsertFound(clickhouse, LIMITS)
  await insertFound(insertCells(cells, { spec, fill, erasures: 0n }, kept), AbortSignal.timeout(30_000))
  const over = (others: readonly Span[]) =>
    run({
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
