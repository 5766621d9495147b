import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { CATALOG_FILE } from '../../store/catalog/sqlite-dialect.ts'
import type { ClickHouse } from '../../store/clickhouse/client.ts'
import { refillViews, restoreDatabase } from '../../store/clickhouse/database-backup.ts'
import { DATABASE, engineBackupsFolder } from '../../store/embedded/engine.ts'
import { BackupError, type BackupManifest, readManifest } from './backup-manifest.ts'
import {
  CLICKHOUSE_FOLDER,
  copyIfExists,
  JOURNAL_FOLDERS,
  linkFolder,
  QUARANTINE_FOLDERS,
  SECRET_FILES,
} from './data-folder.ts'

/** The engine of the new data folder, which runs while the folder is filled. */
export interface RestoreEngine {
  readonly clickhouse: ClickHouse
  close(): Promise<void>
}

/** Options of {@link restore}. */
export interface RestoreOptions {
  readonly folder: string
  /** A data folder that does not exist yet or is empty. */
  readonly dataDir: string
  readonly startEngine: () => Promise<RestoreEngine>
}

/** Views fold rows within half a minute; the rest allows for a clock that was set back. */
const REFILL_MARGIN_MS = 10 * 60_000

/**
 * Creates a data folder from a backup, ready for a service to start on. The journal is copied last: only a folder with it
 * is complete. Throws {@link BackupError}.
 */
export async function restore({ folder, dataDir, startEngine }: RestoreOptions): Promise<BackupManifest> {
  const manifest = readManifest(resolve(folder))
  if (existsSync(dataDir) && readdirSync(dataDir).length > 0) {
    throw new BackupError(`the data folder ${dataDir} is not empty; restore into a new one`)
  }
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  try {
    await restoreClickHouse({ folder, dataDir, startEngine }, manifest)
    for (const name of [...SECRET_FILES, CATALOG_FILE, ...QUARANTINE_FOLDERS, ...JOURNAL_FOLDERS]) {
      copyIfExists(join(folder, name), join(dataDir, name))
    }
    return manifest
  } catch (error) {
    // A service would start on a partial data folder, and its events would appear lost.
    for (const name of readdirSync(dataDir)) rmSync(join(dataDir, name), { recursive: true, force: true })
    throw error
  }
}

async function restoreClickHouse(
  { folder, dataDir, startEngine }: RestoreOptions,
  { startedMs }: BackupManifest,
): Promise<void> {
  const engine = await startEngine()
  const readable = join(engineBackupsFolder(dataDir), randomUUID())
  try {
    linkFolder(join(folder, CLICKHOUSE_FOLDER), readable)
    await restoreDatabase(engine.clickhouse, { database: DATABASE, path: readable })
    await refillViews(engine.clickhouse, startedMs - REFILL_MARGIN_MS)
  } finally {
    rmSync(readable, { recursive: true, force: true })
    await engine.close()
  }
}
