import { counter, countersOf, durationHistogram, observedGauges } from '../../kernel/metrics.ts'

/** Duration of each fdatasync of the journal. */
export const syncSeconds = durationHistogram(
  'millrace_journal_sync_seconds',
  'Duration of a sync of the journal to disk.',
)

/** Blocks that `append` rejected, by reason. */
export const refusedBlocks = countersOf(
  'millrace_journal_refused_blocks_total',
  'Blocks rejected by the journal.',
  {
    label: 'reason',
    values: ['journal_full', 'disk_full', 'queue_full', 'disk_stalled', 'no_descriptor', 'stopped'],
  },
)

/** Quarantined blocks and damaged ranges, by reason. */
export const quarantinedBlocks = countersOf(
  'millrace_quarantined_blocks_total',
  'Blocks quarantined: rejected by ClickHouse, or damaged on disk.',
  { label: 'reason', values: ['rejected', 'damaged'] },
)

/** Duration of each INSERT, including failed ones. */
export const insertSeconds = durationHistogram(
  'millrace_insert_seconds',
  'Duration of an INSERT of events or Identify calls, including failed ones.',
)

/** Rows that ClickHouse stored. */
export const insertedRows = counter(
  'millrace_insert_rows_total',
  'Rows of events and Identify calls that ClickHouse stored.',
)

/** INSERTs by outcome. */
export const inserts = countersOf(
  'millrace_inserts_total',
  'INSERTs by outcome: taken (stored), failed (retried) or rejected (because of the data).',
  { label: 'outcome', values: ['taken', 'failed', 'rejected'] },
)

/** A journal's values that gauges show. */
export interface ObservedJournal {
  readonly bytes: number
  readonly bytesMax: number
  readonly rowCount: number
  readonly segmentCount: number
  readonly oldestAgeSeconds: number
  readonly quarantinedBytes: number
  readonly quarantinedBlocks: number
}

/** The journals of an edge, as labels name them. */
export type ObservedJournals = Readonly<Record<'events' | 'identifies', ObservedJournal>>

/** A gauge with one value per journal: its help, and the value. */
type JournalGauge = readonly [help: string, read: (journal: ObservedJournal) => number]

const GAUGES: Readonly<Record<string, JournalGauge>> = {
  millrace_journal_bytes: ['Journal bytes not yet in ClickHouse.', ({ bytes }) => bytes],
  millrace_journal_max_bytes: [
    'Limit of journal bytes; above it requests are rejected.',
    ({ bytesMax }) => bytesMax,
  ],
  millrace_journal_rows: ['Acknowledged rows not yet in ClickHouse.', ({ rowCount }) => rowCount],
  millrace_journal_segments: ['Sealed segments not yet in ClickHouse.', ({ segmentCount }) => segmentCount],
  millrace_journal_oldest_age_seconds: [
    'Age of the oldest record not yet in ClickHouse; since the start of the process for older records.',
    ({ oldestAgeSeconds }) => oldestAgeSeconds,
  ],
  millrace_quarantine_bytes: ['Bytes in quarantine.', ({ quarantinedBytes }) => quarantinedBytes],
  millrace_quarantine_blocks: [
    'Blocks and damaged ranges in quarantine.',
    ({ quarantinedBlocks }) => quarantinedBlocks,
  ],
}

/** Registers the gauges of the journals of this process. */
export function observeJournals(journals: ObservedJournals): void {
  for (const [name, [help, read]] of Object.entries(GAUGES)) {
    observedGauges(name, help, {
      labels: ['journal'],
      read: () =>
        Object.entries(journals).map(([journal, observed]) => ({
          labels: { journal },
          value: read(observed),
        })),
    })
  }
}
