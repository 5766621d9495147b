import { create, type MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import { PropertySource } from '../../src/contract/gen/common/v1/property_pb.js'
import {
  CohortDefinitionSchema,
  CountRule_Operator,
  type WindowSchema,
} from '../../src/contract/gen/millrace/cohorts/v1/cohort_pb.js'
import {
  type CohortFilter,
  CohortFilterSchema,
} from '../../src/contract/gen/millrace/insights/v1/cohort_filter_pb.js'
import { InsightType } from '../../src/contract/gen/shared/insights/v1/insight_query_spec_pb.js'
import type { Prng } from '../../src/kernel/prng.ts'
import { matchesCohorts } from './cohorts.ts'
import { generateEventFilter, generateFilter, generateLogic } from './generate-filters.ts'
import type { GeneratedWorld } from './generate-world.ts'
import type { Spec } from './insight-type.ts'
import type { ReferenceCohort } from './model.ts'

type DefinitionInit = Exclude<MessageInitShape<typeof CohortDefinitionSchema>, { $typeName: string }>
type ConditionInit = Extract<NonNullable<DefinitionInit['node']>, { case: 'condition' }>['value']
type WindowInit = MessageInitShape<typeof WindowSchema>

const COHORTS = 6
const LISTED_MAX = 12
const COUNT_OPERATORS = [
  CountRule_Operator.AT_LEAST,
  CountRule_Operator.AT_MOST,
  CountRule_Operator.EXACTLY,
] as const

/** The types that cohorts can split. */
const SPLIT: readonly InsightType[] = [
  InsightType.TRENDS,
  InsightType.SEGMENTATION,
  InsightType.FUNNEL,
  InsightType.RETENTION,
]

/** Cohorts of a world, static and dynamic; later ones refer to earlier ones. */
export function generateCohorts(rng: Prng, generated: GeneratedWorld): readonly ReferenceCohort[] {
  const cohorts: ReferenceCohort[] = []
  for (let index = 0; index < COHORTS; index++) {
    const id = rng.uuid()
    const isStatic = index === 0 || rng.chance(0.15)
    const earlier = cohorts.map((cohort) => cohort.id)
    cohorts.push(
      isStatic
        ? { id, ids: generateIds(rng, generated) }
        : { id, definition: generateDefinition(rng, generated, earlier) },
    )
  }
  return cohorts
}

/** A definition of up to four levels of groups. */
export function generateDefinition(
  rng: Prng,
  generated: GeneratedWorld,
  cohortIds: readonly string[],
): ReturnType<typeof create<typeof CohortDefinitionSchema>> {
  return create(CohortDefinitionSchema, generateNode(rng, { generated, cohortIds, depth: 0 }))
}

interface Parts {
  readonly generated: GeneratedWorld
  readonly cohortIds: readonly string[]
  readonly depth: number
}

function generateNode(rng: Prng, parts: Parts): DefinitionInit {
  const { depth } = parts
  if (depth === 4 || rng.chance(0.3 + 0.2 * depth))
    return { node: { case: 'condition', value: generateCondition(rng, parts) } }
  const members = Array.from({ length: 1 + rng.below(3) }, () =>
    generateNode(rng, { ...parts, depth: depth + 1 }),
  )
  return {
    node: { case: 'group', value: { operator: generateLogic(rng), members, negate: rng.chance(0.2) } },
  }
}

function generateCondition(rng: Prng, { generated, cohortIds }: Parts): ConditionInit {
  const negate = rng.chance(0.25)
  if (rng.chance(0.2)) {
    const filter = generateTrait(rng, generated)
    return { kind: { case: 'trait', value: { filter } }, negate }
  }
  if (cohortIds.length > 0 && rng.chance(0.15))
    return { kind: { case: 'cohort', value: { cohortId: rng.pick(cohortIds) } }, negate }
  const about = {
    ...(rng.chance(0.1) ? {} : { event: generateEventFilter(rng, generated) }),
    ...(rng.chance(0.3) ? {} : { window: generateWindow(rng, generated) }),
  }
  if (rng.chance(0.3)) return { kind: { case: 'firstPerformed', value: about }, negate }
  const count = { operator: rng.pick(COUNT_OPERATORS), value: BigInt(rng.below(6)) }
  return { kind: { case: 'performed', value: rng.chance(0.4) ? about : { ...about, count } }, negate }
}

function generateTrait(rng: Prng, generated: GeneratedWorld): ReturnType<typeof generateFilter> {
  for (;;) {
    const filter = generateFilter(rng, generated)
    if (filter.source === PropertySource.PROFILE) {
      return { ...filter, source: rng.pick([PropertySource.PROFILE, PropertySource.UNSPECIFIED]) }
    }
  }
}

function generateWindow(rng: Prng, { world, instants }: GeneratedWorld): WindowInit {
  if (rng.chance(0.2)) return { kind: { case: 'ever', value: true } }
  if (rng.chance(0.5))
    return { kind: { case: 'lastDays', value: rng.pick([1, 2, 3, 4, 7, 30, 400, 36_500]) } }
  const ends = [...instants, ...world.events.map(({ occurMs }) => occurMs)]
  const [one, other] = [rng.pick(ends), rng.pick(ends)]
  const [fromMs, toMs] = [Math.min(one, other), Math.max(one, other) + (one === other ? 1 : 0)]
  return { kind: { case: 'range', value: { from: timestampFromMs(fromMs), to: timestampFromMs(toMs) } } }
}

/** Ids of all kinds: external, anonymous, profile and distinct ones, of cookieless visitors, and of no user. */
function generateIds(rng: Prng, { world }: GeneratedWorld): readonly string[] {
  const ids = [
    ...world.people.profiles.flatMap(({ externalId, profileId, anonymousIds }) => [
      externalId,
      profileId,
      ...anonymousIds,
    ]),
    ...world.events.map(({ distinctId }) => distinctId),
    'nobody',
  ]
  return Array.from({ length: rng.below(LISTED_MAX) }, () => rng.pick(ids))
}

/** Filters by cohort; mostly none. */
export function generateCohortFilters(rng: Prng, { world }: GeneratedWorld, chance: number): CohortFilter[] {
  const { cohorts = [] } = world
  if (cohorts.length === 0 || !rng.chance(chance)) return []
  return Array.from({ length: 1 + rng.below(2) }, () =>
    create(CohortFilterSchema, { cohortId: rng.pick(cohorts).id, negate: rng.chance(0.4) }),
  )
}

/** One or two filters by cohort that an event meets, or nearly always so. */
export function generateUsedCohorts(rng: Prng, generated: GeneratedWorld, attemptsLeft = 10): CohortFilter[] {
  const { world } = generated
  const filters = generateCohortFilters(rng, generated, 1)
  const isUsed = world.events.some((event) => matchesCohorts({ event, world }, filters))
  return isUsed || attemptsLeft === 0 ? filters : generateUsedCohorts(rng, generated, attemptsLeft - 1)
}

/** The cohorts of a spec: as filters of all events and of each, and now and then as a split. */
export function withCohorts(
  rng: Prng,
  {
    generated,
    insightType,
    spec,
  }: {
    readonly generated: GeneratedWorld
    readonly insightType: InsightType
    readonly spec: Spec
  },
): Spec {
  const cohorts = generateCohortFilters(rng, generated, 0.25)
  const events = (spec.events ?? []).map((entry) => ({
    ...entry,
    cohorts: generateCohortFilters(rng, generated, 0.1),
  })) as NonNullable<Spec['events']>
  const isSplit = SPLIT.includes(insightType) && (spec.breakdowns ?? []).length === 0 && rng.chance(0.2)
  const ids = (generated.world.cohorts ?? []).map(({ id }) => id).filter(() => rng.chance(0.4))
  return {
    ...spec,
    cohorts,
    ...(spec.events ? { events } : {}),
    ...(isSplit ? { breakdownCohortIds: ids } : {}),
  }
}
