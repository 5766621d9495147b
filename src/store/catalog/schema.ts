import type { Generated, Selectable } from 'kysely'

/** Times are milliseconds since the Unix epoch, so that every database stores them alike. */
type TimeMs = number

/** Owner of projects. */
export interface OrganisationTable {
  readonly id: string
  display_name: string
  readonly created_ms: TimeMs
}

/** Tenant: the number is the key of its rows in ClickHouse. */
export interface ProjectTable {
  readonly id: Generated<number>
  readonly organisation_id: string
  display_name: string
  /** IANA name in which reports cut days. */
  reporting_timezone: string
  /** Credentials for push notifications, sealed; none when there are none. */
  fcm_sealed: string | null
  /** The part of them that may be shown, as JSON. */
  fcm_redacted: string | null
  readonly created_ms: TimeMs
}

/** Credential of a project: only its SHA-256 is kept. */
export interface ApiKeyTable {
  readonly id: string
  readonly project_id: number
  readonly kind: 'public' | 'private'
  readonly display_name: string
  /** Lower-case hex of the SHA-256 of the whole key. */
  readonly sha256: string
  /** What a list may show: the prefix and the last four characters. */
  readonly masked: string
  readonly created_ms: TimeMs
}

/** A right that one process holds until it gives it back or the time is over. */
export interface LeaseTable {
  readonly name: string
  holder: string
  expires_ms: TimeMs
}

/** Work in the background; see `job-store.ts`. */
export interface JobTable {
  readonly id: string
  readonly kind: string
  readonly project_id: number | null
  /** JSON, without personal data in the clear. */
  payload: string
  state: 'waiting' | 'running' | 'failed'
  attempts: number
  /** When the job is due; for a running one, when its claim ends; for a failed one, when it is forgotten. */
  next_ms: TimeMs
  /** Names the claim of a running job; empty otherwise. */
  holder: string
  /** Of the last attempt; empty when it did not fail. */
  error: string
  readonly created_ms: TimeMs
}

/** An erasure of a person: what remains of them. */
export interface DeletionRequestTable {
  readonly id: string
  readonly project_id: number
  /** Keyed digest of the external id. */
  readonly subject: string
  readonly sealed_external_id: string
  /** Empty when the person had none. */
  readonly profile_id: string
  status: 'pending' | 'processing' | 'completed' | 'failed'
  events_identified: number
  readonly requested_ms: TimeMs
  completed_ms: TimeMs | null
  /** Empty when it did not fail. */
  error: string
}

/** An erasure as it is read. */
export type DeletionRequestRow = Selectable<DeletionRequestTable>

/** A person who uses the console. */
export interface CustomerTable {
  readonly id: string
  /** In lower case. */
  readonly email: string
  display_name: string
  /** Argon2id in PHC form; none for who never set a password. */
  password_hash: string | null
  /** 1 when the person has shown to receive mail at the address. */
  email_verified: number
  readonly created_ms: TimeMs
}

/** What a customer may do in an organisation. */
export interface MembershipTable {
  readonly organisation_id: string
  readonly customer_id: string
  role: 'admin' | 'member' | 'viewer'
  readonly created_ms: TimeMs
}

/** A sign-in that goes on: one row for as long as its refresh tokens follow each other. */
export interface RefreshSessionTable {
  readonly id: string
  readonly customer_id: string
  /** Lower-case hex of the SHA-256 of the refresh token that is good now. */
  sha256: string
  /** How it began; empty for a session of before this was kept. */
  readonly method: 'password' | 'link' | 'google' | ''
  readonly created_ms: TimeMs
  /** When the token at hand took the place of the one before; 0 before the first exchange. */
  exchanged_ms: TimeMs
  expires_ms: TimeMs
}

/** A link that signs whoever opens it in, once. */
export interface MagicLinkTable {
  /** Lower-case hex of the SHA-256 of the token. */
  readonly sha256: string
  /** In lower case. */
  readonly email: string
  /** The invitation that came with it; none for a link that somebody asked for. */
  readonly invitation_id: string | null
  readonly created_ms: TimeMs
  readonly expires_ms: TimeMs
  used_ms: TimeMs | null
}

/** Somebody is asked to join an organisation. */
export interface InvitationTable {
  readonly id: string
  readonly organisation_id: string
  /** In lower case. */
  readonly email: string
  role: 'admin' | 'member' | 'viewer'
  /** One that expired still is pending. */
  status: 'pending' | 'accepted' | 'revoked'
  readonly created_ms: TimeMs
  expires_ms: TimeMs
}

/** Mails with invitations that an organisation sent in the last day. */
export interface InvitationSendTable {
  readonly id: string
  readonly organisation_id: string
  readonly sent_ms: TimeMs
}

/** How an organisation sends mail. */
export interface EmailProviderTable {
  readonly organisation_id: string
  readonly kind: 'smtp' | 'resend'
  /** As it was given: `a@example.com` or `Name <a@example.com>`. */
  readonly from_address: string
  /** Empty when answers go to the sender. */
  readonly reply_to: string
  /** JSON, sealed: it holds a password or a key. */
  readonly sealed_config: string
  readonly updated_ms: TimeMs
}

/** A device that receives push notifications. */
export interface DeviceTable {
  readonly project_id: number
  /** Chosen by the client. */
  readonly device_id: string
  platform: 'android' | 'ios' | 'web'
  status: 'active' | 'inactive'
  /** Keyed digest of whose it is; empty when nobody said. */
  owner: string
  /** Keyed digest: one token is one device. */
  token_digest: string
  sealed_token: string
  /** JSON, sealed: the owner's id and facts about the device. */
  sealed_details: string
  readonly created_ms: TimeMs
  updated_ms: TimeMs
}

/** A notification to all devices of a project. */
export interface CampaignTable {
  readonly id: string
  readonly project_id: number
  name: string
  /** JSON as it was given. */
  notification: string
  status: 'scheduled' | 'in-progress' | 'complete' | 'fail'
  /** Counts the times that were set: a job of an older one has nothing to do. */
  revision: number
  scheduled_ms: TimeMs
  start_ms: TimeMs | null
  end_ms: TimeMs | null
  readonly created_ms: TimeMs
  updated_ms: TimeMs
}

/** What came of sending a campaign to a device, for the devices that it is sent to now. */
export interface CampaignSendTable {
  readonly campaign_id: string
  readonly device_id: string
  readonly platform: DeviceTable['platform']
  readonly outcome: 'sent' | 'refused' | 'unregistered'
  readonly sent_ms: TimeMs
}

/** Insights and texts that are shown together. */
export interface DashboardTable {
  readonly id: string
  readonly project_id: number
  display_name: string
  description: string
  /** Number of the preset, as on the wire. */
  default_time_range: number
  /** Number of the granularity, as on the wire. */
  default_granularity: number
  /** What anyone who has it can read the dashboard with; none while it is not shared. */
  share_id: string | null
  /** JSON array of the tiles in their order, each as proto JSON. */
  tiles: string
  /** Bytes of `tiles`. */
  tiles_bytes: number
  /** 1 when who has the share id reads the dashboard's own range only. */
  range_pinned: number
  readonly created_ms: TimeMs
  updated_ms: TimeMs
}

/** Attempts to sign in on an account or from a network. */
export interface SignInAttemptTable {
  /** A digest of what is counted. */
  readonly name: string
  attempts: number
  /** When the next attempt may come. */
  next_ms: TimeMs
  last_ms: TimeMs
}

/** A network that an account has signed in from. */
export interface KnownNetworkTable {
  /** Keyed digest of the account's mail address. */
  readonly account: string
  /** Keyed digest of the network. */
  readonly network: string
  /** When somebody last signed in to the account from there. */
  last_ms: TimeMs
}

/** The relational part of the store: who may do what. */
export interface CatalogSchema {
  organisations: OrganisationTable
  projects: ProjectTable
  api_keys: ApiKeyTable
  leases: LeaseTable
  jobs: JobTable
  deletion_requests: DeletionRequestTable
  customers: CustomerTable
  memberships: MembershipTable
  refresh_sessions: RefreshSessionTable
  magic_links: MagicLinkTable
  invitations: InvitationTable
  invitation_sends: InvitationSendTable
  dashboards: DashboardTable
  email_providers: EmailProviderTable
  devices: DeviceTable
  campaigns: CampaignTable
  campaign_sends: CampaignSendTable
  sign_in_attempts: SignInAttemptTable
  known_networks: KnownNetworkTable
}
