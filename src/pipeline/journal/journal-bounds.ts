import type { JournalName } from './journal-folders.ts'

/** Bounds of a journal: of the bytes that may wait for ClickHouse, and of the age of a segment before it is sealed. */
export interface JournalBounds {
  readonly bytesMax: number
  readonly batchMs: number
}

/**
 * Identify calls are few and their answers are waited for: they are sent sooner than events, and need less of the disk however
 * large the journal of events may be.
 */
const CEILINGS = {
  events: { bytesMax: Infinity, batchMs: Infinity },
  identify: { bytesMax: 1024 ** 3, batchMs: 500 },
} as const satisfies Record<JournalName, JournalBounds>

/** The bounds of a journal: those of the settings, within the ceilings of the journal. */
export function journalBounds(
  name: JournalName,
  settings: { readonly journalBytesMax: number; readonly batchMs: number },
): JournalBounds {
  const { bytesMax, batchMs } = CEILINGS[name]
  return {
    bytesMax: Math.min(bytesMax, settings.journalBytesMax),
    batchMs: Math.min(batchMs, settings.batchMs),
  }
}
