import type { TakeOutcome, TokenDemand, TokenRate } from './token-bucket.ts'
import type { Unavailable } from './unavailable.ts'

/** What came of asking for a day's salt. */
export type SaltOutcome =
  /** 32 bytes; the caller owns them. */
  | { readonly status: 'ok'; readonly salt: Uint8Array }
  /** A salt is there and cannot be decoded: it stays so until it expires or an operator removes it. */
  | { readonly status: 'corrupt' }
  /** It is 00:00 UTC of day + 2 or later: there is no such salt any more, and none is made. */
  | { readonly status: 'expired' }
  | Unavailable

/** One cookieless visitor's events of one call. */
export interface SessionTouch {
  /** The visitor's distinct id: it already holds the project, and belongs to one UTC day. No visitor occurs twice in a call. */
  readonly id: string
  /** The UTC day of the id and of all times: days since 1970-01-01. */
  readonly day: number
  /** Milliseconds since the Unix epoch, ascending, at least one; equal times may repeat. */
  readonly timesMs: readonly number[]
}

/** The sessions of one visitor's events. */
export type VisitorSessions =
  /** One per time, in their order: a lower-case UUIDv7, or `undefined` for an event too late for the sessions it could be in. */
  | { readonly status: 'ok'; readonly ids: readonly (string | undefined)[] }
  /** The store has reached its bound and takes no further visitors. */
  | { readonly status: 'full' }

/** What came of touching the sessions of many visitors, in the order they were given. */
export type TouchOutcome =
  | { readonly status: 'ok'; readonly visitors: readonly VisitorSessions[] }
  | Unavailable

/**
 * What edges and workers share: salts and cookieless sessions. Every call is atomic, answers within a bounded
 * time, and tells failure by its outcome; none rejects.
 */
export interface StateStore {
  /**
   * The salt of a UTC day; the first writer wins, across all edges, and everyone gets the winner's. `offered` is a salt
   * of that day which the caller had from here before: it comes back to life when the store lost it.
   */
  salt(day: number, offered?: Uint8Array): Promise<SaltOutcome>
  /** The sessions of all cookieless events of one pool task, in one round trip; see {@link SessionTouch}. */
  touchSessions(touches: readonly SessionTouch[]): Promise<TouchOutcome>
  /** Ends connections and timers. Calls after it are `unavailable`. */
  close(): Promise<void>
}

/** A store that several machines share, with the rate limits of all of them; each edge keeps its own without one. */
export interface SharedStateStore extends StateStore {
  /** Takes tokens from buckets. No bucket occurs twice; a key must not be a secret: it is stored as it is. */
  takeTokens(demands: readonly TokenDemand[], rate: TokenRate): Promise<TakeOutcome>
}
