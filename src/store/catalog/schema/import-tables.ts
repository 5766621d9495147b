import type { TimeMs } from './time-ms.ts'

/** An import of what another product counted per day. */
export interface ImportTable {
  readonly id: string
  readonly project_id: number
  readonly name: string
  readonly digest: string
  readonly first_day: string
  readonly last_day: string
  shown_until: string
  /** Numbers of the dimensions, as JSON. */
  readonly dimensions: string
  batches: number
  row_count: number
  readonly created_ms: TimeMs
  finished_ms: TimeMs | null
}
