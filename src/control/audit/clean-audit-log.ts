import type { NewRecurringJob, RunRecurringJob } from '../../jobs/recurring-jobs.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Logger } from '../../kernel/log.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import { deleteOldEntries } from './audit-entries.ts'

const DAY_MS = 24 * 3_600_000

/** The recurring job that deletes entries of the audit log that are too old or too many. */
export const CLEAN_AUDIT_LOG: NewRecurringJob = {
  id: 'clean-audit-log',
  kind: 'clean-audit-log',
  payload: null,
  schedule: { every: 'hour', minute: 29, hour: 0, day: 0 },
  timeZone: 'UTC',
}

/** Creates the handler of {@link CLEAN_AUDIT_LOG}. */
export function createAuditLogCleaner(parts: {
  readonly catalog: Catalog
  readonly clock: Clock
  readonly log: Logger
  readonly retentionDays: number
  readonly entriesMax: number
}): RunRecurringJob {
  const { catalog, clock, log, retentionDays, entriesMax } = parts
  return async () => {
    const deleted = await deleteOldEntries(catalog, {
      beforeMs: clock.nowMs() - retentionDays * DAY_MS,
      countMax: entriesMax,
    })
    if (deleted > 0)
      log.info({ entries: deleted }, 'entries of the audit log that are too old or too many are deleted')
  }
}
