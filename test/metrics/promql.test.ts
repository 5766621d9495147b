import { expect, test } from 'vitest'
import { selectionOf } from './promql.ts'

test.each([
  ['up == 0', [{ name: 'up', labels: [] }], []],
  ['rate(a_total{x="by (y)", z!~"q|r"}[5m])', [{ name: 'a_total', labels: ['x', 'z'] }], []],
  [
    'sum by (le, x) (rate(a_bucket[$__rate_interval])) / on (x) b{} and c > 0.5 * 1024',
    [
      { name: 'a_bucket', labels: [] },
      { name: 'b', labels: [] },
      { name: 'c', labels: [] },
    ],
    ['le', 'x', 'x'],
  ],
])('in %s the metrics and labels are found', (expression, metrics, groupedBy) => {
  expect(selectionOf(expression)).toEqual({ metrics, groupedBy })
})
