import type { ProjectId } from '../contract/ids.ts'
import type { ErrorCode, FieldViolation } from '../contract/service-error.ts'

/** One BatchCreate request inside a task. */
export interface TaskRequest {
  readonly projectId: ProjectId
  /** Where the body starts in the task's buffer, and its length, in bytes. */
  readonly offset: number
  readonly length: number
}

/** What the edge hands to a worker: many requests, their bodies in one buffer that is moved, not copied. */
export interface Task {
  readonly requests: readonly TaskRequest[]
  readonly bodies: ArrayBuffer
}

/** What became of one request. */
export type Outcome =
  | { readonly accepted: number }
  | { readonly code: ErrorCode; readonly message: string; readonly violation: FieldViolation }

/** What a worker answers: an outcome per request, in order, and one Native block with the rows of all of them. */
export interface TaskResult {
  readonly outcomes: readonly Outcome[]
  /** Bytes of the block; moved. Empty when there is no row. */
  readonly block: Uint8Array
  readonly rowCount: number
}
