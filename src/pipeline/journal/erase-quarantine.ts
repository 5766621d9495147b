import type { Logger } from '../../kernel/log.ts'
import { readStoredOwners, withoutRows } from '../encode/stored-rows.ts'
import { diskFiles } from './files.ts'
import { JOURNAL_NAMES, journalFolders } from './journal-folders.ts'
import { Quarantine, type QuarantineEntry } from './quarantine.ts'

/** The rows to erase. */
export interface QuarantineErasure {
  readonly project: number
  /** Returns which of these ids are the user's. */
  readonly findErased: (ids: readonly string[]) => Promise<ReadonlySet<string>>
  /** An id of the user, as text: an unreadable entry that contains it is removed; without it, unreadable entries stay. */
  readonly text?: string
}

/** The ids in each row of an entry, and a function that encodes the entry without some rows. */
interface OpenEntry {
  readonly rows: readonly (readonly string[])[]
  readonly without: (removed: ReadonlySet<number>) => Buffer
}

/** Erases a user's rows from the quarantines of every journal of a data folder; returns how many. */
export async function eraseQuarantines(
  { dataDir, log }: { readonly dataDir: string; readonly log: Logger },
  erasure: QuarantineErasure,
): Promise<number> {
  let erased = 0
  for (const name of JOURNAL_NAMES) {
    const quarantine = await Quarantine.open(diskFiles, journalFolders(dataDir, name).quarantineFolder)
    erased += await eraseQuarantine(quarantine, erasure, log)
  }
  return erased
}

/**
 * Erases a user's rows from the quarantine; returns how many. Entries keep the rows of other users; an unreadable entry is
 * removed when it contains the user's id.
 */
export async function eraseQuarantine(
  quarantine: Quarantine,
  erasure: QuarantineErasure,
  log: Logger,
): Promise<number> {
  let erased = 0
  for (const entry of await quarantine.list()) erased += await eraseEntry({ quarantine, entry, erasure, log })
  return erased
}

async function eraseEntry({
  quarantine,
  entry,
  erasure,
  log,
}: {
  readonly quarantine: Quarantine
  readonly entry: QuarantineEntry
  readonly erasure: QuarantineErasure
  readonly log: Logger
}): Promise<number> {
  const block = await quarantine.read(entry)
  const open = entry.reason === 'rejected' ? openEntry(block, erasure.project) : undefined
  if (!open) {
    if (erasure.text === undefined || !block.includes(erasure.text)) return 0
    await quarantine.remove(entry.id)
    log.warn({ quarantine: entry.id, rows: entry.rows }, 'an erasure removed an unreadable block')
    return entry.rows ?? 1
  }
  const ids = await erasure.findErased([...new Set(open.rows.flat())])
  const removed = new Set(open.rows.flatMap((named, row) => (named.some((id) => ids.has(id)) ? [row] : [])))
  if (removed.size === 0) return 0
  if (removed.size === open.rows.length) await quarantine.remove(entry.id)
  else
    await quarantine.replace(entry, { payload: open.without(removed), rows: open.rows.length - removed.size })
  log.warn({ quarantine: entry.id, rows: removed.size }, 'an erasure removed rows from the quarantine')
  return removed.size
}

/** `undefined` when the bytes are not rows. */
function openEntry(block: Buffer, project: number): OpenEntry | undefined {
  try {
    return block.at(0) === '{'.charCodeAt(0) ? openLines(block, project) : openBlock(block, project)
  } catch {
    return undefined
  }
}

function openBlock(block: Buffer, project: number): OpenEntry {
  const owners = readStoredOwners(block)
  return {
    rows: owners.map((owner) => (owner.project === project ? [owner.distinctId] : [])),
    without: (removed) => withoutRows(block, removed),
  }
}

/** Rows of Identify calls, in `FORMAT JSONEachRow`. */
function openLines(block: Buffer, project: number): OpenEntry {
  const lines = block.toString('utf8').trimEnd().split('\n')
  return {
    rows: lines.map((line) => {
      const row: Readonly<Record<string, unknown>> = JSON.parse(line)
      if (row.project !== project) return []
      return [row.external_id, row.anonymous_id]
        .filter((id) => typeof id === 'string' && id !== '')
        .map(String)
    }),
    without: (removed) =>
      Buffer.from(
        lines
          .filter((_, row) => !removed.has(row))
          .map((line) => `${line}\n`)
          .join(''),
      ),
  }
}
