import type { ProjectId } from '../../../contract/ids.ts'

/** Rows of which project to erase, wherever they wait. */
export interface LeftoverErasure {
  readonly projectId: ProjectId
  /** What cannot be read as rows is searched for this text. */
  readonly externalId: string
  /** Which of these ids, distinct ids or external ids, are the person's. */
  readonly findErased: (ids: readonly string[]) => Promise<ReadonlySet<string>>
}

/** Events and people of this machine that are not in ClickHouse: they wait for delivery, or were refused. */
export interface Leftovers {
  /** Resolves when what waited for delivery is delivered; false when that takes too long to wait for. */
  untilDelivered(signal: AbortSignal): Promise<boolean>
  /** Takes rows out of quarantine, and answers how many. */
  erase(erasure: LeftoverErasure): Promise<number>
}
