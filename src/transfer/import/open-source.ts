import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { pipeline, Readable, type Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip } from 'node:zlib'
import { type Entry, openPromise, type ZipFile } from 'yauzl'

/** Bytes of a source, decompressed. */
export type Chunks = AsyncIterable<Uint8Array>

/** One of the texts in a source: the source itself, or a file of an archive. */
export interface SourceText {
  /** Name within an archive; empty otherwise. */
  readonly name: string
  readonly chunks: Chunks
}

/** The path that means the standard input. */
export const STDIN = '-'

/** A file whose bytes cannot be read here. Its message names the format and a way. */
export class UnreadableSource extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'UnreadableSource'
  }
}

const GZIP = Buffer.from([0x1f, 0x8b])
const ZIP = Buffer.from('PK\x03\x04', 'latin1')
const PARQUET = Buffer.from('PAR1', 'latin1')
const START_BYTES = 4

/** Brotli has no mark of its own at its start, so that its name has to tell. */
const BROTLI_NAME = /\.br(otli)?$/i

/** What is recognised and not read, with the way to something that is. */
const OTHER_FORMATS: readonly { readonly start: Buffer; readonly is: string; readonly way: string }[] = [
  {
    start: PARQUET,
    is: 'a Parquet file',
    way: 'import it as a file of its own, not from an archive or a pipe',
  },
  { start: ZIP, is: 'a zip archive', way: 'import it as a file of its own, not from an archive or a pipe' },
  { start: Buffer.from([0x28, 0xb5, 0x2f, 0xfd]), is: 'zstd', way: 'decompress it: zstd -d <file>' },
  { start: Buffer.from('BZh', 'latin1'), is: 'bzip2', way: 'decompress it: bzip2 -d <file>' },
  { start: Buffer.from([0xfd, 0x37, 0x7a, 0x58]), is: 'xz', way: 'decompress it: xz -d <file>' },
  { start: Buffer.from([0x04, 0x22, 0x4d, 0x18]), is: 'LZ4', way: 'decompress it: lz4 -d <file>' },
  { start: Buffer.from([0xff, 0x06, 0x00, 0x00]), is: 'Snappy', way: 'decompress it: snzip -d <file>' },
  { start: Buffer.from('Obj\x01', 'latin1'), is: 'an Avro file', way: 'export it as JSON lines or Parquet' },
  { start: Buffer.from('ORC', 'latin1'), is: 'an ORC file', way: 'export it as JSON lines or Parquet' },
]

/** Whether a path is a Parquet file, which has to be read from its end. */
export async function isParquet(path: string): Promise<boolean> {
  return path !== STDIN && (await readStart(path)).equals(PARQUET)
}

/**
 * Opens a file, which may be compressed with gzip or brotli or be a zip archive of such files, or the standard input. Throws
 * {@link UnreadableSource} for what is none of these.
 */
export async function* openSource(path: string, stdin: Readable): AsyncIterable<SourceText> {
  if (path === STDIN) yield { name: '', chunks: decompress(stdin, '') }
  else if ((await readStart(path)).equals(ZIP)) yield* openArchive(path)
  else yield { name: '', chunks: decompress(createReadStream(path), path) }
}

async function* openArchive(path: string): AsyncIterable<SourceText> {
  const archive = await openPromise(path, { lazyEntries: true, autoClose: false })
  try {
    for await (const entry of entriesOf(archive)) {
      const name = entry.fileName
      if (name.endsWith('/')) continue
      yield { name, chunks: decompress(await archive.openReadStreamPromise(entry), name) }
    }
  } finally {
    archive.close()
  }
}

function entriesOf(archive: ZipFile): AsyncIterable<Entry> {
  return archive.eachEntry()
}

/** Gzip is told by its first two bytes; files put one after the other are one file. */
async function* decompress(source: Readable, name: string): Chunks {
  const chunks = (source as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]()
  let first = Buffer.alloc(0)
  while (first.length < START_BYTES) {
    const { done, value } = await chunks.next()
    if (done) break
    first = Buffer.concat([first, value])
  }
  const all = startWith(first, { [Symbol.asyncIterator]: () => chunks })
  if (first.subarray(0, GZIP.length).equals(GZIP)) yield* pass(all, createGunzip())
  else if (BROTLI_NAME.test(name)) yield* pass(all, createBrotliDecompress())
  else {
    refuseOtherFormats(first)
    yield* all
  }
}

/** Whatever fails ends the reading with its error. */
async function* pass(chunks: Chunks, through: Transform): Chunks {
  pipeline(Readable.from(chunks, { objectMode: false }), through, () => undefined)
  yield* through as Chunks
}

function refuseOtherFormats(first: Buffer): void {
  const other = OTHER_FORMATS.find(({ start }) => first.subarray(0, start.length).equals(start))
  if (other) throw new UnreadableSource(`the format is ${other.is}; ${other.way}`)
}

/** The chunks with one before them. */
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
