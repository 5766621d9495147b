import type { Difference } from './figures.ts'
import type { Peer } from './world/peers.ts'

/** The cost of one way, in milliseconds of the engine's CPU time and of the clock. */
export interface Cost {
  readonly cpuMs: number
  readonly wallMs: number
  readonly readRows: number
  /** CPU time as a multiple of that of the statement by hand. */
  readonly ratio: number
}

/** Why a way has no cost. */
export interface Failure {
  readonly failed: string
}

/** A peer's way with its answer. */
export type PeerReport = { readonly peer: Peer; readonly note: string } & (
  | Failure
  | (Cost & { readonly difference: Difference; readonly figures?: Readonly<Record<string, number>> })
)

/** A query that ran in every way. */
export interface QueryReport {
  readonly name: string
  readonly ours: Failure | (Cost & { readonly difference: Difference })
  readonly hand: Failure | (Cost & { readonly figures?: Readonly<Record<string, number>> })
  readonly peers: readonly PeerReport[]
}

/** One query under two conditions. */
export interface ConditionReport {
  readonly name: string
  readonly condition: string
  readonly base: string
  readonly cost: Failure | Cost
  readonly baseCost: Failure | Cost
}

/** All results of a run. */
export interface InsightsReport {
  readonly events: number
  readonly threads: number
  readonly rounds: number
  readonly queries: readonly QueryReport[]
  readonly conditions: readonly ConditionReport[]
}
