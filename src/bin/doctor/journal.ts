import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describeBytes } from '../../kernel/describe-bytes.ts'
import { journalBounds } from '../../pipeline/journal/journal-bounds.ts'
import { JOURNAL_NAMES, type JournalName, journalFolders } from '../../pipeline/journal/journal-folders.ts'
import { listQuarantinedBlocks } from '../../pipeline/journal/quarantine.ts'
import { parseSegmentName } from '../../pipeline/journal/segment.ts'
import { type Check, type Finding, type FindingStatus, fail, ok, type Patient, warn } from './check.ts'

/** A backlog above this share of the limit may soon fill the journal. */
const SHARE_MAX = 0.5

/** The backlog for ClickHouse, an upper bound: the newest segment is still being written. */
export const checkJournal: Check = async ({ settings, isServed }) =>
  worstOf(JOURNAL_NAMES.map((name) => checkBacklog({ settings, isServed }, name)))

/** Blocks that ClickHouse rejected or the disk damaged. */
export const checkQuarantine: Check = async ({ settings: { dataDir } }) => {
  const blocks = await Promise.all(
    JOURNAL_NAMES.map(async (name) => await listQuarantinedBlocks(dataDir, name)),
  )
  const count = blocks.flat().length
  if (count === 0) return ok('empty')
  return warn(`${count} ${count === 1 ? 'block' : 'blocks'} in quarantine; see millrace quarantine list`)
}

const WORDS = {
  events: { waiting: 'events', refused: 'batches are rejected' },
  identify: { waiting: 'Identify calls', refused: 'Identify calls are rejected' },
} as const satisfies Record<JournalName, object>

function checkBacklog(
  { settings, isServed }: Pick<Patient, 'settings' | 'isServed'>,
  name: JournalName,
): Finding {
  const sizes = segmentSizes(journalFolders(settings.dataDir, name).folder)
  if (sizes.length === 0) return ok('no backlog')
  const bytes = sizes.reduce((sum, size) => sum + size, 0)
  const { bytesMax } = journalBounds(name, settings)
  const { waiting, refused } = WORDS[name]
  const [segments, wait] = sizes.length === 1 ? ['segment', 'waits'] : ['segments', 'wait']
  const text = `${sizes.length} ${segments} of ${waiting} ${wait} for ClickHouse, at most ${describeBytes(bytes)}`
  if (bytes >= bytesMax) return fail(`${text}: the journal is full, and ${refused}`)
  if (bytes > bytesMax * SHARE_MAX)
    return warn(`${text}: more than half of the limit of ${describeBytes(bytesMax)}`)
  return ok(isServed ? text : `${text}; the next start delivers them`)
}

const RANKS = { ok: 0, skip: 1, warn: 2, fail: 3 } as const satisfies Record<FindingStatus, number>

/** Combines findings into one line with the worst status. */
function worstOf(findings: readonly Finding[]): Finding {
  const texts = [...new Set(findings.map(({ text }) => text))]
  const shown = texts.length > 1 ? texts.filter((text) => text !== 'no backlog') : texts
  const status = findings.map((finding) => finding.status).toSorted((a, b) => RANKS[b] - RANKS[a])[0]
  return { status: status ?? 'ok', text: shown.join('; ') }
}

function segmentSizes(folder: string): readonly number[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder).flatMap((name) => {
    if (!parseSegmentName(name)) return []
    // The service may have delivered and removed it since the listing.
    const size = statSync(join(folder, name), { throwIfNoEntry: false })?.size
    return size === undefined ? [] : [size]
  })
}
