import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { hasCode } from './files.ts'
import { type Scan, scanSegment } from './scan.ts'
import { parseSegmentName } from './segment.ts'

/** Attempts per file: a read during a write may see a torn record before a whole one, but not several times in a row. */
const ATTEMPTS_MAX = 5

/**
 * Copies the durable records of a journal in use. A segment that is delivered meanwhile may be missing: ClickHouse has its
 * rows.
 */
export async function copySegments(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true, mode: 0o700 })
  for (const file of await list(from)) {
    const id = parseSegmentName(file)?.id
    const bytes = id === undefined ? undefined : await readRecords(join(from, file), id)
    if (bytes) await writeFile(join(to, file), bytes, { mode: 0o600, flag: 'wx', flush: true })
  }
}

async function readRecords(path: string, id: string): Promise<Uint8Array | undefined> {
  for (let attempt = 1; ; attempt++) {
    const bytes = await read(path)
    if (bytes === undefined) return undefined
    const scan: Scan = scanSegment(bytes, id)
    if (scan.damages.length === 0 || attempt === ATTEMPTS_MAX) {
      return scan.records.length === 0 ? undefined : bytes.subarray(0, scan.end)
    }
  }
}

async function read(path: string): Promise<Buffer | undefined> {
  try {
    return await readFile(path)
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  }
}

async function list(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return []
    throw error
  }
}
