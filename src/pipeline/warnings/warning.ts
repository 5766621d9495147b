import type { WarningReason } from '../../contract/ingestion-warnings.ts'

/** The library that sent something, as it names itself; empty when it does not. */
export interface SdkName {
  readonly sdk: string
  readonly sdkVersion: string
}

/** What a request had to be warned of, for one reason and library. Plain data: workers send it to the main thread. */
export interface RequestWarning extends SdkName {
  readonly reason: WarningReason
  count: number
  /** JSON text of {@link WarningSample}; empty without one. */
  readonly sample: string
}

/** An event that a warning is about, without the values of people. */
export interface WarningSample {
  /** Paths of the parts that are the reason. */
  readonly fields: readonly string[]
  /** The form of the event: its names, with a description of each value. */
  readonly event?: unknown
  /** The rule that is broken. */
  readonly problem?: string
}

/** The parts of the outcome of a request that warnings are made of. */
export type NotedOutcome =
  | {
      readonly accepted: number
      readonly droppedByReason?: Readonly<Record<string, number>>
      readonly changedByReason?: Readonly<Record<string, number>>
      readonly warnings?: readonly RequestWarning[]
      readonly isCheckOnly?: boolean
    }
  | {
      readonly reason: string
      readonly violation?: { readonly field: string; readonly description: string }
    }

/** The name of a library that has none. */
export const NO_SDK: SdkName = { sdk: '', sdkVersion: '' }
