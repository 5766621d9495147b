import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type OwnEngine, startOwnEngine } from '../../../test/harness/own-engine.ts'
import type { ClickHouse } from './client.ts'
import { applyRetention } from './retention.ts'

const FINAL = 'FROM events FINAL WHERE project = 1 SETTINGS do_not_merge_across_partitions_select_final = 1'

let store: OwnEngine
let clickhouse: ClickHouse

beforeAll(async () => {
  store = await startOwnEngine()
  clickhouse = store.clickhouse
})

beforeEach(async () => {
  await clickhouse.command({ query: 'TRUNCATE TABLE events' })
})

afterAll(async () => {
  await store?.stop()
})

/** Inserts one row for each number below `count`, in one INSERT as the shipper sends it: copies are not looked for. */
async function insertRows(count: number, row: { readonly time: string; readonly id: string }): Promise<void> {
  await clickhouse.command({
    query: `INSERT INTO events (project, kind, time, distinct_id, event_id)
      SELECT 1, 'page_view', ${row.time}, 'visitor', reinterpretAsUUID(toUInt128(${row.id})) FROM numbers(${count})`,
    clickhouse_settings: { optimize_on_insert: 0, max_partitions_per_insert_block: '0' },
  })
}

async function readNumber(expression: string, from: string): Promise<number> {
  const result = await clickhouse.query({
    query: `SELECT ${expression} AS value ${from}`,
    format: 'JSONEachRow',
  })
  const [row] = await result.json<{ value: string | number }>()
  return Number(row?.value)
}

const activeParts = "FROM system.parts WHERE active AND table = 'events'"

test('copies in one INSERT are one event', async () => {
  await insertRows(1000, { time: "toDateTime64('2026-01-20 12:00:00', 3, 'UTC')", id: 'number % 10' })
  expect(await readNumber('sum(rows)', activeParts)).toBe(1000)
  expect(await readNumber('count()', FINAL)).toBe(10)
})

test('copies in adjacent INSERTs are one event', async () => {
  for (let copy = 0; copy < 3; copy++) {
    await insertRows(20_000, {
      time: "toDateTime64('2026-01-20 12:00:00', 3, 'UTC')",
      id: 'intDiv(number, 2)',
    })
  }
  expect(await readNumber('count()', FINAL)).toBe(10_000)
  await clickhouse.command({ query: 'OPTIMIZE TABLE events FINAL' })
  expect(await readNumber('sum(rows)', activeParts)).toBe(10_000)
})

test('copies in an isolated part are one event, also beside merged parts', async () => {
  await insertRows(40_000, { time: "toDateTime64('2026-01-01 12:00:00', 3, 'UTC')", id: 'intDiv(number, 2)' })
  await clickhouse.command({ query: 'OPTIMIZE TABLE events FINAL' })
  for (const day of ['02', '03', '04']) {
    await insertRows(40_000, {
      time: `toDateTime64('2026-01-${day} 12:00:00', 3, 'UTC')`,
      id: 'intDiv(number, 2)',
    })
  }
  expect(await readNumber('count()', activeParts)).toBe(4)
  expect(await readNumber('count()', FINAL)).toBe(80_000)
})

test('copies are one event, and times keep their milliseconds, in parts of either codec', async () => {
  // All in one partition, so that a block has times of decades.
  const firstMs = Date.UTC(2036, 0, 1)
  const stepMs = 1_000_000_007
  const times = Array.from({ length: 2200 }, (_, number) => firstMs + number * stepMs)
  const rows = {
    time: `fromUnixTimestamp64Milli(toInt64(${firstMs} + number * ${stepMs}), 'UTC')`,
    id: 'number',
  }
  for (const codec of ['DoubleDelta, LZ4', 'T64']) {
    const query = `ALTER TABLE events MODIFY COLUMN time DateTime64(3, 'UTC') CODEC(${codec})`
    await clickhouse.command({ query })
    await insertRows(times.length, rows)
  }
  const sumMs =
    "sum(toUnixTimestamp64Milli(time) - toUnixTimestamp64Milli(toDateTime64('2036-01-01', 3, 'UTC')))"
  for (const merge of [undefined, 'OPTIMIZE TABLE events FINAL']) {
    if (merge) await clickhouse.command({ query: merge })
    expect(await readNumber('count()', FINAL)).toBe(times.length)
    expect(await readNumber(sumMs, FINAL)).toBe(times.reduce((sum, ms) => sum + ms - firstMs, 0))
    expect(await readNumber('toUnixTimestamp64Milli(max(time))', FINAL)).toBe(times.at(-1))
  }
})

test('one INSERT with events of every month from 1970 to 2105 creates fewer than 200 parts, and a query for a year reads only its parts', async () => {
  await insertRows(136 * 12, {
    time: "toDateTime64(addMonths(toDate32('1970-01-01'), number), 3, 'UTC')",
    id: 'number',
  })
  expect(await readNumber('count()', activeParts)).toBe(16 * 12 + 2)
  expect(await readYear(1970)).toEqual({ events: 12, parts: 1 })
  expect(await readYear(2019)).toEqual({ events: 12, parts: 1 })
  expect(await readYear(2020)).toEqual({ events: 12, parts: 12 })
  expect(await readYear(2035)).toEqual({ events: 12, parts: 12 })
  expect(await readYear(2036)).toEqual({ events: 12, parts: 1 })
  expect(await readYear(2105)).toEqual({ events: 12, parts: 1 })
}, 20_000)

/** The events of a year, and the parts that are read for them. */
async function readYear(year: number): Promise<{ readonly events: number; readonly parts: number }> {
  const start = (of: number): string =>
    `toDateTime64(toDate32('1970-01-01') + INTERVAL ${of - 1970} YEAR, 3, 'UTC')`
  const range = `time >= ${start(year)} AND time < ${start(year + 1)}`
  const inRange = FINAL.replace('SETTINGS', `AND ${range} SETTINGS`)
  const estimate = await clickhouse.query({
    query: `EXPLAIN ESTIMATE SELECT kind ${inRange}`,
    format: 'JSONEachRow',
  })
  const [read] = await estimate.json<{ parts: string }>()
  return { events: await readNumber('count()', inRange), parts: Number(read?.parts) }
}

test('a past month is merged into one part even when it has few', async () => {
  for (let part = 0; part < 3; part++) {
    await insertRows(10, {
      time: "toDateTime64('2025-01-20 12:00:00', 3, 'UTC')",
      id: `number + ${part * 10}`,
    })
  }
  await clickhouse.command({ query: 'ALTER TABLE events MODIFY SETTING min_age_to_force_merge_seconds = 1' })
  await expect.poll(() => readNumber('count()', activeParts), { timeout: 30_000 }).toBe(1)
  expect(await readNumber('count()', FINAL)).toBe(30)
}, 40_000)

test('events older than the retention period expire, including existing ones', async () => {
  const years = "toDateTime64(addMonths(now('UTC'), -12 * number), 3, 'UTC')"
  await insertRows(6, { time: years, id: 'number' })
  expect(await applyRetention(clickhouse, 400)).toEqual(['events expire after 400 days'])
  await expect.poll(() => readNumber('count()', FINAL), { timeout: 30_000 }).toBe(2)
}, 40_000)

test('an event of the last second of 2105 does not expire before its time', async () => {
  await applyRetention(clickhouse, 36_500)
  await insertRows(1, { time: "toDateTime64('2105-12-31 23:59:59', 3, 'UTC')", id: 'number' })
  await clickhouse.command({ query: 'OPTIMIZE TABLE events FINAL' })
  expect(await readNumber('count()', FINAL)).toBe(1)
})

test('applying the same retention again changes nothing, and 0 keeps events forever', async () => {
  await applyRetention(clickhouse, 30)
  expect(await applyRetention(clickhouse, 30)).toEqual([])
  expect(await applyRetention(clickhouse, 0)).toEqual(['events are kept forever'])
  expect(await applyRetention(clickhouse, 0)).toEqual([])
  await insertRows(3, { time: "toDateTime64('2021-01-01', 3, 'UTC')", id: 'number' })
  await clickhouse.command({ query: 'OPTIMIZE TABLE events FINAL' })
  expect(await readNumber('count()', FINAL)).toBe(3)
})

test('a merge of many rows writes the columns with a dictionary beside the key', async () => {
  await clickhouse.command({
    query:
      'ALTER TABLE events MODIFY SETTING min_bytes_for_wide_part = 0, vertical_merge_algorithm_min_rows_to_activate = 1',
  })
  try {
    for (const id of ['1 + number', '1001 + number']) {
      await insertRows(1000, { time: "toDateTime64('2026-01-20 12:00:00', 3, 'UTC')", id })
    }
    await clickhouse.command({ query: 'OPTIMIZE TABLE events FINAL' })
    await clickhouse.command({ query: 'SYSTEM FLUSH LOGS part_log' })
    const gathered = await readNumber(
      "argMax(ProfileEvents['GatheredColumns'], event_time_microseconds)",
      "FROM system.part_log WHERE table = 'events' AND event_type = 'MergeParts' AND rows = 2000",
    )
    const others = "NOT is_in_sorting_key AND name != 'ingested' AND NOT startsWith(type, 'LowCardinality')"
    const columns = `FROM system.columns WHERE database = currentDatabase() AND table = 'events' AND ${others}`
    expect(gathered).toBeGreaterThan(0)
    expect(gathered).toBe(await readNumber('count()', columns))
  } finally {
    await clickhouse.command({
      query:
        'ALTER TABLE events MODIFY SETTING min_bytes_for_wide_part = 67108864, vertical_merge_algorithm_min_rows_to_activate = 500000',
    })
  }
})
