import type { TimeMs } from './time-ms.ts'

/** The caller that an entry names. */
export type AuditActorKind = 'account' | 'key'

/** The proof with which a caller came: a session of the console, an API key or a personal access token; empty for a sign-in that failed. */
export type AuditCredentialKind = 'session' | 'key' | 'token' | ''

/** An entry of the audit log. Rows are inserted, and deleted when they are too old; nothing updates them. */
export interface AuditEntryTable {
  readonly id: string
  /** The organisation that may read it; empty for an account without one. */
  readonly organisation_id: string
  readonly time_ms: TimeMs
  readonly actor_kind: AuditActorKind
  /** Account id or key id. */
  readonly actor_id: string
  /** How lists named the actor at that time: of a key its masked form, of an account empty, as the account has its name. */
  readonly actor_name: string
  readonly credential_kind: AuditCredentialKind
  /** Session id, key id or token id. */
  readonly credential_id: string
  /** IP address of the caller; empty when it is unknown. */
  readonly address: string
  readonly action: string
  readonly object_id: string
  /** The object's name at that time; empty when it has none. */
  readonly object_name: string
  readonly project_id: number | null
  /** JSON array of changed fields; see `AuditChange`. */
  readonly changes: string
  readonly request_id: string
}

/** A field of a row before and after a change; `null` where the row did not exist. */
export interface AuditChange {
  readonly object: string
  readonly id: string
  readonly field: string
  readonly before: string | null
  readonly after: string | null
}
