import { crc32 } from 'node:zlib'
import { type Entry, type Options, openPromise, type ZipFile } from 'yauzl'
import { requireRatio } from './expansion.ts'
import { asDamaged, UnreadableSource } from './unreadable-source.ts'

/** Methods of compression: none, and deflate. */
const METHODS: ReadonlySet<number> = new Set([0, 8])

/** Files that systems add to archives when somebody opens and packs them again. */
const OF_SYSTEMS = /(^|\/)(__MACOSX\/|\._|\.DS_Store$|Thumbs\.db$)/

/** Opens a zip archive. Throws {@link UnreadableSource}. */
export async function openArchive(
  path: string,
  options: Pick<Options, 'strictFileNames'> = {},
): Promise<ZipFile> {
  try {
    return await openPromise(path, { ...options, lazyEntries: true, autoClose: false })
  } catch (error) {
    throw asDamaged('the zip archive', error)
  }
}

/** The files of an archive, in their order. Throws {@link UnreadableSource}, also when there are more than `filesMax`. */
export async function listFiles(archive: ZipFile, filesMax: number): Promise<readonly Entry[]> {
  const files: Entry[] = []
  try {
    for await (const entry of archive.eachEntry()) {
      if (files.length === filesMax)
        throw new UnreadableSource(`the archive has more than ${filesMax} files; split it`)
      if (!entry.fileName.endsWith('/') && !OF_SYSTEMS.test(entry.fileName)) files.push(entry)
    }
  } catch (error) {
    throw asDamaged('the directory of the zip archive', error)
  }
  return files
}

/** Decompresses a file of an archive, and compares its size and checksum. Throws {@link UnreadableSource}. */
export async function* readArchived(archive: ZipFile, entry: Entry): AsyncGenerator<Uint8Array> {
  requireReadable(entry)
  let checksum = 0
  try {
    const content = (await archive.openReadStreamPromise(entry)) as AsyncIterable<Uint8Array>
    for await (const chunk of content) {
      checksum = crc32(chunk, checksum)
      yield chunk
    }
    if (checksum !== entry.crc32) throw new Error('the checksum is wrong')
  } catch (error) {
    throw asDamaged('the file in the archive', error)
  }
}

function requireReadable(entry: Entry): void {
  if (entry.isEncrypted())
    throw new UnreadableSource('the file in the archive is encrypted; pack it without a password')
  if (!METHODS.has(entry.compressionMethod))
    throw new UnreadableSource(
      `the file in the archive is compressed with method ${entry.compressionMethod}; unpack the archive and import its files`,
    )
  requireRatio({ packedBytes: entry.compressedSize, unpackedBytes: entry.uncompressedSize })
}
