import { accessSync, constants, existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { hasCode } from '../../pipeline/journal/files.ts'
import { FatalError } from './fatal-error.ts'

/** The remedy for a disk that the kernel has made read-only after an error, or that was mounted so. */
export const REMOUNT = 'its file system is read-only: look at the log of the kernel, and mount it for writing'

/** Creates the data folder if it does not exist. Throws {@link FatalError} when this user cannot create it or write to it. */
export function makeDataFolder(dataDir: string): void {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    accessSync(dataDir, constants.W_OK | constants.X_OK)
  } catch (cause) {
    const remedy = isReadOnly(dataDir) ? REMOUNT : 'set SERVICE_DATA_DIR or change its permissions'
    throw new FatalError(`cannot write to the data folder ${dataDir}; ${remedy}`, { cause })
  }
}

/** The folder itself, or its nearest existing ancestor. */
export function nearestFolder(path: string): string {
  return existsSync(path) ? path : nearestFolder(join(path, '..'))
}

/** Node.js does not tell why it could not create a folder and its parents. */
function isReadOnly(folder: string): boolean {
  try {
    accessSync(nearestFolder(folder), constants.W_OK)
    return false
  } catch (error) {
    return hasCode(error, 'EROFS')
  }
}

/** The use of a folder by a command: `read` lists it and opens its files. */
export type FolderUse = 'read' | 'write'

const USES = {
  read: { verb: 'read', mode: constants.R_OK | constants.X_OK },
  write: { verb: 'write to', mode: constants.R_OK | constants.W_OK | constants.X_OK },
} as const satisfies Record<FolderUse, object>

/** Throws {@link FatalError} when the folder exists and this user lacks the permission. */
export function assertFolderAccess(folder: string, use: FolderUse): void {
  try {
    accessSync(folder, USES[use].mode)
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw refusedUse(folder, use, error)
  }
}

/** The error of a user without permission for a folder or its files. */
export function refusedUse(folder: string, use: FolderUse, cause: unknown): FatalError {
  if (hasCode(cause, 'EROFS')) return new FatalError(`cannot write to ${folder}; ${REMOUNT}`, { cause })
  const code = cause instanceof Error && 'code' in cause ? ` (${cause.code})` : ''
  return new FatalError(
    `this user cannot ${USES[use].verb} ${folder}${code}; run the command as the user that runs the service, or set SERVICE_DATA_DIR`,
    { cause },
  )
}
