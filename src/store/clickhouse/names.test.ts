import { ClickHouseError } from '@clickhouse/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type OwnEngine, startOwnEngine } from '../../../test/harness/own-engine.ts'
import { createLogger } from '../../kernel/log.ts'
import type { ClickHouse } from './client.ts'
import { FILL_NAMES } from './migrations/012-names.ts'
import { fillNames } from './name-filler.ts'

const silent = createLogger({ role: 'test', level: 'silent' })
let store: OwnEngine
let clickhouse: ClickHouse

beforeAll(async () => {
  store = await startOwnEngine()
  clickhouse = store.clickhouse
})

afterAll(async () => {
  await store?.stop()
})

interface Sent {
  readonly kind: string
  readonly time: string
  readonly columns?: string
  readonly values?: string
}

async function send(project: number, { kind, time, columns = '', values = '' }: Sent): Promise<void> {
  await clickhouse.command({
    query: `INSERT INTO events (project, kind, time, distinct_id, session_id, event_id${columns})
      SELECT ${project}, '${kind}', '${time}', 'v', generateUUIDv4(), generateUUIDv4()${values}`,
  })
}

async function read(query: string): Promise<unknown> {
  const answer = await clickhouse.query({ query, format: 'JSONCompactEachRow' })
  return await answer.json()
}

/** As if the migration had run after the events. */
async function makeUnfilled(): Promise<void> {
  await clickhouse.command({ query: 'TRUNCATE TABLE names' })
  await clickhouse.command({ query: 'TRUNCATE TABLE name_days' })
  await remove('migrations', 'version = 12')
  await clickhouse.command({ query: "INSERT INTO migrations SELECT 12, 'names', now64(3)" })
}

async function fill(through: ClickHouse = clickhouse): Promise<number> {
  return await fillNames({ clickhouse: through, log: silent, signal: AbortSignal.timeout(30_000) })
}

async function remove(table: string, where: string): Promise<void> {
  await clickhouse.command({
    query: `ALTER TABLE ${table} DELETE WHERE ${where}`,
    clickhouse_settings: { mutations_sync: '2' },
  })
}

const namesOf = (project: number): Promise<unknown> =>
  read(`SELECT kind, property, toUInt32(groupBitOr(types)), toString(toDate(min(first))), toString(toDate(max(last)))
    FROM names WHERE project = ${project} GROUP BY kind, property ORDER BY kind, property`)

const volumesOf = (project: number): Promise<unknown> =>
  read(`SELECT toString(day), kind, property, toUInt32(sum(arrived) + max(found))
    FROM name_days WHERE project = ${project} GROUP BY day, kind, property ORDER BY day, kind, property`)

test('every event adds its kind and its properties with their types', async () => {
  const today = new Date().toISOString().slice(0, 10)
  await send(1, { kind: 'buy', time: `${today} 00:00:00`, columns: ', browser', values: ", 'Firefox'" })
  await send(1, {
    kind: 'buy',
    time: '2020-01-01 00:00:00',
    columns: ', ints, strings',
    values: ", map('price', 5), map('plan', 'pro')",
  })
  await send(1, {
    kind: 'buy',
    time: `${today} 00:00:01`,
    columns: ', doubles',
    values: ", map('price', 5.5)",
  })
  expect(await namesOf(1)).toEqual([
    ['buy', '', 0, '2020-01-01', today],
    ['buy', '$browser', 1, today, today],
    ['buy', 'plan', 1, '2020-01-01', '2020-01-01'],
    ['buy', 'price', 6, '2020-01-01', today],
  ])
})

test('a promoted value that is not text counts once', async () => {
  const time = `${new Date().toISOString().slice(0, 10)} 00:00:00`
  await send(2, { kind: 'a', time, columns: ', browser, ints', values: ", '7', map('$browser', 7)" })
  const day = time.slice(0, 10)
  expect(await volumesOf(2)).toEqual([
    [day, 'a', '', 1],
    [day, 'a', '$browser', 1],
  ])
})

test('events from before the tables are added, and once only', async () => {
  const today = new Date().toISOString().slice(0, 10)
  await send(3, { kind: 'old', time: `${today} 00:00:00`, columns: ', bools', values: ", map('paid', true)" })
  await send(3, { kind: 'old', time: '2019-05-01 00:00:00' })
  const [names, volumes] = [await namesOf(3), await volumesOf(3)]
  await makeUnfilled()
  expect(await fill()).toBeGreaterThan(0)
  expect([await namesOf(3), await volumesOf(3)]).toEqual([names, volumes])
  expect(await fill()).toBe(0)
  // As after an interruption before its end.
  await remove('names', 'project = 0')
  await fill()
  expect([await namesOf(3), await volumesOf(3)]).toEqual([names, volumes])
})

const TIMEOUT = new ClickHouseError({ code: '159', type: 'TIMEOUT_EXCEEDED', message: 'Timeout exceeded' })

test('a day that takes too long is read by hours, and an hour that takes too long is left out', async () => {
  const today = new Date().toISOString().slice(0, 10)
  const sent = [
    { kind: 'long', time: `${today} 01:00:00`, columns: ', ints', values: ", map('price', 5)" },
    { kind: 'long', time: `${today} 02:00:00`, columns: ', doubles', values: ", map('price', 5.5)" },
    { kind: 'long', time: `${today} 23:59:59.999` },
    { kind: 'other', time: `${today} 12:00:00` },
  ]
  for (const event of sent) await send(4, event)
  const [names, volumes] = [await namesOf(4), await volumesOf(4)]
  expect(volumes).toContainEqual([today, 'long', '', 3])
  await makeUnfilled()
  const slow = Object.assign(Object.create(clickhouse), {
    command: async (asked: Parameters<ClickHouse['command']>[0]) =>
      asked.query === FILL_NAMES ? await Promise.reject(TIMEOUT) : await clickhouse.command(asked),
  })
  for (let round = 0; round < 2; round++) {
    await fill(slow)
    expect([await namesOf(4), await volumesOf(4)]).toEqual([names, volumes])
    await remove('names', 'project = 0')
  }
  await makeUnfilled()
  slow.query = async (asked: Parameters<ClickHouse['query']>[0]) =>
    asked.query_params?.hour === 2 ? await Promise.reject(TIMEOUT) : await clickhouse.query(asked)
  await fill(slow)
  expect(await volumesOf(4)).toContainEqual([today, 'long', '', 2])
  expect(await fill(slow)).toBe(0)
})
