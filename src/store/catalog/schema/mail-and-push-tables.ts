import type { TimeMs } from './time-ms.ts'

/** The mail provider of an organisation. */
export interface EmailProviderTable {
  readonly organisation_id: string
  readonly kind: 'smtp' | 'resend'
  /** As entered: `a@example.com` or `Name <a@example.com>`. */
  readonly from_address: string
  /** Empty when replies go to the sender. */
  readonly reply_to: string
  /** Sealed JSON with a password or an API key. */
  readonly sealed_config: string
  readonly updated_ms: TimeMs
}

/** A device that receives push notifications. */
export interface DeviceTable {
  readonly project_id: number
  /** Assigned by the client. */
  readonly device_id: string
  platform: 'android' | 'ios' | 'web'
  status: 'active' | 'inactive'
  /** Keyed digest of the owner; empty when unknown. */
  owner: string
  /** Keyed digest; a token belongs to one device. */
  token_digest: string
  sealed_token: string
  /** Sealed JSON: the owner's id and properties of the device. */
  sealed_details: string
  readonly created_ms: TimeMs
  updated_ms: TimeMs
}

/** A notification to all devices of a project. */
export interface CampaignTable {
  readonly id: string
  readonly project_id: number
  name: string
  /** JSON as received. */
  notification: string
  status: 'scheduled' | 'in-progress' | 'complete' | 'fail'
  /** Incremented with each change of the schedule; jobs of older revisions have no effect. */
  revision: number
  scheduled_ms: TimeMs
  start_ms: TimeMs | null
  end_ms: TimeMs | null
  readonly created_ms: TimeMs
  updated_ms: TimeMs
}

/** The outcome of sending a campaign to a device of the current page. */
export interface CampaignSendTable {
  readonly campaign_id: string
  readonly device_id: string
  readonly platform: DeviceTable['platform']
  readonly outcome: 'sent' | 'refused' | 'unregistered'
  readonly sent_ms: TimeMs
}
