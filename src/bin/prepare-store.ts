import { systemClock } from '../kernel/clock.ts'
import type { Settings } from '../kernel/settings.ts'
import type { Catalog } from '../store/catalog/catalog.ts'
import { withLease } from '../store/catalog/lease.ts'
import { type ClickHouse, openClickHouse } from '../store/clickhouse/client.ts'
import { migrateClickHouse } from '../store/clickhouse/migrate.ts'
import { applyRetention } from '../store/clickhouse/retention.ts'
import { findClickHouse, findLocalAccess } from './clickhouse-endpoint.ts'
import { FatalError } from './fatal-error.ts'

const MIGRATION_LEASE = { name: 'migrate-clickhouse', ttlMs: 10 * 60_000, waitMs: 10 * 60_000 }
const REQUEST_TIMEOUT_MS = 60_000

/**
 * Brings ClickHouse to the newest schema and to the retention that is set, one process at a time; answers what was done.
 * Throws {@link FatalError}.
 */
export async function prepareClickHouse(settings: Settings, catalog: Catalog): Promise<string[]> {
  const clickhouse = openClickHouse(findClickHouse(settings, 'admin'), {
    application: 'millrace-migrate',
    connectionsMax: 1,
    requestTimeoutMs: REQUEST_TIMEOUT_MS,
  })
  try {
    return await withLease(
      catalog,
      systemClock,
      MIGRATION_LEASE,
      async () => await prepare(clickhouse, settings),
    )
  } catch (error) {
    const cause = error instanceof Error ? error.message.split('\n')[0] : String(error)
    throw new FatalError(`ClickHouse could not be brought to this release's schema: ${cause}`, {
      cause: error,
    })
  } finally {
    await clickhouse.close()
  }
}

async function prepare(clickhouse: ClickHouse, settings: Settings): Promise<string[]> {
  const migrations = await migrateClickHouse(clickhouse, findLocalAccess(settings))
  const retention = await applyRetention(clickhouse, settings.retentionDays)
  return [...migrations, ...retention]
}
