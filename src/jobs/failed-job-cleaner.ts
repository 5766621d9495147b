import type { Clock } from '../kernel/clock.ts'
import type { Logger } from '../kernel/log.ts'
import type { Catalog } from '../store/catalog/catalog.ts'
import { deleteExpiredFailedJobs } from '../store/catalog/job-store.ts'
import type { NewRecurringJob, RunRecurringJob } from './recurring-jobs.ts'

/** The recurring job that deletes permanently failed jobs once their retention period is over. */
export const CLEAN_FAILED_JOBS: NewRecurringJob = {
  id: 'clean-failed-jobs',
  kind: 'clean-failed-jobs',
  payload: null,
  schedule: { every: 'hour', minute: 17, hour: 0, day: 0 },
  timeZone: 'UTC',
}

/** Creates the handler of {@link CLEAN_FAILED_JOBS}. */
export function createFailedJobCleaner(parts: {
  readonly catalog: Catalog
  readonly clock: Clock
  readonly log: Logger
}): RunRecurringJob {
  const { catalog, clock, log } = parts
  return async () => {
    const deleted = await deleteExpiredFailedJobs(catalog, clock.nowMs())
    if (deleted > 0) log.info({ jobs: deleted }, 'expired failed jobs are deleted')
  }
}
