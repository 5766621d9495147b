import type { JsonValue, MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromMs, timestampMs } from '@bufbuild/protobuf/wkt'
import type {
  GetFilterSchemaRequest,
  GetFilterSchemaResponseSchema,
  PropertyKeyMetaSchema,
} from '../../src/contract/gen/common/v1/filter_schema_pb.js'
import { PropertyValueType } from '../../src/contract/gen/common/v1/property_pb.js'
import { compareBytewise } from './bytewise.ts'
import type { ReferenceEvent, ReferenceWorld, TypedValue } from './model.ts'

const TYPES = {
  string: PropertyValueType.STRING,
  int: PropertyValueType.INTEGER,
  double: PropertyValueType.FLOAT,
  bool: PropertyValueType.BOOLEAN,
  timestamp: PropertyValueType.DATETIME,
} satisfies Record<TypedValue['type'], PropertyValueType>

const KINDS_MAX = 1000
const KEYS_MAX = 500

/** One time that a key was seen; traits have no time of their own here. */
interface Sighting {
  readonly name: string
  readonly type: PropertyValueType
  readonly seenMs: number | undefined
}

/** The filters on offer. Kinds are always all kinds; a requested kind narrows the keys of events. */
export function answerFilterSchema(
  { events, people }: ReferenceWorld,
  { eventKind, allowedTypes, recentSince }: GetFilterSchemaRequest,
): MessageInitShape<typeof GetFilterSchemaResponseSchema> {
  const list = (seen: readonly Sighting[]): MessageInitShape<typeof PropertyKeyMetaSchema>[] =>
    [...rankKeys(seen)].filter(({ valueType }) => isAllowed(valueType, allowedTypes)).slice(0, KEYS_MAX)
  const scoped = events.filter(({ kind }) => eventKind === '' || kind === eventKind)
  const sightings = scoped.flatMap(sightingsOf)
  const ofEvery = list(events.flatMap(sightingsOf).filter(({ name }) => name.startsWith('$')))
  const traits = people.profiles.flatMap((profile) =>
    [...profile.traits].map(([name, value]) => ({ name, type: typeOfTrait(value), seenMs: undefined })),
  )
  return {
    events: rankKeys(events.map(({ kind, occurMs }) => sightingOfKind({ name: kind, seenMs: occurMs })))
      .map(({ name, count, lastSeenAt }) => {
        const times = events.filter(({ kind }) => kind === name).map(({ occurMs }) => occurMs)
        const recent = times.filter((occurMs) => recentSince && occurMs >= timestampMs(recentSince))
        const firstSeenAt = timestampFromMs(Math.min(...times))
        return { name, count, lastSeenAt, firstSeenAt, recentCount: BigInt(recent.length) }
      })
      .slice(0, KINDS_MAX),
    autoPropertyKeys: list(sightings.filter(({ name }) => name.startsWith('$'))),
    customPropertyKeys: list(sightings.filter(({ name }) => !name.startsWith('$'))),
    profilePropertyKeys: list(traits),
    sessionEntryPropertyKeys: ofEvery,
    firstTouchPropertyKeys: ofEvery,
  }
}

function sightingsOf({ properties, occurMs }: ReferenceEvent): readonly Sighting[] {
  return [...properties].map(([name, value]) => ({ name, type: TYPES[value.type], seenMs: occurMs }))
}

function sightingOfKind(kind: { readonly name: string; readonly seenMs: number }): Sighting {
  return { ...kind, type: PropertyValueType.UNSPECIFIED }
}

interface KeyFacts {
  readonly name: string
  readonly count: bigint
  readonly lastSeenAt: ReturnType<typeof timestampFromMs> | undefined
  readonly valueType: PropertyValueType
}

/** Most frequent first; ties by name, which the text leaves open. */
function rankKeys(sightings: readonly Sighting[]): readonly KeyFacts[] {
  const byName = [...Map.groupBy(sightings, ({ name }) => name)]
  return byName
    .map(([name, seen]) => ({
      name,
      count: BigInt(seen.length),
      lastSeenAt: lastSeen(seen),
      valueType: commonestType(seen),
    }))
    .sort((left, right) => Number(right.count - left.count) || compareBytewise(left.name, right.name))
}

function lastSeen(sightings: readonly Sighting[]): ReturnType<typeof timestampFromMs> | undefined {
  const times = sightings.map(({ seenMs }) => seenMs).filter((seenMs) => seenMs !== undefined)
  return times.length === 0 ? undefined : timestampFromMs(Math.max(...times))
}

/** Ties go to the lower number of the enum, which the text leaves open. */
function commonestType(sightings: readonly Sighting[]): PropertyValueType {
  const byType = [...Map.groupBy(sightings, ({ type }) => type)]
  const [commonest] = byType.sort(
    ([leftType, left], [rightType, right]) => right.length - left.length || leftType - rightType,
  )
  return commonest?.[0] ?? PropertyValueType.UNSPECIFIED
}

function isAllowed(type: PropertyValueType, allowed: readonly PropertyValueType[]): boolean {
  return allowed.length === 0 || allowed.includes(type)
}

/** Traits are plain JSON, where a number is an integer when it has no fraction. */
function typeOfTrait(value: JsonValue): PropertyValueType {
  if (typeof value === 'string') return PropertyValueType.STRING
  if (typeof value === 'boolean') return PropertyValueType.BOOLEAN
  if (typeof value !== 'number') return PropertyValueType.OTHER
  return Number.isInteger(value) ? PropertyValueType.INTEGER : PropertyValueType.FLOAT
}
