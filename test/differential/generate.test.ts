import { createValidator } from '@bufbuild/protovalidate'
import { describe, expect, test } from 'vitest'
import type { FilterOperator } from '../../src/contract/gen/common/v1/filter_pb.js'
import type { PropertySource } from '../../src/contract/gen/common/v1/property_pb.js'
import { InsightType } from '../../src/contract/gen/shared/insights/v1/insight_query_spec_pb.js'
import {
  type QueryRequest,
  QueryRequestSchema,
  type QueryResponse,
  SegmentUsersRequestSchema,
} from '../../src/contract/gen/shared/insights/v1/insights_service_pb.js'
import { Prng } from '../../src/kernel/prng.ts'
import { generateRequest, generateSegmentRequest, generateWorld, INSIGHT_TYPES } from './generate.ts'
import { hasSession, type ReferenceEvent } from './model.ts'
import { answer } from './reference.ts'

const SEEDS = Array.from({ length: 40 }, (_, index) => index + 1)
const WORLDS = SEEDS.map((seed) => generateWorld(seed))

const CASES = WORLDS.flatMap((generated) => {
  const rng = new Prng(generated.seed)
  return [...INSIGHT_TYPES, ...INSIGHT_TYPES].map((insightType) => ({
    generated,
    request: generateRequest(rng, generated, insightType),
  }))
})

const identity = ({ eventId, kind, distinctId, occurMs }: ReferenceEvent): string =>
  JSON.stringify([eventId, kind, distinctId, occurMs])

describe('worlds', () => {
  test('a seed is a world', () => {
    expect(generateWorld(7)).toEqual(generateWorld(7))
    expect(generateWorld(7)).not.toEqual(generateWorld(8))
  })

  test('no event occurs twice, and each copy equals an event', () => {
    const repeated = WORLDS.filter(
      ({ world }) => new Set(world.events.map(identity)).size !== world.events.length,
    )
    expect(repeated.map(({ seed }) => seed)).toEqual([])
    const strays = WORLDS.filter(({ world, copies }) => copies.some((copy) => !world.events.includes(copy)))
    expect(strays.map(({ seed }) => seed)).toEqual([])
    expect(WORLDS.every(({ copies }) => copies.length > 0)).toBe(true)
  })

  test('events are many, and few enough to be looked through', () => {
    const counts = WORLDS.map(({ world }) => world.events.length)
    expect(Math.min(...counts)).toBeGreaterThanOrEqual(60)
    expect(Math.max(...counts)).toBeLessThanOrEqual(430)
  })

  test('no id belongs to two users, and unknown ids belong to none', () => {
    const shared = WORLDS.filter(({ world: { people } }) => {
      const ids = people.profiles.flatMap(({ profileId, externalId, anonymousIds }) => [
        profileId,
        externalId,
        ...anonymousIds,
      ])
      return new Set(ids).size !== ids.length
    })
    expect(shared).toEqual([])
  })

  test('nasty things happen in most worlds', () => {
    const having = (holds: (events: readonly ReferenceEvent[]) => boolean): number =>
      WORLDS.filter(({ world }) => holds(world.events)).length
    const hasRepeats = (texts: readonly unknown[]): boolean => new Set(texts).size < texts.length
    expect({
      ties: having((events) => hasRepeats(events.map(({ occurMs }) => occurMs))),
      takenIds: having((events) => hasRepeats(events.map(({ eventId }) => eventId))),
      cookieless: having((events) => events.some(({ cookieless }) => cookieless)),
      noSession: having((events) => !events.every(hasSession)),
      sharedSessions: having((events) => {
        const users = Map.groupBy(events.filter(hasSession), ({ sessionId }) => sessionId).values()
        return [...users].some((list) => new Set(list.map(({ distinctId }) => distinctId)).size > 2)
      }),
    }).toSatisfy((counts: Record<string, number>) => Object.values(counts).every((count) => count > 20))
  })

  test('the service may choose the profile ids', () => {
    const { world } = generateWorld(3, { profileIdOf: (externalId) => `id of ${externalId}` })
    const ids = world.people.profiles.map(({ profileId, externalId }) => [profileId, externalId])
    expect(ids.length).toBeGreaterThan(0)
    expect(ids.map(([id]) => id)).toEqual(ids.map(([, externalId]) => `id of ${externalId}`))
  })
})

/** Filters of a request, wherever they stand. */
function filtersOf({ spec }: QueryRequest): readonly { operator: FilterOperator; source: PropertySource }[] {
  const eventFilters = [
    ...(spec?.events ?? []).map(({ event }) => event),
    spec?.session?.scope,
    spec?.userFlow?.scope,
    ...[spec?.userFlow?.startAt, spec?.userFlow?.endAt].map((anchor) =>
      anchor?.match.case === 'event' ? anchor.match.value : undefined,
    ),
    spec?.topK?.scope,
    spec?.map?.scope,
  ]
  return [...eventFilters, ...(spec?.filterGroups ?? [])].flatMap((holder) => holder?.filters ?? [])
}

describe('requests', () => {
  test('break no rule of the schema', () => {
    const validator = createValidator()
    const broken = CASES.flatMap(({ generated, request }) =>
      (validator.validate(QueryRequestSchema, request).violations ?? []).map(
        (each) => `${generated.seed}: ${each}`,
      ),
    )
    expect(broken).toEqual([])
    const segments = WORLDS.map((generated) => generateSegmentRequest(new Prng(generated.seed), generated))
    expect(
      segments.flatMap((each) => validator.validate(SegmentUsersRequestSchema, each).violations ?? []),
    ).toEqual([])
  })

  test('use every operator and every source', () => {
    const filters = CASES.flatMap(({ request }) => filtersOf(request))
    expect(new Set(filters.map(({ operator }) => operator)).size).toBe(14)
    expect(new Set(filters.map(({ source }) => source)).size).toBe(6)
    const breakdowns = CASES.flatMap(({ request }) => request.spec?.breakdowns ?? [])
    expect(new Set(breakdowns.map(({ source }) => source)).size).toBe(6)
  })

  test('each type has many results that are not empty', () => {
    const shares = INSIGHT_TYPES.map((insightType) => {
      const ofType = CASES.filter(({ request }) => request.spec?.insightType === insightType)
      const telling = ofType.filter(({ generated, request }) => isTelling(answer(generated.world, request)))
      return { type: InsightType[insightType], share: telling.length / ofType.length }
    })
    expect(shares.filter(({ share }) => share < 0.3)).toEqual([])
  }, 180_000)
})

/** Parts of an answer that name what a number is about. */
const NAMES: readonly string[] = ['time', 'upperBound', 'depth', 'state', 'buckets']

/** Whether an answer has any number but zero. */
function isTelling({ result }: QueryResponse): boolean {
  const text = JSON.stringify(result.value, (key, value: unknown) => {
    if (NAMES.includes(key)) return undefined
    return typeof value === 'bigint' ? Number(value) : value
  })
  return /:-?(0\.\d|[1-9])/.test(text ?? '')
}
