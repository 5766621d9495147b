import { PropertySource } from '../../src/contract/gen/common/v1/property_pb.js'
import type { GetPropertyValuesRequest } from '../../src/contract/gen/shared/insights/v1/insights_service_pb.js'
import { compareBytewise } from './bytewise.ts'
import { firstOfSession, firstOfUser } from './first-events.ts'
import type { ReferenceEvent, ReferenceWorld } from './model.ts'
import { type Reading, readProperty, readTrait } from './values.ts'

const VALUES_MAX = 100

/** A value and how many events or profiles have it. */
export interface CountedValue {
  readonly value: string
  readonly count: bigint
}

/** Values of one property, the most frequent first; values of a trait count profiles. */
export function answerPropertyValues(
  world: ReferenceWorld,
  request: GetPropertyValuesRequest,
): readonly CountedValue[] {
  const wanted = request.search.toLowerCase()
  const texts = readingsOf(world, request)
    .map((reading) => reading?.text ?? '')
    .filter((text) => text !== '' && text.toLowerCase().includes(wanted))
  return [...Map.groupBy(texts, (text) => text)]
    .sort(
      ([left, seenLeft], [right, seenRight]) =>
        seenRight.length - seenLeft.length || compareBytewise(left, right),
    )
    .map(([value, seen]) => ({ value, count: BigInt(seen.length) }))
    .slice(0, VALUES_MAX)
}

function readingsOf(
  { events, people }: ReferenceWorld,
  { propertyKey, source, eventKind }: GetPropertyValuesRequest,
): readonly (Reading | undefined)[] {
  if (source === PropertySource.PROFILE) {
    return people.profiles.map((profile) => readTrait(profile, propertyKey))
  }
  const ofKind = events.filter(({ kind }) => eventKind === '' || kind === eventKind)
  return countedEvents({ events, people }, ofKind, source).map((event) => readProperty(event, propertyKey))
}

/** The events themselves, or the first ones of their sessions or users, once each. */
function countedEvents(
  world: Pick<ReferenceWorld, 'events' | 'people'>,
  events: readonly ReferenceEvent[],
  source: PropertySource,
): readonly ReferenceEvent[] {
  switch (source) {
    case PropertySource.SESSION_ENTRY:
      return [...new Set(events.flatMap((event) => firstOfSession(world, event) ?? []))]
    case PropertySource.FIRST_TOUCH:
      return [...new Set(events.map((event) => firstOfUser(world, event)))]
    default:
      return events
  }
}
