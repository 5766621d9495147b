import { expect, test } from 'vitest'
import { describeRecurringJobs } from './stores.ts'

const NOW_MS = 10_000_000

test.each([
  ['none', [], 'ok', '0 on schedule'],
  [
    'some that are due later, and one that is just due',
    [
      { kind: 'a', count: 3, firstMs: NOW_MS + 1 },
      { kind: 'b', count: 2, firstMs: NOW_MS - 600_000 },
    ],
    'ok',
    '5 on schedule',
  ],
  [
    'one that is overdue',
    [
      { kind: 'a', count: 3, firstMs: NOW_MS + 1 },
      { kind: 'b', count: 2, firstMs: NOW_MS - 900_000 },
    ],
    'warn',
    'overdue: b for 15 min; see the log of the query process for the reason',
  ],
] as const)('recurring jobs: %s', (_, counts, status, text) => {
  expect(describeRecurringJobs(counts, NOW_MS)).toEqual({ status, text })
})
