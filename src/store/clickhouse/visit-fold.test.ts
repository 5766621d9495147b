import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { ClickHouse } from './client.ts'
import { foldVisits } from './visit-fold.ts'

const NOW_MS = Date.parse('2026-03-02T10:00:00Z')

/** The clock of {@link kernel/clock.ts} waits with this module, which no fake timer replaces. */
vi.mock('node:timers/promises', () => ({
  setTimeout: async (ms: number) => await new Promise((resolve) => setTimeout(resolve, ms)),
}))

beforeEach(() => {
  vi.useFakeTimers()
})

afterEach(() => {
  vi.useRealTimers()
})

const COVERAGE = {
  lastVersion: 1,
  coveredMs: NOW_MS - 60_000,
  startMs: 0,
  arrivals: 3,
  isCurrent: 1,
  recounted: 3,
  nowMs: NOW_MS,
  readyMs: NOW_MS - 10_000,
}

/** A store that has new arrivals, and records when which rows are written: the second, and the table. */
function createStore(cluster?: { readonly name: string; readonly nodes: readonly unknown[] }) {
  const written: string[] = []
  const answers: readonly (readonly [part: string, rows: readonly unknown[]])[] = [
    ['system.processes', [{ running: 0 }]],
    ['AS readyMs', [COVERAGE]],
    ['AS lastMs', [{ arrivals: 1, lastMs: NOW_MS - 20_000 }]],
    ['AS arrivals', [{ arrivals: 4 }]],
  ]
  const startMs = Date.now()
  const client = {
    cluster,
    query: async ({ query }: { readonly query: string }) => {
      const [, rows] = answers.find(([part]) => query.includes(part)) ?? []
      return await Promise.resolve({ json: async () => await Promise.resolve(rows) })
    },
    command: async ({ query }: { readonly query: string }) => {
      const [, table] = /INSERT INTO (\w+)/.exec(query) ?? []
      await Promise.resolve(written.push(`${(Date.now() - startMs) / 1000} ${table}`))
    },
  }
  return { clickhouse: client as unknown as ClickHouse, written }
}

test.each([
  ['one server', undefined, 10, 10],
  ['two shards', { name: 'c', nodes: [{}, {}] }, 10, 10],
  ['replicas', { name: 'c', nodes: [] }, 45, 90],
])(
  'on %s, questions end before rows change, and find all rows that the coverage states',
  async (_, cluster, rowsAt, coverageAt) => {
    const { clickhouse, written } = createStore(cluster)
    const folded = foldVisits(clickhouse, new AbortController().signal)
    await vi.runAllTimersAsync()
    expect(await folded).toMatchObject({ daysToFill: 0, behindSeconds: 10, waitedMs: coverageAt * 1000 })
    expect(written).toEqual([
      `${rowsAt} session_arrivals`,
      `${rowsAt} visits`,
      `${rowsAt} visits`,
      `${coverageAt} visit_coverage`,
    ])
  },
)
