import { create, type MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import { LifecycleState } from '@contract/millrace/insights/v1/lifecycle_pb.js'
import { InsightQuerySpecSchema } from '@contract/shared/insights/v1/insight_query_spec_pb.js'
import { QueryResponseSchema } from '@contract/shared/insights/v1/insights_service_pb.js'
import type { FunnelSeriesSchema } from '@contract/shared/insights/v1/query_result_pb.js'
import { checkInsight } from '@domain/insights/insight-rules.ts'
import { describe, expect, test } from 'vitest'
import {
  type AnyPart,
  type Draft,
  type InsightType,
  NO_BREAKDOWN,
  NO_FILTERS,
  newEvent,
  newSeries,
  type SeriesDraft,
  type SharedDraft,
} from '../model/draft.ts'
import { NO_FUNNEL_OPTIONS, stepWindow, withStepWindow } from '../model/funnel-options.ts'
import type { Result, ResultCase } from '../model/insight-type.ts'
import { NO_RETENTION_OPTIONS } from '../model/retention-options.ts'
import { decodeSpec, encodeDraft, parseSpec, writeSpec } from '../spec.ts'
import { entryOfAnswer, INSIGHT_TYPES, TAB_ENTRIES } from './insight-types.ts'

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
  measure: { aggregation: 'AGGREGATION_TYPE_SUM', property: 'price' },
}
const steps = [newEvent('page_view'), newEvent('purchase')]
const breakdown = {
  properties: [
    { property: '$browser', source: 'PROPERTY_SOURCE_AUTO' },
    { property: 'plan', source: 'PROPERTY_SOURCE_CUSTOM' },
  ],
  limit: 5,
} as const

/** Drafts of every type with every option that the type has. */
const PARTS: readonly AnyPart[] = [
  {
    type: 'INSIGHT_TYPE_TRENDS',
    subject: { of: 'events', series: [newSeries(), purchases] },
    breakdown,
  },
  {
    type: 'INSIGHT_TYPE_TRENDS',
    subject: {
      of: 'events',
      series: [
        { ...purchases, measure: { aggregation: 'AGGREGATION_TYPE_P95', property: 'price' } },
        { ...newSeries('view'), measure: { aggregation: 'AGGREGATION_TYPE_ROLLING_7_DAY_USERS' } },
        {
          ...newSeries('view'),
          measure: { aggregation: 'AGGREGATION_TYPE_DISTINCT_VALUES', property: 'plan' },
        },
      ],
      formulas: [
        { expression: '100 * A / B', name: 'Rate' },
        { expression: 'A - C', name: '' },
      ],
    },
    breakdown,
  },
  {
    type: 'INSIGHT_TYPE_TRENDS',
    subject: { of: 'sessions', metric: 'SESSION_METRIC_ENTRY', scope: newEvent('page_view') },
    breakdown: { properties: [{ property: '$browser', source: 'PROPERTY_SOURCE_AUTO' }], limit: 5 },
  },
  { type: 'INSIGHT_TYPE_SEGMENTATION', subject: { of: 'events', series: [purchases] } },
  {
    type: 'INSIGHT_TYPE_SEGMENTATION',
    subject: { of: 'sessions', metric: 'SESSION_METRIC_BOUNCE_RATE', scope: newEvent() },
  },
  {
    type: 'INSIGHT_TYPE_FUNNEL',
    steps: [...steps, newEvent('refund')],
    breakdown,
    windowSeconds: 3600,
    timing: 'hidden',
    options: {
      order: 'ORDER_SEQUENTIAL',
      counted: 'COUNT_BY_SESSIONS',
      view: 'VIEW_TIME_TO_CONVERT',
      exclusions: [{ ...newEvent('cancel'), after: 1, before: 3 }],
      holdConstant: ['plan'],
      optionalSteps: [2],
      stepWindows: ['0s', '60s'],
      attributionStep: 3,
      fromStep: 1,
      toStep: 2,
      bins: 12,
    },
  },
  {
    type: 'INSIGHT_TYPE_FUNNEL',
    steps,
    breakdown: NO_BREAKDOWN,
    windowSeconds: 0,
    timing: 'shown',
    options: NO_FUNNEL_OPTIONS,
  },
  {
    type: 'INSIGHT_TYPE_FUNNEL',
    steps: [
      {
        ...newEvent('page_view'),
        cohorts: [{ cohortId: '01930000-0000-7000-8000-000000000003', negate: true }],
      },
      newEvent('purchase'),
    ],
    breakdown: { ...NO_BREAKDOWN, cohortIds: ['01930000-0000-7000-8000-000000000001'] },
    windowSeconds: 60,
    timing: 'shown',
    options: NO_FUNNEL_OPTIONS,
  },
  {
    type: 'INSIGHT_TYPE_RETENTION',
    first: newEvent('a'),
    back: newEvent('b'),
    breakdown,
    options: {
      returnRule: 'RETURN_RULE_ON_OR_AFTER',
      startRule: 'START_RULE_EVERY',
      periods: 'PERIODS_ELAPSED',
      value: 'VALUE_PROPERTY_SUM',
      property: 'price',
    },
  },
  {
    type: 'INSIGHT_TYPE_RETENTION',
    first: newEvent('a'),
    back: undefined,
    breakdown: NO_BREAKDOWN,
    options: NO_RETENTION_OPTIONS,
  },
  {
    type: 'INSIGHT_TYPE_USER_FLOW',
    scope: newEvent('page_view'),
    nodes: { of: 'property', property: '$pathname' },
    maxHops: 2,
    maxNodes: 7,
    maxLinks: 0,
    startAt: { of: 'event', event: newEvent('signup') },
    endAt: { of: 'node', node: '/thanks' },
    rules: [{ pattern: '[0-9]+', replacement: '' }],
  },
  {
    type: 'INSIGHT_TYPE_USER_FLOW',
    scope: newEvent(),
    nodes: { of: 'events' },
    maxHops: 0,
    maxNodes: 0,
    maxLinks: 0,
    startAt: undefined,
    endAt: undefined,
    rules: [],
  },
  {
    type: 'INSIGHT_TYPE_TOP_K',
    series: purchases,
    ranked: { of: 'property', property: 'plan' },
    limit: 20,
    others: 'hidden',
  },
  {
    type: 'INSIGHT_TYPE_TOP_K',
    series: newSeries(),
    ranked: { of: 'people' },
    limit: 0,
    others: 'shown',
  },
  { type: 'INSIGHT_TYPE_MAP', series: purchases },
  { type: 'INSIGHT_TYPE_LIFECYCLE', event: { ...newEvent('a'), filters: purchases.filters } },
  { type: 'INSIGHT_TYPE_STICKINESS', events: steps },
]

const filtered: SharedDraft = {
  groups: [{ operator: 'LOGICAL_OPERATOR_OR', filters: purchases.filters }],
  groupsOperator: 'LOGICAL_OPERATOR_OR',
  includeCookieless: true,
  excludeBots: true,
  cohorts: [
    { cohortId: '01930000-0000-7000-8000-000000000001', negate: false },
    { cohortId: '01930000-0000-7000-8000-000000000002', negate: true },
  ],
}

/** The fields of a spec that each type may write. */
const OWN_FIELDS: Readonly<Record<InsightType, readonly string[]>> = {
  INSIGHT_TYPE_TRENDS: [
    'events',
    'session',
    'breakdowns',
    'breakdownLimit',
    'breakdownCohortIds',
    'formulas',
  ],
  INSIGHT_TYPE_SEGMENTATION: ['events', 'session', 'formulas'],
  INSIGHT_TYPE_FUNNEL: [
    'events',
    'breakdowns',
    'breakdownLimit',
    'breakdownCohortIds',
    'conversionWindow',
    'includeStepTiming',
    'funnel',
  ],
  INSIGHT_TYPE_RETENTION: ['events', 'breakdowns', 'breakdownLimit', 'breakdownCohortIds', 'retention'],
  INSIGHT_TYPE_USER_FLOW: ['userFlow'],
  INSIGHT_TYPE_TOP_K: ['topK'],
  INSIGHT_TYPE_MAP: ['map'],
  INSIGHT_TYPE_LIFECYCLE: ['events'],
  INSIGHT_TYPE_STICKINESS: ['events'],
}

describe('a draft', () => {
  test('is tested for every type', () => {
    const tested = new Set(PARTS.map(({ type }) => type))
    expect([...tested].sort()).toEqual(Object.keys(INSIGHT_TYPES).sort())
  })

  test.each(PARTS)('of $type survives its encoding: %j', (part) => {
    const draft = { ...part, ...filtered } as Draft
    const spec = parseSpec(JSON.stringify(encodeDraft(draft)))
    expect(decodeSpec(spec)).toEqual(draft)
    expect(decodeSpec(parseSpec(writeSpec(spec)))).toEqual(draft)
    expect(() => checkInsight(spec)).not.toThrow()
  })

  test.each(PARTS)('of $type belongs to one tab: %j', (part) => {
    const draft = { ...part, ...NO_FILTERS } as Draft
    expect(Object.values(TAB_ENTRIES).filter(({ has }) => has(draft))).toHaveLength(1)
  })

  test.each(PARTS)('of $type writes only fields of the type', (part) => {
    const { insightType, ...fields } = encodeDraft({ ...part, ...NO_FILTERS } as Draft)
    expect(insightType).toBe(part.type)
    expect(Object.keys(fields).filter((name) => !OWN_FIELDS[part.type].includes(name))).toEqual([])
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
  lifecycle: [
    resultOf({
      case: 'lifecycle',
      value: {
        series: [
          { state: LifecycleState.NEW, points: [{ time: timestampFromMs(0), value: 5 }] },
          { state: LifecycleState.DORMANT, points: [{ time: timestampFromMs(0), value: 2 }] },
        ],
      },
    }),
    ['1970-01-01T00:00:00.000Z', 5, 2],
  ],
  stickiness: [
    resultOf({
      case: 'stickiness',
      value: { series: [{ eventKind: '', points: [{ buckets: 1, users: 3n, cumulative: 4n }] }] },
    }),
    ['All events', 1, 3, 4],
  ],
  topK: [resultOf({ case: 'topK', value: { rows: [{ value: 2 }] } }), ['(not set)', 2]],
}

test.each(Object.values(RESULTS))('the table of %# has the rows of its answer', (result, row) => {
  expect(entryOfAnswer(result, undefined)?.table(result).rows[0]).toEqual(row)
})

const minute = { seconds: 60n }

test.each<
  [view: string, series: MessageInitShape<typeof FunnelSeriesSchema>, row: readonly (string | number)[]]
>([
  [
    'over time',
    { overTime: [{ time: timestampFromMs(0), started: 4, converted: 1, rate: 25 }] },
    ['All', '1970-01-01T00:00:00.000Z', 4, 1, 0.25],
  ],
  [
    'of times to convert',
    { timeToConvert: { users: 2, bins: [{ from: {}, to: minute, count: 2n }] } },
    ['All', 0, 60, 2],
  ],
])('the table of a funnel %s has the rows of that view', (_view, series, row) => {
  const result = resultOf({ case: 'funnel', value: { series: [series] } })
  expect(INSIGHT_TYPES.INSIGHT_TYPE_FUNNEL.table(result).rows).toEqual([row])
})

test('a funnel with fewer steps leaves out the options of the others', () => {
  const [part] = PARTS.filter(({ type }) => type === 'INSIGHT_TYPE_FUNNEL')
  const draft = { ...part, ...NO_FILTERS, steps: steps.slice(0, 1) } as Draft
  expect(() => checkInsight(parseSpec(JSON.stringify(encodeDraft(draft))))).not.toThrow()
})

test('a step has its longest time at its position, and no times are written when none is set', () => {
  const third = withStepWindow(NO_FUNNEL_OPTIONS, 3, 90)
  expect(third.stepWindows).toEqual(['0s', '0s', '90s'])
  expect([2, 3, 4].map((step) => stepWindow(third, step))).toEqual([0, 90, 0])
  const both = withStepWindow(third, 2, 60)
  expect(both.stepWindows).toEqual(['0s', '60s', '90s'])
  expect(withStepWindow(both, 3, 0).stepWindows).toEqual(['0s', '60s'])
  expect(withStepWindow(third, 3, 0).stepWindows).toEqual([])
})

test('the tables of funnels and retention name what they count', () => {
  const specOf = (spec: MessageInitShape<typeof InsightQuerySpecSchema>) =>
    create(InsightQuerySpecSchema, spec)
  const namesOf = (name: 'funnel' | 'retention', spec: MessageInitShape<typeof InsightQuerySpecSchema>) =>
    entryOfAnswer(RESULTS[name][0], undefined)
      ?.table(RESULTS[name][0], specOf(spec))
      .columns.map((column) => column.name)
  expect(namesOf('funnel', {})).toContain('People')
  expect(namesOf('funnel', { funnel: { countBy: 1 } })).toContain('Sessions')
  expect(namesOf('retention', {})).toContain('Percent')
  expect(namesOf('retention', { retention: { value: 1 } })).toContain('Value')
})

test('an entry ignores the results of other types', () => {
  const { table } = INSIGHT_TYPES.INSIGHT_TYPE_FUNNEL
  expect(table(RESULTS.trends[0])).toEqual({ columns: [], rows: [] })
})
