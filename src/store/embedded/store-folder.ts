import { randomBytes, randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join, resolve } from 'node:path'
import { memoryOfMachine } from '../../kernel/machine.ts'
import { renderServerConfig } from './config.ts'
import { writePrivateFile } from './endpoint.ts'
import { EngineStartError } from './failure.ts'
import { type EnginePasswords, renderUsersConfig } from './users.ts'
import type { XmlElements } from './xml.ts'

/** The engine's part of a data folder, prepared for a start. Paths are absolute. */
export type StoreFolder = {
  readonly configPath: string
  readonly usersConfigPath: string
  readonly tablesFolder: string
  readonly lockPath: string
  readonly logFolder: string
  readonly passwords: EnginePasswords
}

/**
 * Creates missing parts of `<data folder>/store` and rewrites the configuration. Throws EngineStartError `not_writable`
 * when the file system denies it.
 */
export function prepareStoreFolder(dataFolder: string, config: XmlElements = {}): StoreFolder {
  try {
    return prepare(resolve(dataFolder, 'store'), config)
  } catch (error) {
    const { code, path } = error as NodeJS.ErrnoException
    if (code === undefined) throw error
    const message = `cannot write ${path ?? dataFolder} (${code}): make SERVICE_DATA_DIR a folder that this user can write`
    throw new EngineStartError('not_writable', message, { cause: error })
  }
}

function prepare(root: string, config: XmlElements): StoreFolder {
  const tablesFolder = join(root, 'clickhouse')
  const logFolder = join(root, 'log')
  for (const folder of [join(tablesFolder, 'metadata'), logFolder]) {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
  }
  declareSystemDatabase(join(tablesFolder, 'metadata', 'system.sql'))
  const passwords = loadPasswords(join(root, 'secret'))
  const configs = writeConfigs({ root, logFolder, passwords, config })
  return { ...configs, tablesFolder, logFolder, passwords, lockPath: join(root, 'lock') }
}

function writeConfigs(folder: {
  readonly root: string
  readonly logFolder: string
  readonly passwords: EnginePasswords
  readonly config: XmlElements
}): Pick<StoreFolder, 'configPath' | 'usersConfigPath'> {
  const configPath = join(folder.root, 'server.xml')
  const usersConfigPath = join(folder.root, 'users.xml')
  const config = renderServerConfig({
    extra: folder.config,
    usersConfigPath,
    logFolder: folder.logFolder,
    backupsFolder: backupsFolder(folder.root),
    readerPassword: folder.passwords.reader,
    memoryBytes: memoryOfMachine(),
    cores: availableParallelism(),
  })
  writePrivateFile(usersConfigPath, renderUsersConfig(folder.passwords))
  writePrivateFile(configPath, config)
  return { configPath, usersConfigPath }
}

/** Inside the tables folder, because the engine may not write anywhere else. */
function backupsFolder(root: string): string {
  return join(root, 'clickhouse', 'backups')
}

/** The folder that an engine writes backups to and restores them from. */
export function engineBackupsFolder(dataFolder: string): string {
  return backupsFolder(resolve(dataFolder, 'store'))
}

// Without this file the engine keeps `system` in memory: its logs would be lost at a restart, their parts left.
function declareSystemDatabase(path: string): void {
  if (existsSync(path)) return
  writePrivateFile(path, `ATTACH DATABASE _ UUID '${randomUUID()}'\nENGINE = Atomic\n`)
}

function loadPasswords(path: string): EnginePasswords {
  if (!existsSync(path)) writePrivateFile(path, `${JSON.stringify(createPasswords())}\n`)
  return JSON.parse(readFileSync(path, 'utf8')) as EnginePasswords
}

function createPasswords(): EnginePasswords {
  return { admin: createPassword(), reader: createPassword() }
}

function createPassword(): string {
  return randomBytes(24).toString('base64url')
}
