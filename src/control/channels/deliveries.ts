import { randomUUID } from 'node:crypto'
import type { Selectable } from 'kysely'
import type { NewRecurringJob } from '../../jobs/recurring-jobs.ts'
import type { Sealer } from '../../kernel/sealer.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import { insertJob } from '../../store/catalog/job-store.ts'
import type { ChannelDeliveryTable } from '../../store/catalog/schema/channel-tables.ts'
import type { AttemptOutcome } from './attempt-delivery.ts'
import { type Channel, recipientsOf } from './channel.ts'
import { dueTimeOf, type Notification } from './notification.ts'

/** The kind of job that delivers one notification to one recipient. */
export const DELIVER_NOTIFICATION = 'deliver-notification'

/** A delivery, with the notification while it may be attempted. */
export interface Delivery {
  readonly id: string
  readonly channelId: string
  readonly notificationId: string
  readonly type: string
  /** Mail address; empty for a webhook. */
  readonly recipient: string
  /** Absent once the delivery has ended. */
  readonly notification: Notification | undefined
  readonly state: ChannelDeliveryTable['state']
  readonly attempts: number
  readonly status: number
  readonly error: string
  readonly createdMs: number
  /** 0 before the first attempt. */
  readonly attemptMs: number
  /** 0 when there is no next attempt. */
  readonly nextMs: number
}

/** Deliveries that may wait for one channel: more are a defect of their source, or of the channel. */
const PENDING_PER_CHANNEL_MAX = 10_000

const RETENTION_MS = 30 * 24 * 3_600_000

/** Stores deliveries; recipients and notifications are sealed. */
export class Deliveries {
  readonly #catalog: Catalog
  readonly #sealer: Sealer

  constructor(parts: { readonly catalog: Catalog; readonly sealer: Sealer }) {
    this.#catalog = parts.catalog
    this.#sealer = parts.sealer
  }

  /**
   * Adds a delivery to each recipient of a channel, with the job that makes it; call it in the transaction of the
   * notification's cause. A notification that the channel already has is not added again.
   */
  async enqueue(transaction: Catalog, channel: Channel, notification: Notification): Promise<void> {
    const isFull = (await this.#countPending(transaction, channel)) >= PENDING_PER_CHANNEL_MAX
    for (const recipient of recipientsOf(channel)) {
      const row = this.#newRow({ channel, notification, recipient })
      const added = await transaction
        .insertInto('channel_deliveries')
        .values(isFull ? { ...row, ...this.#ended(row.id, recipient), error: QUEUE_FULL } : row)
        .onConflict((conflict) =>
          conflict.columns(['channel_id', 'notification_id', 'recipient']).doNothing(),
        )
        .executeTakeFirst()
      if (isFull || (added.numInsertedOrUpdatedRows ?? 0n) === 0n) continue
      await insertJob(transaction, {
        kind: DELIVER_NOTIFICATION,
        projectId: channel.projectId,
        lane: `channel/${channel.id}`,
        payload: { deliveryId: row.id, channelId: channel.id },
        nowMs: notification.createdMs,
        dueMs: dueTimeOf(notification),
      })
    }
  }

  /** Records a delivery that was attempted once, outside the queue. */
  async addAttempted(of: {
    readonly id: string
    readonly channel: Channel
    readonly notification: Notification
    readonly recipient: string
    readonly outcome: AttemptOutcome
    readonly nowMs: number
  }): Promise<Delivery> {
    const { outcome, nowMs } = of
    const row: ChannelDeliveryTable = {
      ...this.#newRow(of),
      ...this.#ended(of.id, of.recipient),
      state: outcome.kind === 'delivered' ? 'delivered' : 'failed',
      ...attemptFields(outcome, nowMs),
      attempts: 1,
    }
    await this.#catalog.insertInto('channel_deliveries').values(row).execute()
    return this.#open(row)
  }

  /** A delivery by its id. */
  async find(id: string): Promise<Delivery | undefined> {
    const row = await this.#catalog
      .selectFrom('channel_deliveries')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirst()
    return row && this.#open(row)
  }

  /** Records an attempt; with `nextMs` the delivery goes on then, else it has ended. */
  async record(
    transaction: Catalog,
    delivery: Delivery,
    attempt: { readonly outcome: AttemptOutcome; readonly nowMs: number; readonly nextMs?: number },
  ): Promise<void> {
    const { outcome, nowMs, nextMs } = attempt
    const state = outcome.kind === 'delivered' ? 'delivered' : 'failed'
    const end = { ...this.#ended(delivery.id, delivery.recipient), state } as const
    await transaction
      .updateTable('channel_deliveries')
      .set({
        ...attemptFields(outcome, nowMs),
        attempts: delivery.attempts + 1,
        ...(nextMs === undefined ? end : { next_ms: nextMs }),
      })
      .where('id', '=', delivery.id)
      .execute()
  }

  /** Ends a delivery without another attempt. An empty error keeps that of the last attempt. */
  async abandon(transaction: Catalog, { id, recipient }: Delivery, error: string): Promise<void> {
    await transaction
      .updateTable('channel_deliveries')
      .set({ ...this.#ended(id, recipient), ...(error === '' ? {} : { error }) })
      .where('id', '=', id)
      .execute()
  }

  /** Postpones a delivery without an attempt. */
  async postpone({ id }: Delivery, nextMs: number): Promise<void> {
    await this.#catalog
      .updateTable('channel_deliveries')
      .set({ next_ms: nextMs })
      .where('id', '=', id)
      .execute()
  }

  /** A page of the deliveries of a channel, newest first. */
  async list(page: {
    readonly channelId: string
    readonly before: { readonly createdMs: number; readonly id: string } | undefined
    readonly count: number
  }): Promise<readonly Delivery[]> {
    const { before } = page
    const rows = await this.#catalog
      .selectFrom('channel_deliveries')
      .selectAll()
      .where('channel_id', '=', page.channelId)
      .$if(before !== undefined, (query) =>
        query.where(({ eb, or, and }) =>
          or([
            eb('created_ms', '<', before?.createdMs ?? 0),
            and([eb('created_ms', '=', before?.createdMs ?? 0), eb('id', '<', before?.id ?? '')]),
          ]),
        ),
      )
      .orderBy('created_ms', 'desc')
      .orderBy('id', 'desc')
      .limit(page.count)
      .execute()
    return rows.map((row) => this.#open(row))
  }

  async #countPending(transaction: Catalog, { id }: Channel): Promise<number> {
    const { count } = await transaction
      .selectFrom('channel_deliveries')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('channel_id', '=', id)
      .where('state', '=', 'pending')
      .executeTakeFirstOrThrow()
    return Number(count)
  }

  #newRow(of: {
    readonly id?: string
    readonly channel: Channel
    readonly notification: Notification
    readonly recipient: string
  }): ChannelDeliveryTable {
    const { id = randomUUID(), channel, notification, recipient } = of
    return {
      id,
      channel_id: channel.id,
      project_id: channel.projectId,
      notification_id: notification.id,
      recipient: this.#sealer.digest({ purpose: `delivery/${channel.id}`, text: recipient }),
      type: notification.type,
      sealed_content: this.#seal(id, { recipient, notification }),
      state: 'pending',
      attempts: 0,
      status: 0,
      error: '',
      attempt_ms: 0,
      next_ms: dueTimeOf(notification),
      created_ms: notification.createdMs,
    }
  }

  /** The fields of a delivery that has failed: its notification is no longer needed. */
  #ended(id: string, recipient: string): Pick<ChannelDeliveryTable, 'state' | 'next_ms' | 'sealed_content'> {
    return { state: 'failed', next_ms: 0, sealed_content: this.#seal(id, { recipient }) }
  }

  #seal(id: string, content: Partial<Pick<Delivery, 'recipient' | 'notification'>>): string {
    return this.#sealer.seal({ purpose: `delivery/${id}`, text: JSON.stringify(content) })
  }

  #open(row: Selectable<ChannelDeliveryTable>): Delivery {
    const sealed = row.sealed_content
    const { recipient, notification } = JSON.parse(
      this.#sealer.unseal({ purpose: `delivery/${row.id}`, sealed }),
    )
    return {
      id: row.id,
      channelId: row.channel_id,
      notificationId: row.notification_id,
      type: row.type,
      recipient,
      notification,
      state: row.state,
      attempts: row.attempts,
      status: row.status,
      error: row.error,
      createdMs: Number(row.created_ms),
      attemptMs: Number(row.attempt_ms),
      nextMs: Number(row.next_ms),
    }
  }
}

const QUEUE_FULL = 'too many deliveries wait for this channel'

function attemptFields(
  outcome: AttemptOutcome,
  nowMs: number,
): Pick<ChannelDeliveryTable, 'status' | 'error' | 'attempt_ms'> {
  return {
    status: outcome.status,
    error: outcome.kind === 'delivered' ? '' : outcome.error,
    attempt_ms: nowMs,
  }
}

/** Deletes deliveries that have ended, once their retention period is over, and returns how many. */
export async function deleteOldDeliveries(catalog: Catalog, nowMs: number): Promise<number> {
  const { numDeletedRows } = await catalog
    .deleteFrom('channel_deliveries')
    .where('state', '!=', 'pending')
    .where('created_ms', '<', nowMs - RETENTION_MS)
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

/** The recurring job of {@link deleteOldDeliveries}. */
export const CLEAN_DELIVERIES: NewRecurringJob = {
  id: 'clean-deliveries',
  kind: 'clean-deliveries',
  payload: null,
  schedule: { every: 'day', minute: 37, hour: 3, day: 0 },
  timeZone: 'UTC',
}
