import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { diskFiles } from '../../pipeline/journal/files.ts'
import { Quarantine } from '../../pipeline/journal/quarantine.ts'
import { parseSegmentName } from '../../pipeline/journal/segment.ts'
import { type Check, describeBytes, fail, ok, warn } from './check.ts'

/** A backlog above this share of its limit is on its way to refusing batches. */
const SHARE_MAX = 0.5

/** How much waits for ClickHouse. The newest segment is being written, and is full only by chance. */
export const checkJournal: Check = async ({ settings, isServed }) => {
  const sizes = segmentSizes(join(settings.dataDir, 'journal'))
  const bytes = sizes.reduce((sum, size) => sum + size, 0)
  if (sizes.length === 0) return ok('nothing waits for ClickHouse')
  const text = `${sizes.length} segments wait for ClickHouse, at most ${describeBytes(bytes)}`
  if (bytes >= settings.journalBytesMax)
    return fail(`${text}: the journal has its limit, batches are refused`)
  if (bytes > settings.journalBytesMax * SHARE_MAX)
    return warn(`${text}: more than half of SERVICE_JOURNAL_MAX_BYTES`)
  return ok(isServed ? text : `${text}; the next start delivers them`)
}

/** What ClickHouse refused, or the disk damaged. */
export const checkQuarantine: Check = async ({ settings: { dataDir } }) => {
  const folder = join(dataDir, 'quarantine')
  const entries = existsSync(folder) ? await (await Quarantine.open(diskFiles, folder)).list() : []
  if (entries.length === 0) return ok('empty')
  return warn(`${entries.length} blocks are set aside; see millrace quarantine list`)
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
