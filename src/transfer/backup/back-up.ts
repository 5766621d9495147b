import { randomUUID } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import type { Clock } from '../../kernel/clock.ts'
import { describeBytes } from '../../kernel/describe-bytes.ts'
import { isOneDisk, readFreeBytes } from '../../kernel/disk-space.ts'
import { copySegments } from '../../pipeline/journal/copy-segments.ts'
import { type Catalog, copyCatalog, readCatalogSchema } from '../../store/catalog/catalog.ts'
import { CATALOG_FILE } from '../../store/catalog/sqlite-dialect.ts'
import type { ClickHouse } from '../../store/clickhouse/client.ts'
import { backUpDatabase, readDatabaseBytes } from '../../store/clickhouse/database-backup.ts'
import { readSchemaVersion } from '../../store/clickhouse/migrate.ts'
import { DATABASE, engineBackupsFolder } from '../../store/embedded/engine.ts'
import { BACKUP_VERSION, BackupError, writeManifest } from './backup-manifest.ts'
import {
  CLICKHOUSE_FOLDER,
  copyIfExists,
  JOURNAL_FOLDERS,
  linkFolder,
  QUARANTINE_FOLDERS,
  SECRET_FILES,
} from './data-folder.ts'

/** Options of {@link backUp}. */
export interface BackupOptions {
  readonly dataDir: string
  /** A folder that does not exist yet or is empty. */
  readonly folder: string
  readonly catalog: Catalog
  /** A connection to the embedded engine with administrator rights. */
  readonly clickhouse: ClickHouse
  readonly clock: Clock
}

/**
 * Backs up a data folder, which may be in use. Every event acknowledged before the call is in the backup, once. Throws
 * {@link BackupError}.
 *
 * The order of the copies guarantees that. An event moves from the journal to ClickHouse or to quarantine and leaves the
 * journal only after it has arrived: copied in that direction, it is found at least once, and duplicates collapse. The
 * catalog is copied first: an erasure that it records as completed must be complete in everything copied later.
 */
export async function backUp(options: BackupOptions): Promise<void> {
  const { dataDir, catalog, clickhouse, clock } = options
  const folder = resolve(options.folder)
  assertFree(folder)
  const startedMs = clock.nowMs()
  const draft = join(dirname(folder), `.${basename(folder)}.${randomUUID()}.partial`)
  mkdirSync(draft, { recursive: true, mode: 0o700 })
  try {
    await assertRoom(clickhouse, { dataDir, draft })
    for (const file of SECRET_FILES) copyIfExists(join(dataDir, file), join(draft, file))
    await copyCatalog(catalog, join(draft, CATALOG_FILE))
    chmodSync(join(draft, CATALOG_FILE), 0o600)
    for (const name of JOURNAL_FOLDERS) await copySegments(join(dataDir, name), join(draft, name))
    for (const name of QUARANTINE_FOLDERS) copyIfExists(join(dataDir, name), join(draft, name))
    await copyDatabase(clickhouse, dataDir, join(draft, CLICKHOUSE_FOLDER))
    writeManifest(draft, {
      version: BACKUP_VERSION,
      startedMs,
      clickhouseSchema: await readSchemaVersion(clickhouse),
      catalogSchema: await readCatalogSchema(catalog),
    })
    if (existsSync(folder)) rmSync(folder, { recursive: true })
    renameSync(draft, folder)
  } catch (error) {
    rmSync(draft, { recursive: true, force: true })
    throw error
  }
}

/** The engine writes only below its own folder, so its backup is linked from there. */
async function copyDatabase(clickhouse: ClickHouse, dataDir: string, to: string): Promise<void> {
  const written = join(engineBackupsFolder(dataDir), randomUUID())
  try {
    await backUpDatabase(clickhouse, { database: DATABASE, path: written })
    linkFolder(written, to)
  } finally {
    rmSync(written, { recursive: true, force: true })
  }
}

/** A backup that fills the disk of the data folder would stop the service. */
async function assertRoom(
  clickhouse: ClickHouse,
  { dataDir, draft }: { readonly dataDir: string; readonly draft: string },
): Promise<void> {
  const bytes = await readDatabaseBytes(clickhouse, DATABASE)
  const folders = isOneDisk(dataDir, draft) ? [dataDir] : [dataDir, dirname(draft)]
  for (const folder of folders) {
    const free = await readFreeBytes(folder)
    if (free >= bytes) continue
    throw new BackupError(
      `a backup needs ${describeBytes(bytes)} on the disk of ${folder}, which has ${describeBytes(free)} free; enlarge that disk or delete data`,
    )
  }
}

function assertFree(folder: string): void {
  if (existsSync(folder) && readdirSync(folder).length > 0) {
    throw new BackupError(`${folder} already exists and is not empty; name a new folder`)
  }
}
