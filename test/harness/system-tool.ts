import { accessSync, constants, existsSync, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Where Debian installs servers, which is not on every PATH. */
const SERVER_FOLDERS = ['/usr/sbin', '/usr/local/sbin', '/sbin']

/** Where Debian puts PostgreSQL, one folder for each version. */
const POSTGRES_FOLDER = '/usr/lib/postgresql'

/** The path of a program that is not a dependency of ours; `undefined` when it is not installed. */
export function findSystemTool(program: string): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(delimiter), ...SERVER_FOLDERS, ...postgresFolders()]
  return folders.map((folder) => join(folder, program)).find(isExecutable)
}

/**
 * Tells whether such a program is installed. Tests that need one are skipped, and counted as skipped, on a machine without
 * it; the gate (`CI=true`) installs all of them, and there a missing one is an error.
 */
export function hasSystemTool(program: string, debianPackage: string): boolean {
  const isInstalled = findSystemTool(program) !== undefined
  if (isInstalled || process.env.CI === undefined) return isInstalled
  throw new Error(`these tests need ${program}: apt-get install ${debianPackage}`)
}

function postgresFolders(): string[] {
  const versions = existsSync(POSTGRES_FOLDER) ? readdirSync(POSTGRES_FOLDER) : []
  return versions.map((version) => join(POSTGRES_FOLDER, version, 'bin'))
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
