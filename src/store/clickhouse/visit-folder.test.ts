import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { holdFold } from '../../../test/harness/held-fold.ts'
import { type OwnEngine, startOwnEngine } from '../../../test/harness/own-engine.ts'
import { waitFor } from '../../../test/harness/wait.ts'
import { createLogger } from '../../kernel/log.ts'
import type { ClickHouse } from './client.ts'
import { PATH_EVENTS_MAX } from './migrations/022-visit-paths.ts'
import { type FoldedVisits, type FoldOptions, foldVisits } from './visit-fold.ts'
import { VisitFolder } from './visit-folder.ts'

let store: OwnEngine
let clickhouse: ClickHouse

beforeAll(async () => {
  store = await startOwnEngine()
  clickhouse = store.clickhouse
})

afterAll(async () => {
  await store?.stop()
})

const uuid = (digits: number): string => `00000000-0000-4000-8000-${String(digits).padStart(12, '0')}`

interface Sent {
  readonly id: number
  readonly session: number
  readonly time: string
  readonly kind?: string
}

async function send(project: number, events: readonly Sent[]): Promise<void> {
  const rows = events.map(
    ({ id, session, time, kind = 'page_view' }) =>
      `(${project}, '${kind}', '${time}', 'visitor', '${uuid(session)}', '${uuid(id)}', '/${id}')`,
  )
  await clickhouse.command({
    query: `INSERT INTO events (project, kind, time, distinct_id, session_id, event_id, pathname) VALUES ${rows.join(', ')}`,
  })
}

async function readRows<T>(query: string): Promise<readonly T[]> {
  const answer = await clickhouse.query({ query, format: 'JSONEachRow' })
  return await answer.json<T>()
}

/** One round. No INSERT runs, so that all arrivals until now can be counted. */
async function foldOnce(options: FoldOptions = {}): Promise<FoldedVisits> {
  const nil = '00000000-0000-0000-0000-000000000000'
  await clickhouse.command({ query: `INSERT INTO long_sessions SELECT 0, '${nil}', now64(3), now64(3)` })
  return await foldVisits(clickhouse, AbortSignal.timeout(30_000), { settleMs: 0, ...options })
}

/** Folds until every arrival is counted. */
async function fold(): Promise<void> {
  for (;;) {
    const { daysToFill } = await foldOnce()
    const [row] = await readRows<{ readonly is_covered: number }>(
      'SELECT (SELECT argMax(covered, version) FROM visit_coverage) > (SELECT max(arrived) FROM session_arrivals) AS is_covered',
    )
    if (daysToFill === 0 && row?.is_covered === 1) return
  }
}

/** `session day events pages` of each visit that begins at a time or later, read with the setting of questions that decides which parts are read. */
async function readVisits(project: number, from = '1970-01-01 00:00:00'): Promise<readonly string[]> {
  await fold()
  const rows = await readRows<{ readonly visit: string }>(
    `SELECT concat(toString(toUInt32(substring(toString(session_id), 25))), ' ', toString(day), ' ', toString(event_count), ' ', arrayStringConcat(pages, ',')) AS visit
      FROM visits FINAL WHERE project = ${project} AND began >= '${from}' AND NOT is_gone ORDER BY visit
      SETTINGS do_not_merge_across_partitions_select_final = 1`,
  )
  return rows.map(({ visit }) => visit)
}

test('a round takes no more sessions than it may', async () => {
  const countRows = async (): Promise<number> =>
    (await readRows('SELECT session_id FROM visits FINAL WHERE project = 917')).length
  await fold()
  await send(917, [{ id: 1, session: 1, time: '2026-03-02 10:00:00' }])
  await send(917, [{ id: 2, session: 2, time: '2026-03-02 10:00:00' }])
  await foldOnce({ sessionsMax: 1 })
  expect(await countRows()).toBe(1)
  await fold()
  expect(await countRows()).toBe(2)
})

test('a path has the events of a visit in order, unless there are too many or two have no order', async () => {
  const start = '2026-03-02 10:00:00'
  await send(918, [
    { id: 3, session: 1, time: '2026-03-02 10:00:02' },
    { id: 2, session: 1, time: start, kind: 'signup' },
    { id: 1, session: 1, time: start },
    { id: 4, session: 2, time: start, kind: 'signup' },
    { id: 4, session: 2, time: start },
  ])
  await clickhouse.command({
    query: `INSERT INTO events (project, kind, time, distinct_id, session_id, event_id)
      SELECT 918, 'page_view', toDateTime64('${start}', 3, 'UTC'), 'visitor', '${uuid(3)}', generateUUIDv4(number) FROM numbers(${PATH_EVENTS_MAX + 1})`,
  })
  await fold()
  const label = (text: string): string => `bitShiftRight(sipHash64(${text}), 4)`
  const rows = await readRows(
    `SELECT arrayMap(kind -> if(kind = ${label("'signup'")}, 'signup', ''), path_kinds) AS kinds, path_offsets AS offsets,
        arrayMap(page -> arrayFirst(id -> ${label("concat('/', toString(id))")} = bitShiftRight(page, 4), range(10)), path_pages) AS pages,
        arrayMap(page -> bitAnd(page, 15), path_pages) AS views
      FROM visits FINAL WHERE project = 918 ORDER BY session_id`,
  )
  const none = { kinds: [], offsets: [], pages: [], views: [] }
  const path = { kinds: ['', 'signup', ''], offsets: [0, 0, 2000], pages: [1, 2, 3], views: [1, 0, 1] }
  expect(rows).toEqual([path, none, none])
})

test('visits follow an event that a copy moves to another session', async () => {
  const moving = { id: 2, session: 1, time: '2026-03-02 10:01:00' }
  await send(901, [
    { id: 1, session: 1, time: '2026-03-02 10:00:00' },
    moving,
    { id: 3, session: 2, time: '2026-03-02 11:00:00' },
  ])
  expect(await readVisits(901)).toEqual(['1 2026-03-02 2 /1,/2', '2 2026-03-02 1 /3'])
  await send(901, [{ ...moving, session: 2 }])
  expect(await readVisits(901)).toEqual(['1 2026-03-02 1 /1', '2 2026-03-02 2 /2,/3'])
  await send(901, [{ ...moving, session: 3 }])
  // Nothing of the copy before is left.
  await clickhouse.command({ query: 'OPTIMIZE TABLE events FINAL' })
  expect(await readVisits(901)).toEqual(['1 2026-03-02 1 /1', '2 2026-03-02 1 /3', '3 2026-03-02 1 /2'])
})

test('visits follow a start that moves to an earlier day, once', async () => {
  await send(902, [{ id: 1, session: 1, time: '2026-03-02 00:10:00' }])
  expect(await readVisits(902)).toEqual(['1 2026-03-02 1 /1'])
  await send(902, [{ id: 2, session: 1, time: '2026-03-01 23:50:00' }])
  expect(await readVisits(902)).toEqual(['1 2026-03-01 2 /1,/2'])
})

test('visits follow a start that moves within its day, also in a range that begins in between', async () => {
  // Each row stays in a part of its own.
  await clickhouse.command({ query: 'SYSTEM STOP MERGES visits' })
  await send(906, [{ id: 1, session: 1, time: '2026-03-02 10:00:00' }])
  expect(await readVisits(906, '2026-03-02 09:30:00')).toEqual(['1 2026-03-02 1 /1'])
  await send(906, [{ id: 2, session: 1, time: '2026-03-02 09:00:00' }])
  expect(await readVisits(906, '2026-03-02 09:30:00')).toEqual([])
  await send(906, [{ id: 3, session: 1, time: '2026-03-10 09:00:00' }])
  // Too long, and marked as gone.
  expect(await readVisits(906, '2026-03-02 00:00:00')).toEqual([])
  await clickhouse.command({ query: 'SYSTEM START MERGES visits' })
})

test.each([
  ['by half an hour', 1_800_000],
  ['by three hours', 3 * 3_600_000],
])('visits contain what arrives after the clock was set back %s', async (_, backMs) => {
  const project = 910 + backMs / 1_800_000
  await send(project, [{ id: 1, session: 1, time: '2026-03-02 10:00:00' }])
  expect(await readVisits(project)).toEqual(['1 2026-03-02 1 /1'])
  // As if the clock had been ahead until now.
  await clickhouse.command({
    query: `INSERT INTO visit_coverage SELECT max(version) + 1 AS version, now64(3) + toIntervalMillisecond(${backMs}) AS covered, argMax(start, visit_coverage.version),
      (SELECT count() FROM session_arrivals WHERE arrived >= covered - INTERVAL 1 HOUR AND arrived < covered), argMax(layout, visit_coverage.version) FROM visit_coverage`,
  })
  await send(project, [{ id: 2, session: 1, time: '2026-03-02 10:01:00' }])
  expect(await readVisits(project)).toEqual(['1 2026-03-02 2 /1,/2'])
})

test('visits are computed when the statement of a process that died has ended', async () => {
  const held = await holdFold(clickhouse)
  const folded = foldVisits(held.watched, AbortSignal.timeout(60_000), { settleMs: 0 })
  try {
    expect(await Promise.race([folded, held.looked])).toBe('waits')
  } finally {
    await held.end()
  }
  await folded
})

test('visits of a session that becomes too long are none', async () => {
  await send(903, [{ id: 1, session: 1, time: '2026-03-10 10:00:00' }])
  expect(await readVisits(903)).toEqual(['1 2026-03-10 1 /1'])
  await send(903, [{ id: 2, session: 1, time: '2026-03-17 10:00:01' }])
  expect(await readVisits(903)).toEqual([])
})

test('visits of two projects whose sessions have the same id are apart, and copies change none', async () => {
  const event = { id: 1, session: 1, time: '2026-03-10 10:00:00' }
  await send(904, [event, { ...event, id: 2 }])
  await send(905, [event])
  await send(904, [event])
  expect(await readVisits(904)).toEqual(['1 2026-03-10 2 /1,/2'])
  expect(await readVisits(905)).toEqual(['1 2026-03-10 1 /1'])
})

test('a row has the pages of its first and last events of any kind', async () => {
  await send(907, [
    { id: 2, session: 1, time: '2026-03-10 10:01:00' },
    { id: 3, session: 1, time: '2026-03-10 10:02:00', kind: 'purchase' },
    { id: 1, session: 1, time: '2026-03-10 10:00:00', kind: 'signup' },
  ])
  await fold()
  expect(await readRows('SELECT pathname, last_pathname FROM visits FINAL WHERE project = 907')).toEqual([
    { pathname: '/1', last_pathname: '/3' },
  ])
})

describe('beside an earlier release', () => {
  /** As that release stored a row: without the later columns. */
  const storeEarlier = async (project: number): Promise<void> => {
    await clickhouse.command({
      query: `INSERT INTO visits (project, session_id, began, event_count, version)
        SELECT project, session_id, began, event_count, toUnixTimestamp64Milli(now64(3)) FROM visits FINAL WHERE project = ${project}`,
    })
  }
  const pageOf = async (project: number): Promise<unknown> =>
    await readRows(`SELECT pathname FROM visits FINAL WHERE project = ${project}`)

  test('its coverage is refused, so that its rows are computed again', async () => {
    await send(908, [{ id: 1, session: 1, time: '2026-03-10 10:00:00' }])
    await fold()
    await send(908, [{ id: 2, session: 1, time: '2026-03-10 10:01:00' }])
    await storeEarlier(908)
    const coverage = `INSERT INTO visit_coverage SELECT toUInt64(now64(3)) AS version, now64(3), fromUnixTimestamp64Milli(0), 0`
    await expect(clickhouse.command({ query: coverage })).rejects.toThrow(/columns/)
    expect(await pageOf(908)).toEqual([{ pathname: '' }])
    await fold()
    expect(await pageOf(908)).toEqual([{ pathname: '/1' }])
  })

  test('a table that it has filled is filled anew', async () => {
    await send(909, [{ id: 1, session: 1, time: '2026-03-10 10:00:00' }])
    await fold()
    await storeEarlier(909)
    await clickhouse.command({
      query: `INSERT INTO visit_coverage (version, covered, start, arrivals)
        SELECT max(version) + 1, argMax(covered, visit_coverage.version), argMax(start, visit_coverage.version), argMax(arrivals, visit_coverage.version) FROM visit_coverage`,
    })
    expect(await pageOf(909)).toEqual([{ pathname: '' }])
    await fold()
    expect(await pageOf(909)).toEqual([{ pathname: '/1' }])
  })
})

test('a folder without arrivals rests, and folds again once there are some', async () => {
  await foldOnce()
  let [rounds, hasArrivals] = [0, false]
  const folder = new VisitFolder({
    connect: () => {
      rounds++
      return clickhouse
    },
    log: createLogger({ role: 'test', level: 'silent' }),
    isOn: true,
    alone: async (round) => await round(),
    hasArrivals: () => hasArrivals,
    intervalMs: 10,
  })
  folder.start()
  let before = -1
  await waitFor('the folder to rest', async () => {
    before = rounds
    await pause(500)
    return rounds > 0 && rounds === before ? true : undefined
  })
  hasArrivals = true
  await waitFor('further rounds', () => (rounds > before + 1 ? true : undefined))
  await folder.stop()
})
