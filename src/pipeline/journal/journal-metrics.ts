import { counter, durationHistogram, observedGauge } from '../../kernel/metrics.ts'

/** Time of each fdatasync of the journal. */
export const syncSeconds = durationHistogram(
  'millrace_journal_sync_seconds',
  'Time until written records of the journal are durable.',
)

/** Blocks that `append` refused, by why. */
export const refusedBlocks = counter(
  'millrace_journal_refused_blocks_total',
  'Blocks that the journal refused.',
  ['reason'],
)

/** Blocks and damaged ranges that were set aside, by why. */
export const quarantinedBlocks = counter(
  'millrace_quarantined_blocks_total',
  'Blocks that were set aside: rejected by ClickHouse, or damaged on the disk.',
  ['reason'],
)

/** Time of each INSERT, its failures included. */
export const insertSeconds = durationHistogram('millrace_insert_seconds', 'Time of an INSERT of events.')

/** Rows that ClickHouse took. */
export const insertedRows = counter('millrace_insert_rows_total', 'Rows of events that ClickHouse took.')

/** INSERTs by how they ended: `taken`, `failed` (sent again) or `rejected` (the data is at fault). */
export const inserts = counter('millrace_inserts_total', 'INSERTs of events by outcome.', ['outcome'])

/** What the gauges of a journal show. */
export interface ObservedJournal {
  readonly bytes: number
  readonly segmentCount: number
  readonly oldestAgeSeconds: number
  readonly quarantinedBytes: number
}

/** Registers the gauges of a journal; their names begin with `prefix`. */
export function observeJournal(journal: ObservedJournal, prefix: 'millrace' | 'millrace_identify'): void {
  observedGauge(`${prefix}_journal_bytes`, 'Journal that ClickHouse does not have yet.', () => journal.bytes)
  observedGauge(
    `${prefix}_journal_segments`,
    'Sealed segments that wait for ClickHouse.',
    () => journal.segmentCount,
  )
  observedGauge(
    `${prefix}_journal_oldest_age_seconds`,
    'Age of the oldest record that ClickHouse does not have; counted from the start of the process for older ones.',
    () => journal.oldestAgeSeconds,
  )
  observedGauge(`${prefix}_quarantine_bytes`, 'Bytes in quarantine.', () => journal.quarantinedBytes)
}
