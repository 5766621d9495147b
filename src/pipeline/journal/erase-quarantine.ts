import type { Logger } from '../../kernel/log.ts'
import { readStoredOwners, withoutRows } from '../encode/stored-rows.ts'
import type { Quarantine, QuarantineEntry } from './quarantine.ts'

/** Whose rows are taken out. */
export interface QuarantineErasure {
  readonly project: number
  /** Which of these ids are the person's. */
  readonly findErased: (ids: readonly string[]) => Promise<ReadonlySet<string>>
  /** An id of the person, as text: what cannot be read as rows and holds it goes as a whole; without it, nothing does. */
  readonly text?: string
}

/** The rows of an entry: the ids that each names, and how to write the entry without some of them. */
interface OpenEntry {
  readonly rows: readonly (readonly string[])[]
  readonly without: (removed: ReadonlySet<number>) => Buffer
}

/**
 * Takes the rows of a person out of the quarantine and answers how many. An entry that holds others' rows keeps those; one
 * that cannot be read as rows is removed when it holds the person's id.
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
    log.warn({ quarantine: entry.id, rows: entry.rows }, 'an erasure removed a block that cannot be read')
    return entry.rows ?? 1
  }
  const ids = await erasure.findErased([...new Set(open.rows.flat())])
  const removed = new Set(open.rows.flatMap((named, row) => (named.some((id) => ids.has(id)) ? [row] : [])))
  if (removed.size === 0) return 0
  if (removed.size === open.rows.length) await quarantine.remove(entry.id)
  else
    await quarantine.replace(entry, { payload: open.without(removed), rows: open.rows.length - removed.size })
  log.warn({ quarantine: entry.id, rows: removed.size }, 'an erasure took rows out of the quarantine')
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

/** Rows of `FORMAT JSONEachRow`, as Identify calls become. */
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
