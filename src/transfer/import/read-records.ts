import { pipeline, Readable } from 'node:stream'
import { parse } from 'csv-parse'
import type { TimeZone } from '../../domain/insights/time-zone.ts'
import { detectFormat, detectRecord, hasRows, type ImportFormat, requireColumns } from './detect-format.ts'
import { JsonElementScanner, type JsonLayout, layoutOf } from './json-elements.ts'
import { type Chunks, isParquet, openSource, type SourceFile, startWith } from './open-source.ts'
import { readParquetRows } from './read-parquet.ts'
import { locate, UnreadableSource } from './unreadable-source.ts'

/** One record of a source: an object of JSON, or a row of CSV or Parquet. */
export interface SourceRecord {
  readonly format: ImportFormat
  /** File name within an archive; empty otherwise. */
  readonly entry: string
  /** Number of its first line, or of its Parquet row, from 1. */
  readonly line: number
  /** Original text; a Parquet row as JSON. */
  readonly text: string
  /** Cells of a CSV row by column; undefined for JSON and for a malformed row. */
  readonly row?: Readonly<Record<string, string>> | undefined
  /** The reason why the record cannot be parsed. */
  readonly problem?: string
  /** Whether the source ends within the line, so that the record may be cut off. */
  readonly isLast?: boolean
}

/** A source, with its format if known. */
export interface SourceOptions {
  readonly path: string
  readonly stdin: Readable
  readonly format: ImportFormat | undefined
  /** Only valid for Mixpanel exports. */
  readonly timeZone?: TimeZone | undefined
  /** Called with a warning for the operator that does not stop the import. */
  readonly onNotice?: (text: string) => void
}

/** The default body limit of the service is 8 MiB; no valid event is near that. */
const LINE_BYTES_MAX = 4 * 1024 * 1024

/** Bytes read for format detection: the first line of any export, or the first fields of a formatted one. */
const DETECT_BYTES_MAX = 1024 * 1024
const DETECT_BYTES_MIN = 1024

const NEXT_PAGE = 'the last API response in this file has a next page; fetch and import that page, too'

const NEWLINE = 0x0a
const BYTE_ORDER_MARK = Buffer.from('\ufeff')

/** Reads the records of a source in order. */
export async function* readRecords(options: SourceOptions): AsyncIterable<SourceRecord> {
  for await (const record of readAny(options)) {
    if (options.timeZone !== undefined && record.format !== 'mixpanel') {
      throw new UnreadableSource(`--time-zone is for Mixpanel exports only; the format is ${record.format}`)
    }
    yield record
  }
}

async function* readAny(options: SourceOptions): AsyncIterable<SourceRecord> {
  if (await isParquet(options.path)) {
    for await (const record of withFormat(readParquetRows(options.path), options.format))
      yield { ...record, entry: '' }
    return
  }
  for await (const file of openSource(options.path, options.stdin)) yield* readFile(file, options)
}

async function* readFile(
  { name: entry, chunks }: SourceFile,
  options: SourceOptions,
): AsyncIterable<SourceRecord> {
  let line = 0
  try {
    for await (const record of readContent(chunks, options)) {
      line = record.line
      yield { ...record, entry }
    }
  } catch (error) {
    throw locate(error, { entry, line })
  }
}

async function* readContent(
  chunks: Chunks,
  { format: given, onNotice = () => {} }: SourceOptions,
): AsyncIterable<Omit<SourceRecord, 'entry'>> {
  const iterator = chunks[Symbol.asyncIterator]()
  const start = trimByteOrderMark(await readStart(iterator))
  if (start.length === 0) return
  const head = start.toString('utf8')
  const all = startWith(start, { [Symbol.asyncIterator]: () => iterator })
  const layout = hasRows(given) ? 'lines' : layoutOf(head)
  if (layout !== 'lines') {
    yield* withFormat(readElements(all, layout, onNotice), given)
    return
  }
  const format = given ?? detectFormat(head)
  const records = hasRows(format) ? readRows(all, format) : readLines(all)
  for await (const record of records) yield { format, ...record }
}

/** Records whose format is detected from the first one. */
async function* withFormat(
  records: AsyncIterable<PlainRecord>,
  given: ImportFormat | undefined,
): AsyncIterable<Omit<SourceRecord, 'entry'>> {
  let format = given
  for await (const record of records) {
    format ??= detectRecord(record.text)
    yield { format, ...record }
  }
}

async function readStart(chunks: AsyncIterator<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = []
  for (let bytes = 0; bytes < DETECT_BYTES_MAX; ) {
    const { done, value } = await chunks.next()
    if (done) break
    parts.push(value)
    bytes += value.length
    if (bytes >= DETECT_BYTES_MIN && value.includes(NEWLINE)) break
  }
  return Buffer.concat(parts)
}

type PlainRecord = Omit<SourceRecord, 'format' | 'entry'>

async function* readLines(chunks: Chunks): AsyncIterable<PlainRecord> {
  let line = 0
  for await (const { bytes, isLast } of splitLines(chunks)) {
    line++
    if (bytes === 'too long')
      yield { line, text: '', problem: `the line has more than ${LINE_BYTES_MAX} bytes` }
    else if (bytes.length > 0) yield { line, text: bytes.toString('utf8'), ...(isLast ? { isLast } : {}) }
  }
}

/** Records of JSON with any layout but lines. */
async function* readElements(
  chunks: Chunks,
  layout: Exclude<JsonLayout, 'lines'>,
  onNotice: (text: string) => void,
): AsyncIterable<PlainRecord> {
  const scanner = new JsonElementScanner(layout, LINE_BYTES_MAX)
  for await (const chunk of chunks) {
    for (const { line, text } of scanner.push(chunk)) yield toRecord(line, text)
  }
  for (const { line, text } of scanner.end()) yield toRecord(line, text)
  if (scanner.hasNextPage) onNotice(NEXT_PAGE)
}

function toRecord(line: number, text: string | undefined): PlainRecord {
  const problem = `the record has more than ${LINE_BYTES_MAX} bytes`
  return text === undefined ? { line, text: '', problem } : { line, text }
}

interface Line {
  readonly bytes: Buffer | 'too long'
  /** Whether the source ends without a line break after it. */
  readonly isLast: boolean
}

/** Lines without terminators; text beyond the size limit is not buffered. */
async function* splitLines(chunks: Chunks): AsyncIterable<Line> {
  let parts: Uint8Array[] = []
  let bytes = 0
  const take = (isLast: boolean): Line => {
    const line = bytes > LINE_BYTES_MAX ? 'too long' : trimReturn(Buffer.concat(parts))
    parts = []
    bytes = 0
    return { bytes: line, isLast }
  }
  const add = (part: Uint8Array): void => {
    bytes += part.length
    if (bytes <= LINE_BYTES_MAX) parts.push(part)
    else parts = []
  }
  for await (const chunk of chunks) {
    let from = 0
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, from)) {
      add(chunk.subarray(from, at))
      yield take(false)
      from = at + 1
    }
    add(chunk.subarray(from))
  }
  if (bytes > 0) yield take(true)
}

function trimByteOrderMark(start: Buffer): Buffer {
  return start.subarray(0, 3).equals(BYTE_ORDER_MARK) ? start.subarray(3) : start
}

function trimReturn(line: Buffer): Buffer {
  return line.at(-1) === 0x0d ? line.subarray(0, -1) : line
}

interface ParsedRow {
  readonly record: readonly string[]
  readonly raw: string
  readonly info: { readonly lines: number }
}

/** Rows that the parser skips come last: it reports them out of order, and resuming depends on the order of records. */
async function* readRows(chunks: Chunks, format: ImportFormat): AsyncIterable<PlainRecord> {
  const skipped: PlainRecord[] = []
  const parser = parse({
    bom: true,
    info: true,
    raw: true,
    relax_column_count: true,
    relax_quotes: true,
    max_record_size: LINE_BYTES_MAX,
    skip_empty_lines: true,
    skip_records_with_error: true,
    on_skip: (error, raw) => {
      const problem = error?.message ?? 'the row is not valid CSV'
      skipped.push({ line: Number(error?.lines ?? 0), text: raw ?? '', problem })
      return undefined
    },
  })
  let failure: unknown
  const whole = async function* (): Chunks {
    try {
      yield* chunks
    } catch (error) {
      failure = error
    }
  }
  // The rows that the parser has when the source fails are read before the error ends the loop.
  pipeline(Readable.from(whole(), { objectMode: false }), parser, () => undefined)
  let names: readonly string[] | undefined
  let last: PlainRecord | undefined
  // The parser counts a line break of two characters twice inside a cell.
  let excessLines = 0
  for await (const { record, raw, info } of parser as AsyncIterable<ParsedRow>) {
    const text = raw.replace(/\r?\n?$/, '')
    excessLines += text.split('\r\n').length - 1
    if (names !== undefined) {
      if (last !== undefined) yield last
      last = readRow(names, { record, text, endLine: info.lines - excessLines })
    } else {
      requireColumns(format, record)
      names = record
    }
  }
  // The last row may be a part of one.
  if (failure !== undefined) throw failure
  if (last !== undefined) yield last
  yield* skipped
}

function readRow(
  names: readonly string[],
  row: { readonly record: readonly string[]; readonly text: string; readonly endLine: number },
): PlainRecord {
  const { record, text, endLine } = row
  // The parser reports the last line of a row; cells may contain line breaks.
  const line = endLine - (text.match(/\n/g)?.length ?? 0)
  if (record.length !== names.length) {
    return { line, text, problem: `the row has ${record.length} cells, but the header has ${names.length}` }
  }
  return { line, text, row: Object.fromEntries(names.map((name, index) => [name, record[index] ?? ''])) }
}
