import type { Generated } from 'kysely'
import type { TimeMs } from './time-ms.ts'

/** An OAuth client that registered itself: an assistant on one machine, or a hosted one. */
export interface OauthClientTable {
  readonly id: string
  /** Its metadata (RFC 7591) as JSON, without any secret. */
  readonly metadata: string
  readonly created_ms: TimeMs
}

/** The consent of a member that an assistant acts for them in one project. */
export interface OauthGrantTable {
  readonly id: string
  readonly customer_id: string
  readonly project_id: number
  readonly client_id: string
  /** As the client named itself. */
  readonly client_name: string
  /** The host of the redirect URI. */
  readonly redirect_host: string
  readonly scope: 'read' | 'write'
  readonly created_ms: TimeMs
  /** The end of its newest token; before the first one, of the time to ask for it. */
  expires_ms: TimeMs
  /** 0 before the first use. */
  last_used_ms: Generated<TimeMs>
}

/** The kinds of short-lived records of the authorization server. */
export const OAUTH_RECORD_KINDS = ['Interaction', 'AuthorizationCode', 'AccessToken', 'RefreshToken'] as const

/** The kind of a record, as the library of the authorization server names it. */
export type OauthRecordKind = (typeof OAUTH_RECORD_KINDS)[number]

/** A request for consent, a code or a token; only its digest is stored. */
export interface OauthRecordTable {
  /** Lower-case hex of the SHA-256 of the id, code or token. */
  readonly sha256: string
  readonly kind: OauthRecordKind
  /** The grant that it belongs to; absent for a request that nobody has answered yet. */
  readonly grant_id: string | null
  /** JSON of the library, without the id, code or token. */
  readonly payload: string
  readonly created_ms: TimeMs
  readonly expires_ms: TimeMs
  /** When a code or refresh token was used; 0 before. */
  consumed_ms: Generated<TimeMs>
}
