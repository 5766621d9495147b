import { create, type MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import { QueryResponseSchema } from '@contract/shared/insights/v1/insights_service_pb.js'
import { checkInsight } from '@domain/insights/insight-rules.ts'
import { describe, expect, test } from 'vitest'
import { type Draft, type InsightType, newDraft, newSeries, type SeriesDraft } from '../model/draft.ts'
import type { Result, ResultCase } from '../model/insight-type.ts'
import { decodeSpec, encodeDraft, parseSpec, writeSpec } from '../spec.ts'
import { entryOfAnswer, INSIGHT_TYPES } from './insight-types.ts'

const purchases: SeriesDraft = {
  kind: 'purchase',
  filters: [
    {
      property: '$country',
      operator: 'FILTER_OPERATOR_IN',
      values: ['DE', 'FR'],
      source: 'PROPERTY_SOURCE_AUTO',
    },
  ],
  aggregation: 'AGGREGATION_TYPE_SUM',
  property: 'price',
}
const steps = [newSeries('page_view'), newSeries('purchase')]
const breakdowns = { breakdowns: ['$browser', 'plan'], breakdownLimit: 5 }

/** Drafts of every type with every field that the type has. */
const DRAFTS: readonly (readonly [InsightType, Partial<Draft>])[] = [
  ['INSIGHT_TYPE_TRENDS', { events: [newSeries(), purchases], ...breakdowns }],
  [
    'INSIGHT_TYPE_TRENDS',
    {
      measure: 'sessions',
      sessionMetric: 'SESSION_METRIC_ENTRY',
      scope: newSeries('page_view'),
      breakdowns: ['$browser'],
      breakdownLimit: 5,
    },
  ],
  ['INSIGHT_TYPE_SEGMENTATION', { events: [purchases] }],
  ['INSIGHT_TYPE_SEGMENTATION', { measure: 'sessions', sessionMetric: 'SESSION_METRIC_BOUNCE_RATE' }],
  [
    'INSIGHT_TYPE_FUNNEL',
    { events: steps, ...breakdowns, conversionWindowSeconds: 3600, includeStepTiming: false },
  ],
  ['INSIGHT_TYPE_RETENTION', { events: steps, ...breakdowns }],
  [
    'INSIGHT_TYPE_USER_FLOW',
    { scope: newSeries('page_view'), flowProperty: '$pathname', maxHops: 2, maxNodes: 7, maxLinks: 0 },
  ],
  [
    'INSIGHT_TYPE_TOP_K',
    {
      scope: purchases,
      dimension: 'DIMENSION_PROPERTY',
      dimensionProperty: 'plan',
      limit: 20,
      omitOthers: true,
    },
  ],
  ['INSIGHT_TYPE_TOP_K', { dimension: 'DIMENSION_USER', limit: 0 }],
  ['INSIGHT_TYPE_MAP', { scope: purchases }],
]

const filtered: Partial<Draft> = {
  groups: [{ operator: 'LOGICAL_OPERATOR_OR', filters: purchases.filters }],
  groupsOperator: 'LOGICAL_OPERATOR_OR',
  includeCookieless: true,
}

/** The fields of a spec that each type writes, besides those of sessions. */
const OWN_FIELDS: Readonly<Record<InsightType, readonly string[]>> = {
  INSIGHT_TYPE_TRENDS: ['events', 'breakdowns', 'breakdownLimit'],
  INSIGHT_TYPE_SEGMENTATION: ['events'],
  INSIGHT_TYPE_FUNNEL: ['events', 'breakdowns', 'breakdownLimit', 'conversionWindow'],
  INSIGHT_TYPE_RETENTION: ['events', 'breakdowns', 'breakdownLimit'],
  INSIGHT_TYPE_USER_FLOW: ['userFlow'],
  INSIGHT_TYPE_TOP_K: ['topK'],
  INSIGHT_TYPE_MAP: ['map'],
}

describe('a draft', () => {
  test('is tested for every type', () => {
    const tested = new Set(DRAFTS.map(([type]) => type))
    expect([...tested].sort()).toEqual(Object.keys(INSIGHT_TYPES).sort())
  })

  test.each(DRAFTS)('of %s survives its encoding: %j', (type, part) => {
    const draft: Draft = { ...newDraft(), ...part, ...filtered, type }
    const spec = parseSpec(JSON.stringify(encodeDraft(draft)))
    expect(decodeSpec(spec)).toEqual(draft)
    expect(decodeSpec(parseSpec(writeSpec(spec)))).toEqual(draft)
    expect(() => checkInsight(spec)).not.toThrow()
  })

  test.each(DRAFTS)('of %s writes only fields of the type', (type) => {
    const everything = Object.assign({}, ...DRAFTS.map(([, part]) => part))
    const draft: Draft = { ...newDraft(), ...everything, measure: 'events', type }
    expect(Object.keys(encodeDraft(draft))).toEqual(['insightType', ...OWN_FIELDS[type]])
  })
})

type ResultInit = NonNullable<MessageInitShape<typeof QueryResponseSchema>['result']>
const resultOf = (result: ResultInit): Result => create(QueryResponseSchema, { result }).result

/** A result of each case, and the first row of its table. */
const RESULTS: {
  readonly [Case in ResultCase]: readonly [result: Result, row: readonly (string | number)[]]
} = {
  trends: [
    resultOf({
      case: 'trends',
      value: { series: [{ eventKind: 'page_view', points: [{ time: timestampFromMs(0), value: 5 }] }] },
    }),
    ['page_view', '1970-01-01T00:00:00.000Z', 5],
  ],
  segmentation: [resultOf({ case: 'segmentation', value: { total: 7 } }), [7]],
  funnel: [
    resultOf({
      case: 'funnel',
      value: { series: [{ breakdown: { plan: '$others' }, steps: [{ eventKind: '', total: 4 }] }] },
    }),
    ['Other', 1, 'All events', 4, 1, ''],
  ],
  retention: [
    resultOf({
      case: 'retention',
      value: { series: [{ cohorts: [{ cohort: '2026-01-01', cohortSize: 3, points: [{ value: 100 }] }] }] },
    }),
    ['All', '2026-01-01', 3, 0, 100],
  ],
  userFlow: [
    resultOf({
      case: 'userFlow',
      value: {
        nodes: [
          { id: 'a', label: 'page_view', depth: 0 },
          { id: 'b', isOthers: true, depth: 1 },
        ],
        links: [{ source: 'a', target: 'b', value: 9n }],
      },
    }),
    ['1. page_view', '2. Other', 9],
  ],
  topK: [resultOf({ case: 'topK', value: { rows: [{ value: 2 }] } }), ['(not set)', 2]],
}

test.each(Object.values(RESULTS))('the table of %# has the rows of its answer', (result, row) => {
  expect(entryOfAnswer(result, undefined)?.table(result).rows[0]).toEqual(row)
})

test('an entry ignores the results of other types', () => {
  const { table } = INSIGHT_TYPES.INSIGHT_TYPE_FUNNEL
  expect(table(RESULTS.trends[0])).toEqual({ columns: [], rows: [] })
})
