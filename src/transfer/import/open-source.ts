import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { pipeline, Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
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

const GZIP = Buffer.from([0x1f, 0x8b])
const ZIP = Buffer.from('PK\x03\x04', 'latin1')

/** Opens a file, which may be compressed with gzip or be a zip archive of such files, or the standard input. */
export async function* openSource(path: string, stdin: Readable): AsyncIterable<SourceText> {
  if (path === STDIN) yield { name: '', chunks: decompress(stdin) }
  else if ((await readStart(path)).equals(ZIP)) yield* openArchive(path)
  else yield { name: '', chunks: decompress(createReadStream(path)) }
}

async function* openArchive(path: string): AsyncIterable<SourceText> {
  const archive = await openPromise(path, { lazyEntries: true, autoClose: false })
  try {
    for await (const entry of entriesOf(archive)) {
      if (entry.fileName.endsWith('/')) continue
      yield { name: entry.fileName, chunks: decompress(await archive.openReadStreamPromise(entry)) }
    }
  } finally {
    archive.close()
  }
}

function entriesOf(archive: ZipFile): AsyncIterable<Entry> {
  return archive.eachEntry()
}

/** Gzip says so in its first two bytes; files put one after the other are one file. */
async function* decompress(source: Readable): Chunks {
  const chunks = (source as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]()
  let first = Buffer.alloc(0)
  while (first.length < GZIP.length) {
    const { done, value } = await chunks.next()
    if (done) break
    first = Buffer.concat([first, value])
  }
  const all = startWith(first, { [Symbol.asyncIterator]: () => chunks })
  if (!first.subarray(0, GZIP.length).equals(GZIP)) yield* all
  else {
    const gunzip = createGunzip()
    // Whatever fails ends the reading of `gunzip` with its error.
    pipeline(Readable.from(all, { objectMode: false }), gunzip, () => undefined)
    yield* gunzip as Chunks
  }
}

/** The chunks with one before them. */
export async function* startWith(first: Uint8Array, rest: Chunks): Chunks {
  if (first.length > 0) yield first
  yield* rest
}

async function readStart(path: string): Promise<Buffer> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(ZIP.length), 0, ZIP.length, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}
