import type { Generated, Selectable } from 'kysely'
import type { TimeMs } from './time-ms.ts'

/** A lease that one process holds until it releases it or it expires. */
export interface LeaseTable {
  readonly name: string
  holder: string
  expires_ms: TimeMs
}

/** A background job; see `job-store.ts`. */
export interface JobTable {
  readonly id: string
  readonly kind: string
  readonly project_id: number | null
  /** Jobs that wait for the same host have the same lane, in which a process runs only a few at once; empty for no such limit. */
  readonly lane: Generated<string>
  /** JSON, without personal data in the clear. */
  payload: string
  state: 'waiting' | 'running' | 'failed'
  attempts: number
  /** The due time of the job; for a running one, the expiry of its claim; for a failed one, its deletion. */
  next_ms: TimeMs
  /** Identifies the claim of a running job; empty otherwise. */
  holder: string
  /** The error of the last attempt; empty when it succeeded. */
  error: string
  readonly created_ms: TimeMs
}

/** A job that recurs; see `jobs/recurring-jobs.ts`. */
export interface RecurringJobTable {
  readonly id: string
  readonly kind: string
  readonly project_id: number | null
  /** JSON, without personal data in the clear. */
  payload: string
  /** JSON. */
  schedule: string
  /** IANA name; empty for the zone of the project. */
  time_zone: string
  /** The time at which it is looked at again. */
  next_ms: TimeMs
  /** The time at which it was looked at last. */
  seen_ms: TimeMs
  /** End of the newest hour, day, week or month that is done. */
  done_ms: TimeMs
  /** The job of that one; empty before the first. */
  job_id: string
  /** Incremented with each change, so that one of several processes makes it. */
  revision: number
}

/** A recurring job as it is read. */
export type RecurringJobRow = Selectable<RecurringJobTable>
