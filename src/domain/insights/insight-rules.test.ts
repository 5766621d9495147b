import { fromJson, type JsonObject } from '@bufbuild/protobuf'
import { describe, expect, test } from 'vitest'
import { INSIGHT_TYPE_ENTRIES } from '../../../test/differential/insight-types.ts'
import {
  InsightQuerySpecSchema,
  InsightType,
} from '../../contract/gen/shared/insights/v1/insight_query_spec_pb.js'
import { ServiceError } from '../../contract/service-error.ts'
import type { KnownInsightType } from './insight-context.ts'
import { checkInsight, INSIGHT_RULES } from './insight-rules.ts'

const TYPES = Object.keys(INSIGHT_RULES).map((type) => Number(type) as KnownInsightType)

/** The fields of the least valid spec of each type, in proto JSON. */
const smallestOf = (type: KnownInsightType): JsonObject => INSIGHT_TYPE_ENTRIES[type].smallest

/** A value of each field of a type that some other type lacks. Breakdowns have a limit. */
function fieldsOf(type: KnownInsightType): JsonObject {
  const { fields } = INSIGHT_TYPE_ENTRIES[type]
  return 'breakdowns' in fields ? { ...fields, breakdownLimit: 3 } : fields
}

/** `accepted`, or the first violation as `field: description`. */
function verdictOf(insightType: InsightType, fields: JsonObject): string {
  try {
    checkInsight(fromJson(InsightQuerySpecSchema, { ...fields, insightType }))
    return 'accepted'
  } catch (error) {
    if (error instanceof ServiceError) return error.message
    throw error
  }
}

test.each(TYPES)('type %s accepts its smallest spec', (type) => {
  expect(verdictOf(type, smallestOf(type))).toBe('accepted')
})

test.each([InsightType.UNSPECIFIED, Number('99')])('type %s is rejected', (type) => {
  expect(verdictOf(type, {})).toBe('spec.insightType: is required')
})

const OWN = TYPES.flatMap((type) =>
  Object.entries(fieldsOf(type)).map(([field, value]) => [type, field, { [field]: value }] as const),
)

test.each(OWN)('type %s has field %s', (type, _, field) => {
  expect(verdictOf(type, { ...smallestOf(type), ...field })).not.toContain('does not belong')
})

const VALUES: JsonObject = Object.assign({}, ...TYPES.map(fieldsOf))
const FOREIGN = TYPES.flatMap((type) =>
  Object.entries(VALUES)
    .filter(([field]) => !Object.hasOwn(fieldsOf(type), field))
    .map(([field, value]) => [type, field, { [field]: value }] as const),
)

test.each(FOREIGN)('type %s rejects field %s of other types', (type, name, field) => {
  const expected = `spec.${name}: does not belong to ${InsightType[type]}`
  expect(verdictOf(type, { ...smallestOf(type), ...field })).toBe(expected)
})

test('every field that some types lack has a value', () => {
  const own = new Set<string>(Object.values(INSIGHT_RULES).flatMap(({ fields }) => fields))
  expect(Object.keys(VALUES).sort()).toEqual([...own].sort())
})

describe('limits', () => {
  const many = (count: number): JsonObject => ({ events: Array.from({ length: count }, () => ({})) })
  const byProperties = (count: number): JsonObject => ({
    breakdowns: Array.from({ length: count }, (_, index) => ({ property: `p${index}` })),
  })
  const limited = (breakdownLimit: number): JsonObject => ({ ...byProperties(1), breakdownLimit })
  const top = (limit: number): JsonObject => ({ topK: { dimension: 'DIMENSION_EVENT_KIND', limit } })
  const flow = (maxHops: number, maxNodes: number, maxLinks: number): JsonObject => ({
    userFlow: { maxHops, maxNodes, maxLinks },
  })

  test.each<[InsightType, accepted: JsonObject, rejected: JsonObject, field: string]>([
    [InsightType.TRENDS, many(50), many(51), 'events'],
    [InsightType.SEGMENTATION, many(50), many(51), 'events'],
    [InsightType.FUNNEL, many(20), many(21), 'events'],
    [InsightType.FUNNEL, many(1), many(0), 'events'],
    [InsightType.RETENTION, many(2), many(3), 'events'],
    [InsightType.RETENTION, many(1), many(0), 'events'],
    [InsightType.LIFECYCLE, many(1), many(0), 'events'],
    [InsightType.LIFECYCLE, many(1), many(2), 'events'],
    [InsightType.STICKINESS, many(10), many(11), 'events'],
    [InsightType.STICKINESS, many(1), many(0), 'events'],
    [InsightType.TRENDS, byProperties(5), byProperties(6), 'breakdowns'],
    [InsightType.TRENDS, limited(100), limited(101), 'breakdownLimit'],
    [InsightType.TRENDS, limited(0), limited(-1), 'breakdownLimit'],
    [InsightType.TRENDS, limited(1), { breakdownLimit: 1 }, 'breakdownLimit'],
    [InsightType.TOP_K, top(100), top(101), 'topK.limit'],
    [InsightType.TOP_K, top(0), top(-1), 'topK.limit'],
    [InsightType.USER_FLOW, flow(10, 50, 500), flow(11, 50, 500), 'userFlow.maxHops'],
    [InsightType.USER_FLOW, flow(1, 2, 1), flow(1, 51, 1), 'userFlow.maxNodes'],
    [InsightType.USER_FLOW, flow(1, 2, 1), flow(1, 1, 1), 'userFlow.maxNodes'],
    [InsightType.USER_FLOW, flow(0, 0, 0), flow(1, 2, 501), 'userFlow.maxLinks'],
  ])('of type %s: case %#', (type, accepted, rejected, field) => {
    expect(verdictOf(type, accepted)).toBe('accepted')
    expect(verdictOf(type, rejected)).toContain(`spec.${field}: `)
  })
})
