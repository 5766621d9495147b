import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { askSharedServer } from '../../../test/harness/ask-shared-server.ts'
import { waitFor } from '../../../test/harness/wait.ts'
import type { WorldEngineAccess } from '../../../test/harness/world-engine.ts'
import { type ClickHouse, openClickHouse } from './client.ts'
import { listQuiet, mergePartition, type QuietBounds, QuietMerger } from './quiet-merger.ts'

let clickhouse: ClickHouse
let project: number

beforeAll(async () => {
  const { endpoint, firstProject } = await askSharedServer<WorldEngineAccess>('/world-engine')
  clickhouse = openClickHouse(endpoint, {
    application: 'millrace-test',
    connectionsMax: 2,
    requestTimeoutMs: 60_000,
  })
  project = firstProject
})

afterAll(async () => await clickhouse.close())

/** Events of a day, spread over its first minutes. */
interface Sent {
  readonly count: number
  readonly minutes?: number
  readonly day?: number
  /** The number of the first one, from which ids are made. */
  readonly first?: number
}

/** Stores events of a month that no other test has. */
async function send(month: string, { first = 0, count, minutes = 100, day = 2 }: Sent): Promise<void> {
  await clickhouse.command({
    query: `INSERT INTO events (project, kind, time, distinct_id, session_id, event_id)
      SELECT ${project}, 'page_view', toDateTime64('2033-${month}-01 00:00:00', 3, 'UTC') + toIntervalDay(${day - 1}) + toIntervalMinute(37 * number % ${minutes}),
        'v', toUUID('00000000-0000-4000-8000-000000000000'), toUUID(concat('00000000-0000-4000-8000-', leftPad(toString(number), 12, '0')))
      FROM numbers(${first}, ${count})`,
    clickhouse_settings: { optimize_on_insert: 0 },
  })
}

async function isQuiet(month: string, bounds: Partial<QuietBounds> = {}): Promise<boolean> {
  const all = {
    secondsMin: 0,
    rowsPerSecond: 1e9,
    comparedShareMin: 0,
    freshShareMin: 0,
    bytesMax: 1e9,
    ...bounds,
  }
  return (await listQuiet(clickhouse, AbortSignal.timeout(30_000), all)).includes(`2033${month}`)
}

async function merge(month: string): Promise<void> {
  await mergePartition(clickhouse, `2033${month}`, AbortSignal.timeout(30_000))
}

/** Parts of the month, and the rows that this file has stored in it, copies included. */
async function readParts(month: string): Promise<readonly [parts: number, rows: number]> {
  const answer = await clickhouse.query({
    query: `SELECT
      (SELECT toUInt32(count()) FROM system.parts WHERE active AND database = currentDatabase() AND table = 'events' AND partition_id = '2033${month}'),
      (SELECT toUInt32(count()) FROM events WHERE project = ${project} AND toYYYYMM(time) = 2033${month})`,
    format: 'JSONCompactEachRow',
  })
  const [row] = await answer.json<[number, number]>()
  return row ?? [0, 0]
}

test('the parts of a quiet month become one, without copies, and then are left alone', async () => {
  await send('01', { count: 20 })
  await send('01', { first: 10, count: 20 })
  expect(await isQuiet('01')).toBe(true)
  await merge('01')
  expect(await readParts('01')).toEqual([1, 30])
  expect(await isQuiet('01')).toBe(false)
})

test('a single INSERT is merged too: it may have copies', async () => {
  await send('02', { count: 20 })
  expect(await isQuiet('02')).toBe(true)
  await merge('02')
  expect(await isQuiet('02')).toBe(false)
})

test('a month is left alone while events arrive', async () => {
  await send('03', { count: 20 })
  expect(await isQuiet('03', { secondsMin: 3600 })).toBe(false)
})

test('a large month is left to the engine', async () => {
  await send('04', { count: 20 })
  expect(await isQuiet('04', { bytesMax: 10 })).toBe(false)
})

test('a month with more events waits longer', async () => {
  await send('05', { count: 100 })
  expect(await isQuiet('05', { rowsPerSecond: 1 })).toBe(false)
  expect(await isQuiet('05', { rowsPerSecond: 1e6 })).toBe(true)
})

/** Merges events of a month, and sends others: the engine, which merges many parts by itself, leaves two alone for a while. */
async function mergeThenSend(month: string, merged: Sent, fresh: Sent): Promise<void> {
  await send(month, merged)
  await merge(month)
  await send(month, { ...fresh, first: merged.count })
}

test('a month is left alone while few of its events are fresh', async () => {
  await mergeThenSend('06', { count: 90 }, { count: 9 })
  expect(await isQuiet('06', { freshShareMin: 0.1 })).toBe(false)
  await mergeThenSend('07', { count: 90 }, { count: 10 })
  expect(await isQuiet('07', { freshShareMin: 0.1 })).toBe(true)
})

test('a month is left alone while its fresh events are compared with few others', async () => {
  await mergeThenSend('08', { count: 90 }, { count: 10, minutes: 5 })
  expect(await isQuiet('08', { comparedShareMin: 0.1 })).toBe(true)
  expect(await isQuiet('08', { comparedShareMin: 0.2 })).toBe(false)
})

test('fresh events are compared with all merged ones of their time', async () => {
  await mergeThenSend('09', { count: 90 }, { count: 10, minutes: 90 })
  expect(await isQuiet('09', { comparedShareMin: 0.75 })).toBe(true)
})

test('fresh events after the merged ones are compared with each other only', async () => {
  await mergeThenSend('11', { count: 80 }, { count: 20, day: 20 })
  expect(await isQuiet('11', { comparedShareMin: 0.25 })).toBe(false)
  expect(await isQuiet('11', { comparedShareMin: 0.2 })).toBe(true)
})

test('without arrivals nothing is looked for once nothing was found', async () => {
  let [looks, hasArrivals] = [0, false]
  const idle = {
    query: async () => {
      looks++
      return { json: async () => [] }
    },
  }
  const merger = new QuietMerger({
    connect: () => idle as unknown as ClickHouse,
    log: { debug: () => undefined },
    alone: async (merge) => await merge(),
    hasArrivals: () => hasArrivals,
    lookEveryMs: 5,
  })
  merger.start()
  await waitFor('a look', () => (looks > 0 ? true : undefined))
  await pause(100)
  expect(looks).toBe(1)
  hasArrivals = true
  await waitFor('further looks', () => (looks > 2 ? true : undefined))
  await merger.stop()
})
