import { randomUUID } from 'node:crypto'
import type { Selectable } from 'kysely'
import { asProjectId, type ProjectId } from '../../contract/ids.ts'
import { ServiceError } from '../../contract/service-error.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import { insertJob } from '../../store/catalog/job-store.ts'
import { limitReached } from '../../store/catalog/row-limit.ts'
import type { CampaignTable } from '../../store/catalog/schema/mail-and-push-tables.ts'
import { inTransaction } from '../../store/catalog/transaction.ts'

/** The kind of job that sends one campaign; its payload starts with the id and the revision. */
export const SEND_CAMPAIGN = 'send-campaign'

/** Progress of a campaign. */
export type CampaignStatus = CampaignTable['status']

/** Key of a campaign. */
export interface CampaignKey {
  readonly projectId: ProjectId
  readonly id: string
}

/** The content and schedule of a campaign. */
export interface CampaignPlan {
  readonly name: string
  /** JSON. */
  readonly notification: string
  readonly scheduledMs: number
}

/** A notification to the devices of a project. */
export interface Campaign extends CampaignKey, CampaignPlan {
  readonly status: CampaignStatus
  readonly startMs: number | undefined
  readonly endMs: number | undefined
  readonly createdMs: number
  readonly updatedMs: number
}

/** Bounds `BatchGet`, which has no pages. */
const CAMPAIGNS_PER_PROJECT_MAX = 2000

/** Dependencies of campaigns. */
export interface CampaignsParts {
  readonly catalog: Catalog
  readonly clock: Clock
  /** Polls for jobs immediately. */
  readonly wakeJobs: () => void
}

/** The campaigns of projects. Each change of the schedule is a revision with its own job; jobs of older revisions have no effect. */
export class Campaigns {
  readonly #parts: CampaignsParts

  constructor(parts: CampaignsParts) {
    this.#parts = parts
  }

  /** The campaigns of a project, the latest first. */
  async list(projectId: ProjectId): Promise<readonly Campaign[]> {
    const rows = await this.#parts.catalog
      .selectFrom('campaigns')
      .selectAll()
      .where('project_id', '=', projectId)
      .orderBy('created_ms', 'desc')
      .orderBy('id', 'desc')
      .execute()
    return rows.map(toCampaign)
  }

  /** One campaign. Throws `not_found`. */
  async read(key: CampaignKey): Promise<Campaign> {
    return toCampaign(await this.#find(this.#parts.catalog, key))
  }

  /** Schedules a campaign. Throws `failed_precondition` at the project's limit. */
  async create(projectId: ProjectId, plan: CampaignPlan): Promise<Campaign> {
    const { catalog, clock, wakeJobs } = this.#parts
    const nowMs = clock.nowMs()
    const row = newRow({ projectId, plan, nowMs })
    await inTransaction(catalog, async (transaction) => {
      await requireBelowLimit(transaction, projectId)
      await transaction.insertInto('campaigns').values(row).execute()
      await insertSendJob(transaction, row, nowMs)
    })
    wakeJobs()
    return toCampaign(row)
  }

  /** Changes a scheduled campaign. Throws `not_found`, and `failed_precondition` once sending has started. */
  async update(key: CampaignKey, change: Partial<CampaignPlan>): Promise<Campaign> {
    const { catalog, clock, wakeJobs } = this.#parts
    const nowMs = clock.nowMs()
    const { name, notification, scheduledMs } = change
    const updated = await inTransaction(catalog, async (transaction) => {
      const row = await this.#find(transaction, key)
      if (row.status !== 'scheduled') throw notScheduled()
      const changed = {
        ...row,
        name: name ?? row.name,
        notification: notification ?? row.notification,
        scheduled_ms: scheduledMs ?? row.scheduled_ms,
        revision: row.revision + (scheduledMs === undefined ? 0 : 1),
        updated_ms: nowMs,
      }
      const { id, project_id, created_ms, ...fields } = changed
      // Has no effect if sending started since the row was read.
      const result = await transaction
        .updateTable('campaigns')
        .set(fields)
        .where('id', '=', id)
        .where('status', '=', 'scheduled')
        .executeTakeFirst()
      if (result.numUpdatedRows === 0n) throw notScheduled()
      if (scheduledMs !== undefined) await insertSendJob(transaction, changed, nowMs)
      return changed
    })
    wakeJobs()
    return toCampaign(updated)
  }

  /** Deletes a campaign; sending stops. Throws `not_found`. */
  async remove({ projectId, id }: CampaignKey): Promise<void> {
    const deleted = await this.#parts.catalog
      .deleteFrom('campaigns')
      .where('id', '=', id)
      .where('project_id', '=', projectId)
      .executeTakeFirst()
    if (deleted.numDeletedRows === 0n) throw notFound()
  }

  /** Starts or continues sending a campaign; `undefined` when this revision is outdated or finished. */
  async start(of: { readonly id: string; readonly revision: number }): Promise<Campaign | undefined> {
    const { catalog, clock } = this.#parts
    const nowMs = clock.nowMs()
    await catalog
      .updateTable('campaigns')
      .set({ status: 'in-progress', start_ms: nowMs, updated_ms: nowMs })
      .where('id', '=', of.id)
      .where('revision', '=', of.revision)
      .where('status', '=', 'scheduled')
      .execute()
    const row = await catalog
      .selectFrom('campaigns')
      .selectAll()
      .where('id', '=', of.id)
      .where('revision', '=', of.revision)
      .where('status', '=', 'in-progress')
      .executeTakeFirst()
    return row && toCampaign(row)
  }

  /** Records the end of a running campaign. */
  async finish(id: string, status: 'complete' | 'fail'): Promise<void> {
    const { catalog, clock } = this.#parts
    const nowMs = clock.nowMs()
    await catalog
      .updateTable('campaigns')
      .set({ status, end_ms: nowMs, updated_ms: nowMs })
      .where('id', '=', id)
      .where('status', '=', 'in-progress')
      .execute()
  }

  async #find(catalog: Catalog, { projectId, id }: CampaignKey): Promise<Selectable<CampaignTable>> {
    const row = await catalog
      .selectFrom('campaigns')
      .selectAll()
      .where('id', '=', id)
      .where('project_id', '=', projectId)
      .executeTakeFirst()
    if (!row) throw notFound()
    return row
  }
}

function newRow(of: {
  readonly projectId: ProjectId
  readonly plan: CampaignPlan
  readonly nowMs: number
}): Selectable<CampaignTable> {
  return {
    id: randomUUID(),
    project_id: of.projectId,
    name: of.plan.name,
    notification: of.plan.notification,
    status: 'scheduled',
    revision: 1,
    scheduled_ms: of.plan.scheduledMs,
    start_ms: null,
    end_ms: null,
    created_ms: of.nowMs,
    updated_ms: of.nowMs,
  }
}

async function insertSendJob(
  transaction: Catalog,
  row: Selectable<CampaignTable>,
  nowMs: number,
): Promise<void> {
  await insertJob(transaction, {
    kind: SEND_CAMPAIGN,
    projectId: asProjectId(row.project_id),
    payload: { id: row.id, revision: row.revision },
    nowMs,
    dueMs: Math.max(nowMs, Number(row.scheduled_ms)),
  })
}

async function requireBelowLimit(transaction: Catalog, projectId: ProjectId): Promise<void> {
  const row = await transaction
    .selectFrom('campaigns')
    .select(({ fn }) => fn.countAll().as('count'))
    .where('project_id', '=', projectId)
    .executeTakeFirst()
  if (Number(row?.count ?? 0) >= CAMPAIGNS_PER_PROJECT_MAX)
    throw limitReached(`${CAMPAIGNS_PER_PROJECT_MAX} campaigns`)
}

function toCampaign(row: Selectable<CampaignTable>): Campaign {
  return {
    id: row.id,
    projectId: asProjectId(row.project_id),
    name: row.name,
    notification: row.notification,
    status: row.status,
    scheduledMs: Number(row.scheduled_ms),
    startMs: row.start_ms === null ? undefined : Number(row.start_ms),
    endMs: row.end_ms === null ? undefined : Number(row.end_ms),
    createdMs: Number(row.created_ms),
    updatedMs: Number(row.updated_ms),
  }
}

function notFound(): ServiceError {
  return new ServiceError({
    code: 'not_found',
    reason: 'CAMPAIGN_NOT_FOUND',
    message: 'there is no campaign with this id',
  })
}

function notScheduled(): ServiceError {
  return new ServiceError({
    code: 'failed_precondition',
    reason: 'CAMPAIGN_NOT_SCHEDULED',
    message: 'sending has started; only scheduled campaigns can be changed',
  })
}
