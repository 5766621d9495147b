import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { pipeline, Readable } from 'node:stream'
import { parse } from 'csv-parse'
import type { Entry, ZipFile } from 'yauzl'
import { asDamaged, locate, UnreadableSource } from '../unreadable-source.ts'
import { listFiles, openArchive, readArchived } from '../zip-archive.ts'
import { isTableName, TABLES, type TableName } from './tables.ts'

/** One row of a file of the archive. */
export interface ArchiveRow {
  readonly table: TableName
  /** File name and number of the line. */
  readonly place: string
  /** The cell of a column of the row; `undefined` for a column that the file does not have. */
  readonly cell: (column: string) => string | undefined
}

/** A file of the archive that is read. */
interface TableFile {
  readonly table: TableName
  readonly entry: Entry
}

/** A file of an archive whose tables are known. */
export interface ArchiveFiles {
  readonly files: readonly TableFile[]
  /** Names of tables that are not imported. */
  readonly others: readonly string[]
}

/** An export of Plausible has a dozen files. */
const ENTRIES_MAX = 1000
/** Decompressed; the export of a large site over years has some 200 MB. */
const BYTES_MAX = 4 * 1024 ** 3
const ROWS_MAX = 20_000_000
/** Addresses and campaigns have at most 2,000 characters each. */
const ROW_BYTES_MAX = 64 * 1024

/** `imported_pages_20230209_20240123.csv`, possibly in a folder. */
const FILE_NAME = /(?:^|\/)imported_([a-z_]+?)(?:_\d{8}_\d{8})?\.csv$/
/** A file of the other download, which has the numbers of a page of Plausible. */
const DASHBOARD_NAME = /(?:^|\/)(?:visitors|sources|pages|countries|conversions)\.csv$/

/** Identifies the content of an archive, together with the release of the mapping that reads it. */
export async function digestOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path) as AsyncIterable<Uint8Array>) hash.update(chunk)
  return `plausible-1:${hash.digest('hex')}`
}

/** Reads all rows of an archive, table by table. Throws {@link UnreadableSource} for one that is not a whole export. */
export async function* readArchive(
  path: string,
  onOther: (name: string) => void = () => {},
): AsyncIterable<ArchiveRow> {
  const archive = await openExport(path)
  try {
    const { files, others } = await findFiles(archive)
    for (const name of others) onOther(name)
    const size = { bytes: 0, rows: 0 }
    for (const file of files) yield* readTable(archive, file, size)
  } finally {
    archive.close()
  }
}

async function openExport(path: string): Promise<ZipFile> {
  try {
    return await openArchive(path, { strictFileNames: true })
  } catch (error) {
    if (!(error instanceof UnreadableSource)) throw error
    throw new UnreadableSource(
      `${error.message}; import the archive that Plausible's "Export to CSV" made, as it is`,
      { cause: error },
    )
  }
}

async function findFiles(archive: ZipFile): Promise<ArchiveFiles> {
  const byTable = new Map<TableName, Entry>()
  const others: string[] = []
  let isDashboard = false
  for (const entry of await listFiles(archive, ENTRIES_MAX)) {
    isDashboard ||= DASHBOARD_NAME.test(entry.fileName)
    const [, table] = FILE_NAME.exec(entry.fileName) ?? []
    if (table === undefined) continue
    if (!isTableName(table)) others.push(`imported_${table}`)
    else if (byTable.has(table))
      throw new UnreadableSource(`imported_${table} is in the archive twice; import each export by itself`)
    else byTable.set(table, entry)
  }
  if (!byTable.has('visitors')) throw new UnreadableSource(describeMissing(isDashboard))
  const files = (Object.keys(TABLES) as TableName[]).flatMap((table) => {
    const entry = byTable.get(table)
    return entry ? [{ table, entry }] : []
  })
  return { files, others }
}

function describeMissing(isDashboard: boolean): string {
  const remedy = 'in Plausible, open Site settings > Imports & exports and choose "Export to CSV"'
  return isDashboard
    ? `this archive has the numbers of one view of the dashboard, not of each day; ${remedy}`
    : `the archive has no imported_visitors_<from>_<to>.csv; ${remedy}`
}

async function* readTable(
  archive: ZipFile,
  file: TableFile,
  size: { bytes: number; rows: number },
): AsyncIterable<ArchiveRow> {
  const { table, entry } = file
  let columns: ReadonlyMap<string, number> | undefined
  try {
    for await (const { record, info } of parseFile(archive, entry, size)) {
      if (!columns) {
        columns = readHeader(record, { table, name: entry.fileName })
        continue
      }
      if (++size.rows > ROWS_MAX) throw new UnreadableSource(`the archive has more than ${ROWS_MAX} rows`)
      const header = columns
      yield {
        table,
        place: `${entry.fileName}, line ${info.lines}`,
        cell: (column) => {
          const index = header.get(column)
          return index === undefined ? undefined : record[index]
        },
      }
    }
  } catch (error) {
    // Errors of the archive and of its CSV are those of the file, whichever library found them.
    throw asDamaged(entry.fileName, error)
  }
  if (!columns) throw new UnreadableSource(`${entry.fileName} is empty: it needs a line with its columns`)
}

function parseFile(archive: ZipFile, entry: Entry, size: { bytes: number }): AsyncIterable<ParsedRow> {
  const limited = async function* (): AsyncIterable<Uint8Array> {
    try {
      for await (const chunk of readArchived(archive, entry)) {
        size.bytes += chunk.length
        if (size.bytes > BYTES_MAX)
          throw new UnreadableSource(`the archive has more than ${BYTES_MAX} bytes when decompressed`)
        yield chunk
      }
    } catch (error) {
      throw locate(error, { entry: entry.fileName, line: 0 })
    }
  }
  const rows = parse({ bom: true, max_record_size: ROW_BYTES_MAX, info: true, skip_empty_lines: true })
  pipeline(Readable.from(limited(), { objectMode: false }), rows, () => undefined)
  return rows
}

interface ParsedRow {
  readonly record: readonly string[]
  readonly info: { readonly lines: number }
}

function readHeader(
  names: readonly string[],
  { table, name }: { readonly table: TableName; readonly name: string },
): ReadonlyMap<string, number> {
  const columns = new Map(names.map((column, index) => [column.trim(), index]))
  if (columns.size < names.length) throw new UnreadableSource(`${name} has two columns of one name`)
  for (const needed of TABLES[table].needs) {
    if (columns.has(needed)) continue
    throw new UnreadableSource(
      `${name} has no column ${needed}; its columns are ${names.join(', ').slice(0, 500)}`,
    )
  }
  return columns
}
