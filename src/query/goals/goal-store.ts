import { randomUUID } from 'node:crypto'
import { fromJsonString, toJsonString } from '@bufbuild/protobuf'
import { type EventFilter, EventFilterSchema } from '../../contract/gen/common/v1/filter_pb.js'
import { isCanonicalUuid, type ProjectId } from '../../contract/ids.ts'
import { ServiceError } from '../../contract/service-error.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import { requireWithinLimit } from '../../store/catalog/row-limit.ts'
import type { GoalTable } from '../../store/catalog/schema/project-tables.ts'
import { inTransaction } from '../../store/catalog/transaction.ts'

/** The definition of a conversion: events by a filter, or page views by the pattern of their path. */
export type GoalTarget =
  | { readonly case: 'event'; readonly value: EventFilter }
  | { readonly case: 'pagePattern'; readonly value: string }

/** The content of a goal. */
export interface GoalContent {
  readonly name: string
  readonly target: GoalTarget
  /** Property whose numbers are the value of conversions; empty for none. */
  readonly valueProperty: string
}

/** A stored goal. */
export interface Goal extends GoalContent {
  readonly id: string
  readonly createdMs: number
  readonly updatedMs: number
}

/** Key of a goal: one of another project is not found. */
export interface GoalKey {
  readonly projectId: ProjectId
  readonly id: string
}

/** Dependencies of changes to goals. */
export interface GoalStore {
  readonly catalog: Catalog
  readonly clock: Clock
}

/** Bounds lists of goals, which have no pages, and the work of a table of goals. */
const GOALS_PER_PROJECT_MAX = 100

/** The goals of a project, oldest first. */
export async function loadGoals(catalog: Catalog, projectId: ProjectId): Promise<readonly Goal[]> {
  const rows = await catalog
    .selectFrom('goals')
    .selectAll()
    .where('project_id', '=', projectId)
    .orderBy('created_ms')
    .orderBy('id')
    .execute()
  return rows.map(decodeGoal)
}

/** Creates a goal. Throws `failed_precondition` at the project's limit. */
export async function createGoal(
  { catalog, clock }: GoalStore,
  projectId: ProjectId,
  content: GoalContent,
): Promise<Goal> {
  const nowMs = clock.nowMs()
  const row = {
    id: randomUUID(),
    project_id: projectId,
    ...encodeContent(content),
    created_ms: nowMs,
    updated_ms: nowMs,
  }
  return await inTransaction(catalog, async (transaction) => {
    await transaction.insertInto('goals').values(row).execute()
    await requireWithinLimit(transaction, { table: 'goals', projectId, countMax: GOALS_PER_PROJECT_MAX })
    return decodeGoal(row)
  })
}

/** Replaces the content of a goal. Throws `not_found`. */
export async function replaceGoal(
  { catalog, clock }: GoalStore,
  { projectId, id }: GoalKey,
  content: GoalContent,
): Promise<Goal> {
  const row = await catalog
    .updateTable('goals')
    .set({ ...encodeContent(content), updated_ms: clock.nowMs() })
    .where('id', '=', parseId(id))
    .where('project_id', '=', projectId)
    .returningAll()
    .executeTakeFirst()
  if (!row) throw goalNotFound()
  return decodeGoal(row)
}

/** Deletes a goal. Throws `not_found`. */
export async function deleteGoal(
  { catalog }: Pick<GoalStore, 'catalog'>,
  { projectId, id }: GoalKey,
): Promise<void> {
  const deleted = await catalog
    .deleteFrom('goals')
    .where('id', '=', parseId(id))
    .where('project_id', '=', projectId)
    .executeTakeFirst()
  if (deleted.numDeletedRows === 0n) throw goalNotFound()
}

/** The goal does not exist, or belongs to another project. */
export function goalNotFound(): ServiceError {
  return new ServiceError({
    code: 'not_found',
    reason: 'GOAL_NOT_FOUND',
    message: 'there is no goal with this id',
  })
}

/** Rejects texts that are not ids: PostgreSQL rejects some characters. */
function parseId(id: string): string {
  if (!isCanonicalUuid(id)) throw goalNotFound()
  return id
}

type Content = Pick<GoalTable, 'name' | 'event' | 'page_pattern' | 'value_property'>

function encodeContent({ name, target, valueProperty }: GoalContent): Content {
  return {
    name,
    event: target.case === 'event' ? toJsonString(EventFilterSchema, target.value) : null,
    page_pattern: target.case === 'pagePattern' ? target.value : null,
    value_property: valueProperty,
  }
}

function decodeGoal(row: Content & Pick<GoalTable, 'id' | 'created_ms' | 'updated_ms'>): Goal {
  return {
    id: row.id,
    name: row.name,
    target: decodeTarget(row),
    valueProperty: row.value_property,
    createdMs: row.created_ms,
    updatedMs: row.updated_ms,
  }
}

/** Ignores fields that a later release may have stored. */
function decodeTarget({ event, page_pattern }: Content): GoalTarget {
  if (event === null) return { case: 'pagePattern', value: page_pattern ?? '' }
  return { case: 'event', value: fromJsonString(EventFilterSchema, event, { ignoreUnknownFields: true }) }
}
