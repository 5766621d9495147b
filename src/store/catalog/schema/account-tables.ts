import type { Generated } from 'kysely'
import type { Role } from '../../../contract/role.ts'
import type { TimeMs } from './time-ms.ts'

/** A console account. */
export interface CustomerTable {
  readonly id: string
  /** In lower case. */
  readonly email: string
  display_name: string
  /** Argon2id in PHC form; absent until a password is set. */
  password_hash: string | null
  /** 1 for an account that a link created which proves no address, until the owner of the address proves it: the inviter may have opened the link. */
  unproved: Generated<number>
  /** 1 once the address is verified. */
  email_verified: number
  readonly created_ms: TimeMs
}

/** The role of a customer in an organisation. */
export interface MembershipTable {
  readonly organisation_id: string
  readonly customer_id: string
  role: Role
  /** The issuer of the identity whose groups gave the membership; empty for one that people gave. */
  readonly issuer: Generated<string>
  readonly created_ms: TimeMs
}

/** A console session: one row for the whole chain of its refresh tokens. */
export interface RefreshSessionTable {
  readonly id: string
  readonly customer_id: string
  /** Lower-case hex of the SHA-256 of the current refresh token. */
  sha256: string
  /** The sign-in method; empty for sessions from before it was recorded. */
  readonly method: 'password' | 'link' | 'google' | 'oidc' | ''
  /** The identity that began it; empty for other methods. */
  readonly identity_id: Generated<string>
  /** Its session at the provider, for a logout there; empty without one. */
  readonly provider_session: Generated<string>
  /** When it last proved the second factor of the account; 0 if it never did. */
  factor_ms: Generated<TimeMs>
  readonly created_ms: TimeMs
  /** Time of the last exchange of the refresh token; 0 before the first one. */
  exchanged_ms: TimeMs
  expires_ms: TimeMs
}

/** A single-use sign-in link. */
export interface MagicLinkTable {
  /** Lower-case hex of the SHA-256 of the token. */
  readonly sha256: string
  /** In lower case. */
  readonly email: string
  /** The invitation that the link accepts; absent for a requested sign-in link. */
  readonly invitation_id: string | null
  /** 1 when the inviter may have the link, as its answer or mail provider had it: opening it proves no address. */
  readonly returned: number
  readonly created_ms: TimeMs
  readonly expires_ms: TimeMs
  used_ms: TimeMs | null
}

/** An invitation to an organisation. */
export interface InvitationTable {
  readonly id: string
  readonly organisation_id: string
  /** In lower case. */
  readonly email: string
  role: Role
  /** An expired invitation is still pending. */
  status: 'pending' | 'accepted' | 'revoked'
  readonly created_ms: TimeMs
  expires_ms: TimeMs
  /** Why the newest mail could not be sent; empty for one that did not fail. */
  mail_error: Generated<string>
}

/** A role that a project gives to an invited user who joins. */
export interface InvitationRoleTable {
  readonly invitation_id: string
  readonly project_id: number
  readonly role: Role
}

/** Invitation mails of an organisation in the last 24 hours. */
export interface InvitationSendTable {
  readonly id: string
  readonly organisation_id: string
  readonly sent_ms: TimeMs
}
