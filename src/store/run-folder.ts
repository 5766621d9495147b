import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Role } from '../kernel/settings.ts'

/** The folder in which the processes of one data folder find each other: `<role>.pid` and `<role>.json`. */
export interface RunFolder {
  readonly path: string
}

/** Where a role listens. */
export interface RoleEndpoint {
  readonly url: string
}

/** The run folder of a data folder, whether it is there or not. */
export function runFolderPath(dataDir: string): string {
  return join(dataDir, 'run')
}

/** Opens the run folder of a data folder, creating both. Throws when they cannot be written. */
export function openRunFolder(dataDir: string): RunFolder {
  const path = runFolderPath(dataDir)
  mkdirSync(path, { recursive: true, mode: 0o700 })
  return { path }
}

/** Forgets what an earlier process left: its ports belong to nobody, or to somebody else. */
export function clearRunFolder(folder: RunFolder): void {
  for (const file of readdirSync(folder.path)) rmSync(join(folder.path, file), { force: true })
}

/** Records the process of a role. */
export function writePid(folder: RunFolder, role: Role | 'supervisor', pid: number): void {
  writeAtomically(join(folder.path, `${role}.pid`), `${pid}\n`)
}

/** Forgets the process of a role. */
export function removePid(folder: RunFolder, role: Role | 'supervisor'): void {
  rmSync(join(folder.path, `${role}.pid`), { force: true })
}

/** Records where a role listens; only the owner may read it. */
export function writeEndpoint(folder: RunFolder, role: Role, endpoint: RoleEndpoint): void {
  writeAtomically(join(folder.path, `${role}.json`), `${JSON.stringify(endpoint)}\n`)
}

/** Where a role listens, or `undefined` when it never started here. */
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
