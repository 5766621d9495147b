import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { ClickHouse } from '../../store/clickhouse/client.ts'
import { refillViews, restoreDatabase } from '../../store/clickhouse/database-backup.ts'
import { DATABASE, engineBackupsFolder } from '../../store/embedded/engine.ts'
import { BackupError, type BackupManifest, readManifest } from './backup-manifest.ts'
import {
  CATALOG_FILE,
  CLICKHOUSE_FOLDER,
  copyIfThere,
  JOURNAL_FOLDERS,
  linkFolder,
  QUARANTINE_FOLDERS,
  SECRET_FILES,
} from './data-folder.ts'

/** The engine that serves the new data folder for as long as it is filled. */
export interface RestoreEngine {
  readonly clickhouse: ClickHouse
  close(): Promise<void>
}

/** What is restored, and where to. */
export interface RestoreOptions {
  readonly folder: string
  /** A data folder that is not there yet, or empty. */
  readonly dataDir: string
  readonly startEngine: () => Promise<RestoreEngine>
}

/** Views fold what came in within half a minute; a clock may be set back a little. */
const REFILL_MARGIN_MS = 10 * 60_000

/**
 * Makes a data folder of a backup, for a service to start on. The journal comes last: only a folder that has it is whole.
 * Throws {@link BackupError}.
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
      copyIfThere(join(folder, name), join(dataDir, name))
    }
    return manifest
  } catch (error) {
    // Half a data folder would start, and look like one that lost its events.
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
