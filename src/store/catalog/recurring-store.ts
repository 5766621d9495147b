import { sql } from 'kysely'
import { asProjectId, type ProjectId } from '../../contract/ids.ts'
import type { Catalog } from './catalog.ts'
import type { Json } from './job-store.ts'
import type { RecurringJobRow, RecurringJobTable } from './schema/job-tables.ts'

/** A recurring job as it is stored. */
export interface RecurringJob {
  readonly id: string
  readonly kind: string
  readonly projectId: ProjectId | undefined
  readonly payload: Json
  /** The schedule, as the layer above writes it. */
  readonly schedule: Json
  /** IANA name; the project's zone where the job follows it. */
  readonly timeZone: string
  /** The time at which it is looked at again. */
  readonly nextMs: number
  /** End of the newest unit that is done. */
  readonly doneMs: number
  /** Incremented with each change. */
  readonly revision: number
}

/** A clock that was set back by more than this makes every job be looked at again. */
const CLOCK_SKEW_MS_MAX = 600_000

/** The due recurring jobs whose last job has ended, with the longest due of each project first. */
export async function listDueRecurringJobs(
  catalog: Catalog,
  of: { readonly kinds: readonly string[]; readonly nowMs: number; readonly perProjectMax: number },
): Promise<readonly RecurringJob[]> {
  const { kinds, nowMs, perProjectMax } = of
  const rows = await catalog
    .selectFrom((from) =>
      from
        .selectFrom('recurring_jobs')
        .leftJoin('projects', 'projects.id', 'recurring_jobs.project_id')
        .selectAll('recurring_jobs')
        .select(({ fn }) => [
          'projects.reporting_timezone',
          fn
            .agg<number>('row_number')
            .over((over) =>
              over
                .partitionBy('recurring_jobs.project_id')
                .orderBy('recurring_jobs.next_ms')
                .orderBy('recurring_jobs.id'),
            )
            .as('turn'),
        ])
        .where('recurring_jobs.kind', 'in', kinds)
        .where(({ eb, or }) =>
          or([
            eb('recurring_jobs.next_ms', '<=', nowMs),
            eb('recurring_jobs.seen_ms', '>', nowMs + CLOCK_SKEW_MS_MAX),
          ]),
        )
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('jobs')
                .select('jobs.id')
                .whereRef('jobs.id', '=', 'recurring_jobs.job_id')
                .where('jobs.state', '!=', 'failed'),
            ),
          ),
        )
        .as('due'),
    )
    .selectAll('due')
    .where('due.turn', '<=', perProjectMax)
    .orderBy('due.turn')
    .orderBy('due.next_ms')
    .limit(BATCH_ROWS)
    .execute()
  return rows.map(({ reporting_timezone, ...row }) => toRecurringJob(row, reporting_timezone))
}

const BATCH_ROWS = 100

/** Jobs of recurring jobs that run or are due, by project. */
export async function countRecurringInFlight(
  catalog: Catalog,
  nowMs: number,
): Promise<ReadonlyMap<ProjectId | undefined, number>> {
  const rows = await catalog
    .selectFrom('recurring_jobs')
    .innerJoin('jobs', 'jobs.id', 'recurring_jobs.job_id')
    .select(({ fn }) => ['recurring_jobs.project_id', fn.countAll().as('count')])
    .where(({ eb, or }) =>
      or([
        eb('jobs.state', '=', 'running'),
        eb.and([eb('jobs.state', '=', 'waiting'), eb('jobs.next_ms', '<=', nowMs)]),
      ]),
    )
    .groupBy('recurring_jobs.project_id')
    .execute()
  return new Map(rows.map(({ project_id, count }) => [idOf(project_id), Number(count)]))
}

/** Changes a recurring job unless another process has changed it since it was read. False when one has. */
export async function advanceRecurringJob(
  catalog: Catalog,
  { id, revision }: Pick<RecurringJob, 'id' | 'revision'>,
  fields: Partial<Pick<RecurringJobTable, 'next_ms' | 'seen_ms' | 'done_ms' | 'job_id'>>,
): Promise<boolean> {
  const updated = await catalog
    .updateTable('recurring_jobs')
    .set({ ...fields, revision: revision + 1 })
    .where('id', '=', id)
    .where('revision', '=', revision)
    .executeTakeFirst()
  return updated.numUpdatedRows > 0n
}

/** Adds a recurring job, unless there is one with this id. */
export async function insertRecurringJob(catalog: Catalog, row: RecurringJobRow): Promise<void> {
  await catalog
    .insertInto('recurring_jobs')
    .values(row)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
}

/** A recurring job by its id. */
export async function findRecurringJob(catalog: Catalog, id: string): Promise<RecurringJob | undefined> {
  const row = await catalog
    .selectFrom('recurring_jobs')
    .leftJoin('projects', 'projects.id', 'recurring_jobs.project_id')
    .selectAll('recurring_jobs')
    .select('projects.reporting_timezone')
    .where('recurring_jobs.id', '=', id)
    .executeTakeFirst()
  return row && toRecurringJob(row, row.reporting_timezone)
}

/** Replaces schedule, zone and payload of a recurring job; it is looked at again at once. */
export async function replaceRecurringJob(
  catalog: Catalog,
  id: string,
  fields: Pick<RecurringJobTable, 'schedule' | 'time_zone' | 'payload' | 'done_ms'>,
): Promise<void> {
  await catalog
    .updateTable('recurring_jobs')
    .set({ ...fields, ...LOOK_AGAIN })
    .where('id', '=', id)
    .execute()
}

/** Deletes a recurring job; one of its jobs that waits or runs ends without effect. */
export async function deleteRecurringJob(catalog: Catalog, id: string): Promise<void> {
  await catalog.deleteFrom('recurring_jobs').where('id', '=', id).execute()
}

/** Makes the jobs that follow the zone of a project be looked at again; call it in the transaction that changes the zone. */
export async function followTimeZone(catalog: Catalog, projectId: ProjectId): Promise<void> {
  await catalog
    .updateTable('recurring_jobs')
    .set(LOOK_AGAIN)
    .where('project_id', '=', projectId)
    .where('time_zone', '=', '')
    .execute()
}

/** Recurring jobs of one kind. */
export interface RecurringCount {
  readonly kind: string
  readonly count: number
  /** The time at which the first one is due; infinite when all are to be looked at again. */
  readonly firstMs: number
}

/** Counts the recurring jobs of each kind. */
export async function countRecurringJobs(catalog: Catalog): Promise<readonly RecurringCount[]> {
  const rows = await catalog
    .selectFrom('recurring_jobs')
    .select(({ fn }) => ['kind', fn.countAll().as('count'), FIRST_MS.as('first_ms')])
    .groupBy('kind')
    .orderBy('kind')
    .execute()
  return rows.map(({ kind, count, first_ms }) => ({
    kind,
    count: Number(count),
    firstMs: Number(first_ms ?? Number.POSITIVE_INFINITY),
  }))
}

const FIRST_MS = sql<number | null>`min(nullif(next_ms, 0))`

const LOOK_AGAIN = { next_ms: 0, revision: sql<number>`revision + 1` } as const

function toRecurringJob(row: RecurringJobRow, projectZone: string | null): RecurringJob {
  return {
    id: row.id,
    kind: row.kind,
    projectId: idOf(row.project_id),
    payload: JSON.parse(row.payload),
    schedule: JSON.parse(row.schedule),
    timeZone: row.time_zone === '' ? (projectZone ?? 'UTC') : row.time_zone,
    nextMs: Number(row.next_ms),
    doneMs: Number(row.done_ms),
    revision: Number(row.revision),
  }
}

function idOf(projectId: number | null): ProjectId | undefined {
  return projectId === null ? undefined : asProjectId(projectId)
}
