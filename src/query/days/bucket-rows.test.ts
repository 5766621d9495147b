import { expect, test } from 'vitest'
import { asProjectId } from '../../contract/ids.ts'
import { int64Codec } from '../sql/codec.ts'
import type { DayCells, KeptSpan } from '../sql/day-cells.ts'
import { daysOf, hoursOf, type Span } from '../sql/spans.ts'
import { param, sql } from '../sql/sql.ts'
import { BucketRows, planOthers, shapeOf, sourcesOf } from './bucket-rows.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const FIRST_MS = Date.UTC(2026, 2, 1)
const RANGE = { fromMs: FIRST_MS, toMs: FIRST_MS + 4 * DAY_MS }
const DAYS = daysOf(RANGE)
const [, , THIRD, LAST] = DAYS as [Span, Span, Span, Span]

/** Buckets that begin at an hour of each day, from that of the day before. */
function cellsAt(hour: number): DayCells {
  const starts = DAYS.map(({ fromMs }) => fromMs + hour * HOUR_MS)
  return {
    projectId: asProjectId(1),
    range: RANGE,
    keys: [],
    buckets: {
      bucket: sql`bucket`,
      starts: hour === 0 ? starts : [FIRST_MS - DAY_MS + hour * HOUR_MS, ...starts],
    },
    states: [],
    events: () => sql``,
    over: (cells) => cells,
  }
}

const keep = (spans: readonly Span[], fill = 'f'): readonly KeptSpan[] =>
  spans.map((span) => ({ ...span, fill }))

test('a bucket is made of the fills of all spans that it has a part of', () => {
  const kept = [...keep(DAYS.slice(0, 3)), ...keep(hoursOf(LAST, RANGE).slice(0, 23), 'h')]
  const others = hoursOf(LAST, RANGE).slice(23)
  const sources = sourcesOf(cellsAt(0), { kept, others })
  expect([...sources.values()]).toEqual(['2026-03-01 0 f,', '2026-03-02 0 f,', '2026-03-03 0 f,', undefined])
  const ofZone = [...sourcesOf(cellsAt(8), { kept, others }).values()]
  expect(ofZone.slice(0, 3)).toEqual([
    '2026-03-01 0 f,',
    '2026-03-01 0 f,2026-03-02 0 f,',
    '2026-03-02 0 f,2026-03-03 0 f,',
  ])
  expect(ofZone[3]?.split(',')).toHaveLength(1 + 8 + 1)
  expect(ofZone[4]).toBeUndefined()
})

test('what is read are the spans of buckets that are not known', () => {
  const plan = { kept: keep(DAYS.slice(0, 3)), others: [LAST] }
  const isKnown = (start: number): boolean => start < THIRD.fromMs
  const spansOf = ({ kept, others }: ReturnType<typeof planOthers>): readonly string[] =>
    [...kept, ...others].map(({ day }) => day)
  expect(spansOf(planOthers(cellsAt(0), plan, isKnown))).toEqual(['2026-03-03', '2026-03-04'])
  // The bucket of the second day goes on in the third.
  expect(spansOf(planOthers(cellsAt(8), plan, isKnown))).toEqual(['2026-03-03', '2026-03-04'])
  expect(spansOf(planOthers(cellsAt(8), plan, (start) => start < THIRD.fromMs - DAY_MS))).toEqual([
    '2026-03-02',
    '2026-03-03',
    '2026-03-04',
  ])
})

test('rows are found as long as the fills of their buckets are the same', () => {
  const rows = new BucketRows()
  const [first, second, third] = [1, 2, 3]
  rows.set(
    'question',
    new Map([
      [first, 'a'],
      [second, 'b'],
      [third, undefined],
    ]),
    new Map([
      [first, 'one'],
      [third, 'open'],
    ]),
  )
  expect([
    ...rows.find(
      'question',
      new Map([
        [first, 'a'],
        [second, 'b'],
        [third, undefined],
      ]),
    ),
  ]).toEqual([
    [first, 'one'],
    // It has no events.
    [second, undefined],
  ])
  expect([
    ...rows.find(
      'question',
      new Map([
        [first, 'c'],
        [second, undefined],
      ]),
    ),
  ]).toEqual([])
  expect([...rows.find('other', new Map([[first, 'a']]))]).toEqual([])
})

test('questions that make other numbers of their cells are others', () => {
  const overs = [
    sql`sum(state0)`,
    sql`max(state0)`,
    sql`max(state0) + ${param(int64Codec, 1)}`,
    sql`max(state0) + ${param(int64Codec, 2)}`,
  ]
  const shapes = overs.map((over) => shapeOf({ ...cellsAt(0), over: () => over }))
  expect(new Set(shapes).size).toBe(overs.length)
})
