import { cpSync, existsSync, linkSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** Keys that encrypt the catalog's secrets and sign tokens. */
export const SECRET_FILES = ['secret-key', 'jwt-secret'] as const

/** Journals: acknowledged data that is not in ClickHouse yet. */
export const JOURNAL_FOLDERS = ['journal', 'journal-identify'] as const

/** Rows that ClickHouse rejected and that an operator may still replay. */
export const QUARANTINE_FOLDERS = ['quarantine', 'quarantine-identify'] as const

/** ClickHouse's own backup of its database. */
export const CLICKHOUSE_FOLDER = 'clickhouse'

/** Copies a file or a folder if it exists. Throws if the target exists. */
export function copyIfExists(from: string, to: string): void {
  if (existsSync(from)) cpSync(from, to, { recursive: true, errorOnExist: true, force: false })
}

/** Copies a folder whose files no longer change, as hard links where the file system supports them. */
export function linkFolder(from: string, to: string): void {
  mkdirSync(to, { recursive: true, mode: 0o700 })
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (entry.isDirectory()) linkFolder(source, target)
    else linkFile(source, target)
  }
}

function linkFile(from: string, to: string): void {
  try {
    linkSync(from, to)
  } catch {
    cpSync(from, to, { errorOnExist: true, force: false })
  }
}
