import type { Clock } from '../../../kernel/clock.ts'
import { type LabelledValue, observedGauges } from '../../../kernel/metrics.ts'
import type { Catalog } from '../catalog.ts'

/** What there is of jobs of one kind and state. */
interface JobCount {
  readonly kind: string
  readonly state: 'waiting' | 'running' | 'failed'
  readonly count: number
  /** When the first one is due; for running ones, when the first claim ends. */
  readonly firstMs: number
}

const STATES = ['waiting', 'running', 'failed'] as const

/** Registers the gauges of the jobs of these kinds; each gauge asks the catalog when it is looked at. */
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
    'How long the job of a kind that is due for longest has been due, or its claim is over; 0 when none is.',
    {
      labels: ['kind'],
      read: async () => {
        const counts = await countJobs(catalog)
        return kinds.map((kind) => ({ labels: { kind }, value: overdueSeconds(counts, kind, clock.nowMs()) }))
      },
    },
  )
}

async function countJobs(catalog: Catalog): Promise<readonly JobCount[]> {
  const rows = await catalog
    .selectFrom('jobs')
    .select(({ fn }) => ['kind', 'state', fn.countAll().as('count'), fn.min('next_ms').as('first_ms')])
    .groupBy(['kind', 'state'])
    .execute()
  return rows.map(({ kind, state, count, first_ms }) => ({
    kind,
    state,
    count: Number(count),
    firstMs: Number(first_ms),
  }))
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

function overdueSeconds(counts: readonly JobCount[], kind: string, nowMs: number): number {
  const firsts = counts
    .filter((row) => row.kind === kind && row.state !== 'failed')
    .map(({ firstMs }) => firstMs)
  return Math.max(0, nowMs - Math.min(nowMs, ...firsts)) / 1000
}
