import type { TimeMs } from './time-ms.ts'

/** An alert on a number of an insight. */
export interface AlertTable {
  readonly id: string
  readonly project_id: number
  name: string
  /** The cadence's number in the API. */
  cadence: number
  /** Proto JSON; the pause is a column of its own. */
  content: string
  content_bytes: number
  /** The saved insight that it follows; null when it has a query of its own. */
  saved_insight_id: string | null
  /** 1 while it is not checked. */
  paused: number
  /** Why the service paused it; empty when it did not. */
  pause_reason: '' | 'failing'
  /** Sentences about the reason. */
  pause_message: string
  state: 'ok' | 'firing'
  /** When it entered the state. */
  state_ms: TimeMs
  /** The state that its channels were told last. */
  told: 'ok' | 'firing'
  /** No notifications are sent before; 0 when it is not snoozed. */
  snooze_ms: TimeMs
  /** End of the newest hour, day, week or month that is checked; 0 before the first. */
  checked_ms: TimeMs
  /** Failed checks since the last one that did not fail. */
  failures: number
  /** Incremented with each change of the content. */
  revision: number
  /** The account of the creator; empty for an API key. */
  readonly created_by: string
  updated_by: string
  readonly created_ms: TimeMs
  updated_ms: TimeMs
}

/** One check of an alert. */
export interface AlertCheckTable {
  readonly alert_id: string
  /** The hour, day, week or month that was checked. */
  readonly from_ms: TimeMs
  readonly to_ms: TimeMs
  outcome: 'ok' | 'firing' | 'no-number' | 'failed'
  /** The numbers; 0 without one. */
  value: number
  baseline: number
  observed: number
  /** Empty unless it failed. */
  error: string
  checked_ms: TimeMs
  /** Empty when it made none. */
  notification_id: string
  /** End of the quiet hours that delay the notification; 0 when none do. */
  notify_ms: TimeMs
}
