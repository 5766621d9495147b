import type { TimeMs } from './time-ms.ts'

/** A user of an OpenID Connect provider who signs in to an account. */
export interface IdentityTable {
  readonly id: string
  readonly issuer: string
  /** The provider's name for the user: the only one that never belongs to another user. */
  readonly subject: string
  readonly customer_id: string
  /** As the provider named it last, in lower case; empty without one. */
  email: string
  readonly created_ms: TimeMs
  last_ms: TimeMs
}

/** A response of a provider that must not be accepted again. */
export interface UsedResponseTable {
  /** Keyed digest. */
  readonly digest: string
  readonly expires_ms: TimeMs
}

/** Counted sign-in attempts, per account or network. */
export interface SignInAttemptTable {
  /** Digest of the counted account or network. */
  readonly name: string
  attempts: number
  /** The time of the next allowed attempt. */
  next_ms: TimeMs
  last_ms: TimeMs
}

/** A network from which an account has signed in. */
export interface KnownNetworkTable {
  /** Keyed digest of the account's mail address. */
  readonly account: string
  /** Keyed digest of the network. */
  readonly network: string
  /** The last sign-in to the account from the network. */
  last_ms: TimeMs
}
