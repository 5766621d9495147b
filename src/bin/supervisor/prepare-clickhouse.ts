import { systemClock } from '../../kernel/clock.ts'
import type { Settings } from '../../settings/settings.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import { withLease } from '../../store/catalog/lease.ts'
import {
  type ClickHouse,
  type ClickHouseEndpoint,
  isReachable,
  openClickHouse,
} from '../../store/clickhouse/client.ts'
import { migrateClickHouse } from '../../store/clickhouse/migrate.ts'
import { applyRetention } from '../../store/clickhouse/retention.ts'
import { findClickHouse, findLocalAccess } from '../environment/clickhouse-endpoint.ts'
import { FatalError, StoreUnreachable } from '../environment/fatal-error.ts'

const MIGRATION_LEASE = { name: 'migrate-clickhouse', ttlMs: 10 * 60_000, waitMs: 10 * 60_000 }
const REQUEST_TIMEOUT_MS = 60_000

/**
 * Migrates ClickHouse to the newest schema and applies the configured retention, one process at a time; returns what was done.
 * Throws {@link StoreUnreachable} when ClickHouse does not respond, {@link FatalError} when it rejects a statement.
 */
export async function prepareClickHouse(settings: Settings, catalog: Catalog): Promise<string[]> {
  const endpoint = findStore(settings)
  if (!(await isReachable(endpoint))) throw new StoreUnreachable('ClickHouse does not respond')
  const clickhouse = openClickHouse(endpoint, {
    application: 'millrace-migrate',
    connectionsMax: 1,
    requestTimeoutMs: REQUEST_TIMEOUT_MS,
  })
  try {
    return await withLease(
      { ...MIGRATION_LEASE, catalog, clock: systemClock },
      async () => await prepare(clickhouse, settings),
    )
  } catch (error) {
    const cause = error instanceof Error ? error.message.split('\n')[0] : String(error)
    const Failure = (await isReachable(endpoint)) ? FatalError : StoreUnreachable
    throw new Failure(`ClickHouse could not be migrated to this release's schema: ${cause}`, { cause: error })
  } finally {
    await clickhouse.close()
  }
}

/** The embedded engine publishes its endpoint when it serves; with the store role here, a retry will find it. */
function findStore(settings: Settings): ClickHouseEndpoint {
  try {
    return findClickHouse(settings, 'admin')
  } catch (error) {
    if (!settings.roles.includes('store')) throw error
    throw new StoreUnreachable('the embedded ClickHouse does not run yet', { cause: error })
  }
}

async function prepare(clickhouse: ClickHouse, settings: Settings): Promise<string[]> {
  const migrations = await migrateClickHouse(clickhouse, findLocalAccess(settings))
  const retention = await applyRetention(clickhouse, settings.retentionDays)
  return [...migrations, ...retention]
}
