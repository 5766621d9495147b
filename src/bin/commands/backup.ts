import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { systemClock } from '../../kernel/clock.ts'
import { isDiskFull } from '../../kernel/disk-space.ts'
import { createLogger } from '../../kernel/log.ts'
import type { Settings } from '../../settings/settings.ts'
import { CATALOG_FILE } from '../../store/catalog/sqlite-dialect.ts'
import { openClickHouse } from '../../store/clickhouse/client.ts'
import { claimFolder, isFolderClaimed } from '../../store/folder-claim.ts'
import { backUp } from '../../transfer/backup/back-up.ts'
import { BackupError } from '../../transfer/backup/backup-manifest.ts'
import { type RestoreEngine, restore } from '../../transfer/backup/restore.ts'
import { findClickHouse } from '../environment/clickhouse-endpoint.ts'
import { assertFolderAccess } from '../environment/data-folder.ts'
import { FatalError } from '../environment/fatal-error.ts'
import { openUsableCatalog } from '../environment/with-catalog.ts'
import { createStoreStarter } from '../supervisor/store-role.ts'
import { describeError } from './command-words.ts'

const REQUEST_TIMEOUT_MS = 10 * 60_000

/** `millrace backup <folder>`: copies a whole data folder, with or without the service running. Throws {@link FatalError}. */
export async function runBackup(settings: Settings, [folder, ...more]: readonly string[]): Promise<void> {
  if (!folder || more.length > 0) throw new FatalError('backup needs the path of a new folder')
  assertEmbedded(settings)
  assertFolderAccess(settings.dataDir, 'write')
  if (!existsSync(join(settings.dataDir, CATALOG_FILE))) {
    throw new FatalError(`the data folder ${settings.dataDir} has no data; set SERVICE_DATA_DIR`)
  }
  const isRunning = await isFolderClaimed(settings.dataDir)
  const catalog = openUsableCatalog(settings)
  try {
    const engine = isRunning ? connect(settings) : await startEngine(settings)
    try {
      await backUp({
        dataDir: settings.dataDir,
        folder,
        catalog,
        clickhouse: engine.clickhouse,
        clock: systemClock,
      })
    } finally {
      await engine.close()
    }
  } catch (error) {
    throw toFatal(error, { what: 'the backup', folders: [settings.dataDir, resolve(folder)] })
  } finally {
    await catalog.destroy()
  }
  process.stdout.write(`${resolve(folder)} contains everything acknowledged before the backup began\n`)
}

/** `millrace restore <folder>`: restores a backup to the data folder, which must be empty. Throws {@link FatalError}. */
export async function runRestore(settings: Settings, [folder, ...more]: readonly string[]): Promise<void> {
  if (!folder || more.length > 0) throw new FatalError('restore needs the folder of a backup')
  assertEmbedded(settings)
  const { dataDir } = settings
  try {
    const { startedMs } = await restore({
      folder,
      dataDir,
      startEngine: async () => await startEngine(settings),
    })
    const time = new Date(startedMs).toISOString()
    process.stdout.write(`${resolve(dataDir)} is restored as of ${time}; run millrace start\n`)
  } catch (error) {
    throw toFatal(error, { what: 'the restore', folders: [dataDir] })
  }
}

/** Servers outside the data folder need their own backups. */
function assertEmbedded({ clickhouseUrl, databaseUrl }: Settings): void {
  if (clickhouseUrl === undefined && databaseUrl === undefined) return
  throw new FatalError(
    'backup and restore are for the embedded stores; back up the servers of SERVICE_CLICKHOUSE_URL and SERVICE_DATABASE_URL with their own tools',
  )
}

function connect(settings: Settings): RestoreEngine {
  const clickhouse = openClickHouse(findClickHouse(settings, 'admin'), {
    application: 'millrace-backup',
    connectionsMax: 1,
    requestTimeoutMs: REQUEST_TIMEOUT_MS,
  })
  return { clickhouse, close: async () => await clickhouse.close() }
}

/** Starts an engine and claims the folder, so that no service starts on it meanwhile. */
async function startEngine(settings: Settings): Promise<RestoreEngine> {
  if (!(await claimFolder(settings.dataDir))) {
    throw new BackupError(`another Millrace runs on the data folder ${settings.dataDir}`)
  }
  const log = createLogger({ role: 'backup', level: settings.logLevel })
  const store = await createStoreStarter(settings.dataDir, log)()
  const { clickhouse } = connect(settings)
  return {
    clickhouse,
    close: async () => {
      await clickhouse.close()
      await store.stop()
    },
  }
}

/** `folders` are those that were written to. */
function toFatal(
  error: unknown,
  { what, folders }: { readonly what: string; readonly folders: readonly string[] },
): FatalError {
  if (error instanceof FatalError) return error
  if (error instanceof BackupError) return new FatalError(error.message, { cause: error })
  const reason = isDiskFull(error)
    ? `the disk of ${folders.join(' or of ')} is full; enlarge it or delete data`
    : describeError(error)
  return new FatalError(`${what} failed: ${reason}`, { cause: error })
}
