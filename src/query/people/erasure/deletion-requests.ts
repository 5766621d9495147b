import { randomUUID } from 'node:crypto'
import { asProjectId, isCanonicalUuid, type ProjectId } from '../../../contract/ids.ts'
import type { Clock } from '../../../kernel/clock.ts'
import type { Sealer } from '../../../kernel/sealer.ts'
import type { Catalog } from '../../../store/catalog/catalog.ts'
import { insertJob } from '../../../store/catalog/job-store.ts'
import type {
  DeletionRequestRow,
  DeletionRequestTable,
} from '../../../store/catalog/schema/project-tables.ts'
import { inTransaction } from '../../../store/catalog/transaction.ts'

/** The kind of job that erases a user; its payload starts with the id of the request. */
export const ERASE_PERSON = 'erase-person'

/** Progress of an erasure. */
export type DeletionStatus = DeletionRequestTable['status']

/** An erasure, as the API presents it. */
export interface DeletionRequest {
  readonly id: string
  readonly projectId: ProjectId
  readonly externalId: string
  readonly profileId: string
  readonly status: DeletionStatus
  readonly eventsIdentified: number
  readonly requestedMs: number
  readonly completedMs: number | undefined
  readonly error: string
}

/** The user whose data is to be erased. */
export interface DataSubject {
  readonly projectId: ProjectId
  readonly externalId: string
}

/** Ids of any other form cannot exist, and PostgreSQL rejects some of their characters. */

const RUNNING = ['pending', 'processing'] as const

/** The record of erasures. External ids are stored sealed, and looked up by a keyed digest. */
export class DeletionRequests {
  readonly #catalog: Catalog
  readonly #clock: Clock
  readonly #sealer: Sealer

  constructor(parts: { readonly catalog: Catalog; readonly clock: Clock; readonly sealer: Sealer }) {
    this.#catalog = parts.catalog
    this.#clock = parts.clock
    this.#sealer = parts.sealer
  }

  /** The running erasure of a user, if there is one. */
  async findRunning(subject: DataSubject): Promise<DeletionRequest | undefined> {
    const row = await this.#catalog
      .selectFrom('deletion_requests')
      .selectAll()
      .where('project_id', '=', subject.projectId)
      .where('subject', '=', this.#digest(subject))
      .where('status', 'in', RUNNING)
      .executeTakeFirst()
    return row && this.#open(row)
  }

  /** Creates an erasure together with its job; returns the running erasure of the user instead, if there is one. */
  async create(subject: DataSubject & { readonly profileId: string }): Promise<DeletionRequest> {
    const { projectId, externalId, profileId } = subject
    const id = randomUUID()
    const nowMs = this.#clock.nowMs()
    const isNew = await inTransaction(this.#catalog, async (transaction) => {
      const inserted = await transaction
        .insertInto('deletion_requests')
        .values({
          id,
          project_id: projectId,
          subject: this.#digest(subject),
          sealed_external_id: this.#sealer.seal({ purpose: purposeOf(id), text: externalId }),
          profile_id: profileId,
          status: 'pending',
          events_identified: 0,
          requested_ms: nowMs,
          completed_ms: null,
          error: '',
        })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst()
      if ((inserted.numInsertedOrUpdatedRows ?? 0n) === 0n) return false
      await insertJob(transaction, {
        ...{ kind: ERASE_PERSON, projectId, nowMs },
        lane: `erasure/${projectId}`,
        payload: { requestId: id },
      })
      return true
    })
    const request = isNew ? await this.read(id) : await this.findRunning(subject)
    // The conflicting erasure may have ended in the meantime.
    return request ?? (await this.create(subject))
  }

  /** One erasure of a project; `undefined` for an unknown id. */
  async find({
    projectId,
    id,
  }: {
    readonly projectId: ProjectId
    readonly id: string
  }): Promise<DeletionRequest | undefined> {
    if (!isCanonicalUuid(id)) return undefined
    // Filtered in the query, so that a row of another project is not even unsealed.
    const row = await this.#catalog
      .selectFrom('deletion_requests')
      .selectAll()
      .where('id', '=', id)
      .where('project_id', '=', projectId)
      .executeTakeFirst()
    return row && this.#open(row)
  }

  /** One erasure of any project. */
  async read(id: string): Promise<DeletionRequest | undefined> {
    const row = await this.#catalog
      .selectFrom('deletion_requests')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirst()
    return row && this.#open(row)
  }

  /** Marks an erasure as processing. */
  async start(id: string): Promise<void> {
    await this.#catalog
      .updateTable('deletion_requests')
      .set({ status: 'processing' })
      .where('id', '=', id)
      .where('status', '=', 'pending')
      .execute()
  }

  /** Stores the number of events found. */
  async setEvents(id: string, eventsIdentified: number): Promise<void> {
    await this.#update(id, { events_identified: eventsIdentified })
  }

  /** Marks an erasure as completed. */
  async complete(id: string): Promise<void> {
    await this.#update(id, { status: 'completed', completed_ms: this.#clock.nowMs() })
  }

  /** Marks an erasure as failed, unless it is completed. */
  async fail(id: string, error: string): Promise<void> {
    await this.#catalog
      .updateTable('deletion_requests')
      .set({ status: 'failed', completed_ms: this.#clock.nowMs(), error })
      .where('id', '=', id)
      .where('status', 'in', RUNNING)
      .execute()
  }

  async #update(
    id: string,
    fields: Partial<Pick<DeletionRequestTable, 'status' | 'completed_ms' | 'events_identified'>>,
  ): Promise<void> {
    await this.#catalog.updateTable('deletion_requests').set(fields).where('id', '=', id).execute()
  }

  #digest({ projectId, externalId }: DataSubject): string {
    return this.#sealer.digest({ purpose: `data-subject/${projectId}`, text: externalId })
  }

  #open(row: DeletionRequestRow): DeletionRequest {
    const sealed = row.sealed_external_id
    return {
      id: row.id,
      projectId: asProjectId(row.project_id),
      externalId: this.#sealer.unseal({ purpose: purposeOf(row.id), sealed }),
      profileId: row.profile_id,
      status: row.status,
      eventsIdentified: Number(row.events_identified),
      requestedMs: Number(row.requested_ms),
      completedMs: row.completed_ms === null ? undefined : Number(row.completed_ms),
      error: row.error,
    }
  }
}

function purposeOf(id: string): string {
  return `deletion-request/${id}`
}
