import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { hasCode } from './files.ts'
import { type Scan, scanSegment } from './scan.ts'
import { parseSegmentName } from './segment.ts'

/** Reading while somebody writes may see a record half written and the next one whole; not so often in a row. */
const TRIES_MAX = 5

/**
 * Copies every record that was durable when this was called out of a journal that is in use, and nothing else of its files.
 * A segment that is delivered meanwhile is gone, or its file has another use: what it had is in ClickHouse then.
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
  for (let tries = 1; ; tries++) {
    const bytes = await read(path)
    if (bytes === undefined) return undefined
    const scan: Scan = scanSegment(bytes, id)
    if (scan.damages.length === 0 || tries === TRIES_MAX) {
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
