import type { Unavailable } from './unavailable.ts'

/** A demand on a bucket. */
export interface TokenRequest {
  /** Names the bucket. */
  readonly key: string
  /** Tokens wanted: one per event. */
  readonly count: number
  /** Tokens that flow in each second; above 0. */
  readonly ratePerSecond: number
  /** Tokens that the bucket holds when full; above 0. */
  readonly burst: number
}

/** The state of a bucket after a demand, enough for `RateLimit-*` and `Retry-After` headers. */
export interface TokenAnswer {
  readonly status: 'ok'
  readonly allowed: boolean
  /** The bucket's size, in tokens. */
  readonly limit: number
  /** Whole tokens left. */
  readonly remaining: number
  /** Milliseconds until the bucket is full again. */
  readonly resetMs: number
  /** Milliseconds until the same demand is allowed if nobody else takes any; 0 when it was allowed. */
  readonly retryMs: number
}

/** Milliseconds by which a bucket may be short: what floating point loses between two instants. */
const SLACK_MS = 0.01

/** What came of taking tokens. */
export type TakeOutcome = TokenAnswer | Unavailable

/**
 * A bucket's whole state is the instant at which it is full again (the generic cell rate algorithm). A demand above the
 * burst is allowed when the bucket is full, and then leaves a debt: the rate holds, and no batch waits for ever.
 *
 * Takes the instant, the present, and gives the answer with the next instant; all in milliseconds of one clock.
 */
export function takeFromBucket(
  bucket: { readonly fullAtMs: number; readonly nowMs: number },
  { count, ratePerSecond, burst }: TokenRequest,
): { readonly answer: TokenAnswer; readonly fullAtMs: number } {
  const fullInMs = Math.max(0, bucket.fullAtMs - bucket.nowMs)
  const tokenMs = 1000 / ratePerSecond
  const latestFullInMs = (burst - Math.min(count, burst)) * tokenMs
  const allowed = fullInMs <= latestFullInMs + SLACK_MS
  const nextFullInMs = allowed ? fullInMs + count * tokenMs : fullInMs
  const retryMs = allowed ? 0 : Math.ceil(fullInMs - latestFullInMs)
  return {
    answer: describeBucket({ allowed, retryMs, fullInMs: nextFullInMs }, { ratePerSecond, burst }),
    fullAtMs: bucket.nowMs + nextFullInMs,
  }
}

/** The answer about a bucket that will be full in `fullInMs` milliseconds. */
export function describeBucket(
  state: { readonly allowed: boolean; readonly retryMs: number; readonly fullInMs: number },
  { ratePerSecond, burst }: { readonly ratePerSecond: number; readonly burst: number },
): TokenAnswer {
  return {
    status: 'ok',
    allowed: state.allowed,
    limit: burst,
    remaining: Math.max(0, Math.floor(burst - (state.fullInMs * ratePerSecond) / 1000)),
    resetMs: Math.ceil(state.fullInMs),
    retryMs: state.retryMs,
  }
}
