import type { ProjectId } from '../../contract/ids.ts'
import { invalid } from '../../domain/insights/invalid.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import { loadMerges } from '../../store/catalog/name-facts.ts'
import { limitReached } from './definition-store.ts'

/** Bound the statements of questions, and what each of them reads from the catalog. */
const NAMES_PER_KIND_MAX = 50
const MERGED_PER_PROJECT_MAX = 500

/** Bounds the rows of a project. */
const IGNORED_PER_PROJECT_MAX = 5000

/** Kinds, and the kind that they come to count as. */
export interface KindMerge {
  readonly projectId: ProjectId
  readonly into: string
  readonly names: readonly string[]
}

/**
 * Lets kinds count as another, with the kinds that count as them, within a transaction. Throws `invalid_argument` when that kind counts
 * as another itself, and `failed_precondition` at a limit.
 */
export async function mergeKinds(
  transaction: Catalog,
  { projectId, into, names }: KindMerge,
  field: string,
): Promise<void> {
  const merges = await loadMerges(transaction, projectId)
  const further = merges.find(({ name }) => name === into)
  if (further && !names.includes(further.into_name))
    throw invalid(field, `counts as ${further.into_name} itself; split it first`, 'INVALID_REQUEST')
  const indirect = merges.filter(({ into_name }) => names.includes(into_name)).map(({ name }) => name)
  const moved = new Set([...names, ...indirect])
  moved.delete(into)
  if (moved.size === 0) throw invalid('names', 'must have a kind other than into', 'INVALID_REQUEST')
  await splitKinds(transaction, projectId, [...moved, into])
  await transaction
    .insertInto('merged_names')
    .values([...moved].map((name) => ({ project_id: projectId, name, into_name: into })))
    .execute()
  await requireWithinLimits(transaction, projectId, into)
}

/** Lets kinds count as their own, within a transaction. */
export async function splitKinds(
  transaction: Catalog,
  projectId: ProjectId,
  names: readonly string[],
): Promise<void> {
  await transaction
    .deleteFrom('merged_names')
    .where('project_id', '=', projectId)
    .where('name', 'in', names)
    .execute()
}

/** The kinds of groups of near-duplicates that someone has ignored. */
export async function loadIgnored(catalog: Catalog, projectId: ProjectId): Promise<ReadonlySet<string>> {
  const rows = await catalog
    .selectFrom('ignored_duplicates')
    .select('name')
    .where('project_id', '=', projectId)
    .execute()
  return new Set(rows.map(({ name }) => name))
}

/** Ignores the kinds of a group, within a transaction. Throws `failed_precondition` at the limit. */
export async function ignoreKinds(
  transaction: Catalog,
  projectId: ProjectId,
  names: readonly string[],
): Promise<void> {
  await transaction
    .insertInto('ignored_duplicates')
    .values([...new Set(names)].map((name) => ({ project_id: projectId, name })))
    .onConflict((conflict) => conflict.columns(['project_id', 'name']).doNothing())
    .execute()
  if ((await loadIgnored(transaction, projectId)).size > IGNORED_PER_PROJECT_MAX)
    throw limitReached(`a project has at most ${IGNORED_PER_PROJECT_MAX} ignored event kinds`)
}

async function requireWithinLimits(transaction: Catalog, projectId: ProjectId, into: string): Promise<void> {
  const merges = await loadMerges(transaction, projectId)
  if (merges.length > MERGED_PER_PROJECT_MAX)
    throw limitReached(`a project has at most ${MERGED_PER_PROJECT_MAX} merged event kinds; split some first`)
  if (merges.filter(({ into_name }) => into_name === into).length > NAMES_PER_KIND_MAX)
    throw limitReached(`at most ${NAMES_PER_KIND_MAX} event kinds count as one; split some first`)
}
