import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { pipeline, Readable, type Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip } from 'node:zlib'
import type { Entry } from 'yauzl'
import { requireRatio } from './expansion.ts'
import { asDamaged, UnreadableSource } from './unreadable-source.ts'
import { listFiles, openArchive, readArchived } from './zip-archive.ts'

/** Bytes of a source, decompressed. */
export type Chunks = AsyncIterable<Uint8Array>

/** One file of a source: the source itself, or a file in an archive. */
export interface SourceFile {
  /** Name within an archive; empty otherwise. */
  readonly name: string
  readonly chunks: Chunks
}

/** The path that stands for standard input. */
export const STDIN = '-'

const GZIP = Buffer.from([0x1f, 0x8b])
const ZIP = Buffer.from('PK\x03\x04', 'latin1')
const EMPTY_ZIP = Buffer.from('PK\x05\x06', 'latin1')
const PARQUET = Buffer.from('PAR1', 'latin1')
const START_BYTES = 4

/** Files of an archive; their names are kept in memory. */
const ARCHIVE_FILES_MAX = 100_000

/** Data that other files of an archive refer to, so that it is read before them: Umami's. */
const READ_FIRST = /(^|\/)event_data\.csv(\.gz)?$/i

/** Brotli has no magic number, so the file name decides. */
const BROTLI_NAME = /\.br(otli)?$/i

const UTF_16_REMEDY = 'convert it: iconv -f UTF-16 -t UTF-8 <file>'

/** Formats that are recognised but not supported, with a remedy. */
const UNSUPPORTED_FORMATS: readonly {
  readonly start: Buffer
  readonly name: string
  readonly remedy: string
}[] = [
  {
    start: PARQUET,
    name: 'a Parquet file',
    remedy: 'import it as a separate file, not from an archive or a pipe',
  },
  {
    start: ZIP,
    name: 'a zip archive',
    remedy: 'import it as a separate file, not from an archive or a pipe',
  },
  { start: Buffer.from([0x28, 0xb5, 0x2f, 0xfd]), name: 'zstd', remedy: 'decompress it: zstd -d <file>' },
  { start: Buffer.from('BZh', 'latin1'), name: 'bzip2', remedy: 'decompress it: bzip2 -d <file>' },
  { start: Buffer.from([0xfd, 0x37, 0x7a, 0x58]), name: 'xz', remedy: 'decompress it: xz -d <file>' },
  { start: Buffer.from([0x04, 0x22, 0x4d, 0x18]), name: 'LZ4', remedy: 'decompress it: lz4 -d <file>' },
  { start: Buffer.from([0xff, 0x06, 0x00, 0x00]), name: 'Snappy', remedy: 'decompress it: snzip -d <file>' },
  {
    start: Buffer.from('Obj\x01', 'latin1'),
    name: 'an Avro file',
    remedy: 'export it as JSON lines or Parquet',
  },
  { start: Buffer.from('ORC', 'latin1'), name: 'an ORC file', remedy: 'export it as JSON lines or Parquet' },
  { start: Buffer.from([0xff, 0xfe]), name: 'text in UTF-16', remedy: UTF_16_REMEDY },
  { start: Buffer.from([0xfe, 0xff]), name: 'text in UTF-16', remedy: UTF_16_REMEDY },
]

/** Whether a path is a Parquet file, whose metadata is at its end. */
export async function isParquet(path: string): Promise<boolean> {
  return path !== STDIN && (await readStart(path)).equals(PARQUET)
}

/**
 * Opens a file or standard input: plain, compressed with gzip or brotli, or a zip archive of such files. Throws
 * {@link UnreadableSource} for other formats.
 */
export async function* openSource(path: string, stdin: Readable): AsyncIterable<SourceFile> {
  if (path === STDIN) yield { name: '', chunks: decompress(stdin, '') }
  else if (await isArchive(path)) yield* openFiles(path)
  else yield { name: '', chunks: decompress(createReadStream(path), path) }
}

async function isArchive(path: string): Promise<boolean> {
  const start = await readStart(path)
  return start.equals(ZIP) || start.equals(EMPTY_ZIP)
}

async function* openFiles(path: string): AsyncIterable<SourceFile> {
  const archive = await openArchive(path)
  try {
    for (const entry of listInOrder(await listFiles(archive, ARCHIVE_FILES_MAX))) {
      const name = entry.fileName
      yield { name, chunks: decompress(readArchived(archive, entry), name) }
    }
  } finally {
    archive.close()
  }
}

/** The files of an archive in their order, except those that are read first. */
function listInOrder(files: readonly Entry[]): readonly Entry[] {
  const isFirst = ({ fileName }: Entry): boolean => READ_FIRST.test(fileName)
  return [...files.filter(isFirst), ...files.filter((entry) => !isFirst(entry))]
}

/** Decompresses gzip, recognised by its first two bytes and possibly with several members, and brotli. */
async function* decompress(source: Chunks, name: string): Chunks {
  const chunks = source[Symbol.asyncIterator]()
  let first = Buffer.alloc(0)
  while (first.length < START_BYTES) {
    const { done, value } = await chunks.next()
    if (done) break
    first = Buffer.concat([first, value])
  }
  const all = startWith(first, { [Symbol.asyncIterator]: () => chunks })
  if (first.subarray(0, GZIP.length).equals(GZIP)) yield* inflate(all, createGunzip(), 'gzip')
  else if (BROTLI_NAME.test(name)) yield* inflate(all, createBrotliDecompress(), 'brotli')
  else {
    assertSupported(first)
    yield* all
  }
}

/** Pipes chunks through a transform; an error of either ends the iteration. */
async function* inflate(chunks: Chunks, through: Transform, coding: string): Chunks {
  let packedBytes = 0
  let unpackedBytes = 0
  const counted = async function* (): Chunks {
    for await (const chunk of chunks) {
      packedBytes += chunk.length
      yield chunk
    }
  }
  pipeline(Readable.from(counted(), { objectMode: false }), through, () => undefined)
  try {
    for await (const chunk of through as Chunks) {
      unpackedBytes += chunk.length
      requireRatio({ packedBytes, unpackedBytes })
      yield chunk
    }
  } catch (error) {
    throw asDamaged(`the ${coding} data`, error)
  }
}

function assertSupported(first: Buffer): void {
  const format = UNSUPPORTED_FORMATS.find(({ start }) => first.subarray(0, start.length).equals(start))
  if (format) throw new UnreadableSource(`the format is ${format.name}; ${format.remedy}`)
}

/** Prepends a chunk. */
export async function* startWith(first: Uint8Array, rest: Chunks): Chunks {
  if (first.length > 0) yield first
  yield* rest
}

async function readStart(path: string): Promise<Buffer> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(START_BYTES), 0, START_BYTES, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}
