import type { Unavailable } from './unavailable.ts'

/** What all buckets of a call have in common. */
export interface TokenRate {
  /** Tokens that flow into a bucket in each second; above 0. */
  readonly ratePerSecond: number
  /** Tokens that a bucket holds when full; at least 1. */
  readonly burst: number
}

/** A demand on one bucket. */
export interface TokenDemand {
  /** Names the bucket. */
  readonly key: string
  /** Tokens that are used already: they are owed whatever the bucket holds. Below 0: tokens that are given back. */
  readonly used: number
  /** Tokens wanted for what is to come: as many of them are granted as the bucket holds. */
  readonly wanted: number
}

/** A bucket after a demand. */
export interface TokenGrant {
  /** Tokens that were granted; 0 when the bucket holds less than one. */
  readonly granted: number
  /** Tokens left in the bucket; below 0 while it owes. */
  readonly left: number
}

/** What came of a call, in the order of its demands. */
export type TakeOutcome = { readonly status: 'ok'; readonly grants: readonly TokenGrant[] } | Unavailable

/**
 * A bucket as it was at an instant, in milliseconds of one clock. Unlike the instant at which it is full again, this
 * stands a clock that is set back by hours: no tokens flow in that moment, and none are owed for it.
 */
export interface BucketState {
  readonly tokens: number
  readonly atMs: number
}

/** Applies a demand to a bucket; one that is not known is full. */
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

/** Milliseconds until a bucket is full, and need not be remembered. */
export function fullInMs({ tokens }: BucketState, { ratePerSecond, burst }: TokenRate): number {
  return ((burst - tokens) * 1000) / ratePerSecond
}
