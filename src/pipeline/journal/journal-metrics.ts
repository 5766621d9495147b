import { counter, countersOf, durationHistogram, observedGauges } from '../../kernel/metrics.ts'

/** Time of each fdatasync of the journal. */
export const syncSeconds = durationHistogram(
  'millrace_journal_sync_seconds',
  'Time until written records of the journal are durable.',
)

/** Blocks that `append` refused, by why. */
export const refusedBlocks = countersOf(
  'millrace_journal_refused_blocks_total',
  'Blocks that the journal refused.',
  {
    label: 'reason',
    values: ['journal_full', 'disk_full', 'queue_full', 'disk_stalled', 'no_descriptor', 'stopped'],
  },
)

/** Blocks and damaged ranges that were set aside, by why. */
export const quarantinedBlocks = countersOf(
  'millrace_quarantined_blocks_total',
  'Blocks that were set aside: rejected by ClickHouse, or damaged on the disk.',
  { label: 'reason', values: ['rejected', 'damaged'] },
)

/** Time of each INSERT, its failures included. */
export const insertSeconds = durationHistogram(
  'millrace_insert_seconds',
  'Time of an INSERT of events or Identify calls, its failures included.',
)

/** Rows that ClickHouse took. */
export const insertedRows = counter(
  'millrace_insert_rows_total',
  'Rows of events and Identify calls that ClickHouse took.',
)

/** INSERTs by how they ended: `taken`, `failed` (sent again) or `rejected` (the data is at fault). */
export const inserts = countersOf(
  'millrace_inserts_total',
  'INSERTs by outcome: taken, failed (sent again) or rejected (the data is at fault).',
  { label: 'outcome', values: ['taken', 'failed', 'rejected'] },
)

/** What the gauges of a journal show. */
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

/** A gauge with one value a journal: its help, and the value. */
type JournalGauge = readonly [help: string, read: (journal: ObservedJournal) => number]

const GAUGES: Readonly<Record<string, JournalGauge>> = {
  millrace_journal_bytes: ['Journal that ClickHouse does not have yet.', ({ bytes }) => bytes],
  millrace_journal_max_bytes: [
    'Journal that may wait for ClickHouse; beyond it requests are refused.',
    ({ bytesMax }) => bytesMax,
  ],
  millrace_journal_rows: ['Acknowledged rows that ClickHouse does not have yet.', ({ rowCount }) => rowCount],
  millrace_journal_segments: [
    'Sealed segments that wait for ClickHouse.',
    ({ segmentCount }) => segmentCount,
  ],
  millrace_journal_oldest_age_seconds: [
    'Age of the oldest record that ClickHouse does not have; counted from the start of the process for older ones.',
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
