import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Role } from '../settings/settings.ts'

/** The folder in which the processes of one data folder find each other: `<role>.pid` and `<role>.json`. */
export interface RunFolder {
  readonly path: string
}

/** The addresses on which a role listens. */
export interface RoleEndpoint {
  readonly url: string
}

/** The path of the run folder of a data folder, whether or not it exists. */
export function runFolderPath(dataDir: string): string {
  return join(dataDir, 'run')
}

/** Opens the run folder of a data folder, creating both. Throws when they cannot be written. */
export function openRunFolder(dataDir: string): RunFolder {
  const path = runFolderPath(dataDir)
  mkdirSync(path, { recursive: true, mode: 0o700 })
  return { path }
}

/** Removes leftovers of an earlier process: its ports may be free or belong to another process. */
export function clearRunFolder(folder: RunFolder): void {
  for (const file of readdirSync(folder.path)) rmSync(join(folder.path, file), { force: true })
}

/** Records the process id of a role. */
export function writePid(folder: RunFolder, role: Role | 'supervisor', pid: number): void {
  writeAtomically(join(folder.path, `${role}.pid`), `${pid}\n`)
}

/** Removes the process id of a role. */
export function removePid(folder: RunFolder, role: Role | 'supervisor'): void {
  removeRunFile(join(folder.path, `${role}.pid`))
}

/** Removes a file that an ending process has left in a run folder. On a disk that has become read-only it stays. */
export function removeRunFile(path: string): void {
  try {
    rmSync(path, { force: true })
  } catch {
    // The next start removes or replaces the file, so it must not make a stop fail.
  }
}

/** Records the addresses of a role; only the owner may read them. */
export function writeEndpoint(folder: RunFolder, role: Role, endpoint: RoleEndpoint): void {
  writeAtomically(join(folder.path, `${role}.json`), `${JSON.stringify(endpoint)}\n`)
}

/** The addresses of a role, or `undefined` when it never started here. */
export function readEndpoint(folder: RunFolder, role: Role): RoleEndpoint | undefined {
  try {
    return JSON.parse(readFileSync(join(folder.path, `${role}.json`), 'utf8'))
  } catch {
    return undefined
  }
}

function writeAtomically(path: string, text: string): void {
  const temporary = `${path}.${process.pid}.tmp`
  writeFileSync(temporary, text, { mode: 0o600 })
  renameSync(temporary, path)
}
