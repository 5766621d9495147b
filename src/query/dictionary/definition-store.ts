import type { ProjectId } from '../../contract/ids.ts'
import { ServiceError } from '../../contract/service-error.ts'
import { invalid } from '../../domain/insights/invalid.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import { type Definition, isSameDefinition, type NameKind, NO_DEFINITION } from './definition.ts'

/** A definition that people have made. */
export interface StoredDefinition extends Definition {
  /** The account of the last change; empty for an API key. */
  readonly updatedBy: string
  readonly updatedMs: number
}

/** The name that a definition is about. */
export interface NameKey {
  readonly projectId: ProjectId
  readonly type: NameKind
  readonly name: string
}

/** Who changes something, and when. */
export interface Author {
  readonly account: string
  readonly nowMs: number
}

/** Bounds what every question of a project reads. */
const DEFINITIONS_PER_PROJECT_MAX = 10_000

/** Every batch of events carries them to a worker. */
const BLOCKED_PER_PROJECT_MAX = 100

/** The definitions of a project, by name. */
export async function loadDefinitions(
  catalog: Catalog,
  { projectId, type }: Omit<NameKey, 'name'>,
): Promise<ReadonlyMap<string, StoredDefinition>> {
  const rows = await catalog
    .selectFrom('name_definitions')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('type', '=', type)
    .orderBy('name')
    .execute()
  return new Map(
    rows.map((row) => [
      row.name,
      {
        displayName: row.display_name,
        description: row.description,
        owner: row.owner,
        tags: JSON.parse(row.tags) as readonly string[],
        state: row.state,
        updatedBy: row.updated_by,
        updatedMs: row.updated_ms,
      },
    ]),
  )
}

/**
 * Replaces a definition, within a transaction that ends with {@link finishDefinitions}. A definition without content is removed. Throws
 * `invalid_argument` for a blocked property.
 */
export async function saveDefinition(
  transaction: Catalog,
  { projectId, type, name }: NameKey,
  { author, ...definition }: Definition & { readonly author: Author },
): Promise<void> {
  if (type === 'property' && definition.state === 'blocked') {
    throw invalid('definition.state', 'cannot be BLOCKED for a property', 'INVALID_REQUEST')
  }
  const key = { project_id: projectId, type, name }
  if (isSameDefinition(definition, NO_DEFINITION)) {
    await transaction
      .deleteFrom('name_definitions')
      .where('project_id', '=', projectId)
      .where('type', '=', type)
      .where('name', '=', name)
      .execute()
    return
  }
  const content = {
    display_name: definition.displayName,
    description: definition.description,
    owner: definition.owner,
    tags: JSON.stringify(definition.tags),
    state: definition.state,
    updated_by: author.account,
    updated_ms: author.nowMs,
  }
  await transaction
    .insertInto('name_definitions')
    .values({ ...key, ...content })
    .onConflict((conflict) => conflict.columns(['project_id', 'type', 'name']).doUpdateSet(content))
    .execute()
}

/**
 * Ends a transaction that has changed definitions: gives ingestion the blocked kinds. Throws `failed_precondition` at a limit, so that
 * the transaction has no effect.
 */
export async function finishDefinitions(transaction: Catalog, projectId: ProjectId): Promise<void> {
  const { count } = await transaction
    .selectFrom('name_definitions')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('project_id', '=', projectId)
    .executeTakeFirstOrThrow()
  if (Number(count) > DEFINITIONS_PER_PROJECT_MAX)
    throw limitReached(`a project has at most ${DEFINITIONS_PER_PROJECT_MAX} definitions; remove some first`)
  const blocked = await transaction
    .selectFrom('name_definitions')
    .select('name')
    .where('project_id', '=', projectId)
    .where('type', '=', 'event')
    .where('state', '=', 'blocked')
    .orderBy('name')
    .execute()
  if (blocked.length > BLOCKED_PER_PROJECT_MAX)
    throw limitReached(
      `a project has at most ${BLOCKED_PER_PROJECT_MAX} blocked event kinds; unblock some first`,
    )
  await transaction
    .updateTable('projects')
    .set({ blocked_kinds: blocked.map(({ name }) => name).join(' ') })
    .where('id', '=', projectId)
    .execute()
}

/** The error of a full list. */
export function limitReached(message: string): ServiceError {
  return new ServiceError({ code: 'failed_precondition', reason: 'LIMIT_REACHED', message })
}
