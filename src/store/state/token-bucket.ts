/** Parameters shared by all buckets of a call. */
export interface TokenRate {
  /** Refill rate in tokens per second; above 0. */
  readonly ratePerSecond: number
  /** Capacity in tokens; at least 1. */
  readonly burst: number
}

/** A request to one bucket. */
export interface TokenDemand {
  /** Key of the bucket. */
  readonly key: string
  /** Tokens already used: they are charged whatever the bucket holds. A negative number returns tokens. */
  readonly used: number
  /** Tokens requested for upcoming work: granted up to the bucket's content. */
  readonly wanted: number
}

/** A bucket after a request. */
export interface TokenGrant {
  /** Tokens granted; 0 when the bucket holds less than one. */
  readonly granted: number
  /** Tokens left in the bucket; negative while it is in debt. */
  readonly left: number
}

/**
 * The state of a bucket at an instant, in milliseconds of one clock. Unlike the instant at which the bucket is full
 * again, this tolerates a clock that is set back by hours: no tokens are added in that moment, and no debt arises.
 */
export interface BucketState {
  readonly tokens: number
  readonly atMs: number
}

/** Applies a request to a bucket; an unknown bucket is full. */
export function takeFromBucket(
  bucket: BucketState | undefined,
  { used, wanted }: Omit<TokenDemand, 'key'>,
  { ratePerSecond, burst, nowMs }: TokenRate & { readonly nowMs: number },
): { readonly grant: TokenGrant; readonly bucket: BucketState } {
  const flowedMs = bucket === undefined ? 0 : Math.max(0, nowMs - bucket.atMs)
  const present = bucket === undefined ? burst : bucket.tokens + (flowedMs * ratePerSecond) / 1000
  const afterUse = Math.min(burst, Math.min(burst, present) - used)
  const granted = afterUse >= 1 ? Math.min(wanted, afterUse) : 0
  const left = afterUse - granted
  return { grant: { granted, left }, bucket: { tokens: left, atMs: nowMs } }
}
