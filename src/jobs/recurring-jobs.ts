import type { ProjectId } from '../contract/ids.ts'
import { readSchedule, type Schedule } from '../domain/schedule.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Catalog } from '../store/catalog/catalog.ts'
import type { Job, Json } from '../store/catalog/job-store.ts'
import {
  findRecurringJob,
  insertRecurringJob,
  type RecurringJob,
  replaceRecurringJob,
} from '../store/catalog/recurring-store.ts'
import type { JobContext, JobHandlers } from './job-handler.ts'

/** A recurring job to be added. */
export interface NewRecurringJob {
  /** Unique among all recurring jobs. */
  readonly id: string
  readonly kind: string
  readonly projectId?: ProjectId
  readonly payload: Json
  readonly schedule: Schedule
  /** IANA name; the job follows the zone of its project when absent. */
  readonly timeZone?: string
}

/**
 * Adds a recurring job, unless there is one with this id; call it in the transaction of its cause. Its first unit is the one
 * that is current now.
 */
export async function addRecurringJob(catalog: Catalog, clock: Clock, job: NewRecurringJob): Promise<void> {
  const { id, kind, projectId, payload, schedule, timeZone = '' } = job
  const nowMs = clock.nowMs()
  const zone = timeZone === '' ? await readProjectZone(catalog, projectId) : timeZone
  const { last, nextDueMs } = readSchedule(schedule, { nowMs, timeZone: zone })
  await insertRecurringJob(catalog, {
    id,
    kind,
    project_id: projectId ?? null,
    payload: JSON.stringify(payload),
    schedule: JSON.stringify(schedule),
    time_zone: timeZone,
    next_ms: nextDueMs,
    seen_ms: nowMs,
    done_ms: last.toMs,
    job_id: '',
    revision: 0,
  })
}

/**
 * Replaces schedule, zone and payload of a recurring job. A unit that is done is not done again: only a schedule with
 * other units begins anew.
 */
export async function changeRecurringJob(
  catalog: Catalog,
  clock: Clock,
  change: Omit<NewRecurringJob, 'kind' | 'projectId'>,
): Promise<void> {
  const { id, payload, schedule, timeZone = '' } = change
  const stored = await findRecurringJob(catalog, id)
  if (!stored) return
  const zone = timeZone === '' ? await readProjectZone(catalog, stored.projectId) : timeZone
  const { last } = readSchedule(schedule, { nowMs: clock.nowMs(), timeZone: zone })
  const isSameUnit = scheduleOf(stored).every === schedule.every
  await replaceRecurringJob(catalog, id, {
    payload: JSON.stringify(payload),
    schedule: JSON.stringify(schedule),
    time_zone: timeZone,
    done_ms: isSameUnit ? stored.doneMs : last.toMs,
  })
}

/** The schedule of a stored job. */
export function scheduleOf({ schedule }: RecurringJob): Schedule {
  return schedule as unknown as Schedule
}

/** One run of a recurring job. */
export interface RecurringRun {
  /** The same for each attempt at this unit, and different for every other run. */
  readonly id: string
  readonly recurringId: string
  readonly projectId: ProjectId | undefined
  readonly payload: Json
  /** The complete hour, day, week or month that it is about: the newest one. */
  readonly fromMs: number
  readonly toMs: number
  readonly timeZone: string
}

/** Runs recurring jobs of one kind. It must be idempotent: a process may die after any step. An error is retried later. */
export type RunRecurringJob = (run: RecurringRun, context: Pick<JobContext, 'signal'>) => Promise<void>

/** Handlers of recurring jobs by kind. */
export type RecurringHandlers = Readonly<Record<string, RunRecurringJob>>

/** The payload of the job of one run. */
export type RunPayload = {
  readonly recurringId: string
  readonly fromMs: number
  readonly toMs: number
  readonly timeZone: string
}

/** Creates the handlers of the jobs that {@link RecurringDispatcher} adds. A run whose recurring job is deleted does nothing. */
export function createRecurringJobHandlers(
  handlers: RecurringHandlers,
  { catalog, wakeDispatcher }: { readonly catalog: Catalog; readonly wakeDispatcher: () => void },
): JobHandlers {
  const wrap = (run: RunRecurringJob) => ({
    run: async (job: Job, { signal }: JobContext) => {
      const { recurringId, ...unit } = job.payload as RunPayload
      const found = await findRecurringJob(catalog, recurringId)
      if (found) {
        const { projectId, payload } = found
        await run({ id: `${recurringId}/${unit.toMs}`, recurringId, projectId, payload, ...unit }, { signal })
      }
      wakeDispatcher()
      return { next: 'done' } as const
    },
    // The next unit is due as usual; the failure is in the log and the metrics.
    giveUp: async () => undefined,
  })
  return Object.fromEntries(Object.entries(handlers).map(([kind, run]) => [kind, wrap(run)]))
}

async function readProjectZone(catalog: Catalog, projectId: ProjectId | undefined): Promise<string> {
  if (projectId === undefined) return 'UTC'
  const row = await catalog
    .selectFrom('projects')
    .select('reporting_timezone')
    .where('id', '=', projectId)
    .executeTakeFirst()
  return row?.reporting_timezone ?? 'UTC'
}
