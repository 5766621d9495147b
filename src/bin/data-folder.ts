import { accessSync, constants, mkdirSync } from 'node:fs'
import { hasCode } from '../pipeline/journal/files.ts'
import { FatalError } from './fatal-error.ts'

/** Makes the data folder where it is not yet. Throws {@link FatalError} when this user cannot make it or write to it. */
export function makeDataFolder(dataDir: string): void {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    accessSync(dataDir, constants.W_OK | constants.X_OK)
  } catch (cause) {
    throw new FatalError(
      `cannot write to the data folder ${dataDir}; set SERVICE_DATA_DIR or its permissions`,
      { cause },
    )
  }
}

/** What a command does in a folder: `read` lists it and opens what it finds. */
export type FolderUse = 'read' | 'write'

const USES = {
  read: { verb: 'read', mode: constants.R_OK | constants.X_OK },
  write: { verb: 'write to', mode: constants.R_OK | constants.W_OK | constants.X_OK },
} as const satisfies Record<FolderUse, object>

/** Throws {@link FatalError} when there is such a folder, and this user may not use it so. */
export function assertFolderAccess(folder: string, use: FolderUse): void {
  try {
    accessSync(folder, USES[use].mode)
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw refusedUse(folder, use, error)
  }
}

/** The error of a user who may not use a folder so, or what is in it. */
export function refusedUse(folder: string, use: FolderUse, cause: unknown): FatalError {
  const code = cause instanceof Error && 'code' in cause ? ` (${cause.code})` : ''
  return new FatalError(
    `this user cannot ${USES[use].verb} ${folder}${code}; run the command as the user that runs the service, or set SERVICE_DATA_DIR`,
    { cause },
  )
}
