import type { TimeMs } from './time-ms.ts'

/** A destination of the notifications of a project. */
export interface ChannelTable {
  readonly id: string
  readonly project_id: number
  name: string
  /** Sealed JSON of the destination, with its secrets. */
  sealed_config: string
  /** 1 when it takes notifications. */
  enabled: number
  /** Why the service disabled it; empty when it did not. */
  disabled_reason: '' | 'failing' | 'gone'
  /** Failed attempts since the last success. */
  failures: number
  /** Time of the first failure since the last success; 0 without one. */
  failing_ms: TimeMs
  /** While it fails, the time of the next attempt. */
  retry_ms: TimeMs
  readonly created_ms: TimeMs
  updated_ms: TimeMs
}

/** A notification to one recipient of a channel. */
export interface ChannelDeliveryTable {
  readonly id: string
  readonly channel_id: string
  readonly project_id: number
  readonly notification_id: string
  /** Keyed digest of the mail address, or of the empty text for a webhook. */
  readonly recipient: string
  readonly type: string
  /** Sealed JSON: the mail address and, while it is pending, the notification. */
  sealed_content: string
  state: 'pending' | 'delivered' | 'failed'
  attempts: number
  /** HTTP status of the last attempt; 0 without one. */
  status: number
  /** Error of the last attempt, without anything of the response. */
  error: string
  /** End of the last attempt; 0 before the first. */
  attempt_ms: TimeMs
  /** The time at which the next attempt is due; 0 without one. */
  next_ms: TimeMs
  readonly created_ms: TimeMs
}
