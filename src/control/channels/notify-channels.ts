import type { ProjectId } from '../../contract/ids.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import type { Channels } from './channels.ts'
import type { Deliveries } from './deliveries.ts'
import type { Notification } from './notification.ts'

/** Queues a notification durably for channels of a project; call it in the transaction of its cause. */
export type NotifyChannels = (
  transaction: Catalog,
  to: { readonly projectId: ProjectId; readonly channelIds: readonly string[] },
  notification: Notification,
) => Promise<void>

/**
 * Creates the function through which all notifications leave. Channels that are disabled or deleted are skipped, and a
 * notification that a channel already has is not queued again.
 */
export function createNotifyChannels(parts: {
  readonly channels: Channels
  readonly deliveries: Deliveries
  readonly wakeJobs: () => void
}): NotifyChannels {
  const { channels, deliveries, wakeJobs } = parts
  return async (transaction, { projectId, channelIds }, notification) => {
    const wanted = new Set(channelIds)
    const found = await channels.list(projectId, transaction)
    for (const channel of found)
      if (wanted.has(channel.id) && channel.isEnabled)
        await deliveries.enqueue(transaction, channel, notification)
    wakeJobs()
  }
}
