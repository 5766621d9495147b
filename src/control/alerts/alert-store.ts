import { randomUUID } from 'node:crypto'
import type { AlertContent } from '../../contract/gen/millrace/alerts/v1/alert_pb.js'
import type { ProjectId } from '../../contract/ids.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import { limitReached } from '../../store/catalog/row-limit.ts'
import type { AlertTable } from '../../store/catalog/schema/alert-tables.ts'
import { inTransaction } from '../../store/catalog/transaction.ts'
import {
  type AlertKey,
  alertNotFound,
  decodeAlert,
  encodeContent,
  parseAlertId,
  type StoredAlert,
} from './alert.ts'
import { addCheckJob, removeIdleJob } from './alert-jobs.ts'
import { type ContentPorts, checkContent } from './check-content.ts'

/** Bounds the work of one check of a project. */
const ALERTS_PER_PROJECT_MAX = 1000

/** Bounds the memory of one check of a project. */
const BYTES_PER_PROJECT_MAX = 8 * 1024 * 1024

/** Dependencies of changes to alerts. */
export interface AlertStoreParts extends ContentPorts {
  readonly catalog: Catalog
  readonly clock: Clock
}

/** A content and its author. */
interface Change {
  readonly content: AlertContent
  /** Empty for an API key. */
  readonly account: string
}

/** One alert. Throws `not_found`. */
export async function readAlert(catalog: Catalog, { projectId, id }: AlertKey): Promise<StoredAlert> {
  const row = await catalog
    .selectFrom('alerts')
    .selectAll()
    .where('id', '=', parseAlertId(id))
    .where('project_id', '=', projectId)
    .executeTakeFirst()
  if (!row) throw alertNotFound()
  return decodeAlert(row)
}

/** Creates an alert. Throws `invalid_argument`, `not_found`, and `failed_precondition` at a limit of the project. */
export async function createAlert(
  parts: AlertStoreParts,
  projectId: ProjectId,
  { content, account }: Change,
): Promise<StoredAlert> {
  const { catalog, clock } = parts
  return await inTransaction(catalog, async (transaction) => {
    await checkContent(transaction, projectId, { content, ports: parts })
    const nowMs = clock.nowMs()
    const row: AlertTable = {
      id: randomUUID(),
      project_id: projectId,
      ...encodeContent(content),
      ...NOT_PAUSED,
      state: 'ok',
      state_ms: nowMs,
      told: 'ok',
      snooze_ms: 0,
      checked_ms: 0,
      revision: 0,
      created_by: account,
      updated_by: account,
      created_ms: nowMs,
      updated_ms: nowMs,
    }
    await transaction.insertInto('alerts').values(row).execute()
    await requireWithinLimits(transaction, projectId)
    await addCheckJob(transaction, clock, { projectId, cadence: content.cadence })
    return decodeAlert(row)
  })
}

/** Replaces the content of an alert. Throws as {@link createAlert}. */
export async function replaceAlert(
  parts: AlertStoreParts,
  key: AlertKey,
  { content, account }: Change,
): Promise<StoredAlert> {
  const { catalog, clock } = parts
  const { projectId } = key
  return await inTransaction(catalog, async (transaction) => {
    const stored = await readAlert(transaction, key)
    await checkContent(transaction, projectId, { content, ports: parts })
    const row = await transaction
      .updateTable('alerts')
      .set({
        ...encodeContent(content),
        ...(content.paused ? {} : NOT_PAUSED),
        revision: stored.revision + 1,
        updated_by: account,
        updated_ms: clock.nowMs(),
      })
      .where('id', '=', stored.id)
      .returningAll()
      .executeTakeFirstOrThrow()
    await requireWithinLimits(transaction, projectId)
    await addCheckJob(transaction, clock, { projectId, cadence: content.cadence })
    await removeIdleJob(transaction, { projectId, cadence: stored.content.cadence })
    return decodeAlert(row)
  })
}

/** Deletes an alert with its checks. Throws `not_found`. */
export async function deleteAlert({ catalog }: AlertStoreParts, key: AlertKey): Promise<void> {
  await inTransaction(catalog, async (transaction) => {
    const { id, projectId, content } = await readAlert(transaction, key)
    await transaction.deleteFrom('alerts').where('id', '=', id).execute()
    await removeIdleJob(transaction, { projectId, cadence: content.cadence })
  })
}

/** Sends no notifications of an alert until a time; 0 ends that. Throws `not_found`. */
export async function snoozeAlert(catalog: Catalog, key: AlertKey, untilMs: number): Promise<StoredAlert> {
  const row = await catalog
    .updateTable('alerts')
    .set({ snooze_ms: untilMs })
    .where('id', '=', parseAlertId(key.id))
    .where('project_id', '=', key.projectId)
    .returningAll()
    .executeTakeFirst()
  if (!row) throw alertNotFound()
  return decodeAlert(row)
}

const NOT_PAUSED = { pause_reason: '', pause_message: '', failures: 0 } as const

/** Runs after the write in the same transaction, so that exceeding a limit rolls it back. */
async function requireWithinLimits(transaction: Catalog, projectId: ProjectId): Promise<void> {
  const { count, bytes } = await transaction
    .selectFrom('alerts')
    .select(({ fn }) => [
      fn.countAll<number | string>().as('count'),
      fn.sum<number | string>('content_bytes').as('bytes'),
    ])
    .where('project_id', '=', projectId)
    .executeTakeFirstOrThrow()
  if (Number(count) > ALERTS_PER_PROJECT_MAX) throw limitReached(`${ALERTS_PER_PROJECT_MAX} alerts`)
  if (Number(bytes) > BYTES_PER_PROJECT_MAX)
    throw limitReached(`${BYTES_PER_PROJECT_MAX / 1024 / 1024} MiB of alerts`)
}
