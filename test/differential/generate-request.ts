import { create, type MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import { CalendarUnit } from '../../src/contract/gen/millrace/insights/v1/comparison_pb.js'
import { Granularity } from '../../src/contract/gen/shared/insights/v1/insight_query_spec_pb.js'
import {
  type QueryRequest,
  QueryRequestSchema,
  type SegmentUsersRequest,
  SegmentUsersRequestSchema,
} from '../../src/contract/gen/shared/insights/v1/insights_service_pb.js'
import type { Prng } from '../../src/kernel/prng.ts'
import { generateCohortFilters, withCohorts } from './generate-cohorts.ts'
import { generateGroups, generateLogic } from './generate-filters.ts'
import { plainQueries } from './generate-parts.ts'
import type { GeneratedWorld } from './generate-world.ts'
import { INSIGHT_TYPE_ENTRIES } from './insight-types.ts'
import { SCENES } from './scenes.ts'

type KnownType = keyof typeof INSIGHT_TYPE_ENTRIES

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** The longest range of each granularity. */
const RANGE_MS_MAX = {
  [Granularity.MINUTE]: 6 * HOUR_MS,
  [Granularity.HOUR]: 14 * DAY_MS,
  [Granularity.DAY]: 365 * DAY_MS,
  [Granularity.WEEK]: 1461 * DAY_MS,
  [Granularity.MONTH]: 3652 * DAY_MS,
} satisfies Record<Exclude<Granularity, Granularity.UNSPECIFIED>, number>

const GRANULARITIES = [
  Granularity.MINUTE,
  Granularity.HOUR,
  Granularity.DAY,
  Granularity.WEEK,
  Granularity.MONTH,
] as const

/** The insight types that requests are generated for. */
export const INSIGHT_TYPES = Object.keys(INSIGHT_TYPE_ENTRIES).map((key): KnownType => Number(key))

/** A valid request about a world: of any insight type, or of a given one. */
export function generateRequest(
  rng: Prng,
  generated: GeneratedWorld,
  insightType: KnownType = rng.pick(INSIGHT_TYPES),
): QueryRequest {
  const entry = INSIGHT_TYPE_ENTRIES[insightType]
  const granularity = rng.pick(GRANULARITIES.filter((each) => entry.granularities?.includes(each) ?? true))
  return create(QueryRequestSchema, {
    spec: {
      ...withCohorts(rng, {
        generated,
        insightType,
        spec: entry.generate(rng, generated, granularity),
      }),
      insightType,
      filterGroups: generateGroups(rng, generated),
      filterGroupsOperator: generateLogic(rng),
      includeCookieless: rng.chance(0.4),
      excludeBots: rng.chance(0.3),
    },
    granularity,
    timeRange: generateRange(rng, { generated, lengthMsMax: RANGE_MS_MAX[granularity] }),
    timezone: generateZone(rng, generated),
    ...generateComparison(rng),
  })
}

const UNITS = [CalendarUnit.DAY, CalendarUnit.WEEK, CalendarUnit.MONTH, CalendarUnit.YEAR] as const

function generateComparison(rng: Prng): Pick<QueryRequestInit, 'compareTo'> {
  if (rng.chance(0.7)) return {}
  if (rng.chance(0.4)) return { compareTo: { with: { case: 'previousPeriod', value: true } } }
  const shift = { unit: rng.pick(UNITS), count: rng.pick([1, 1, 1, 2, 3, 13, 400]) }
  return { compareTo: { with: { case: 'shift', value: shift } } }
}

/** A valid request for the users of a segment. */
export function generateSegmentRequest(rng: Prng, generated: GeneratedWorld): SegmentUsersRequest {
  return create(SegmentUsersRequestSchema, {
    events: plainQueries(rng, { generated, count: 1 + rng.below(3) }).map((entry) => ({
      ...entry,
      cohorts: generateCohortFilters(rng, generated, 0.2),
    })),
    cohorts: generateCohortFilters(rng, generated, 0.3),
    timeRange: generateRange(rng, { generated, lengthMsMax: RANGE_MS_MAX[Granularity.DAY] }),
    filterGroups: generateGroups(rng, generated),
    filterGroupsOperator: generateLogic(rng),
    excludeBots: rng.chance(0.3),
  })
}

function generateZone(rng: Prng, { scene }: GeneratedWorld): string {
  return rng.pick(['', '', scene.timeZone, scene.timeZone, rng.pick(SCENES).timeZone])
}

/** Ends at the edges of buckets, at the times of events, or around the whole scene. */
function generateRange(
  rng: Prng,
  { generated, lengthMsMax }: { readonly generated: GeneratedWorld; readonly lengthMsMax: number },
): Pick<QueryRequestInit, 'timeRange'>['timeRange'] {
  const { scene, instants, world } = generated
  const ends = [...instants, ...world.events.map(({ occurMs }) => occurMs)]
  const nearMs = Math.min(lengthMsMax / 2, 45 * DAY_MS)
  const starts = ends.filter((ms) => Math.abs(ms - scene.anchorMs) <= nearMs)
  const fromMs = rng.chance(0.3) ? scene.anchorMs - nearMs : rng.pick(starts)
  const later = ends.filter((ms) => ms > fromMs && ms - fromMs <= lengthMsMax)
  const isWhole = later.length === 0 || rng.chance(0.3)
  const toMs = isWhole ? fromMs + 2 * nearMs : rng.pick(later)
  return { from: timestampFromMs(fromMs), to: timestampFromMs(toMs) }
}

type QueryRequestInit = Exclude<MessageInitShape<typeof QueryRequestSchema>, { $typeName: string }>
