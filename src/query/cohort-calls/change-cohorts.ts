import type { CohortDefinition } from '../../contract/gen/millrace/cohorts/v1/cohort_pb.js'
import type { ProjectContext } from '../../domain/insights/insight-context.ts'
import { invalid } from '../../domain/insights/invalid.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import { inTransaction } from '../../store/catalog/transaction.ts'
import { checkRules } from '../cohorts/cohort-reader.ts'
import {
  type Cohort,
  type CohortContent,
  deleteCohort,
  insertCohort,
  loadCohorts,
  readCohort,
  replaceCohort,
} from '../cohorts/cohort-store.ts'
import { changeMembers, type MembersParts } from './static-members.ts'

/** Dependencies of changes to cohorts. */
export interface ChangeParts {
  readonly catalog: Catalog
  readonly clock: Clock
}

interface NewCohort {
  readonly name: string
  readonly description: string
  readonly createdBy: string
}

/** Creates a cohort with a definition. Throws `invalid_argument`, `not_found` or `failed_precondition`. */
export async function createDynamic(
  { catalog, clock }: ChangeParts,
  project: ProjectContext,
  content: NewCohort & { readonly definition: CohortDefinition },
): Promise<Cohort> {
  const nowMs = clock.nowMs()
  return await inTransaction(catalog, async (transaction) => {
    const cohort = await insertCohort(transaction, project.projectId, { ...content, nowMs })
    await checkAll(transaction, project, nowMs)
    return cohort
  })
}

/** Creates a cohort with a list of ids; no cohort remains when they cannot be stored. */
export async function createStatic(
  parts: MembersParts,
  { projectId }: ProjectContext,
  { ids, ...named }: NewCohort & { readonly ids: readonly string[] },
): Promise<Cohort> {
  const { catalog, clock } = parts
  const nowMs = clock.nowMs()
  const cohort = await inTransaction(
    catalog,
    async (transaction) =>
      await insertCohort(transaction, projectId, { ...named, definition: undefined, nowMs }),
  )
  if (ids.length === 0) return cohort
  const key = { projectId, id: cohort.id }
  try {
    return await changeMembers(parts, key, { ids, isMember: true })
  } catch (error) {
    await deleteCohort(catalog, key)
    throw error
  }
}

/** Replaces the content of a cohort. Throws `invalid_argument`, `not_found` or `failed_precondition`. */
export async function changeCohort(
  { catalog, clock }: ChangeParts,
  project: ProjectContext,
  { id, ...content }: CohortContent & { readonly id: string },
): Promise<Cohort> {
  const nowMs = clock.nowMs()
  const key = { projectId: project.projectId, id }
  return await inTransaction(catalog, async (transaction) => {
    const { definition } = await readCohort(transaction, key)
    if (definition && !content.definition) throw invalid('definition', 'is required', 'INVALID_REQUEST')
    if (!definition && content.definition)
      throw invalid('definition', 'does not belong to a static cohort', 'INVALID_REQUEST')
    const cohort = await replaceCohort(transaction, key, { ...content, nowMs })
    if (definition) await checkAll(transaction, project, nowMs)
    return cohort
  })
}

/** Checks the cohorts after a change, which an error rolls back. */
async function checkAll(
  transaction: Catalog,
  { projectId, projectTimeZone: timeZone }: ProjectContext,
  nowMs: number,
): Promise<void> {
  checkRules(await loadCohorts(transaction, projectId), { nowMs, timeZone })
}
