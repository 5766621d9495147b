import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Where Debian puts servers, which is not on everybody's PATH. */
const SERVER_FOLDERS = ['/usr/sbin', '/usr/local/sbin', '/sbin']

/**
 * Tells whether a program that is not a dependency of ours is installed. Tests that need one are skipped, and counted as
 * skipped, on a machine without it; the gate (`CI=true`) installs all of them, and there a missing one is an error.
 */
export function hasSystemTool(program: string, debianPackage: string): boolean {
  const folders = [...(process.env.PATH ?? '').split(delimiter), ...SERVER_FOLDERS]
  const isInstalled = folders.some((folder) => isExecutable(join(folder, program)))
  if (isInstalled || process.env.CI === undefined) return isInstalled
  throw new Error(`these tests need ${program}: apt-get install ${debianPackage}`)
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
