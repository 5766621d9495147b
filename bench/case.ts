import type { Teardown } from './teardown.ts'

/** The measurements of one round. */
export interface Sample {
  /** Cost of what the case is about, in the case's unit. */
  readonly cost: number
  /** Cost of the baseline, in the same unit, measured in the same round. */
  readonly baseline: number
  /** Further figures of the round, such as the share of each process in the cost. */
  readonly parts?: Readonly<Record<string, number>>
}

/** Measures once: the subject and its baseline, one right after the other. Throws when the work was not done. */
export type MeasureRound = () => Promise<Sample>

/** A measured operation, which runs in a separate process. */
export interface BenchCase {
  /** `op/fixture`, in kebab case. */
  readonly name: string
  readonly unit: string
  /** The name of the work that the ratio compares to. */
  readonly baseline: string
  /** Rounds unless the command line sets them. */
  readonly rounds: number
  /** Sets up, and registers with `teardown` what it must undo. */
  prepare(teardown: Teardown): Promise<MeasureRound>
}

/** The output of a case's process: one sample per round. */
export interface CaseReport {
  readonly samples: readonly Sample[]
}
