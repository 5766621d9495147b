import type { ClickHouse } from './client.ts'
import { commandEverywhere, localTable, onCluster, onEveryNode } from './cluster.ts'

/** The tables that expire, with the time that decides: a visit does with the day of its first event. */
const EXPIRING = [
  { table: 'events', time: 'time' },
  { table: 'visits', time: 'day' },
] as const

type Expiring = (typeof EXPIRING)[number]

/**
 * Makes events expire that many days after they happened, and visits with them; 0 keeps them forever. Returns the changes. Parts are
 * dropped whole, once all their rows have expired: with monthly partitions that is at most a month later and costs nothing,
 * while deleting single rows would rewrite the oldest month over and over.
 */
export async function applyRetention(clickhouse: ClickHouse, days: number): Promise<string[]> {
  const changes = new Set<string>()
  for (const expiring of EXPIRING) {
    const current = await readRetentionDays(clickhouse, expiring)
    if (current.every((one) => one === days)) continue
    const { table, time } = expiring
    const change = days === 0 ? 'REMOVE TTL' : `MODIFY TTL ${time} + toIntervalDay(${days})`
    const name = `${localTable(clickhouse, table)}${onCluster(clickhouse)}`
    await commandEverywhere(clickhouse, `ALTER TABLE ${name} ${change}`)
    changes.add(days === 0 ? 'events are kept forever' : `events expire after ${days} days`)
  }
  return [...changes]
}

/** The distinct values of all nodes: an interrupted change may have reached only some of them. */
async function readRetentionDays(
  clickhouse: ClickHouse,
  { table, time }: Expiring,
): Promise<readonly number[]> {
  const result = await clickhouse.query({
    query: `SELECT DISTINCT toUInt32OrZero(extract(engine_full, '${ttlDays(time)}')) AS days
      FROM ${onEveryNode(clickhouse, 'system.tables')}
      WHERE database = currentDatabase() AND name = '${localTable(clickhouse, table)}'`,
    format: 'JSONEachRow',
  })
  return (await result.json<{ days: number }>()).map((row) => row.days)
}

function ttlDays(time: string): string {
  return String.raw`TTL ${time} \\+ toIntervalDay\\((\\d+)\\)`
}
