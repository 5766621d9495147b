import type { Clock } from '../kernel/clock.ts'
import { type LabelledValue, observedGauges } from '../kernel/metrics.ts'
import type { Catalog } from '../store/catalog/catalog.ts'
import { countJobs, type JobCount } from '../store/catalog/job-store.ts'
import { countRecurringJobs } from '../store/catalog/recurring-store.ts'

const STATES = ['waiting', 'running', 'failed'] as const

/** Registers the gauges of the jobs of these kinds; each scrape queries the catalog. */
export function observeJobs(
  catalog: Catalog,
  { kinds, clock }: { readonly kinds: readonly string[]; readonly clock: Clock },
): void {
  observedGauges('millrace_jobs', 'Background jobs of the catalog, by kind and state.', {
    labels: ['kind', 'state'],
    read: async () => countAll(kinds, await countJobs(catalog)),
  })
  observedGauges(
    'millrace_job_overdue_seconds',
    'Seconds since the most overdue job of a kind became due, or since its claim expired; 0 without one.',
    {
      labels: ['kind'],
      read: async () => {
        const counts = await countJobs(catalog)
        return kinds.map((kind) => ({ labels: { kind }, value: overdueSeconds(counts, kind, clock.nowMs()) }))
      },
    },
  )
}

/** Registers the gauges of recurring jobs of these kinds; each scrape queries the catalog. */
export function observeRecurringJobs(
  catalog: Catalog,
  { kinds, clock }: { readonly kinds: readonly string[]; readonly clock: Clock },
): void {
  const observe = (name: string, help: string, read: (count: number, lateMs: number) => number): void =>
    observedGauges(name, help, {
      labels: ['kind'],
      read: async () => {
        const counts = await countRecurringJobs(catalog)
        return kinds.map((kind) => {
          const found = counts.find((row) => row.kind === kind)
          const lateMs = found ? Math.max(0, clock.nowMs() - found.firstMs) : 0
          return { labels: { kind }, value: read(found?.count ?? 0, lateMs) }
        })
      },
    })
  observe('millrace_recurring_jobs', 'Recurring jobs of the catalog, by kind.', (count) => count)
  observe(
    'millrace_recurring_overdue_seconds',
    'Seconds since the most overdue recurring job of a kind became due; 0 without one.',
    (_, lateMs) => lateMs / 1000,
  )
}

function countAll(
  kinds: readonly string[],
  counts: readonly JobCount[],
): readonly LabelledValue<'kind' | 'state'>[] {
  return kinds.flatMap((kind) =>
    STATES.map((state) => {
      const found = counts.find((row) => row.kind === kind && row.state === state)
      return { labels: { kind, state }, value: found?.count ?? 0 }
    }),
  )
}

/** Seconds since the most overdue job of a kind became due, or since its claim expired; failed jobs are never due. */
export function overdueSeconds(counts: readonly JobCount[], kind: string, nowMs: number): number {
  const firsts = counts
    .filter((row) => row.kind === kind && row.state !== 'failed')
    .map(({ firstMs }) => firstMs)
  return Math.max(0, nowMs - Math.min(nowMs, ...firsts)) / 1000
}
