import type { ProjectId } from '../../../contract/ids.ts'
import type { DataSubject } from './deletion-requests.ts'

/** Erases a user's data from one component, outside of ClickHouse's tables. Must be idempotent. */
export interface Eraser {
  /** Label for the log. */
  readonly name: string
  erase(subject: DataSubject & { readonly profileId: string }): Promise<void>
}

/** The rows to erase, wherever they are queued. */
export interface LeftoverErasure {
  readonly projectId: ProjectId
  /** Data that cannot be parsed as rows is searched for this text. */
  readonly externalId: string
  /** Filters distinct ids or external ids for those that belong to the user. */
  readonly findErased: (ids: readonly string[]) => Promise<ReadonlySet<string>>
}

/** This machine's events and identify rows that are not in ClickHouse: undelivered or quarantined. */
export interface Leftovers {
  /** Resolves to true when everything pending is delivered, or to false on timeout. */
  untilDelivered(signal: AbortSignal): Promise<boolean>
  /** Removes rows from quarantine and returns how many. */
  erase(erasure: LeftoverErasure): Promise<number>
}
