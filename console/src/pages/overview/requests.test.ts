import { timestampDate } from '@bufbuild/protobuf/wkt'
import { FilterOperator } from '@contract/common/v1/filter_pb.js'
import { Dimension } from '@contract/millrace/web/v1/web_analytics_service_pb.js'
import { expect, test } from 'vitest'
import { type AsOf, askedRange, overviewRequest, tableRequest } from './requests.ts'
import { readState } from './view-state.ts'

/** A Sunday, in the zone whose clocks went back on October 25. */
const AS_OF: AsOf = {
  nowMs: Date.parse('2026-11-22T15:30:00Z'),
  today: '2026-11-22',
  timeZone: 'Europe/Berlin',
}

const askOf = (address: string) => askedRange(readState(new URLSearchParams(address)), AS_OF)

test.each([
  ['', '2026-10-23T22:00:00.000Z', '2026-11-22T15:30:00.000Z', 'day', '2026-09-26..2026-10-25', true],
  [
    'range=yesterday',
    '2026-11-20T23:00:00.000Z',
    '2026-11-21T23:00:00.000Z',
    'hour',
    '2026-11-20..2026-11-20',
    false,
  ],
  [
    'range=last-7-days',
    '2026-11-15T23:00:00.000Z',
    '2026-11-22T15:30:00.000Z',
    'day',
    '2026-11-09..2026-11-15',
    true,
  ],
  [
    'range=this-year&compare=year',
    '2025-12-31T23:00:00.000Z',
    '2026-11-22T15:30:00.000Z',
    'week',
    '2025-01-01..2025-11-22',
    false,
  ],
  [
    'range=2026-11-01..2026-11-10&compare=2026-10-19',
    '2026-10-31T23:00:00.000Z',
    '2026-11-10T23:00:00.000Z',
    'day',
    '2026-10-19..2026-10-28',
    false,
  ],
  [
    'range=2026-11-01..2026-11-10&compare=2024-11-03',
    '2026-10-31T23:00:00.000Z',
    '2026-11-10T23:00:00.000Z',
    'day',
    '2024-11-03..2024-11-12',
    true,
  ],
])(
  '"%s" asks for whole days up to now, and for days to compare with',
  (address, from, to, interval, compared, byWeeks) => {
    const asked = askOf(address)
    const { range, comparedDays } = asked
    expect([new Date(range.fromMs).toISOString(), new Date(range.toMs).toISOString()]).toEqual([from, to])
    expect(asked.interval).toBe(interval)
    expect(`${comparedDays?.from}..${comparedDays?.to}`).toBe(compared)
    expect(asked.shift?.isByWeeks).toBe(byWeeks)
  },
)

test.each([
  ['range=today', ['hour']],
  ['range=last-7-days', ['hour', 'day']],
  ['range=last-30-days', ['day', 'week']],
  ['range=last-12-months', ['day', 'week', 'month']],
])('%s offers the intervals that fit', (address, intervals) => {
  expect(askOf(address).intervals).toEqual(intervals)
})

test('an interval that does not fit gives way to the usual one', () => {
  expect(askOf('range=last-90-days&interval=hour').interval).toBe('day')
})

test('requests carry the filters, and tables compare only where it is shown', () => {
  const state = readState(new URLSearchParams('filter=channel:is-not:Direct&compare=none&cohort=!c1'))
  const compared = readState(new URLSearchParams())
  const filters = [{ dimension: Dimension.CHANNEL, operator: FilterOperator.NOT_EQUALS, value: 'Direct' }]
  const overview = overviewRequest(state, askedRange(state, AS_OF))
  const cohorts = [{ cohortId: 'c1', negate: true }]
  expect(overview).toMatchObject({ filters, cohorts })
  expect(overview.compareTo).toBeUndefined()
  const query = { dimension: Dimension.PAGE, limit: 7 }
  expect(tableRequest(state, askedRange(state, AS_OF), query)).toMatchObject({ filters, cohorts })
  const plain = tableRequest(compared, askedRange(compared, AS_OF), query)
  expect([plain.limit, plain.compareTo]).toEqual([7, undefined])
  const goals = tableRequest(compared, askedRange(compared, AS_OF), { ...query, compare: 'as the page' })
  expect(goals.compareTo?.with).toMatchObject({ case: 'shift', value: { count: 4 } })
  expect(goals.timeRange?.from && timestampDate(goals.timeRange.from).toISOString()).toBe(
    '2026-10-23T22:00:00.000Z',
  )
})

test.each(['2026-11-01', '2026-12-01', '2024-11-04'])(
  'nothing is compared with a range that begins on %s: no shift of the service leads there',
  (from) => {
    expect(askOf(`range=2026-11-01..2026-11-10&compare=${from}`).comparedDays).toBeUndefined()
  },
)
