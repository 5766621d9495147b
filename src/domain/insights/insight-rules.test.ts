import { create, type MessageInitShape } from '@bufbuild/protobuf'
import { describe, expect, test } from 'vitest'
import {
  InsightQuerySpecSchema,
  InsightType,
} from '../../contract/gen/shared/insights/v1/insight_query_spec_pb.js'
import { SessionMetric } from '../../contract/gen/shared/insights/v1/session_query_pb.js'
import { TopKQuery_Dimension } from '../../contract/gen/shared/insights/v1/top_k_query_pb.js'
import { ServiceError } from '../../contract/service-error.ts'
import type { TypeField } from './insight-context.ts'
import { checkInsight, INSIGHT_RULES } from './insight-rules.ts'

type Spec = Exclude<MessageInitShape<typeof InsightQuerySpecSchema>, { readonly $typeName: string }>

const EVENTS: NonNullable<Spec['events']> = [{ event: { kind: 'view' } }]

/** The least that each type accepts. */
const SMALLEST: Readonly<Record<keyof typeof INSIGHT_RULES, Spec>> = {
  [InsightType.TRENDS]: {},
  [InsightType.SEGMENTATION]: {},
  [InsightType.FUNNEL]: { events: EVENTS },
  [InsightType.RETENTION]: { events: EVENTS },
  [InsightType.USER_FLOW]: { userFlow: {} },
  [InsightType.TOP_K]: { topK: { dimension: TopKQuery_Dimension.EVENT_KIND } },
  [InsightType.MAP]: { map: {} },
}

/** A value of each field that only some types have. */
const SET: Readonly<Record<TypeField, Spec>> = {
  events: { events: EVENTS },
  breakdowns: { breakdowns: [{ property: 'plan' }] },
  breakdownLimit: { breakdownLimit: 3 },
  breakdownCohortIds: { breakdownCohortIds: ['01930000-0000-4000-8000-000000000001'] },
  conversionWindow: { conversionWindow: { seconds: 60n } },
  includeStepTiming: { includeStepTiming: true },
  session: { session: { metric: SessionMetric.SESSIONS } },
  userFlow: { userFlow: {} },
  topK: { topK: { dimension: TopKQuery_Dimension.USER } },
  map: { map: {} },
}

const TYPES = Object.keys(INSIGHT_RULES).map((type) => Number(type) as keyof typeof INSIGHT_RULES)

/** `accepted`, or the first violation as `field: description`. */
function verdictOf(insightType: InsightType, spec: Spec): string {
  try {
    checkInsight(create(InsightQuerySpecSchema, { ...spec, insightType }))
    return 'accepted'
  } catch (error) {
    if (error instanceof ServiceError) return error.message
    throw error
  }
}

test.each(TYPES)('type %s accepts its smallest spec', (type) => {
  expect(verdictOf(type, SMALLEST[type])).toBe('accepted')
})

test.each([InsightType.UNSPECIFIED, Number('99')])('type %s is rejected', (type) => {
  expect(verdictOf(type, {})).toBe('spec.insightType: is required')
})

/** The fields of each type, as the interface documents them. */
const FIELDS: Readonly<Record<keyof typeof INSIGHT_RULES, readonly TypeField[]>> = {
  [InsightType.TRENDS]: ['events', 'breakdowns', 'breakdownLimit', 'breakdownCohortIds', 'session'],
  [InsightType.SEGMENTATION]: ['events', 'breakdownCohortIds', 'session'],
  [InsightType.FUNNEL]: [
    'events',
    'breakdowns',
    'breakdownLimit',
    'breakdownCohortIds',
    'conversionWindow',
    'includeStepTiming',
  ],
  [InsightType.RETENTION]: ['events', 'breakdowns', 'breakdownLimit', 'breakdownCohortIds'],
  [InsightType.USER_FLOW]: ['userFlow'],
  [InsightType.TOP_K]: ['topK'],
  [InsightType.MAP]: ['map'],
}

const OWN = TYPES.flatMap((type) => FIELDS[type].map((field) => [type, field] as const))

test.each(OWN)('type %s has field %s', (type, field) => {
  expect(verdictOf(type, { ...SMALLEST[type], ...SET[field] })).not.toContain('does not belong')
})

const FOREIGN = TYPES.flatMap((type) =>
  Object.entries(SET)
    .filter(([field]) => !FIELDS[type].some((own) => own === field))
    .map(([field, spec]) => [type, field, spec] as const),
)

test.each(FOREIGN)('type %s rejects field %s of other types', (type, field, spec) => {
  const expected = `spec.${field}: does not belong to ${InsightType[type]}`
  expect(verdictOf(type, { ...SMALLEST[type], ...spec })).toBe(expected)
})

describe('limits', () => {
  const many = (count: number): Spec => ({ events: Array.from({ length: count }, () => ({})) })
  const byProperties = (count: number): Spec => ({
    breakdowns: Array.from({ length: count }, (_, index) => ({ property: `p${index}` })),
  })
  const limited = (breakdownLimit: number): Spec => ({ ...byProperties(1), breakdownLimit })
  const top = (limit: number): Spec => ({ topK: { dimension: TopKQuery_Dimension.EVENT_KIND, limit } })
  const flow = (maxHops: number, maxNodes: number, maxLinks: number): Spec => ({
    userFlow: { maxHops, maxNodes, maxLinks },
  })

  test.each<[InsightType, accepted: Spec, rejected: Spec, field: string]>([
    [InsightType.TRENDS, many(50), many(51), 'events'],
    [InsightType.SEGMENTATION, many(50), many(51), 'events'],
    [InsightType.FUNNEL, many(20), many(21), 'events'],
    [InsightType.FUNNEL, many(1), many(0), 'events'],
    [InsightType.RETENTION, many(2), many(3), 'events'],
    [InsightType.RETENTION, many(1), many(0), 'events'],
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
