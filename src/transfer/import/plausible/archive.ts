import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { parse } from 'csv-parse'
import { type Entry, openPromise, type ZipFile } from 'yauzl'
import { UnreadableSource } from '../open-source.ts'
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
  const archive = await openArchive(path)
  try {
    const { files, others } = await findFiles(archive)
    for (const name of others) onOther(name)
    const size = { bytes: 0, rows: 0 }
    for (const file of files) yield* readTable(archive, file, size)
  } catch (error) {
    throw asUnreadable(error)
  } finally {
    archive.close()
  }
}

async function openArchive(path: string): Promise<ZipFile> {
  try {
    return await openPromise(path, { lazyEntries: true, autoClose: false, strictFileNames: true })
  } catch (error) {
    throw new UnreadableSource(
      `${path} is no ZIP archive (${messageOf(error)}); import the file that Plausible's "Export to CSV" made, as it is`,
      { cause: error },
    )
  }
}

async function findFiles(archive: ZipFile): Promise<ArchiveFiles> {
  const byTable = new Map<TableName, Entry>()
  const others: string[] = []
  let isDashboard = false
  if (archive.entryCount > ENTRIES_MAX)
    throw new UnreadableSource(`the archive has more than ${ENTRIES_MAX} files; it is no export of Plausible`)
  for await (const entry of archive.eachEntry()) {
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
  { table, entry }: TableFile,
  size: { bytes: number; rows: number },
): AsyncIterable<ArchiveRow> {
  const stream = await archive.openReadStreamPromise(entry)
  stream.on('data', (chunk: Uint8Array) => {
    size.bytes += chunk.length
    if (size.bytes > BYTES_MAX)
      stream.destroy(new UnreadableSource(`the archive has more than ${BYTES_MAX} bytes when decompressed`))
  })
  const rows = parse({ bom: true, max_record_size: ROW_BYTES_MAX, info: true, skip_empty_lines: true })
  stream.on('error', (error) => rows.destroy(error))
  stream.pipe(rows)
  let columns: ReadonlyMap<string, number> | undefined
  for await (const { record, info } of rows as AsyncIterable<ParsedRow>) {
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
  if (!columns) throw new UnreadableSource(`${entry.fileName} is empty: it needs a line with its columns`)
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

/** Errors of the archive and of its CSV are those of the file, whichever library found them. */
function asUnreadable(error: unknown): Error {
  if (error instanceof UnreadableSource) return error
  return new UnreadableSource(`the archive is damaged: ${messageOf(error)}; export it again`, {
    cause: error,
  })
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
