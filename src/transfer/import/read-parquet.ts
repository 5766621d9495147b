import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import {
  type AsyncBuffer,
  asyncBufferFromFile,
  type Compressors,
  type FileMetaData,
  parquetMetadataAsync,
  parquetReadObjects,
} from 'hyparquet'
import { UnreadableSource } from './unreadable-source.ts'

/** A row of a Parquet file. */
export interface ParquetRecord {
  /** Number of the row, from 1. */
  readonly line: number
  /** The row as JSON. */
  readonly text: string
}

/** A row group is read into memory as a whole. */
const GROUP_BYTES_MAX = 1024 ** 3

/** Columns of Parquet files that `millrace export` writes, which are for analytical tools only. */
const OWN_COLUMNS = ['event_id', 'occur_time', 'session_id']

/** Limits each page to the size in its header. */
const COMPRESSORS: Compressors = {
  GZIP: (input, maxOutputLength) => gunzipSync(input, { maxOutputLength }),
  BROTLI: (input, maxOutputLength) => brotliDecompressSync(input, { maxOutputLength }),
  ZSTD: (input, maxOutputLength) => zstdDecompressSync(input, { maxOutputLength }),
}

/** Reads the rows of a Parquet file, a row group at a time. Throws {@link UnreadableSource}. */
export async function* readParquetRows(path: string): AsyncIterable<ParquetRecord> {
  const file = await asyncBufferFromFile(path)
  const metadata = await readMetadata(file)
  let rowStart = 0
  for (const group of metadata.row_groups) {
    const rowEnd = rowStart + Number(group.num_rows)
    if (group.total_byte_size > GROUP_BYTES_MAX) {
      throw new UnreadableSource(
        `a row group of the Parquet file has ${group.total_byte_size} bytes, more than ${GROUP_BYTES_MAX}; write the file with smaller row groups`,
      )
    }
    const rows = await orUnreadable(() =>
      parquetReadObjects({ file, metadata, rowStart, rowEnd, compressors: COMPRESSORS }),
    )
    for (const [index, row] of rows.entries()) {
      yield { line: rowStart + index + 1, text: JSON.stringify(row, toJson) }
    }
    rowStart = rowEnd
  }
}

async function readMetadata(file: AsyncBuffer): Promise<FileMetaData> {
  const metadata = await orUnreadable(() => parquetMetadataAsync(file))
  const columns = new Set(metadata.schema.map(({ name }) => name))
  if (!OWN_COLUMNS.every((name) => columns.has(name))) return metadata
  throw new UnreadableSource('Parquet exports of Millrace cannot be imported; export as jsonl or csv')
}

async function orUnreadable<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new UnreadableSource(
      `the Parquet file cannot be read: ${reason}; export it as JSON lines, or with gzip, brotli, zstd or Snappy`,
      { cause: error },
    )
  }
}

/** Integers beyond the safe range become text. */
function toJson(_: string, value: unknown): unknown {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value)
  return value instanceof Uint8Array ? Buffer.from(value).toString('utf8') : value
}
