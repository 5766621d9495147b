import { systemClock } from '../kernel/clock.ts'
import type { Settings } from '../settings/settings.ts'
import type { Catalog } from '../store/catalog/catalog.ts'
import { withLease } from '../store/catalog/lease.ts'
import {
  type ClickHouse,
  type ClickHouseEndpoint,
  isReachable,
  openClickHouse,
} from '../store/clickhouse/client.ts'
import { migrateClickHouse } from '../store/clickhouse/migrate.ts'
import { applyRetention } from '../store/clickhouse/retention.ts'
import { findClickHouse, findLocalAccess } from './clickhouse-endpoint.ts'
import { FatalError } from './fatal-error.ts'

const MIGRATION_LEASE = { name: 'migrate-clickhouse', ttlMs: 10 * 60_000, waitMs: 10 * 60_000 }
const REQUEST_TIMEOUT_MS = 60_000

/** ClickHouse does not answer: another try may succeed without anybody changing a thing. */
export class StoreUnreachable extends FatalError {
  override readonly name = 'StoreUnreachable'
}

/**
 * Brings ClickHouse to the newest schema and to the retention that is set, one process at a time; answers what was done.
 * Throws {@link StoreUnreachable} when ClickHouse does not answer, {@link FatalError} when it refuses.
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
      catalog,
      systemClock,
      MIGRATION_LEASE,
      async () => await prepare(clickhouse, settings),
    )
  } catch (error) {
    const cause = error instanceof Error ? error.message.split('\n')[0] : String(error)
    const Failure = (await isReachable(endpoint)) ? FatalError : StoreUnreachable
    throw new Failure(`ClickHouse could not be brought to this release's schema: ${cause}`, { cause: error })
  } finally {
    await clickhouse.close()
  }
}

/** The embedded engine tells its address when it serves: with a store role of our own, it will. */
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
