/** A setting that a sweep compares values of. */
export interface Sweep {
  readonly setting: string
  readonly values: readonly string[]
}

/** The settings that decide about ingestion. */
export const SWEEPS = {
  workers: { setting: 'SERVICE_WORKERS', values: ['1', '2', '3', '4'] },
  'batch-rows': { setting: 'SERVICE_BATCH_MAX_ROWS', values: ['5000', '20000', '50000', '100000'] },
  'batch-ms': { setting: 'SERVICE_BATCH_MAX_MS', values: ['100', '500', '2000', '5000'] },
  'journal-sync': { setting: 'SERVICE_JOURNAL_SYNC', values: ['always', '10', '100', '1000'] },
} as const satisfies Record<string, Sweep>

/** One of {@link SWEEPS}. */
export type SweepName = keyof typeof SWEEPS
