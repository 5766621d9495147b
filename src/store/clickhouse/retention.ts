import type { ClickHouse } from './client.ts'
import { commandEverywhere, localTable, onCluster, onEveryNode } from './cluster.ts'

const TTL_DAYS = String.raw`TTL time \\+ toIntervalDay\\((\\d+)\\)`

/**
 * Makes events expire that many days after they happened; 0 keeps them forever. Returns the changes. Parts are dropped
 * whole, once all their events have expired: with monthly partitions that is at most a month later and costs nothing,
 * while deleting single rows would rewrite the oldest month over and over.
 */
export async function applyRetention(clickhouse: ClickHouse, days: number): Promise<string[]> {
  const current = await readRetentionDays(clickhouse)
  if (current.every((one) => one === days)) return []
  const change = days === 0 ? 'REMOVE TTL' : `MODIFY TTL time + toIntervalDay(${days})`
  const table = `${localTable(clickhouse, 'events')}${onCluster(clickhouse)}`
  await commandEverywhere(clickhouse, `ALTER TABLE ${table} ${change}`)
  return [days === 0 ? 'events are kept forever' : `events expire after ${days} days`]
}

/** The distinct values of all nodes: an interrupted change may have reached only some of them. */
async function readRetentionDays(clickhouse: ClickHouse): Promise<readonly number[]> {
  const result = await clickhouse.query({
    query: `SELECT DISTINCT toUInt32OrZero(extract(engine_full, '${TTL_DAYS}')) AS days
      FROM ${onEveryNode(clickhouse, 'system.tables')}
      WHERE database = currentDatabase() AND name = '${localTable(clickhouse, 'events')}'`,
    format: 'JSONEachRow',
  })
  return (await result.json<{ days: number }>()).map((row) => row.days)
}
