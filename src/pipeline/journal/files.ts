import { fdatasync, writev } from 'node:fs'
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import { promisify } from 'node:util'

/** An open file of the journal. Every method rejects with the error of the operating system, its `code` included. */
export interface JournalFile {
  /** Bytes in the file. */
  size(): Promise<number>
  /** Reads into `target` from `position`; returns the bytes read, 0 at the end of the file. */
  read(target: Buffer, position: number): Promise<number>
  /** Writes the buffers one after the other from `position`; returns the bytes written, which may be fewer. */
  write(buffers: readonly Uint8Array[], position: number): Promise<number>
  /** Resolves when all written bytes are on stable storage. */
  sync(): Promise<void>
  /** Cuts the file to `length` bytes. */
  truncate(length: number): Promise<void>
  /** Closes the file. */
  close(): Promise<void>
}

/** The file operations of the journal; tests inject a disk that is full, slow or broken. */
export interface JournalFiles {
  /** Names in a folder, in no order; creates the folder. */
  list(folder: string): Promise<readonly string[]>
  /** Creates a file; rejects when it exists. */
  create(path: string): Promise<JournalFile>
  /** Opens a file for reading and writing. */
  open(path: string): Promise<JournalFile>
  /** Opens a file for reading only. */
  openToRead(path: string): Promise<JournalFile>
  /** Renames a file, replacing any file at the target. */
  rename(from: string, to: string): Promise<void>
  /** Removes a file; a missing one is no error. */
  remove(path: string): Promise<void>
  /** Resolves when the names in a folder are on stable storage. */
  syncFolder(folder: string): Promise<void>
}

/** The files of this machine; only the owner may read them. */
export const diskFiles: JournalFiles = {
  list: async (folder) => {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    return await readdir(folder)
  },
  create: async (path) => await openOnDisk(path, 'wx+'),
  open: async (path) => await openOnDisk(path, 'r+'),
  openToRead: async (path) => await openOnDisk(path, 'r'),
  rename: async (from, to) => await rename(from, to),
  remove: async (path) => await rm(path, { force: true }),
  syncFolder: async (folder) => {
    const handle = await open(folder, 'r')
    await handle.sync().finally(() => handle.close())
  },
}

const writeBuffers = promisify(writev)
const syncData = promisify(fdatasync)

/**
 * Every commit writes and syncs. The functions for descriptors take 60 % of the CPU time of the same methods of a handle (writev
 * and fdatasync of 16 kB over allocated bytes: 168 instead of 284 us). A closed handle has no descriptor, so that its number
 * cannot mean another file.
 */
async function openOnDisk(path: string, flags: string): Promise<JournalFile> {
  const handle = await open(path, flags, 0o600)
  return {
    size: async () => (await handle.stat()).size,
    read: async (target, position) => (await handle.read(target, 0, target.length, position)).bytesRead,
    write: async (buffers, position) => (await writeBuffers(handle.fd, [...buffers], position)).bytesWritten,
    sync: async () => await syncData(handle.fd),
    truncate: async (length) => await handle.truncate(length),
    close: async () => await handle.close(),
  }
}

/** Whether an error means that the disk or its quota is full. */
export function isNoSpace(error: unknown): boolean {
  return hasCode(error, 'ENOSPC') || hasCode(error, 'EDQUOT')
}

/** Whether an error means that the process or the machine has no free file descriptor, which is temporary. */
export function isNoDescriptor(error: unknown): boolean {
  return hasCode(error, 'EMFILE') || hasCode(error, 'ENFILE')
}

/** Whether an error has this system error code. */
export function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}

/** Reads the first `length` bytes of a file, or fewer when it is shorter, into `memory` or a new buffer. */
export async function readStart(
  file: JournalFile,
  length: number,
  memory: Buffer = Buffer.allocUnsafeSlow(length),
): Promise<Buffer> {
  const bytes = memory.subarray(0, length)
  let filled = 0
  while (filled < length) {
    const count = await file.read(bytes.subarray(filled), filled)
    if (count === 0) break
    filled += count
  }
  return bytes.subarray(0, filled)
}

/** Writes all bytes, also when the operating system accepts only a part of them at a time. */
export async function writeAll(
  file: JournalFile,
  buffers: readonly Uint8Array[],
  position: number,
): Promise<void> {
  let rest = buffers
  let end = position
  while (rest.length > 0) {
    const count = await file.write(rest, end)
    if (count === 0) throw Object.assign(new Error('a write wrote no bytes'), { code: 'EIO' })
    end += count
    rest = dropBytes(rest, count)
  }
}

function dropBytes(buffers: readonly Uint8Array[], count: number): readonly Uint8Array[] {
  let left = count
  const index = buffers.findIndex((buffer) => {
    if (left < buffer.length) return true
    left -= buffer.length
    return false
  })
  const first = buffers[index]
  return first === undefined ? [] : [first.subarray(left), ...buffers.slice(index + 1)]
}

/** Writes a file atomically: after a crash it is complete or missing. */
export async function writeWhole(
  files: JournalFiles,
  { folder, path, bytes }: { readonly folder: string; readonly path: string; readonly bytes: Uint8Array },
): Promise<void> {
  const temporary = `${path}.tmp`
  await files.remove(temporary)
  const file = await files.create(temporary)
  try {
    await writeAll(file, [bytes], 0)
    await file.sync()
  } finally {
    await file.close()
  }
  await files.rename(temporary, path)
  await files.syncFolder(folder)
}
