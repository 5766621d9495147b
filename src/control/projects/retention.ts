import type { ProjectId } from '../../contract/ids.ts'
import { ServiceError } from '../../contract/service-error.ts'
import type { JobHandler } from '../../jobs/job-handler.ts'
import type { NewRecurringJob, RunRecurringJob } from '../../jobs/recurring-jobs.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Logger } from '../../kernel/log.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import { insertJob } from '../../store/catalog/job-store.ts'
import { keptFromMs, listRetainedProjects } from '../../store/catalog/project-retention.ts'
import { inTransaction } from '../../store/catalog/transaction.ts'
import { invalidField } from '../invalid-field.ts'
import { projectNotFound } from './projects.ts'

/** The kind of job that deletes the expired events of one project, after a change of its retention. */
export const EXPIRE_PROJECT = 'expire-project'

/** The recurring job that deletes the expired events of all projects, at the quietest hour of most installations. */
export const EXPIRE_EVENTS: NewRecurringJob = {
  id: 'expire-events',
  kind: 'expire-events',
  payload: null,
  schedule: { every: 'week', minute: 17, hour: 3, day: 7 },
  timeZone: 'UTC',
}

/** Exceeds the lifetime of cached projects, and lets an admin who erred change it back. */
const EXPIRE_AFTER_MS = 60_000

/** Counts the events of a project from before an instant. */
export type CountEvents = (
  events: { readonly projectId: ProjectId; readonly beforeMs: number },
  signal: AbortSignal,
) => Promise<number>

/** Dependencies of changes. */
export interface RetentionPorts {
  readonly catalog: Catalog
  readonly clock: Clock
  readonly countEvents: CountEvents
  /** Days after which the service deletes the events of every project; 0 for never. */
  readonly serviceRetentionDays: number
}

/** What a retention would delete now. */
export async function previewRetention(
  { clock, countEvents }: RetentionPorts,
  { projectId, days }: { readonly projectId: ProjectId; readonly days: number },
  signal: AbortSignal,
): Promise<{ readonly count: number; readonly fromMs: number }> {
  const fromMs = keptFromMs(clock.nowMs(), days)
  return { count: await countEvents({ projectId, beforeMs: fromMs }, signal), fromMs }
}

/**
 * Changes how long a project keeps its events; 0 days are those of the service. Throws `failed_precondition` when more events would be
 * deleted than are confirmed.
 */
export async function changeRetention(
  ports: RetentionPorts,
  change: { readonly projectId: ProjectId; readonly days: number; readonly confirmedCount: number },
  signal: AbortSignal,
): Promise<void> {
  const { catalog, clock, serviceRetentionDays } = ports
  const { projectId, days, confirmedCount } = change
  if (serviceRetentionDays > 0 && days > serviceRetentionDays)
    throw invalidField(
      'days',
      `must be at most ${serviceRetentionDays}, after which the service deletes events`,
    )
  const { count } = days === 0 ? { count: 0 } : await previewRetention(ports, change, signal)
  if (count > confirmedCount) throw notConfirmed(count)
  await inTransaction(catalog, async (transaction) => {
    const updated = await transaction
      .updateTable('projects')
      .set({ retention_days: days })
      .where('id', '=', projectId)
      .executeTakeFirst()
    if (updated.numUpdatedRows === 0n) throw projectNotFound()
    const nowMs = clock.nowMs()
    const job = { kind: EXPIRE_PROJECT, projectId, payload: null, nowMs, dueMs: nowMs + EXPIRE_AFTER_MS }
    if (days > 0) await insertJob(transaction, job)
  })
}

/** Deletes the events of projects from before a day. Idempotent. */
export type DeleteExpired = (expired: {
  readonly kept: readonly { readonly projectId: ProjectId; readonly day: string }[]
  readonly signal: AbortSignal
}) => Promise<{ readonly eventRows: number; readonly partitionCount: number }>

/** Dependencies of the jobs. */
export interface ExpiryParts {
  readonly catalog: Catalog
  readonly clock: Clock
  readonly log: Logger
  readonly deleteExpired: DeleteExpired
}

/** Creates the handler of {@link EXPIRE_EVENTS}. */
export function createExpireEvents(parts: ExpiryParts): RunRecurringJob {
  return async (_, { signal }) => await expire(parts, undefined, signal)
}

/** Creates the handler of {@link EXPIRE_PROJECT}. */
export function createExpireProject(parts: ExpiryParts): JobHandler {
  return {
    run: async ({ projectId }, { signal }) => {
      await expire(parts, projectId, signal)
      return { next: 'done' }
    },
    // The weekly run deletes them.
    giveUp: async () => undefined,
  }
}

/** Reads the retention anew: it may have been changed back since. */
async function expire(
  { catalog, clock, log, deleteExpired }: ExpiryParts,
  only: ProjectId | undefined,
  signal: AbortSignal,
): Promise<void> {
  const nowMs = clock.nowMs()
  const projects = (await listRetainedProjects(catalog, only)).map(({ projectId, days }) => ({
    projectId,
    fromMs: keptFromMs(nowMs, days),
  }))
  // No event is from before 1970, and no date of ClickHouse.
  const kept = projects
    .filter(({ fromMs }) => fromMs > 0)
    .map(({ projectId, fromMs }) => ({ projectId, day: new Date(fromMs).toISOString().slice(0, 10) }))
  if (kept.length === 0) return
  const { eventRows, partitionCount } = await deleteExpired({ kept, signal })
  if (partitionCount > 0)
    log.info({ projects: kept.length, rows: eventRows, partitions: partitionCount }, 'expired events deleted')
}

function notConfirmed(count: number): ServiceError {
  return new ServiceError({
    code: 'failed_precondition',
    reason: 'RETENTION_NOT_CONFIRMED',
    message: `${count} events are older and would be deleted; confirm that number as expired_events`,
  })
}
