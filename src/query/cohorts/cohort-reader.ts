import {
  type CohortDefinition,
  CohortDefinitionSchema,
} from '../../contract/gen/millrace/cohorts/v1/cohort_pb.js'
import type { ProjectId } from '../../contract/ids.ts'
import { ServiceError } from '../../contract/service-error.ts'
import { type CohortLookup, cohortNotFound } from '../../domain/insights/cohort-filters.ts'
import { type CohortRule, countConditions } from '../../domain/insights/cohort-rule.ts'
import { type MergedKinds, withMergedKinds } from '../../domain/insights/merged-kinds.ts'
import { parseDefinition, referencesOf } from '../../domain/insights/parse-cohort.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import { type Cohort, loadCohortsById } from './cohort-store.ts'

/**
 * Conditions of one cohort, and of all cohorts that one question names, with those of referenced cohorts in place of each
 * reference: they bound the length of the statement and the time to plan it.
 */
const CONDITIONS_PER_COHORT_MAX = 200
const CONDITIONS_PER_QUESTION_MAX = 1000

/** The moment of a question, and what its project has set up. */
export interface CohortInstant {
  readonly nowMs: number
  /** The project's time zone, which the days are of. */
  readonly timeZone: string
  /** The kinds that count as others. */
  readonly mergedKinds?: MergedKinds
}

/** The cohorts that a question depends on. */
export interface CohortSet {
  /** Changes with every one of the cohorts. */
  readonly version: string
  /** The rules at an instant, with days in the project's time zone. */
  readonly rulesAt: (instant: CohortInstant) => CohortLookup
}

/** Reads cohorts with all that they refer to. */
export type ReadCohorts = (projectId: ProjectId, ids: readonly string[]) => Promise<CohortSet>

/** Creates the reader of a catalog. */
export function createReadCohorts(catalog: Catalog): ReadCohorts {
  return async (projectId, ids) => toSet(await loadWithReferences(catalog, projectId, ids))
}

/** A set of cohorts that includes all that its members refer to. */
export function toSet(cohorts: readonly Cohort[]): CohortSet {
  const byId = new Map(cohorts.map((cohort) => [cohort.id, cohort]))
  return {
    version: cohorts
      .map(({ id, revision }) => `${id} ${revision}`)
      .sort()
      .join('\n'),
    rulesAt: (instant) => createLookup(byId, instant),
  }
}

/** The cohorts with some ids, and those that they refer to, also by way of others. */
async function loadWithReferences(
  catalog: Catalog,
  projectId: ProjectId,
  ids: readonly string[],
): Promise<readonly Cohort[]> {
  const loaded = new Map<string, Cohort>()
  let wanted = [...new Set(ids)]
  while (wanted.length > 0) {
    const found = await loadCohortsById(catalog, projectId, wanted)
    for (const cohort of found) loaded.set(cohort.id, cohort)
    const named = found.flatMap(({ definition }) => (definition ? referencesOf(definition) : []))
    wanted = [...new Set(named)].filter((id) => !loaded.has(id))
    // Also ends the search for cohorts that were just deleted.
    if (found.length === 0) break
  }
  return [...loaded.values()]
}

/** The rule of a definition that is not stored. Throws `invalid_argument`, `not_found` or `failed_precondition`. */
export function ruleOfDefinition(
  definition: CohortDefinition,
  instant: CohortInstant,
  lookup: CohortLookup,
): CohortRule {
  const { mergedKinds, ...context } = instant
  const asked = withMergedKinds(CohortDefinitionSchema, definition, mergedKinds)
  return withinLimit(parseDefinition(asked, 'definition', { ...context, lookup }))
}

/**
 * Checks the rules of all cohorts of a project, one of which changes: none may refer to itself, and those that refer to the
 * changed one may become too large. Throws `invalid_argument`, `not_found` or `failed_precondition`.
 */
export function checkRules(cohorts: readonly Cohort[], instant: CohortInstant): void {
  for (const { id } of cohorts) toSet(cohorts).rulesAt(instant)(id)
}

function createLookup(cohorts: ReadonlyMap<string, Cohort>, instant: CohortInstant): CohortLookup {
  const rules = new Map<string, CohortRule>()
  let conditions = 0
  const find = (id: string, path: readonly string[]): CohortRule => {
    const known = rules.get(id)
    if (known) return known
    const cohort = cohorts.get(id)
    if (!cohort) throw cohortNotFound()
    if (path.includes(id)) throw cycle(cohort)
    const lookup = (next: string): CohortRule => find(next, [...path, id])
    const rule = ruleOf(cohort, instant, lookup)
    rules.set(id, rule)
    return rule
  }
  return (id) => {
    const rule = find(id, [])
    conditions += countConditions(rule)
    if (conditions > CONDITIONS_PER_QUESTION_MAX)
      throw tooComplex(`the cohorts of the query have more than ${CONDITIONS_PER_QUESTION_MAX} conditions`)
    return rule
  }
}

function ruleOf({ id, definition }: Cohort, instant: CohortInstant, lookup: CohortLookup): CohortRule {
  return definition ? ruleOfDefinition(definition, instant, lookup) : { kind: 'listed', cohortId: id }
}

function withinLimit(rule: CohortRule): CohortRule {
  if (countConditions(rule) <= CONDITIONS_PER_COHORT_MAX) return rule
  throw tooComplex(
    `a cohort has at most ${CONDITIONS_PER_COHORT_MAX} conditions, with those of the cohorts that it refers to`,
  )
}

function tooComplex(message: string): ServiceError {
  return new ServiceError({ code: 'invalid_argument', reason: 'INVALID_REQUEST', message })
}

function cycle({ name }: Cohort): ServiceError {
  return new ServiceError({
    code: 'failed_precondition',
    reason: 'COHORT_CYCLE',
    message: `the cohort "${name}" would refer to itself`,
  })
}
