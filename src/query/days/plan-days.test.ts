import { describe, expect, test } from 'vitest'
import { asProjectId } from '../../contract/ids.ts'
import { int64Codec } from '../sql/codec.ts'
import type { DayCells } from '../sql/day-cells.ts'
import { param, sql } from '../sql/sql.ts'
import { hasSpans, planDays } from './plan-days.ts'
import { type Fill, type ProjectDays, specOf } from './read-days.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const FIRST_MS = Date.UTC(2026, 2, 1)
const NOW_MS = Date.UTC(2026, 2, 10)
const BOUNDS = { lagMs: 0, retentionDays: 0, storedEventsMin: 0 }

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
  mapping: '',
  arrivals: new Map([
    ['2026-03-01', { count: 10n, arrivedMs: NOW_MS - DAY_MS }],
    ['2026-03-02', { count: 20n, arrivedMs: NOW_MS - DAY_MS }],
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
    hours: closed.map(({ hour }) => hour),
    versions: closed.map(({ version }) => version),
    filledMs: NOW_MS - HOUR_MS,
  }
}

/** Days as dates, and hours as `2026-03-01 24`. */
function spansOf(spans: readonly { readonly day: string; readonly hour: number }[]): readonly string[] {
  return spans.map(({ day, hour }) => (hour === 0 ? day : `${day} ${hour}`))
}

const FILL = fillOf(plan())
const ALL_DAYS = ['2026-03-01', '2026-03-02', '2026-03-03']

test('days that have not changed since they were kept are read from the fill, days without events too', () => {
  expect(FILL.days).toEqual(ALL_DAYS)
  const { kept, ...rest } = plan({ fills: [FILL] })
  expect(kept.map(({ day, hour, fill }) => ({ day, hour, fill }))).toEqual(
    ALL_DAYS.map((day) => ({ day, hour: 0, fill: 'f' })),
  )
  expect(rest).toEqual({ others: [], closed: [] })
})

describe('a day is read from events', () => {
  test('after an event has arrived for it', () => {
    const arrivals = new Map([...STATE.arrivals, ['2026-03-02', { count: 21n, arrivedMs: NOW_MS - 1000 }]])
    const { others, closed } = plan({ fills: [FILL], state: { arrivals } })
    expect(spansOf(others)).toEqual(['2026-03-02'])
    // The INSERT may still add events.
    expect(closed).toEqual([])
  })

  test('after the first event of the day has arrived', () => {
    const arrivals = new Map([...STATE.arrivals, ['2026-03-03', { count: 1n, arrivedMs: NOW_MS - DAY_MS }]])
    expect(spansOf(plan({ fills: [FILL], state: { arrivals } }).others)).toEqual(['2026-03-03'])
  })

  test('when its cells are about to expire, or may not be on every replica', () => {
    const early = { ...FILL, filledMs: NOW_MS - 48 * HOUR_MS }
    expect(spansOf(plan({ fills: [early] }).others)).toEqual(ALL_DAYS)
    expect(spansOf(plan({ fills: [FILL], bounds: { lagMs: HOUR_MS + 1 } }).others)).toEqual(ALL_DAYS)
  })

  test('after an erasure', () => {
    expect(spansOf(plan({ fills: [FILL], state: { erasures: 3n } }).others)).toEqual(ALL_DAYS)
  })

  test('where the range has a part of it only', () => {
    const range = { fromMs: FIRST_MS + HOUR_MS, toMs: FIRST_MS + 3 * DAY_MS - 1 }
    expect(spansOf(plan({ fills: [FILL], cells: { range } }).others)).toEqual(['2026-03-01', '2026-03-03'])
  })

  test('in buckets that lie otherwise', () => {
    const starts = [FIRST_MS - HOUR_MS, ...[1, 2, 3].map((day) => FIRST_MS + day * DAY_MS - HOUR_MS)]
    const buckets = { bucket: sql`bucket`, starts }
    expect(spansOf(plan({ fills: [FILL], cells: { buckets } }).others)).toEqual(ALL_DAYS)
  })

  test('when its events may have expired', () => {
    expect(spansOf(plan({ fills: [FILL], bounds: { retentionDays: 9 } }).others)).toEqual(['2026-03-01'])
  })

  test('while the clock is set back', () => {
    const changed = plan({ fills: [FILL], state: { nowMs: STATE.coveredMs - 1 } })
    expect([spansOf(changed.others), changed.closed]).toEqual([ALL_DAYS, []])
  })

  test('while an INSERT from before the count of arrivals may run, on any replica', () => {
    const countedMs = STATE.coveredMs - 1000
    expect(spansOf(plan({ fills: [FILL], state: { countedMs } }).others)).toEqual([])
    expect(spansOf(plan({ fills: [FILL], state: { countedMs }, bounds: { lagMs: 1000 } }).others)).toEqual(
      ALL_DAYS,
    )
  })
})

test('a day that is not over is not kept as a whole', () => {
  const nowMs = FIRST_MS + 2.5 * DAY_MS
  const { closed } = plan({ state: { nowMs, coveredMs: nowMs, arrivals: new Map() } })
  expect(spansOf(closed).filter((span) => ALL_DAYS.includes(span))).toEqual(['2026-03-01', '2026-03-02'])
})

describe('a day is kept by hours', () => {
  const DAY = '2026-03-03'
  const HOURS = Array.from({ length: 24 }, (_, index) => `${DAY} ${index + 1}`)
  const EARLIER_MS = NOW_MS - DAY_MS

  /** What has arrived when the last day has so many events in some of its hours. */
  const arrivalsBy = (hours: Readonly<Record<number, number>>, arrivedMs = EARLIER_MS) => {
    const entries = Object.entries(hours).map(([hour, count]) => [Number(hour), BigInt(count)] as const)
    const count = entries.reduce((sum, [, one]) => sum + one, 0n)
    const byHour = new Map(entries.map(([hour, one]) => [hour, { count: one, arrivedMs }]))
    return new Map([...STATE.arrivals, [DAY, { count, arrivedMs, hours: byHour }]])
  }
  const noon = { nowMs: FIRST_MS + 2.5 * DAY_MS, coveredMs: FIRST_MS + 2.5 * DAY_MS }
  const changed = arrivalsBy({ 6: 1 })
  const byHours = fillOf(plan({ fills: [FILL], state: { arrivals: changed } }))

  test('until it is over', () => {
    const [, , last] = [...arrivalsBy({ 1: 5, 13: 2 }, FIRST_MS)]
    const state = { ...noon, arrivals: new Map(last && [last]) }
    const first = plan({ state })
    expect(spansOf(first.closed)).toEqual(['2026-03-01', '2026-03-02', ...HOURS.slice(0, 12)])
    expect(spansOf(first.others)).toEqual(ALL_DAYS)
    const again = plan({ fills: [{ ...fillOf(first), filledMs: noon.nowMs }], state })
    expect(spansOf(again.kept)).toEqual(['2026-03-01', '2026-03-02', ...HOURS.slice(0, 12)])
    expect(spansOf(again.others)).toEqual(HOURS.slice(12))
    expect(again.closed).toEqual([])
  })

  test('after it has changed', () => {
    expect(byHours.days).toEqual(Array(24).fill(DAY))
    const again = plan({ fills: [FILL, byHours], state: { arrivals: changed } })
    expect(spansOf(again.kept)).toEqual(['2026-03-01', '2026-03-02', ...HOURS])
    expect(again.others).toEqual([])
  })

  test('whose other hours are kept when one changes', () => {
    const { others, closed } = plan({
      fills: [FILL, byHours],
      state: { arrivals: arrivalsBy({ 6: 1, 20: 1 }) },
    })
    expect(spansOf(others)).toEqual([`${DAY} 20`])
    expect(spansOf(closed)).toEqual([`${DAY} 20`])
  })

  test('none of which is kept when an event of any hour arrives', () => {
    const arrivals = arrivalsBy({ 0: 1, 6: 1 })
    expect(spansOf(plan({ fills: [FILL, byHours], state: { arrivals } }).others)).toEqual([DAY])
  })

  test('none of which is stored while an INSERT may still add an event of any hour', () => {
    const arrivals = arrivalsBy({ 0: 1 }, STATE.coveredMs)
    expect(plan({ fills: [FILL], state: { arrivals } }).closed).toEqual([])
  })

  test('unless its arrivals are not known by hour', () => {
    const arrivals = new Map([...STATE.arrivals, [DAY, { count: 1n, arrivedMs: EARLIER_MS }]])
    const { others, closed } = plan({ fills: [FILL, byHours], state: { arrivals } })
    expect(spansOf(others)).toEqual([DAY])
    expect(spansOf(closed)).toEqual([DAY])
  })

  test('until it is stored as a whole, once it is over', () => {
    const { kept, closed } = plan({ fills: [byHours], state: { arrivals: changed } })
    expect(spansOf(kept)).toEqual(HOURS)
    expect(spansOf(closed)).toEqual(ALL_DAYS)
  })

  test('where the range has a part of it, in the hours that it has', () => {
    const range = { fromMs: FIRST_MS + 2 * DAY_MS + HOUR_MS / 2, toMs: FIRST_MS + 3 * DAY_MS - 1 }
    const { others, closed } = plan({ cells: { range }, state: { arrivals: changed } })
    expect(spansOf(closed)).toEqual(HOURS.slice(1, 23))
    const kept = plan({ cells: { range }, fills: [byHours], state: { arrivals: changed } })
    expect([spansOf(others), spansOf(kept.others)]).toEqual([[DAY], [`${DAY} 1`, `${DAY} 24`]])
  })

  test('in buckets that begin within an hour', () => {
    const starts = [0, 1, 2].map((day) => FIRST_MS + day * DAY_MS + HOUR_MS / 2)
    const buckets = { bucket: sql`bucket`, starts }
    const again = plan({ fills: [byHours], cells: { buckets }, state: { arrivals: changed } })
    expect(spansOf(again.kept)).toEqual([])
  })
})

test('spans with few events in all are not stored yet', () => {
  expect(plan({ bounds: { storedEventsMin: 30 } }).closed).toHaveLength(3)
  expect(plan({ bounds: { storedEventsMin: 31 } }).closed).toEqual([])
})

test.each([
  ['an hour', [FIRST_MS, FIRST_MS + HOUR_MS], true],
  ['parts of two hours', [FIRST_MS + 1, FIRST_MS + 2 * HOUR_MS - 1], false],
  ['three years', [FIRST_MS, FIRST_MS + 1101 * DAY_MS], false],
] as const)('%s may be kept: %#', (_, [fromMs, toMs], expected) => {
  expect(hasSpans({ fromMs, toMs })).toBe(expected)
})

test('a question is the same in another range, and another one with another value', () => {
  const later = { ...CELLS, range: { fromMs: FIRST_MS + DAY_MS, toMs: FIRST_MS + 9 * DAY_MS } }
  expect(specOf(later)).toBe(specOf(CELLS))
  const [one, other] = [5, 6].map((kind) => ({
    ...CELLS,
    events: () => sql`FROM events WHERE kind = ${param(int64Codec, kind)}`,
  }))
  expect(new Set([CELLS, one ?? CELLS, other ?? CELLS].map(specOf)).size).toBe(3)
  expect(specOf(CELLS)).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
})
