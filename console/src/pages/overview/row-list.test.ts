import { create } from '@bufbuild/protobuf'
import {
  type WebMetrics,
  WebMetricsSchema,
  WebTableRowSchema,
} from '@contract/millrace/web/v1/web_analytics_service_pb.js'
import { expect, test } from 'vitest'
import { isKnown } from './metrics.ts'
import { pageOf, rowsOf, sortRows } from './row-list.ts'

const metricsOf = (visitors: number, bounceRate: number): WebMetrics =>
  create(WebMetricsSchema, { visitors: BigInt(visitors), visits: BigInt(visitors), bounceRate })

const rows = rowsOf(
  'page',
  [
    { value: '/b', metrics: metricsOf(9, 20) },
    { value: '/a', metrics: metricsOf(5, 80) },
    { value: '/c', metrics: metricsOf(1, 50) },
  ].map((row) => create(WebTableRowSchema, row)),
)

test.each([
  ['visitors', 'descending', '/b /a /c'],
  ['visitors', 'ascending', '/c /a /b'],
  ['bounce', 'descending', '/a /c /b'],
  ['name', 'ascending', '/a /b /c'],
] as const)('values are sorted by %s, %s', (key, direction, order) => {
  expect(
    sortRows(rows, { key, direction })
      .map(({ value }) => value)
      .join(' '),
  ).toBe(order)
})

test('a page has the ranks of its rows', () => {
  const [row] = rows
  const many = Array.from({ length: 120 }, () => row).filter((one) => one !== undefined)
  const { rows: shown, ...place } = pageOf(many, 2)
  expect([shown.length, place]).toEqual([20, { from: 101, to: 120, pages: 3 }])
})

test('a rate of no visits is unknown, a count of them is 0', () => {
  const none = metricsOf(0, 0)
  expect([isKnown('bounce', none), isKnown('duration', none), isKnown('per-visit', none)]).toEqual([
    false,
    false,
    false,
  ])
  expect([isKnown('visitors', none), isKnown('views', none)]).toEqual([true, true])
  expect(isKnown('bounce', metricsOf(1, 0))).toBe(true)
})
