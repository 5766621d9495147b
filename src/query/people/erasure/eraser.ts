import type { DataSubject } from './deletion-requests.ts'

/** Erases a user's data from one component, outside of ClickHouse's tables. Must be idempotent. */
export interface Eraser {
  /** Label for the log. */
  readonly name: string
  erase(subject: DataSubject & { readonly profileId: string }): Promise<void>
}
