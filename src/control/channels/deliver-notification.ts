import type { JobContext, JobHandler, JobOutcome } from '../../jobs/job-handler.ts'
import { type BackoffBounds, delayAfter } from '../../kernel/backoff.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Logger } from '../../kernel/log.ts'
import { counter } from '../../kernel/metrics.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import type { Json } from '../../store/catalog/job-store.ts'
import type { ChannelTable } from '../../store/catalog/schema/channel-tables.ts'
import { inTransaction } from '../../store/catalog/transaction.ts'
import { type AttemptOutcome, type AttemptPorts, attemptDelivery } from './attempt-delivery.ts'
import type { Channel } from './channel.ts'
import { type Channels, HEALTHY } from './channels.ts'
import type { Deliveries, Delivery } from './deliveries.ts'
import { dueTimeOf } from './notification.ts'

/** Dependencies of deliveries. */
export interface DeliverParts extends AttemptPorts {
  readonly catalog: Catalog
  readonly clock: Clock
  readonly channels: Channels
  readonly deliveries: Deliveries
  /** Tells the admins that a channel was disabled; it becomes part of the transaction. */
  readonly tellAdmins: (transaction: Catalog, channel: Channel) => Promise<void>
  readonly log: Logger
}

/** The channel is known from the payload, so that an attempt reads both at once. */
type DeliverPayload = { readonly deliveryId: string; readonly channelId: string }

/** Pauses of a failing channel: from seconds, for a restart, to two hours. */
const RETRY: BackoffBounds = { firstMs: 5000, maxMs: 2 * 3_600_000 }

/** A delivery is attempted for this long. */
const DELIVERY_MS_MAX = 24 * 3_600_000

/** A channel whose attempts have failed for this long is disabled when the next delivery ends. */
const FAILING_MS_MAX = 5 * 24 * 3_600_000

/** Deliveries of notifications and reports that run at once, and of them those to one channel or of one report: a host that hangs leaves places to the others. */
export const DELIVERY_PLACES = { runningMax: 16, runningPerLaneMax: 4 } as const

/** Longer than any attempt: until then, other deliveries of a failing channel wait for its outcome. */
const RESERVED_MS = 15_000

const attempts = counter(
  'millrace_channel_attempts_total',
  'Attempts to deliver notifications, by kind of channel and outcome: delivered, retry, refused or gone.',
  ['channel', 'outcome'],
)

/**
 * Delivers notifications. While a channel fails, one delivery at a time attempts it and the others wait, so that a host
 * that hangs does not hold up other channels.
 */
export function createDeliverNotification(parts: DeliverParts): JobHandler {
  return {
    run: async ({ payload, projectId }, context) => {
      const { deliveryId, channelId } = payload as DeliverPayload
      const delivery = await parts.deliveries.find(deliveryId)
      if (delivery?.state !== 'pending' || projectId === undefined) return DONE
      const channel = await parts.channels.read({ projectId, id: channelId })
      return await deliver(parts, { delivery, channel, payload }, context)
    },
    giveUp: async ({ payload }) => {
      const delivery = await parts.deliveries.find((payload as DeliverPayload).deliveryId)
      if (delivery) await parts.deliveries.abandon(parts.catalog, delivery, 'an internal error occurred')
    },
  }
}

const DONE: JobOutcome = { next: 'done' }

interface Work {
  readonly delivery: Delivery
  readonly channel: Channel
  readonly payload: Json
}

async function deliver(
  parts: DeliverParts,
  work: Work,
  { signal }: Pick<JobContext, 'signal'>,
): Promise<JobOutcome> {
  const { channels, deliveries, clock, catalog } = parts
  const { delivery, channel } = work
  const { notification, recipient, id: deliveryId } = delivery
  const nowMs = clock.nowMs()
  if (!channel.isEnabled || !notification) {
    await deliveries.abandon(catalog, delivery, 'the channel is disabled')
    return DONE
  }
  if (nowMs >= dueTimeOf(notification) + DELIVERY_MS_MAX) return await giveUp(parts, work, nowMs)
  if (channel.retryMs > nowMs) return await postpone(parts, work, channel.retryMs)
  if (channel.failureCount > 0 && !(await channels.reserve(channel, nowMs + RESERVED_MS)))
    return await postpone(parts, work, nowMs + RESERVED_MS)
  const outcome = await attemptDelivery(parts, { deliveryId, channel, recipient, notification }, signal)
  attempts.inc({ channel: channel.config.kind, outcome: outcome.kind })
  return await settle(parts, work, outcome)
}

async function settle(parts: DeliverParts, work: Work, outcome: AttemptOutcome): Promise<JobOutcome> {
  const { catalog, clock, deliveries } = parts
  const { delivery, payload } = work
  const nowMs = clock.nowMs()
  return await inTransaction(catalog, async (transaction) => {
    // Another delivery may have changed the channel in the meantime.
    const channel = await parts.channels.read(work.channel, transaction)
    if (outcome.kind === 'delivered') {
      await deliveries.record(transaction, delivery, { outcome, nowMs })
      if (channel.failingMs > 0) await change(transaction, channel, HEALTHY)
      return DONE
    }
    const failing = { ...channel, failingMs: channel.failingMs === 0 ? nowMs : channel.failingMs }
    if (outcome.kind === 'retry') {
      // Attempts that were under way when the first one failed count as one failure.
      const isCounted = channel.failureCount !== work.channel.failureCount
      const failureCount = channel.failureCount + (isCounted ? 0 : 1)
      const pauseMs = Math.max(outcome.retryAfterMs, delayAfter(RETRY, failureCount))
      const retryMs = isCounted ? channel.retryMs : nowMs + pauseMs
      const counted = { failures: failureCount, failing_ms: failing.failingMs, retry_ms: retryMs }
      const nextMs = nextAttempt(delivery, retryMs)
      await deliveries.record(transaction, delivery, { outcome, nowMs, nextMs })
      await change(transaction, channel, counted)
      return { next: 'again', payload, dueMs: nextMs }
    }
    await deliveries.record(transaction, delivery, { outcome, nowMs })
    await change(transaction, channel, { failing_ms: failing.failingMs })
    if (outcome.kind === 'gone') await disable(parts, { transaction, channel: failing, reason: 'gone' })
    else await disableIfFailing(parts, { transaction, channel: failing, nowMs })
    return DONE
  })
}

/** Ends a delivery that has been attempted for a day. */
async function giveUp(parts: DeliverParts, { delivery, channel }: Work, nowMs: number): Promise<JobOutcome> {
  return await inTransaction(parts.catalog, async (transaction) => {
    await parts.deliveries.abandon(transaction, delivery, delivery.error === '' ? CHANNEL_FAILS : '')
    const current = await parts.channels.read(channel, transaction)
    await disableIfFailing(parts, { transaction, channel: current, nowMs })
    return DONE
  })
}

const CHANNEL_FAILS = 'other deliveries of the channel failed for a day'

async function postpone(
  { deliveries }: DeliverParts,
  { delivery, payload }: Work,
  dueMs: number,
): Promise<JobOutcome> {
  const nextMs = nextAttempt(delivery, dueMs)
  await deliveries.postpone(delivery, nextMs)
  return { next: 'again', payload, dueMs: nextMs }
}

async function disableIfFailing(
  parts: DeliverParts,
  of: { readonly transaction: Catalog; readonly channel: Channel; readonly nowMs: number },
): Promise<void> {
  const { channel, nowMs } = of
  if (channel.failingMs > 0 && nowMs - channel.failingMs >= FAILING_MS_MAX)
    await disable(parts, { ...of, reason: 'failing' })
}

async function disable(
  { tellAdmins, log }: DeliverParts,
  of: {
    readonly transaction: Catalog
    readonly channel: Channel
    readonly reason: ChannelTable['disabled_reason']
  },
): Promise<void> {
  const { transaction, channel, reason } = of
  if (!channel.isEnabled) return
  await change(transaction, channel, { enabled: 0, disabled_reason: reason })
  await tellAdmins(transaction, { ...channel, disabledReason: reason })
  log.warn({ channel: channel.id, project: channel.projectId, reason }, 'a channel is disabled')
}

async function change(
  transaction: Catalog,
  { id }: Channel,
  fields: Partial<Pick<ChannelTable, 'failures' | 'failing_ms' | 'retry_ms' | 'enabled' | 'disabled_reason'>>,
): Promise<void> {
  await transaction.updateTable('channels').set(fields).where('id', '=', id).execute()
}

/** Deliveries of a channel that wait for the same time are not due all at once, and none later than its deadline. */
function nextAttempt({ createdMs, notification }: Delivery, dueMs: number): number {
  const firstMs = notification ? dueTimeOf(notification) : createdMs
  return Math.min(dueMs + Math.round(Math.random() * SPREAD_MS), firstMs + DELIVERY_MS_MAX)
}

const SPREAD_MS = 3000
