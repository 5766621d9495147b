import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { diskFiles } from '../../pipeline/journal/files.ts'
import { JOURNAL_NAMES, type JournalName, journalFolders } from '../../pipeline/journal/journal-folders.ts'
import { Quarantine } from '../../pipeline/journal/quarantine.ts'
import { parseSegmentName } from '../../pipeline/journal/segment.ts'
import { identifyBytesMax } from '../identifies.ts'
import {
  type Check,
  describeBytes,
  type Finding,
  type FindingStatus,
  fail,
  ok,
  type Patient,
  warn,
} from './check.ts'

/** A backlog above this share of its limit is on its way to refusing batches. */
const SHARE_MAX = 0.5

/** How much waits for ClickHouse. The newest segment is being written, and is full only by chance. */
export const checkJournal: Check = async ({ settings, isServed }) =>
  worstOf(JOURNAL_NAMES.map((name) => checkBacklog({ settings, isServed }, name)))

/** What ClickHouse refused, or the disk damaged. */
export const checkQuarantine: Check = async ({ settings: { dataDir } }) => {
  let count = 0
  for (const name of JOURNAL_NAMES) {
    const { quarantineFolder: folder } = journalFolders(dataDir, name)
    if (existsSync(folder)) count += (await (await Quarantine.open(diskFiles, folder)).list()).length
  }
  if (count === 0) return ok('empty')
  return warn(`${count} blocks are set aside; see millrace quarantine list`)
}

const WORDS = {
  events: { waits: 'of events wait', refused: 'batches are refused' },
  identify: { waits: 'of Identify calls wait', refused: 'Identify is refused' },
} as const satisfies Record<JournalName, object>

function checkBacklog(
  { settings, isServed }: Pick<Patient, 'settings' | 'isServed'>,
  name: JournalName,
): Finding {
  const sizes = segmentSizes(journalFolders(settings.dataDir, name).folder)
  if (sizes.length === 0) return ok('nothing waits for ClickHouse')
  const bytes = sizes.reduce((sum, size) => sum + size, 0)
  const bytesMax = name === 'events' ? settings.journalBytesMax : identifyBytesMax(settings)
  const { waits, refused } = WORDS[name]
  const text = `${sizes.length} segments ${waits} for ClickHouse, at most ${describeBytes(bytes)}`
  if (bytes >= bytesMax) return fail(`${text}: the journal has its limit, ${refused}`)
  if (bytes > bytesMax * SHARE_MAX)
    return warn(`${text}: more than half of the limit of ${describeBytes(bytesMax)}`)
  return ok(isServed ? text : `${text}; the next start delivers them`)
}

const RANKS = { ok: 0, skip: 1, warn: 2, fail: 3 } as const satisfies Record<FindingStatus, number>

/** One line: the worst status, and what all that are not the best say. */
function worstOf(findings: readonly Finding[]): Finding {
  const texts = [...new Set(findings.map(({ text }) => text))]
  const told = texts.length > 1 ? texts.filter((text) => text !== 'nothing waits for ClickHouse') : texts
  const status = findings.map((finding) => finding.status).toSorted((a, b) => RANKS[b] - RANKS[a])[0]
  return { status: status ?? 'ok', text: told.join('; ') }
}

function segmentSizes(folder: string): readonly number[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder).flatMap((name) => {
    if (!parseSegmentName(name)) return []
    // The service removes them as they are delivered.
    const size = statSync(join(folder, name), { throwIfNoEntry: false })?.size
    return size === undefined ? [] : [size]
  })
}
