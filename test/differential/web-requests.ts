import { create, type MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import { FilterOperator } from '../../src/contract/gen/common/v1/filter_pb.js'
import { PropertySource } from '../../src/contract/gen/common/v1/property_pb.js'
import {
  CalendarUnit,
  type ComparisonSchema,
} from '../../src/contract/gen/millrace/insights/v1/comparison_pb.js'
import {
  Dimension,
  DimensionSchema,
  type QueryOverviewRequest,
  QueryOverviewRequestSchema,
  type QueryTableRequest,
  QueryTableRequestSchema,
  type WebFilterSchema,
} from '../../src/contract/gen/millrace/web/v1/web_analytics_service_pb.js'
import { Granularity } from '../../src/contract/gen/shared/insights/v1/insight_query_spec_pb.js'
import type { Prng } from '../../src/kernel/prng.ts'
import { SCENES } from './scenes.ts'
import { FIRST_EVENT } from './web-reference.ts'
import { WEB_KINDS, WEB_VALUES, type WebWorld } from './web-world.ts'

const DAY_MS = 86_400_000

const LENGTH_MS_MAX = {
  [Granularity.MINUTE]: DAY_MS / 4,
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

const UNITS = [CalendarUnit.DAY, CalendarUnit.WEEK, CalendarUnit.MONTH, CalendarUnit.YEAR]

/** Every dimension that a request may name. */
export const DIMENSION_NUMBERS: readonly Dimension[] = DimensionSchema.values
  .map(({ number }): Dimension => number)
  .filter((dimension) => dimension !== Dimension.UNSPECIFIED)

/** The property behind each dimension. */
const PROPERTIES: Readonly<Record<string, string>> = {
  PAGE: '$pathname',
  ENTRY_PAGE: '$pathname',
  EXIT_PAGE: '$pathname',
  HOSTNAME: '$hostname',
  CHANNEL: '$channel',
  REFERRER: '$referrerDomain',
  UTM_SOURCE: '$utmSource',
  UTM_MEDIUM: '$utmMedium',
  UTM_CAMPAIGN: '$utmCampaign',
  UTM_TERM: '$utmTerm',
  UTM_CONTENT: '$utmContent',
  COUNTRY: '$country',
  REGION: '$region',
  CITY: '$city',
  BROWSER: '$browser',
  OS: '$os',
  DEVICE_TYPE: '$deviceType',
  LANGUAGE: '$language',
}

/** A valid overview request about a world. */
export function generateOverviewRequest(rng: Prng, web: WebWorld): QueryOverviewRequest {
  return create(QueryOverviewRequestSchema, generateShared(rng, web))
}

/** A valid request for the table of a dimension. */
export function generateTableRequest(rng: Prng, web: WebWorld, dimension: Dimension): QueryTableRequest {
  return create(QueryTableRequestSchema, {
    ...generateShared(rng, web),
    dimension,
    search: rng.chance(0.3) ? rng.pick(['o', '/d', 'K\u00d6', 'sign', '%', '\\', '']) : '',
    limit: rng.pick([0, 0, 1, 2, 1000]),
    offset: rng.pick([0, 0, 0, 1, 3]),
  })
}

function generateShared(rng: Prng, web: WebWorld) {
  const granularity = rng.pick(GRANULARITIES)
  return {
    timeRange: generateRange(rng, web, LENGTH_MS_MAX[granularity]),
    granularity,
    timezone: rng.pick(['', web.scene.timeZone, web.scene.timeZone, rng.pick(SCENES).timeZone]),
    filters: Array.from({ length: rng.pick([0, 0, 1, 1, 2, 3]) }, () => generateFilter(rng, web)),
    ...(rng.chance(0.5) ? { compareTo: generateComparison(rng) } : {}),
    includeBots: rng.chance(0.3),
  }
}

/** Ends at the edges of buckets, at the times of events, or around the whole scene. */
function generateRange(rng: Prng, { scene, instants, world }: WebWorld, lengthMsMax: number) {
  const ends = [...instants, ...world.events.map(({ occurMs }) => occurMs)]
  const nearMs = Math.min(lengthMsMax / 2, 45 * DAY_MS)
  const fromMs = rng.chance(0.4)
    ? scene.anchorMs - nearMs
    : rng.pick(ends.filter((ms) => Math.abs(ms - scene.anchorMs) <= nearMs))
  const later = ends.filter((ms) => ms > fromMs && ms - fromMs <= lengthMsMax)
  const toMs = later.length === 0 || rng.chance(0.4) ? fromMs + 2 * nearMs : rng.pick(later)
  return { from: timestampFromMs(fromMs), to: timestampFromMs(toMs) }
}

function generateComparison(rng: Prng): MessageInitShape<typeof ComparisonSchema> {
  if (rng.chance(0.4)) return { with: { case: 'previousPeriod', value: true } }
  const unit = rng.pick(UNITS)
  const count = rng.chance(0.1) ? 400 : 1 + rng.below(3)
  return { with: { case: 'shift', value: { unit, count } } }
}

/** A condition; one on the first event of visits may be about the first touch. */
function generateFilter(rng: Prng, web: WebWorld): Filter {
  const filter = generateOwnFilter(rng, web)
  const isOfFirst = FIRST_EVENT.has(filter.dimension ?? Dimension.UNSPECIFIED)
  return isOfFirst && rng.chance(0.4) ? { ...filter, source: PropertySource.FIRST_TOUCH } : filter
}

type Filter = Exclude<MessageInitShape<typeof WebFilterSchema>, { $typeName: string }>

function generateOwnFilter(rng: Prng, web: WebWorld): Filter {
  const dimension = rng.chance(0.4)
    ? rng.pick([Dimension.PAGE, Dimension.HOSTNAME, Dimension.EVENT_KIND])
    : rng.pick(DIMENSION_NUMBERS)
  if (dimension === Dimension.GOAL) {
    if (web.goals.length === 0) return generateOwnFilter(rng, web)
    const operator = rng.pick([FilterOperator.EQUALS, FilterOperator.NOT_EQUALS])
    return { dimension, operator, goalId: rng.pick(web.goals).id }
  }
  const property = PROPERTIES[Dimension[dimension]]
  const known = dimension === Dimension.EVENT_KIND ? WEB_KINDS : (WEB_VALUES[property ?? ''] ?? [])
  const texts = [...known.filter((text) => text !== ''), 'nothing has this']
  switch (rng.below(4)) {
    case 0:
      return { dimension, operator: rng.pick([FilterOperator.IS_SET, FilterOperator.IS_NOT_SET]) }
    case 1: {
      const operator = rng.pick([FilterOperator.IN, FilterOperator.NOT_IN])
      return { dimension, operator, values: [rng.pick(texts), rng.pick(texts)] }
    }
    case 2: {
      const operator = rng.pick([FilterOperator.CONTAINS, FilterOperator.NOT_CONTAINS])
      return { dimension, operator, value: rng.pick(texts).slice(0, 2) }
    }
    default: {
      const operator = rng.pick([FilterOperator.EQUALS, FilterOperator.EQUALS, FilterOperator.NOT_EQUALS])
      return { dimension, operator, value: rng.pick(texts) }
    }
  }
}
