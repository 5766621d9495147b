import { expect, test } from 'vitest'
import type { JobCount } from '../store/catalog/job-store.ts'
import { overdueSeconds } from './job-metrics.ts'

const NOW_MS = 100_000

test.each<[name: string, counts: readonly JobCount[], seconds: number]>([
  ['no job', [], 0],
  ['a job that is due later', [{ kind: 'mail', state: 'waiting', count: 1, firstMs: NOW_MS + 5000 }], 0],
  ['a job that is due', [{ kind: 'mail', state: 'waiting', count: 3, firstMs: NOW_MS - 5000 }], 5],
  ['an expired claim', [{ kind: 'mail', state: 'running', count: 1, firstMs: NOW_MS - 2000 }], 2],
  ['a failed job', [{ kind: 'mail', state: 'failed', count: 1, firstMs: NOW_MS - 9000 }], 0],
  ['a job of another kind', [{ kind: 'erase-project', state: 'waiting', count: 1, firstMs: 0 }], 0],
  [
    'the most overdue of several',
    [
      { kind: 'mail', state: 'waiting', count: 1, firstMs: NOW_MS - 1000 },
      { kind: 'mail', state: 'running', count: 1, firstMs: NOW_MS - 7000 },
    ],
    7,
  ],
])('%s', (_name, counts, seconds) => {
  expect(overdueSeconds(counts, 'mail', NOW_MS)).toBe(seconds)
})
