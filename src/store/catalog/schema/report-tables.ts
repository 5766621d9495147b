import type { TimeMs } from './time-ms.ts'

/** A report by mail. */
export interface ReportTable {
  readonly id: string
  readonly project_id: number
  /** The dashboard that it shows; empty for another content. */
  dashboard_id: string
  /** The report as proto JSON, without its recipients. */
  spec: string
  /** 1 when it is mailed. */
  enabled: number
  /** Why the service paused it; empty when it did not. */
  paused_reason: '' | 'dashboard-deleted'
  /** Account id; empty for an API key. */
  readonly created_by: string
  readonly created_ms: TimeMs
  updated_ms: TimeMs
}

/** A recipient of a report. One who has unsubscribed keeps a row, also after the address is taken off the list. */
export interface ReportRecipientTable {
  readonly id: string
  readonly report_id: string
  readonly project_id: number
  /** Keyed digest of the address in lower case. */
  readonly digest: string
  sealed_address: string
  /** In the list of recipients, from 0. */
  position: number
  /** 1 while the address is among the recipients. */
  listed: number
  /** When the owner was last asked to confirm; 0 when never. */
  asked_ms: TimeMs
  /** When the owner confirmed; 0 when not. */
  confirmed_ms: TimeMs
  /** When the owner unsubscribed; 0 when not, or confirmed since. */
  unsubscribed_ms: TimeMs
}

/** A mail that asked the owner of an address to confirm. */
export interface ReportAskTable {
  readonly id: string
  readonly project_id: number
  /** Keyed digest of the address. */
  readonly digest: string
  readonly sent_ms: TimeMs
}

/** The mail of a report about one period. */
export interface ReportIssueTable {
  readonly id: string
  readonly report_id: string
  readonly project_id: number
  /** The period. */
  readonly from_ms: TimeMs
  readonly to_ms: TimeMs
  state: 'composing' | 'composed'
  /** Sealed JSON of the mail while it is delivered; else empty. */
  sealed_content: string
  /** When the first attempt to compose it began. */
  readonly created_ms: TimeMs
}

/** The mail of one period to one recipient. */
export interface ReportDeliveryTable {
  readonly id: string
  readonly issue_id: string
  readonly report_id: string
  readonly project_id: number
  readonly recipient_id: string
  readonly sealed_address: string
  state: 'pending' | 'delivered' | 'failed'
  attempts: number
  /** Error of the last attempt, without anything of the mail server's reply. */
  error: string
  /** End of the last attempt; 0 before the first. */
  attempt_ms: TimeMs
  readonly created_ms: TimeMs
}
