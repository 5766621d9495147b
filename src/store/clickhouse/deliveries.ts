import type { ProjectId } from '../../contract/ids.ts'
import type { ClickHouse } from './client.ts'
import { commandEverywhere, localTable, onCluster } from './cluster.ts'
import { scopedText } from './tenant-tables.ts'

/** Types of delivery events of a notification. */
export type DeliveryEventType = 'clicked' | 'dismissed' | 'failed' | 'received' | 'sent'

/** One delivery event. Each type counts once per message. */
export interface Delivery {
  readonly projectId: ProjectId
  readonly campaignId: string
  readonly type: DeliveryEventType
  readonly messageId: string
  /** Milliseconds since the Unix epoch. */
  readonly timeMs: number
  /** `android`, `ios`, `web`, or empty when unknown. */
  readonly platform: string
  readonly deviceId: string
  readonly metadata: Readonly<Record<string, string>>
}

/** Messages of a campaign by type of delivery event. */
export type DeliveryCounts = Readonly<Record<DeliveryEventType, number>>

const NO_DELIVERIES: DeliveryCounts = { clicked: 0, dismissed: 0, failed: 0, received: 0, sent: 0 }

/** Stores delivery events; resolves when they are durable. */
export async function insertDeliveries(
  clickhouse: ClickHouse,
  deliveries: readonly Delivery[],
  signal: AbortSignal,
): Promise<void> {
  if (deliveries.length === 0) return
  await clickhouse.insert({
    table: 'deliveries',
    values: deliveries.map(toRow),
    format: 'JSONEachRow',
    abort_signal: signal,
    clickhouse_settings: { async_insert: 0, date_time_input_format: 'best_effort', wait_end_of_query: 1 },
  })
}

/** Counts the messages of a campaign; copies of an event count once. */
export async function countDeliveries(
  clickhouse: ClickHouse,
  { projectId, campaignId }: Pick<Delivery, 'projectId' | 'campaignId'>,
  signal: AbortSignal,
): Promise<DeliveryCounts> {
  const result = await clickhouse.query({
    query: `
      SELECT event_type AS type, toUInt32(uniqExact(message_id)) AS count
      ${scopedText('deliveries')} AND campaign_id = {campaign:String}
      GROUP BY event_type`,
    query_params: { project: projectId, campaign: campaignId },
    format: 'JSONEachRow',
    abort_signal: signal,
  })
  const rows = await result.json<{ readonly type: DeliveryEventType; readonly count: number }>()
  return { ...NO_DELIVERIES, ...Object.fromEntries(rows.map(({ type, count }) => [type, count])) }
}

/** Delivery events that are listed at most. */
const LISTED_MAX = 10_000

/** The latest delivery events of devices, newest first, at most 10,000. */
export async function listDeliveries(
  clickhouse: ClickHouse,
  { projectId, deviceIds }: { readonly projectId: ProjectId; readonly deviceIds: readonly string[] },
): Promise<readonly Delivery[]> {
  if (deviceIds.length === 0) return []
  const result = await clickhouse.query({
    query: `
      SELECT campaign_id AS campaignId, event_type AS type, message_id AS messageId,
        toUnixTimestamp64Milli(time) AS timeMs, platform, device_id AS deviceId, metadata
      ${scopedText('deliveries')} AND device_id IN {devices:Array(String)}
      ORDER BY time DESC, message_id, type LIMIT ${LISTED_MAX}`,
    query_params: { project: projectId, devices: deviceIds },
    format: 'JSONEachRow',
  })
  const rows = await result.json<Omit<Delivery, 'projectId' | 'timeMs'> & { readonly timeMs: string }>()
  return rows.map((row) => ({ ...row, projectId, timeMs: Number(row.timeMs) }))
}

/** Deletes the delivery events of devices. The statement names only their hashes, because the engine stores its text. */
export async function eraseDeliveries(
  clickhouse: ClickHouse,
  { projectId, deviceIds }: { readonly projectId: ProjectId; readonly deviceIds: readonly string[] },
): Promise<void> {
  const hashes = await hashDevices(clickhouse, { projectId, deviceIds })
  if (hashes.length === 0) return
  const table = `${localTable(clickhouse, 'deliveries')}${onCluster(clickhouse)}`
  await commandEverywhere(
    clickhouse,
    `ALTER TABLE ${table} DELETE WHERE project = ${projectId} AND device_hash IN (${hashes.join(', ')})`,
    { clickhouse_settings: { mutations_sync: '1', wait_end_of_query: 1, max_execution_time: 0 } },
  )
}

/** Hashes of the devices that have rows: a deletion that matches none would still scan the whole table. */
async function hashDevices(
  clickhouse: ClickHouse,
  { projectId, deviceIds }: { readonly projectId: ProjectId; readonly deviceIds: readonly string[] },
): Promise<readonly string[]> {
  if (deviceIds.length === 0) return []
  const result = await clickhouse.query({
    query: `
      SELECT DISTINCT toString(device_hash) AS hash
      ${scopedText('deliveries')} AND device_id IN {devices:Array(String)}`,
    query_params: { project: projectId, devices: deviceIds },
    format: 'JSONEachRow',
  })
  return (await result.json<{ readonly hash: string }>()).map(({ hash }) => hash)
}

function toRow(delivery: Delivery): object {
  return {
    project: delivery.projectId,
    campaign_id: delivery.campaignId,
    event_type: delivery.type,
    message_id: delivery.messageId,
    time: new Date(delivery.timeMs).toISOString(),
    platform: delivery.platform,
    device_id: delivery.deviceId,
    metadata: delivery.metadata,
  }
}
