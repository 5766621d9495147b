import { statfsSync, statSync } from 'node:fs'
import { statfs } from 'node:fs/promises'

/** Free bytes of the disk of a folder, without those that are reserved for other users. Rejects when there is no such folder. */
export async function readFreeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

/** {@link readFreeBytes}, for commands. */
export function readFreeBytesSync(folder: string): number {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize
}

/** Whether two folders are on one file system; false when one does not exist. */
export function isOneDisk(first: string, second: string): boolean {
  const [one, other] = [first, second].map((folder) => statSync(folder, { throwIfNoEntry: false })?.dev)
  return one !== undefined && one === other
}

/** Whether an error, of the operating system or of a store, has the cause that a disk is full. */
export function isDiskFull(error: unknown): boolean {
  const message = error instanceof Error ? error.message : String(error)
  return DISK_FULL.test(message)
}

/** The words of Node.js and libuv, of the C library in errors of ClickHouse, of ClickHouse, and of SQLite. */
const DISK_FULL = /ENOSPC|No space left on device|not enough space|database or disk is full/i
