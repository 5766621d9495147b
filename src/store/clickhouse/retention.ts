import type { ClickHouse } from './client.ts'

const TTL_DAYS = String.raw`TTL time \\+ toIntervalDay\\((\\d+)\\)`

/**
 * Lets events expire that many days after they happened; 0 keeps them forever. Answers what was changed. A part goes as a
 * whole, once all its events are older: with a partition a month that is at most a month later, and costs nothing, while
 * picking out single rows would write the oldest month anew again and again.
 */
export async function applyRetention(clickhouse: ClickHouse, days: number): Promise<string[]> {
  if ((await readRetentionDays(clickhouse)) === days) return []
  const change = days === 0 ? 'REMOVE TTL' : `MODIFY TTL time + toIntervalDay(${days})`
  await clickhouse.command({ query: `ALTER TABLE events ${change}` })
  return [days === 0 ? 'events are kept forever' : `events expire after ${days} days`]
}

async function readRetentionDays(clickhouse: ClickHouse): Promise<number> {
  const result = await clickhouse.query({
    query: `SELECT toUInt32OrZero(extract(engine_full, '${TTL_DAYS}')) AS days
      FROM system.tables WHERE database = currentDatabase() AND name = 'events'`,
    format: 'JSONEachRow',
  })
  const [row] = await result.json<{ days: number }>()
  return row?.days ?? 0
}
