import { create } from '@bufbuild/protobuf'
import { timestampFromMs, timestampMs } from '@bufbuild/protobuf/wkt'
import { UsageMonthSchema } from '@contract/dashboard/usage/v1/usage_service_pb.js'
import { expect, test } from 'vitest'
import { countsOf, monthsUntil, rangeOf } from './usage-months.ts'

const MONTHS = monthsUntil(Date.UTC(2026, 1, 28, 23, 59))
const row = (month: number, projectId: string, eventCount: bigint) =>
  create(UsageMonthSchema, { month: timestampFromMs(month), projectId, eventCount })

test('the months are the running one and the five before it, across a new year', () => {
  expect(MONTHS.map((ms) => new Date(ms).toISOString().slice(0, 10))).toEqual([
    '2025-09-01',
    '2025-10-01',
    '2025-11-01',
    '2025-12-01',
    '2026-01-01',
    '2026-02-01',
  ])
})

test('the range has the whole running month', () => {
  const { from, to } = rangeOf(MONTHS)
  expect([timestampMs(from), timestampMs(to)]).toEqual([Date.UTC(2025, 8, 1), Date.UTC(2026, 2, 1)])
})

test('a project has the counts of its own months, and none for a month without events', () => {
  const monthly = [
    row(Date.UTC(2025, 11, 1), '1', 7n),
    row(Date.UTC(2025, 11, 1), '2', 50n),
    row(Date.UTC(2026, 1, 1), '1', 9n),
  ]
  expect(countsOf({ monthly }, { projectId: '1', months: MONTHS })).toEqual([0, 0, 0, 7, 0, 9])
  expect(countsOf({ monthly }, { projectId: '3', months: MONTHS })).toEqual([0, 0, 0, 0, 0, 0])
})
