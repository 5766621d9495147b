import { err, ok, type Result } from '../../kernel/result.ts'
import { runInSlices } from '../../kernel/time-slices.ts'
import { type ClickHouse, insertJsonRows, insertNative } from '../../store/clickhouse/client.ts'
import { joinStoredBlocks } from '../encode/stored-block.ts'
import type { JournalName } from '../journal/journal-folders.ts'
import type { QuarantinedBlock } from '../journal/quarantine.ts'
import type { JournalInsert } from './delivery.ts'

/** The INSERT of each journal: its table and its format, for delivery and for a replay from the quarantine. */
export const JOURNAL_INSERTS = {
  events: {
    toBlocks: async (payloads, allocate) => await runInSlices(joinStoredBlocks(payloads, allocate)),
    insert: async (clickhouse, rows) => await insertNative(clickhouse, { ...rows, table: 'events' }),
  },
  identify: {
    // Copies: the buffer of a segment is given back before its INSERT ends.
    toBlocks: async (payloads) => payloads.map((payload) => Buffer.from(payload)),
    insert: async (clickhouse, rows) => await insertJsonRows(clickhouse, { ...rows, table: 'identifies' }),
  },
} as const satisfies Record<JournalName, JournalInsert>

/**
 * Inserts a quarantined block as its journal is shipped, and removes it from the quarantine. A block that cannot be inserted
 * stays, with the reason as the error. A repeated replay, or one concurrent with a delivery, adds nothing: copies of rows
 * collapse. `open` connects to the store for a block that may be inserted; the connection is closed.
 */
export async function replayBlock(
  { journal, quarantine, entry }: QuarantinedBlock,
  open: () => ClickHouse,
): Promise<Result<void, string>> {
  if (entry.reason === 'damaged') {
    return err(`${entry.id} is a damaged part of the journal, not a block: it cannot be inserted`)
  }
  const { toBlocks, insert } = JOURNAL_INSERTS[journal]
  const clickhouse = open()
  try {
    const blocks = await toBlocks([await quarantine.read(entry)], Buffer.allocUnsafe)
    await insert(clickhouse, { blocks, id: entry.id })
  } catch (error) {
    return err(`ClickHouse rejected ${entry.id}: ${error instanceof Error ? error.message : error}`)
  } finally {
    await clickhouse.close()
  }
  await quarantine.remove(entry.id)
  return ok(undefined)
}
