import { createLogger } from '../../kernel/log.ts'
import type { Settings } from '../../settings/settings.ts'
import { readEngineEndpoint } from '../../store/embedded/engine.ts'
import { assertFolderAccess } from '../environment/data-folder.ts'
import { withCatalog } from '../environment/with-catalog.ts'
import { prepareClickHouse } from '../supervisor/prepare-clickhouse.ts'
import { createStoreStarter } from '../supervisor/store-role.ts'

/** `millrace migrate`: migrates the stores as a start does, without serving. Throws {@link FatalError}. */
export async function runMigrate(settings: Settings): Promise<void> {
  const log = createLogger({ role: 'migrate', level: settings.logLevel })
  if (settings.clickhouseUrl === undefined) assertFolderAccess(settings.dataDir, 'write')
  const isRunning = settings.clickhouseUrl !== undefined || readEngineEndpoint(settings.dataDir) !== undefined
  const store = isRunning ? undefined : await createStoreStarter(settings.dataDir, log)()
  try {
    const done = await withCatalog(settings, async (catalog) => await prepareClickHouse(settings, catalog))
    process.stdout.write(done.length === 0 ? 'the schema is up to date\n' : `applied ${done.join(', ')}\n`)
  } finally {
    await store?.stop()
  }
}
