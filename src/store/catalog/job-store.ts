import { randomUUID } from 'node:crypto'
import type { Insertable, Selectable } from 'kysely'
import { asProjectId, type ProjectId } from '../../contract/ids.ts'
import type { Catalog } from './catalog.ts'
import type { JobTable } from './schema/job-tables.ts'

/** A value that JSON represents without loss. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json }

/** Background work to be done once, with at-least-once attempts across crashes. */
export interface Job {
  readonly id: string
  readonly kind: string
  readonly projectId: ProjectId | undefined
  /** The state that the handler needs to continue; it contains no personal data in the clear. */
  readonly payload: Json
  /** Attempts since the job last made progress, including this one. */
  readonly attempts: number
}

/** A job to be added. */
export interface NewJob {
  /** Random when absent. */
  readonly id?: string
  readonly kind: string
  readonly projectId?: ProjectId
  /** Jobs of one lane wait for the same host: a process runs only a few of them at once. */
  readonly lane?: string
  readonly payload: Json
  readonly nowMs: number
  /** The time at which it is due; immediately when absent. */
  readonly dueMs?: number
}

/** A job that this process works on, for as long as it renews the claim. */
export interface Claim {
  readonly job: Job
  /** Identifies the claim: a process that lost it can no longer change the job. */
  readonly holder: string
  /** Lane of the job; empty when it has none. */
  readonly lane: string
}

/** Retention period of failed jobs, for inspection. */
const FAILED_RETENTION_MS = 30 * 24 * 3_600_000

const ERROR_CHARACTERS_MAX = 2000

/** Adds a job; call it in the transaction of the change that requires it. Returns its id. */
export async function insertJob(
  catalog: Catalog,
  { id = randomUUID(), kind, projectId, lane = '', payload, nowMs, dueMs }: NewJob,
): Promise<string> {
  const row: Insertable<JobTable> = {
    id,
    kind,
    project_id: projectId ?? null,
    lane,
    payload: JSON.stringify(payload),
    state: 'waiting',
    attempts: 0,
    next_ms: dueMs ?? nowMs,
    holder: '',
    error: '',
    created_ms: nowMs,
  }
  await catalog.insertInto('jobs').values(row).execute()
  return row.id
}

/** The kinds of jobs of which one is due: a waiting one, or one whose claim has expired. */
export async function listDueKinds(catalog: Catalog, nowMs: number): Promise<ReadonlySet<string>> {
  const rows = await catalog
    .selectFrom('jobs')
    .select('kind')
    .distinct()
    .where('state', 'in', ['waiting', 'running'])
    .where('next_ms', '<=', nowMs)
    .execute()
  return new Set(rows.map(({ kind }) => kind))
}

/**
 * Claims the longest-overdue job of the given kinds: a waiting one, or one whose claim has expired. For a running job
 * `next_ms` is the end of its claim, so both are due in the same way.
 */
export async function claimJob(
  catalog: Catalog,
  options: {
    readonly kinds: readonly string[]
    /** Lanes whose jobs stay where they are. */
    readonly fullLanes?: readonly string[]
    readonly nowMs: number
    readonly leaseMs: number
  },
): Promise<Claim | undefined> {
  const { kinds, fullLanes = [], nowMs, leaseMs } = options
  const holder = randomUUID()
  const row = await catalog
    .updateTable('jobs')
    .set(({ eb }) => ({
      state: 'running',
      holder,
      next_ms: nowMs + leaseMs,
      attempts: eb('attempts', '+', 1),
    }))
    .where('id', '=', ({ selectFrom }) =>
      selectFrom('jobs as due')
        .select('due.id')
        .where('due.state', 'in', ['waiting', 'running'])
        .where('due.next_ms', '<=', nowMs)
        .where('due.kind', 'in', kinds)
        .$if(fullLanes.length > 0, (query) => query.where('due.lane', 'not in', fullLanes))
        .orderBy('due.next_ms')
        .limit(1),
    )
    // Checked again, because another process may have claimed it since the lookup above.
    .where('next_ms', '<=', nowMs)
    .where('state', '!=', 'failed')
    .returningAll()
    .executeTakeFirst()
  return row && { job: toJob(row), holder, lane: row.lane }
}

/** Renews a claim; false when it is lost. */
export async function renewClaim(catalog: Catalog, claim: Claim, untilMs: number): Promise<boolean> {
  return await update(catalog, claim, { next_ms: untilMs })
}

/** Saves the progress of a job. False when the claim is lost. */
export async function saveProgress(catalog: Catalog, claim: Claim, payload: Json): Promise<boolean> {
  return await update(catalog, claim, { payload: JSON.stringify(payload) })
}

/** Releases a claim: the job continues at `dueMs` with this payload and a fresh attempt count. */
export async function continueJob(
  catalog: Catalog,
  claim: Claim,
  { payload, dueMs }: { readonly payload: Json; readonly dueMs: number },
): Promise<void> {
  await update(catalog, claim, {
    ...WAITING,
    payload: JSON.stringify(payload),
    next_ms: dueMs,
    attempts: 0,
    error: '',
  })
}

/** Releases a claim whose attempt does not count: the job is due immediately. */
export async function giveBackJob(catalog: Catalog, claim: Claim): Promise<void> {
  await update(catalog, claim, { ...WAITING, next_ms: 0, attempts: claim.job.attempts - 1 })
}

/** Releases a claim after a failed attempt: the job is retried at `dueMs`. */
export async function retryJob(
  catalog: Catalog,
  claim: Claim,
  { error, dueMs }: { readonly error: string; readonly dueMs: number },
): Promise<void> {
  await update(catalog, claim, { ...WAITING, next_ms: dueMs, error: error.slice(0, ERROR_CHARACTERS_MAX) })
}

/** Releases a claim after the last attempt: the row is kept for inspection until `next_ms`. */
export async function failJob(
  catalog: Catalog,
  claim: Claim,
  { error, nowMs }: { readonly error: string; readonly nowMs: number },
): Promise<void> {
  await update(catalog, claim, {
    state: 'failed',
    holder: '',
    next_ms: nowMs + FAILED_RETENTION_MS,
    error: error.slice(0, ERROR_CHARACTERS_MAX),
  })
}

/** Deletes failed jobs whose retention period is over, and returns how many. */
export async function deleteExpiredFailedJobs(catalog: Catalog, nowMs: number): Promise<number> {
  const { numDeletedRows } = await catalog
    .deleteFrom('jobs')
    .where('state', '=', 'failed')
    .where('next_ms', '<=', nowMs)
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

/** Jobs of one kind and state. */
export interface JobCount {
  readonly kind: string
  readonly state: JobTable['state']
  readonly count: number
  /** The time at which the first one is due; for running ones, at which the first claim expires. */
  readonly firstMs: number
}

/** Counts the jobs of each kind and state. */
export async function countJobs(catalog: Catalog): Promise<readonly JobCount[]> {
  const rows = await catalog
    .selectFrom('jobs')
    .select(({ fn }) => ['kind', 'state', fn.countAll().as('count'), fn.min('next_ms').as('first_ms')])
    .groupBy(['kind', 'state'])
    .execute()
  return rows.map(({ kind, state, count, first_ms }) => ({
    kind,
    state,
    count: Number(count),
    firstMs: Number(first_ms),
  }))
}

/** Deletes a completed job: its handler has stored the results. */
export async function finishJob(catalog: Catalog, { job, holder }: Claim): Promise<void> {
  await catalog.deleteFrom('jobs').where('id', '=', job.id).where('holder', '=', holder).execute()
}

const WAITING = { state: 'waiting', holder: '' } as const

async function update(
  catalog: Catalog,
  { job, holder }: Claim,
  fields: Partial<Insertable<JobTable>>,
): Promise<boolean> {
  const updated = await catalog
    .updateTable('jobs')
    .set(fields)
    .where('id', '=', job.id)
    .where('holder', '=', holder)
    .executeTakeFirst()
  return updated.numUpdatedRows > 0n
}

function toJob(row: Selectable<JobTable>): Job {
  return {
    id: row.id,
    kind: row.kind,
    projectId: row.project_id === null ? undefined : asProjectId(row.project_id),
    payload: JSON.parse(row.payload),
    attempts: row.attempts,
  }
}
