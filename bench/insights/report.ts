import type { Difference } from './figures.ts'
import type { Peer } from './world/peers.ts'

/** What one way of asking costs, in milliseconds of the engine's CPU time and of the clock. */
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

/** A question that was asked in every way. */
export interface QuestionReport {
  readonly name: string
  readonly ours: Failure | (Cost & { readonly difference: Difference })
  readonly hand: Failure | (Cost & { readonly figures?: Readonly<Record<string, number>> })
  readonly peers: readonly PeerReport[]
}

/** One question under two conditions. */
export interface ConditionReport {
  readonly name: string
  readonly condition: string
  readonly base: string
  readonly cost: Failure | Cost
  readonly baseCost: Failure | Cost
}

/** Everything that was measured. */
export interface InsightsReport {
  readonly events: number
  readonly threads: number
  readonly rounds: number
  readonly questions: readonly QuestionReport[]
  readonly conditions: readonly ConditionReport[]
}
