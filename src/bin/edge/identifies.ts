import { mkdirSync } from 'node:fs'
import type { Logger } from '../../kernel/log.ts'
import { IdentifyQueue } from '../../pipeline/identify/identify-queue.ts'
import type { DiskReserve } from '../../pipeline/journal/disk-reserve.ts'
import { type Journal, openJournal } from '../../pipeline/journal/journal.ts'
import { journalBounds } from '../../pipeline/journal/journal-bounds.ts'
import { journalFolders } from '../../pipeline/journal/journal-folders.ts'
import type { ValidationPool } from '../../pipeline/pool.ts'
import { JOURNAL_INSERTS } from '../../pipeline/ship/journal-inserts.ts'
import type { Settings } from '../../settings/settings.ts'
import type { StoreLink } from '../environment/store-link.ts'
import { shipWhenPrepared } from './shipping.ts'

/** Identify on its way: through a worker and a separate journal to ClickHouse. */
export interface Identifies {
  readonly queue: IdentifyQueue
  readonly journal: Journal
  /** Resolves with the reason when the journal cannot continue. */
  readonly failed: Promise<Error>
  /** See `Shipper.drain`. */
  drain(timeoutMs: number): Promise<number>
  close(): Promise<void>
}

/** What the way of Identify calls shares with that of events. */
export interface SharedParts {
  readonly store: StoreLink
  readonly pool: ValidationPool
  readonly reserve: DiskReserve | undefined
  readonly log: Logger
}

/** Opens the way of Identify calls. The caller holds the claim of the data folder's journal. */
export async function openIdentifies(
  settings: Settings,
  { store, pool, reserve, log }: SharedParts,
): Promise<Identifies> {
  const folders = journalFolders(settings.dataDir, 'identify')
  mkdirSync(folders.folder, { recursive: true, mode: 0o700 })
  const journal = await openJournal({
    ...folders,
    ...journalBounds('identify', settings),
    reserve,
    sync: settings.journalSync,
    batchRowsMax: settings.batchRowsMax,
    batchBytesMax: settings.batchBytesMax,
    log,
  })
  const shipping = shipWhenPrepared(store, { journal, log, ...JOURNAL_INSERTS.identify })
  const queue = new IdentifyQueue({
    run: async (calls) => await pool.runIdentifies(calls),
    commitRows: (rows, rowCount) => journal.append(rows, rowCount),
    log,
  })
  return {
    queue,
    journal,
    failed: journal.failed,
    drain: async (timeoutMs) => await shipping.drain(timeoutMs),
    close: async () => await journal.close(),
  }
}
