import type { TokenDemand, TokenGrant, TokenRate } from './token-bucket.ts'

/** A call that the store could not complete in time; the cause is for the log and contains no secret. */
export interface Unavailable {
  readonly status: 'unavailable'
  readonly cause: Error
}

/** The outcome of a call that failed with `error`. */
export function unavailable(error: unknown): Unavailable {
  return { status: 'unavailable', cause: error instanceof Error ? error : new Error(String(error)) }
}

/** The result of requesting a day's salt. */
export type SaltOutcome =
  /** 32 bytes; the caller owns them. */
  | { readonly status: 'ok'; readonly salt: Uint8Array }
  /** A stored salt cannot be decoded; this persists until it expires or an operator removes it. */
  | { readonly status: 'corrupt' }
  /** It is 00:00 UTC of day + 2 or later: the salt has expired, and no new one is created. */
  | { readonly status: 'expired' }
  | Unavailable

/** The events of one visitor in one call. */
export interface SessionTouch {
  /**
   * The visitor: the distinct id of a cookieless one, or a digest of a device. It already incorporates the project. With
   * its day, it is unique within a call.
   */
  readonly id: string
  /** The UTC day of all times: days since 1970-01-01. */
  readonly day: number
  /** Milliseconds since the Unix epoch, ascending, at least one; equal times may repeat. */
  readonly timesMs: readonly number[]
  /** The id of a session that begins at a time, as 16 bytes; a random UUIDv7 without it. */
  readonly idOfStart?: (timeMs: number) => Uint8Array
}

/** The sessions of one visitor's events. */
export type VisitorSessions =
  /**
   * One per time, in order: a lower-case UUID, or `undefined` for an event that is too late for any of its possible
   * sessions.
   */
  | { readonly status: 'ok'; readonly ids: readonly (string | undefined)[] }
  /** The store has reached its limit and accepts no more visitors. */
  | { readonly status: 'full' }

/** The sessions of many visitors, in input order. */
export type TouchOutcome =
  | { readonly status: 'ok'; readonly visitors: readonly VisitorSessions[] }
  | Unavailable

/** The tokens granted by a call, in the order of its requests. */
export type TakeOutcome = { readonly status: 'ok'; readonly grants: readonly TokenGrant[] } | Unavailable

/**
 * State that edges and workers share: salts, and the sessions of visitors whose clients have none. Every call is atomic, returns within a bounded
 * time, and reports failure in its outcome; none rejects.
 */
export interface StateStore {
  /**
   * The salt of a UTC day; the first writer wins across all edges, and all of them get its salt. `offered` is a salt of
   * that day which the caller obtained here earlier: it restores the salt if the store has lost it.
   */
  salt(day: number, offered?: Uint8Array): Promise<SaltOutcome>
  /** The sessions of all cookieless visitors, or all devices, of one pool task, in one round trip; see {@link SessionTouch}. */
  touchSessions(touches: readonly SessionTouch[]): Promise<TouchOutcome>
  /** Closes connections and timers. Later calls are `unavailable`. */
  close(): Promise<void>
}

/**
 * A store shared by several machines, including their rate limits; without one, each edge keeps its own rate limits.
 */
export interface SharedStateStore extends StateStore {
  /**
   * Takes tokens from buckets. Buckets are unique within a call; a key must not be secret, because it is stored as it
   * is.
   */
  takeTokens(demands: readonly TokenDemand[], rate: TokenRate): Promise<TakeOutcome>
}
