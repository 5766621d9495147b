import { describe, expect, test } from 'vitest'
import { asProjectId } from '../../contract/ids.ts'
import { int64Codec } from '../sql/codec.ts'
import type { DayCells } from '../sql/day-cells.ts'
import { param, sql } from '../sql/sql.ts'
import { type Fill, listDays, type ProjectDays, planDays, specOf } from './read-days.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const FIRST_MS = Date.UTC(2026, 2, 1)
const NOW_MS = Date.UTC(2026, 2, 10)
const BOUNDS = { lagMs: 0, retentionDays: 0 }

/** A question about the first three days of March. */
const CELLS: DayCells = {
  projectId: asProjectId(1),
  range: { fromMs: FIRST_MS, toMs: FIRST_MS + 3 * DAY_MS },
  keys: [],
  buckets: { bucket: sql`bucket`, starts: [0, 1, 2].map((day) => FIRST_MS + day * DAY_MS) },
  states: [{ column: 'numbers', stored: sql`count()`, read: (stored) => stored }],
  events: ({ range }) => sql`FROM events WHERE time >= ${param(int64Codec, range.fromMs)}`,
  over: (cells) => cells,
}

const STATE: ProjectDays = {
  nowMs: NOW_MS,
  coveredMs: NOW_MS - 2000,
  countedMs: FIRST_MS,
  erasures: 2n,
  arrivals: new Map([
    ['2026-03-01', { version: 10n, arrivedMs: NOW_MS - DAY_MS }],
    ['2026-03-02', { version: 20n, arrivedMs: NOW_MS - DAY_MS }],
  ]),
}

function plan(
  changes: {
    cells?: Partial<DayCells>
    state?: Partial<ProjectDays>
    fills?: readonly Fill[]
    bounds?: Partial<typeof BOUNDS>
  } = {},
) {
  const { cells, state, fills = [], bounds } = changes
  return planDays({ ...CELLS, ...cells }, { state: { ...STATE, ...state }, fills }, { ...BOUNDS, ...bounds })
}

/** What a fill of all days that can be kept contains. */
function fillOf({ closed }: ReturnType<typeof plan>): Fill {
  return {
    fill: 'f',
    erasures: 2n,
    days: closed.map(({ day }) => day),
    versions: closed.map(({ version }) => version),
    filledMs: NOW_MS - HOUR_MS,
  }
}

const FILL = fillOf(plan())
const ALL_DAYS = ['2026-03-01', '2026-03-02', '2026-03-03']

test('days that have not changed since they were kept are read from the fill, days without events too', () => {
  expect(FILL.days).toEqual(ALL_DAYS)
  expect(plan({ fills: [FILL] })).toEqual({
    kept: new Map(ALL_DAYS.map((day) => [day, 'f'])),
    others: [],
    closed: [],
  })
})

describe('a day is read from events', () => {
  test('after an event has arrived for it', () => {
    const arrivals = new Map([...STATE.arrivals, ['2026-03-02', { version: 21n, arrivedMs: NOW_MS - 1000 }]])
    const { others, closed } = plan({ fills: [FILL], state: { arrivals } })
    expect(others).toEqual(['2026-03-02'])
    // The INSERT may still add events.
    expect(closed).toEqual([])
  })

  test('after the first event of the day has arrived', () => {
    const arrivals = new Map([...STATE.arrivals, ['2026-03-03', { version: 1n, arrivedMs: NOW_MS - DAY_MS }]])
    expect(plan({ fills: [FILL], state: { arrivals } }).others).toEqual(['2026-03-03'])
  })

  test('when its cells are about to expire, or may not be on every replica', () => {
    const early = { ...FILL, filledMs: NOW_MS - 48 * HOUR_MS }
    expect(plan({ fills: [early] }).others).toEqual(ALL_DAYS)
    expect(plan({ fills: [FILL], bounds: { lagMs: HOUR_MS + 1 } }).others).toEqual(ALL_DAYS)
  })

  test('after an erasure', () => {
    expect(plan({ fills: [FILL], state: { erasures: 3n } }).others).toEqual(ALL_DAYS)
  })

  test('where the range has a part of it only', () => {
    const range = { fromMs: FIRST_MS + HOUR_MS, toMs: FIRST_MS + 3 * DAY_MS - 1 }
    expect(plan({ fills: [FILL], cells: { range } }).others).toEqual(['2026-03-01', '2026-03-03'])
  })

  test('in buckets that lie otherwise', () => {
    const starts = [FIRST_MS - HOUR_MS, ...[1, 2, 3].map((day) => FIRST_MS + day * DAY_MS - HOUR_MS)]
    const buckets = { bucket: sql`bucket`, starts }
    expect(plan({ fills: [FILL], cells: { buckets } }).others).toEqual(ALL_DAYS)
  })

  test('when its events may have expired', () => {
    expect(plan({ fills: [FILL], bounds: { retentionDays: 9 } }).others).toEqual(['2026-03-01'])
  })

  test('while the clock is set back', () => {
    const changed = plan({ fills: [FILL], state: { nowMs: STATE.coveredMs - 1 } })
    expect([changed.others, changed.closed]).toEqual([ALL_DAYS, []])
  })

  test('while an INSERT from before the count of arrivals may run, on any replica', () => {
    const countedMs = STATE.coveredMs - 1000
    expect(plan({ fills: [FILL], state: { countedMs } }).others).toEqual([])
    expect(plan({ fills: [FILL], state: { countedMs }, bounds: { lagMs: 1000 } }).others).toEqual(ALL_DAYS)
  })
})

test('a day that is not over is not kept', () => {
  const nowMs = FIRST_MS + 2.5 * DAY_MS
  const { closed } = plan({ state: { nowMs, coveredMs: nowMs, arrivals: new Map() } })
  expect(closed.map(({ day }) => day)).toEqual(['2026-03-01', '2026-03-02'])
})

test('the days of a range contain every instant of it, and too long a range has none', () => {
  const range = { fromMs: FIRST_MS - 1, toMs: FIRST_MS + 1 }
  expect(listDays({ range }).map(({ day, isWhole }) => [day, isWhole])).toEqual([
    ['2026-02-28', false],
    ['2026-03-01', false],
  ])
  expect(listDays({ range: { fromMs: 0, toMs: NOW_MS } })).toEqual([])
})

test('a question is the same in another range, and another one with another value', () => {
  const later = { ...CELLS, range: { fromMs: FIRST_MS + DAY_MS, toMs: FIRST_MS + 9 * DAY_MS } }
  expect(specOf(later)).toBe(specOf(CELLS))
  const other = { ...CELLS, events: () => sql`FROM events WHERE kind = ${param(int64Codec, 5)}` }
  expect(specOf(other)).not.toBe(specOf(CELLS))
  expect(specOf(CELLS)).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
})
