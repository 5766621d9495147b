import { accessSync, constants, mkdirSync } from 'node:fs'
import { hasCode } from '../pipeline/journal/files.ts'
import { FatalError } from './fatal-error.ts'

/** Creates the data folder if it does not exist. Throws {@link FatalError} when this user cannot create it or write to it. */
export function makeDataFolder(dataDir: string): void {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    accessSync(dataDir, constants.W_OK | constants.X_OK)
  } catch (cause) {
    throw new FatalError(
      `cannot write to the data folder ${dataDir}; set SERVICE_DATA_DIR or change its permissions`,
      { cause },
    )
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
  const code = cause instanceof Error && 'code' in cause ? ` (${cause.code})` : ''
  return new FatalError(
    `this user cannot ${USES[use].verb} ${folder}${code}; run the command as the user that runs the service, or set SERVICE_DATA_DIR`,
    { cause },
  )
}
