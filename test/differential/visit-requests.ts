import { create, type MessageInitShape } from '@bufbuild/protobuf'
import { FilterOperator, type PropertyFilterSchema } from '../../src/contract/gen/common/v1/filter_pb.js'
import { PropertySource } from '../../src/contract/gen/common/v1/property_pb.js'
import {
  type VisitsServiceListRequest,
  VisitsServiceListRequestSchema,
} from '../../src/contract/gen/millrace/web/v1/visits_service_pb.js'
import {
  Dimension,
  type WebFilter,
  type WebFilterSchema,
} from '../../src/contract/gen/millrace/web/v1/web_analytics_service_pb.js'
import type { Prng } from '../../src/kernel/prng.ts'
import type { PreselectionLimits } from '../../src/query/visits/preselect.ts'
import { firstOfSession } from './first-events.ts'
import { generateUsedCohorts } from './generate-cohorts.ts'
import { generateFilter } from './generate-filters.ts'
import type { ReferenceEvent } from './model.ts'
import { propertyText } from './values.ts'
import { FIRST_EVENT } from './web-reference.ts'
import { generateOverviewRequest } from './web-requests.ts'
import { WEB_VALUES, type WebWorld } from './web-world.ts'

/** A valid request for a list of visits: with any conditions, or with many that few visits meet. */
export function generateListRequest(rng: Prng, web: WebWorld): VisitsServiceListRequest {
  const { timeRange, filters, includeBots } = generateOverviewRequest(rng, web)
  const event = rng.pick(web.world.events)
  const others = Array.from({ length: rng.below(3) }, () => rng.pick(generateOverviewFilters(rng, web)))
  return create(VisitsServiceListRequestSchema, {
    ...(timeRange && { timeRange }),
    filters: rng.chance(0.6) ? filters : [...filtersOf(rng, web, event), ...others],
    includeBots: includeBots || rng.chance(0.5),
    distinctId: rng.chance(0.3) ? generateDistinctId(rng, web, event) : '',
    propertyFilters: rng.chance(0.3) ? generatePropertyFilters(rng, web, event) : [],
    cohorts: rng.chance(0.4) ? generateUsedCohorts(rng, web) : [],
  })
}

/** The filters of a request that has any. */
function generateOverviewFilters(rng: Prng, web: WebWorld): readonly WebFilter[] {
  const { filters } = generateOverviewRequest(rng, web)
  return filters.length > 0 ? filters : generateOverviewFilters(rng, web)
}

type Filter = Exclude<MessageInitShape<typeof WebFilterSchema>, { $typeName: string }>

/** One to six conditions on the values of an event and of the first one of its session: at least one visit meets most. */
function filtersOf(rng: Prng, { world }: WebWorld, event: ReferenceEvent): readonly Filter[] {
  const first = firstOfSession(world, event) ?? event
  const ofFirst = [...FIRST_EVENT].map(([dimension, property]) => ({
    dimension,
    value: propertyText(first, property),
  }))
  const page = propertyText(event, '$pathname')
  const ofEvent = [
    { dimension: Dimension.EVENT_KIND, value: event.kind },
    { dimension: Dimension.PAGE, value: page },
    { dimension: Dimension.HOSTNAME, value: propertyText(event, '$hostname') },
    { dimension: rng.pick([Dimension.ENTRY_PAGE, Dimension.EXIT_PAGE]), value: page },
  ]
  return Array.from({ length: 1 + rng.below(6) }, () => rng.pick(rng.chance(0.5) ? ofFirst : ofEvent))
    .filter(({ value }) => value !== '')
    .map(({ dimension, value }) => ({ dimension, operator: FilterOperator.EQUALS, value }))
}

/** An id of a user with an event, whether or not the event has it; now and then one that no event has. */
function generateDistinctId(rng: Prng, { world }: WebWorld, { distinctId }: ReferenceEvent): string {
  const profiles = world.people.profiles.flatMap(({ profileId, externalId, anonymousIds }) => [
    profileId,
    externalId,
    ...anonymousIds,
  ])
  return rng.pick([distinctId, distinctId, rng.pick([...profiles, distinctId]), 'of no event'])
}

function generatePropertyFilters(
  rng: Prng,
  web: WebWorld,
  event: ReferenceEvent,
): MessageInitShape<typeof PropertyFilterSchema>[] {
  const property = rng.pick(Object.keys(WEB_VALUES))
  const value = propertyText(event, property)
  const source = rng.pick([
    PropertySource.UNSPECIFIED,
    PropertySource.SESSION_ENTRY,
    PropertySource.FIRST_TOUCH,
  ])
  const operator = rng.pick([FilterOperator.EQUALS, FilterOperator.NOT_EQUALS])
  const own = value === '' ? [] : [{ property, source, operator, value }]
  return [...own, ...(rng.chance(0.5) ? [generateFilter(rng, web)] : [])]
}

const FEW: PreselectionLimits = { eventsMax: 1000, sessionsMax: 1, hashesMax: 0 }

/** Limits under which worlds of a few hundred events need every way of a search. */
export function generatePreselections(rng: Prng): readonly PreselectionLimits[] | undefined {
  if (rng.chance(0.2)) return undefined
  return rng.pick([
    [],
    [FEW, { ...FEW, sessionsMax: 2, hashesMax: 2 }, { ...FEW, sessionsMax: 8, hashesMax: 100 }],
    [{ ...FEW, sessionsMax: 4, hashesMax: 1 }],
    [{ eventsMax: 10, sessionsMax: 100, hashesMax: 100 }],
  ])
}
