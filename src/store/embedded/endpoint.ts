import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { removeRunFile } from '../run-folder.ts'
import { ADMIN_USER, type EnginePasswords, READER_USER } from './users.ts'

/** A user of the engine and their password in the clear. */
export type EngineUser = { readonly user: string; readonly password: string }

/** The address and credentials with which a process of this machine connects to a running engine. */
export type EngineEndpoint = {
  /** HTTP address without a path or credentials, for example http://127.0.0.1:18123. */
  readonly url: string
  /** Port of the native protocol on 127.0.0.1, when it is open. */
  readonly tcpPort?: number
  readonly pid: number
  readonly admin: EngineUser
  readonly reader: EngineUser
}

/** Creates an endpoint. */
export function createEndpoint(
  at: Pick<EngineEndpoint, 'url' | 'pid' | 'tcpPort'>,
  passwords: EnginePasswords,
): EngineEndpoint {
  return {
    ...at,
    admin: { user: ADMIN_USER, password: passwords.admin },
    reader: { user: READER_USER, password: passwords.reader },
  }
}

/**
 * The endpoint that the running engine of a data folder has published, or undefined without one. The file survives a
 * crash of engine and parent: only connecting proves that the engine runs.
 */
export function readEngineEndpoint(dataFolder: string): EngineEndpoint | undefined {
  try {
    return JSON.parse(readFileSync(endpointPath(dataFolder), 'utf8')) as EngineEndpoint
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** Publishes an endpoint, atomically and for this user only. */
export function writeEngineEndpoint(dataFolder: string, endpoint: EngineEndpoint): void {
  const path = endpointPath(dataFolder)
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  writePrivateFile(path, `${JSON.stringify(endpoint)}\n`)
}

/** Withdraws the endpoint published by the engine with this pid; leaves that of a later engine alone. */
export function removeEngineEndpoint(dataFolder: string, pid: number): void {
  if (readEngineEndpoint(dataFolder)?.pid === pid) removeRunFile(endpointPath(dataFolder))
}

/** Writes a file atomically that only this user can read. */
export function writePrivateFile(path: string, text: string): void {
  const draft = `${path}.${process.pid}.tmp`
  rmSync(draft, { force: true })
  writeFileSync(draft, text, { mode: 0o600, flag: 'wx', flush: true })
  renameSync(draft, path)
}

function endpointPath(dataFolder: string): string {
  return join(dataFolder, 'run', 'store.json')
}
