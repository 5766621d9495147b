import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { monotonicMs, sleep } from '../../kernel/clock.ts'
import { hasCode, type JournalFiles, readStart } from './files.ts'
import { HEADER_BYTES, peekHeader, recordMarker } from './record.ts'
import { parseSegmentName } from './segment.ts'

const POLL_MS = 100

/**
 * Waits for the delivery of all records that are now in the journals below a folder; resolves with false when it takes longer
 * than `waitMs`. Segments are sealed soon after their first record, and removed after delivery.
 */
export async function untilDelivered(
  files: JournalFiles,
  {
    folder,
    waitMs,
    signal,
  }: { readonly folder: string; readonly waitMs: number; readonly signal: AbortSignal },
): Promise<boolean> {
  const giveUpMs = monotonicMs() + waitMs
  const waiting = new Set<string>()
  for (const path of await listSegments(folder)) if (await hasRecord(files, path)) waiting.add(path)
  while (waiting.size > 0) {
    const present = new Set(await listSegments(folder))
    for (const path of waiting) if (!present.has(path)) waiting.delete(path)
    if (waiting.size > 0 && monotonicMs() > giveUpMs) return false
    if (waiting.size > 0) await sleep(POLL_MS, signal)
  }
  return true
}

async function listSegments(folder: string): Promise<readonly string[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true, recursive: true })
    const segments = entries.filter(({ name }) => parseSegmentName(name))
    return segments.map(({ parentPath, name }) => join(parentPath, name))
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return []
    throw error
  }
}

/** A prepared file has no record of its own segment: at most bytes of an earlier one. */
async function hasRecord(files: JournalFiles, path: string): Promise<boolean> {
  const name = parseSegmentName(path.slice(path.lastIndexOf('/') + 1))
  try {
    const file = await files.open(path)
    const start = await readStart(file, HEADER_BYTES).finally(() => file.close())
    return peekHeader(start, { marker: recordMarker(name?.id ?? ''), offset: 0 }) !== undefined
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return false
    throw error
  }
}
