import { existsSync, lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { CATALOG_FILE } from '../../src/store/catalog/sqlite-dialect.ts'
import { JOURNAL_FOLDERS } from '../../src/transfer/backup/data-folder.ts'
import type { BenchService } from '../rig/service.ts'
import type { Probe } from './probe.ts'

/** Tables of their own row; the others are added up. */
const SHOWN_TABLES = ['sessions', 'users', 'visits', 'name_days', 'day_arrivals'] as const

const BYTES_BY_TABLE = `SELECT table, toFloat64(sum(bytes_on_disk)) AS bytes,
  toFloat64(sum(secondary_indices_compressed_bytes) + sum(primary_key_bytes_in_memory)) AS indexes, toUInt32(count()) AS parts
FROM system.parts WHERE active AND database = currentDatabase() GROUP BY table`

interface TableBytes {
  readonly table: string
  readonly bytes: number
  readonly indexes: number
  readonly parts: number
}

/** Records the bytes of an event on the disk, by table, and those of everything else. */
export async function measureDisk(
  { store: { clickhouse }, dataDir }: BenchService,
  events: number,
  probe: Probe,
): Promise<void> {
  const result = await clickhouse.query({ query: BYTES_BY_TABLE, format: 'JSONEachRow' })
  const tables = await result.json<TableBytes>()
  const bytesOf = (name: string): number => tables.find(({ table }) => table === name)?.bytes ?? 0
  const all = tables.reduce((total, { bytes }) => total + bytes, 0)
  const indexes = tables.find(({ table }) => table === 'events')?.indexes ?? 0
  const named = SHOWN_TABLES.reduce((total, name) => total + bytesOf(name), bytesOf('events'))
  const record = (name: string, bytes: number): void => probe.record(name, 'bytes/event', bytes / events)
  record('disk: all tables', all)
  record('disk: events', bytesOf('events'))
  record('disk: indexes of events', indexes)
  for (const name of SHOWN_TABLES) record(`disk: ${name}`, bytesOf(name))
  record('disk: other tables', all - named)
  probe.record('disk: catalog', 'MB', fileBytes(join(dataDir, CATALOG_FILE)) / 1e6)
  probe.record(
    'disk: journals',
    'MB',
    JOURNAL_FOLDERS.reduce((total, name) => total + folderBytes(join(dataDir, name)), 0) / 1e6,
  )
  probe.record(
    'parts of all tables',
    'parts',
    tables.reduce((total, { parts }) => total + parts, 0),
  )
}

/** Bytes of the files in a folder and below. */
export function folderBytes(folder: string): number {
  if (!existsSync(folder)) return 0
  const entries = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return entries.reduce((total, name) => total + fileBytes(join(folder, name)), 0)
}

function fileBytes(path: string): number {
  const entry = lstatSync(path, { throwIfNoEntry: false })
  return entry?.isFile() ? entry.size : 0
}
