import type { DataSubject } from '../../../store/catalog/deletion-requests.ts'

/** Erases what one part of the service holds of people, outside of ClickHouse's tables. It may be called twice. */
export interface Eraser {
  /** What it erases, for the log. */
  readonly name: string
  erase(subject: DataSubject & { readonly profileId: string }): Promise<void>
}
