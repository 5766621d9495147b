import { cpSync, existsSync, linkSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { CATALOG_FILE } from '../../store/catalog/sqlite-dialect.ts'

/** The file of the catalog's copy. */
export { CATALOG_FILE }

/** Keys that the catalog's secrets are encrypted with, and tokens are signed with. */
export const SECRET_FILES = ['secret-key', 'jwt-secret'] as const

/** Journals: what is acknowledged and not in ClickHouse yet. */
export const JOURNAL_FOLDERS = ['journal', 'journal-identify'] as const

/** What ClickHouse refused, and an operator may still replay. */
export const QUARANTINE_FOLDERS = ['quarantine', 'quarantine-identify'] as const

/** ClickHouse's own backup of its database. */
export const CLICKHOUSE_FOLDER = 'clickhouse'

/** Copies a file or a folder that may not be there; it is new in `to`. */
export function copyIfThere(from: string, to: string): void {
  if (existsSync(from)) cpSync(from, to, { recursive: true, errorOnExist: true, force: false })
}

/** Makes a copy of a folder whose files nobody writes to: links where the file system can, else copies. */
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
