import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type OwnEngine, startOwnEngine, WIDE_LIMITS } from '../../../test/harness/own-engine.ts'
import { asProjectId, type ProjectId } from '../../contract/ids.ts'
import type { ClickHouse } from '../../store/clickhouse/client.ts'
import { insertCells, overKept } from '../sql/day-cells.ts'
import { createInsertFound } from '../sql/execute.ts'
import type { QueryRunner } from '../sql/select.ts'
import { daysOf, hoursOf, type Span } from '../sql/spans.ts'
import { compileUsage } from '../usage/count-usage.ts'
import { arrivalsOf, type ProjectDays, readMapping, readProjectDays, specOf } from './read-days.ts'

const SHOP = asProjectId(1)
const BLOG = asProjectId(2)
const HOUR_MS = 3_600_000
const FIRST_MS = Date.UTC(2026, 4, 30)
/** Three days. */
const RANGE = { fromMs: FIRST_MS, toMs: FIRST_MS + 72 * HOUR_MS }
const [FIRST, SECOND, THIRD] = daysOf(RANGE) as [Span, Span, Span]

let store: OwnEngine
let clickhouse: ClickHouse
let run: QueryRunner

beforeAll(async () => {
  store = await startOwnEngine()
  clickhouse = store.clickhouse
  run = store.run
  // An hour has a row for each INSERT.
  await clickhouse.command({ query: 'SYSTEM STOP MERGES day_arrivals' })
  // An event in each hour, and another one in the last millisecond of each third.
  await insert(SHOP, 72, `number * ${HOUR_MS}`)
  await insert(SHOP, 24, `(3 * number + 1) * ${HOUR_MS} - 1`)
}, 60_000)

afterAll(async () => {
  await store?.stop()
})

async function insert(project: ProjectId, count: number, ms: string): Promise<void> {
  await clickhouse.command({
    query: `INSERT INTO events (project, kind, time, distinct_id, event_id)
      SELECT ${project}, 'page_view', fromUnixTimestamp64Milli(toInt64(${FIRST_MS} + ${ms}), 'UTC'), 'visitor', generateUUIDv4()
      FROM numbers(${count})`,
  })
}

function countOf(state: ProjectDays, span: Span): number | undefined {
  const arrivals = arrivalsOf(state, span)
  return arrivals && Number(arrivals.count)
}

test('arrivals are counted by day and by hour', async () => {
  const state = await readProjectDays(SHOP, run)
  expect(countOf(state, FIRST)).toBe(32)
  expect(state.arrivals.get(FIRST.day)?.hours?.size).toBe(24)
  const hours = hoursOf(SECOND, RANGE)
  expect(hours.map((hour) => countOf(state, hour))).toEqual(
    Array.from({ length: 24 }, (_, hour) => (hour % 3 === 0 ? 2 : 1)),
  )
  expect(state.arrivals.get(SECOND.day)?.arrivedMs).toBeGreaterThan(0)
})

test('events that may be of any hour are counted for each', async () => {
  await insert(BLOG, 2, '0')
  await clickhouse.command({
    query: `INSERT INTO day_arrivals (project, day, arrivals, arrived) VALUES (${BLOG}, '${FIRST.day}', 5, now64(3) + 60)`,
  })
  const state = await readProjectDays(BLOG, run)
  const [first, second] = hoursOf(FIRST, RANGE) as [Span, Span]
  expect(countOf(state, FIRST)).toBe(7)
  expect([countOf(state, first), countOf(state, second)]).toEqual([7, 5])
  expect(arrivalsOf(state, second)?.arrivedMs).toBe(state.arrivals.get(FIRST.day)?.arrivedMs)
  expect(countOf(state, SECOND)).toBe(0)
})

test('hours are known of the eight days whose events arrived last', async () => {
  for (let day = 8; day >= 0; day--) await insert(BLOG, 1, String(day * 24 * HOUR_MS))
  const { arrivals } = await readProjectDays(BLOG, run)
  const byHour = [...arrivals].filter(([, { hours }]) => hours).map(([day]) => day)
  // The first day has events that arrive in a minute.
  expect(byHour.sort()).toEqual(
    daysOf({ fromMs: FIRST_MS, toMs: FIRST_MS + 8 * 24 * HOUR_MS }).map(({ day }) => day),
  )
})

test('the users of a project are known by a text that changes with each merge, and with no other', async () => {
  const claim = async (project: ProjectId, by: string, second: number): Promise<void> => {
    const ids = `sipHash64(toUInt32(${project}), 'anonymous'), 'anonymous', '${by}', sipHash64(toUInt32(${project}), '${by}')`
    const query = `INSERT INTO identity_claims SELECT ${project}, ${ids}, toDateTime64(${second}, 3, 'UTC')`
    await clickhouse.command({ query })
    await clickhouse.command({ query: 'SYSTEM RELOAD DICTIONARY identities' })
  }
  const read = async (project: ProjectId): Promise<string> => {
    const { mapping } = await readProjectDays(project, run)
    expect(await readMapping(project, run)).toBe(mapping)
    return mapping
  }
  const found = [await read(SHOP)]
  await claim(SHOP, 'anna', 100)
  found.push(await read(SHOP))
  await claim(SHOP, 'anna', 90)
  expect(await read(SHOP)).toBe(found[1])
  // A claim of before wins: there is one alias as before.
  await claim(SHOP, 'bob', 50)
  found.push(await read(SHOP))
  await claim(BLOG, 'anna', 100)
  expect(await read(SHOP)).toBe(found[2])
  expect(new Set(found).size).toBe(3)
  expect(found[0]).toBe('0')
})

test('cells of hours and of days answer together with events of the others', async () => {
  const { days: cells, decode } = compileUsage(SHOP, RANGE)
  if (!cells) throw new Error('the days cannot be kept')
  const [spec, dayFill, hourFill] = [specOf(cells), randomUUID(), randomUUID()]
  const hours = hoursOf(SECOND, RANGE)
  const some = hours.filter(({ hour }) => hour % 5 !== 0)
  const insertFound = createInsertFound(clickhouse, WIDE_LIMITS)
  const signal = AbortSignal.timeout(30_000)
  await insertFound(insertCells(cells, { spec, fill: dayFill, erasures: 0n }, [FIRST]), signal)
  await insertFound(insertCells(cells, { spec, fill: hourFill, erasures: 0n }, some), signal)
  const ask = async (kept: readonly Span[], others: readonly Span[]): Promise<readonly number[]> => {
    const fills = kept.map((span) => ({ ...span, fill: span.hour === 0 ? dayFill : hourFill }))
    const rows = await run({ statement: overKept(cells, { spec, kept: fills, others }), decode })
    return rows.map(({ count }) => count)
  }
  const left = hours.filter(({ hour }) => hour % 5 === 0)
  expect(await ask([FIRST, ...some], [...left, THIRD])).toEqual([32, 32, 32])
  expect(await ask([FIRST, ...some], [])).toEqual([32, 27])
  expect(await ask(some.slice(0, 3), hours.slice(12))).toEqual([20])
})
