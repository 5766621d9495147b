import { join } from 'node:path'
import { monotonicMs } from '../../kernel/clock.ts'
import type { Logger } from '../../kernel/log.ts'
import { type JournalFile, type JournalFiles, readStart, writeAll } from './files.ts'
import type { Quarantine } from './quarantine.ts'
import { encodeSeal, recordMarker } from './record.ts'
import { countRows, type Scan, scanSegment } from './scan.ts'
import { parseSegmentName, type SealedSegment, type SegmentName, SPARE_FILE, segmentPath } from './segment.ts'
import { quarantineDamage } from './segment-reader.ts'

/** Options of a recovery. */
export interface RecoverOptions {
  readonly files: JournalFiles
  readonly folder: string
  readonly quarantine: Quarantine
  readonly log: Logger
}

/** Segments of an earlier process. */
export interface Recovered {
  /** Oldest first. */
  readonly segments: readonly SealedSegment[]
  readonly lastSequence: number
}

/**
 * Recovers every segment of the folder, one at a time: truncates torn records, which were never acknowledged, quarantines
 * damage, and seals the segment. Only a segment that never changes again may be sent.
 */
export async function recoverSegments(options: RecoverOptions): Promise<Recovered> {
  const { files, folder, log } = options
  const names: SegmentName[] = []
  for (const file of await files.list(folder)) {
    const name = parseSegmentName(file)
    if (name) names.push(name)
    else if (SPARE_FILE.test(file)) await files.remove(join(folder, file))
    else log.warn({ file: join(folder, file) }, 'a file in the journal folder does not belong to the journal')
  }
  names.sort((a, b) => a.sequence - b.sequence)
  const segments: SealedSegment[] = []
  for (const name of names) {
    const segment = await recoverOne(options, name)
    if (segment) segments.push(segment)
  }
  const rowCount = segments.reduce((sum, segment) => sum + segment.rowCount, 0)
  if (rowCount > 0) log.info({ segments: segments.length, rows: rowCount }, 'the journal has rows to deliver')
  return { segments, lastSequence: names.at(-1)?.sequence ?? 0 }
}

async function recoverOne(options: RecoverOptions, name: SegmentName): Promise<SealedSegment | undefined> {
  const { files, folder, log } = options
  const path = segmentPath(folder, name)
  const file = await files.open(path)
  try {
    const size = await file.size()
    const bytes = await readStart(file, size)
    const scan = scanSegment(bytes, name.id)
    reportTorn(scan, path, log)
    await quarantineDamage(options, { segment: { ...name, path }, bytes, scan })
    if (scan.records.length > 0) await complete({ file, name, scan, log })
    const rowCount = countRows(scan.records)
    if (rowCount > 0) return { ...name, path, bytes: scan.end, rowCount, firstMs: monotonicMs() }
  } catch (error) {
    // The other segments can still be delivered; this one stays for a repair of the disk.
    log.error(
      { err: error, file: path },
      'a segment of the journal cannot be read; the file is left in its folder',
    )
    return undefined
  } finally {
    await file.close()
  }
  await files.remove(path)
  return undefined
}

function reportTorn({ torn, end }: Scan, path: string, log: Logger): void {
  if (!torn) return
  log.warn(
    { file: path, offset: end, rows: torn.rowCount },
    'the last record of a segment is torn: its write was interrupted, and it is truncated',
  )
}

interface Found {
  readonly file: JournalFile
  readonly name: SegmentName
  readonly scan: Scan
  readonly log: Logger
}

/** Syncs also a sealed segment: the process may have ended between writing the seal and syncing it. */
async function complete({ file, name, scan: { isSealed, end }, log }: Found): Promise<void> {
  try {
    if (!isSealed) {
      await file.truncate(end)
      await writeAll(file, [encodeSeal(recordMarker(name.id))], end)
    }
    await file.sync()
  } catch (error) {
    // A full disk must not prevent delivery; the segment receives no more records in any case.
    log.warn({ err: error, sequence: name.sequence }, 'a recovered segment could not be sealed')
  }
}
