import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { holdFold } from '../../../test/harness/held-fold.ts'
import { type OwnEngine, startOwnEngine } from '../../../test/harness/own-engine.ts'
import { asProjectId } from '../../contract/ids.ts'
import type { ClickHouse } from './client.ts'
import { deleteExpired, type KeptFrom } from './expired-events.ts'

const SHOP = asProjectId(1)
const BLOG = asProjectId(2)
const FOREVER = asProjectId(3)

let store: OwnEngine
let clickhouse: ClickHouse

beforeAll(async () => {
  store = await startOwnEngine()
  clickhouse = store.clickhouse
}, 60_000)

const ALL = ['1985-06-30', '2026-01-31', '2026-02-09', '2026-02-10', '2026-03-01']
const FILLED = ['events', 'visits', 'day_arrivals'] as const

beforeEach(async () => {
  for (const table of FILLED) await clickhouse.command({ query: `TRUNCATE TABLE ${table}` })
  await insertDays([SHOP, BLOG, FOREVER], ALL)
})

afterAll(async () => {
  await store?.stop()
})

/** Ten events and a visit at the last instant of each day, for each project; one part for each month, as each is mutated by itself. */
async function insertDays(projects: readonly number[], days: readonly string[]): Promise<void> {
  const query_params = { projects, days }
  const project = 'arrayJoin({projects:Array(UInt32)})'
  const time = "toDateTime64(concat(arrayJoin({days:Array(String)}), ' 23:59:59.999'), 3, 'UTC')"
  await clickhouse.command({
    query: `INSERT INTO events (project, kind, time, distinct_id, event_id)
      SELECT ${project}, 'page_view', ${time}, 'visitor', generateUUIDv4() FROM numbers(10)`,
    query_params,
  })
  await clickhouse.command({
    query: `INSERT INTO visits (project, session_id, began) SELECT ${project}, generateUUIDv4(), ${time}`,
    query_params,
  })
}

/** The days that are left of a project. */
async function daysOf(table: 'events' | 'visits', project: number): Promise<readonly string[]> {
  const day = table === 'events' ? 'toDate(time)' : 'day'
  const result = await clickhouse.query({
    query: `SELECT toString(${day}) AS left, count() AS rows FROM {table:Identifier}
      WHERE project = ${project} GROUP BY left ORDER BY left`,
    query_params: { table },
    format: 'JSONEachRow',
  })
  return (await result.json<{ left: string; rows: string }>()).map(({ left, rows }) => `${left} ${rows}`)
}

async function erasuresOf(project: number): Promise<number> {
  const result = await clickhouse.query({
    query: `SELECT toUInt32(sum(arrivals)) AS erasures FROM day_arrivals WHERE project = ${project} AND day = '2149-06-06'`,
    format: 'JSONEachRow',
  })
  const [row] = await result.json<{ erasures: number }>()
  return row?.erasures ?? 0
}

const run = async (...kept: readonly KeptFrom[]) =>
  await deleteExpired(clickhouse, { kept, signal: AbortSignal.timeout(60_000) })

const rowsOf = (days: readonly string[], count: number): readonly string[] =>
  days.map((day) => `${day} ${count}`)

test('events and visits from before the day of each project are deleted, and no others', async () => {
  const deleted = await run({ projectId: SHOP, day: '2026-02-10' }, { projectId: BLOG, day: '2026-02-01' })
  expect(await daysOf('events', SHOP)).toEqual(rowsOf(['2026-02-10', '2026-03-01'], 10))
  expect(await daysOf('visits', SHOP)).toEqual(rowsOf(['2026-02-10', '2026-03-01'], 1))
  expect(await daysOf('events', BLOG)).toEqual(rowsOf(['2026-02-09', '2026-02-10', '2026-03-01'], 10))
  expect(await daysOf('visits', BLOG)).toEqual(rowsOf(['2026-02-09', '2026-02-10', '2026-03-01'], 1))
  expect(await daysOf('events', FOREVER)).toEqual(rowsOf(ALL, 10))
  expect(await daysOf('visits', FOREVER)).toEqual(rowsOf(ALL, 1))
  // Three months of each table: that of all years before 2020, January and February.
  expect(deleted).toEqual({ eventRows: 50, partitionCount: 6 })
})

test('a run without expired events rewrites nothing', async () => {
  await run({ projectId: SHOP, day: '2026-02-10' })
  expect(await run({ projectId: SHOP, day: '2026-02-10' })).toEqual({ eventRows: 0, partitionCount: 0 })
  expect(await run({ projectId: BLOG, day: '1985-06-30' })).toEqual({ eventRows: 0, partitionCount: 0 })
})

test('an interrupted run is finished by the next one', async () => {
  const interruption = new AbortController()
  const first = deleteExpired(clickhouse, {
    kept: [{ projectId: SHOP, day: '2026-03-01' }],
    signal: interruption.signal,
  })
  interruption.abort(new Error('the process stops'))
  await expect(first).rejects.toThrow()
  await run({ projectId: SHOP, day: '2026-03-01' })
  expect(await daysOf('events', SHOP)).toEqual(rowsOf(['2026-03-01'], 10))
  expect(await daysOf('visits', SHOP)).toEqual(rowsOf(['2026-03-01'], 1))
})

test('each run makes the kept days of its projects invalid, also when an earlier run was interrupted before it did', async () => {
  await run({ projectId: SHOP, day: '2026-02-10' })
  expect([await erasuresOf(SHOP), await erasuresOf(BLOG)]).toEqual([1, 0])
  await run({ projectId: SHOP, day: '2026-02-10' }, { projectId: BLOG, day: '2026-02-10' })
  expect([await erasuresOf(SHOP), await erasuresOf(BLOG), await erasuresOf(FOREVER)]).toEqual([2, 1, 0])
})

test('visits are deleted after computations that may have read expired events', async () => {
  const held = await holdFold(clickhouse)
  const deleted = deleteExpired(held.watched, {
    kept: [{ projectId: SHOP, day: '2026-03-01' }],
    signal: AbortSignal.timeout(60_000),
  })
  try {
    expect(await Promise.race([deleted, held.looked])).toBe('waits')
    expect(await daysOf('events', SHOP)).toHaveLength(1)
    expect(await daysOf('visits', SHOP)).toHaveLength(5)
  } finally {
    await held.end()
  }
  await deleted
  expect(await daysOf('visits', SHOP)).toEqual(rowsOf(['2026-03-01'], 1))
})
