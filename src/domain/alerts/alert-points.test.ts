import { create, type MessageInitShape } from '@bufbuild/protobuf'
import { expect, test } from 'vitest'
import {
  AlertCadence,
  type AlertContent,
  AlertContentSchema,
  type AlertPointSchema,
  AlertFunnelPoint_Measure as Measure,
  AlertCondition_Operator as Operator,
  AlertCondition_Subject as Subject,
} from '../../contract/gen/millrace/alerts/v1/alert_pb.js'
import { LifecycleState } from '../../contract/gen/millrace/insights/v1/lifecycle_pb.js'
import { RetentionOptions_Periods as Periods } from '../../contract/gen/millrace/insights/v1/retention_options_pb.js'
import {
  type InsightQuerySpec,
  InsightQuerySpecSchema,
  InsightType,
} from '../../contract/gen/shared/insights/v1/insight_query_spec_pb.js'
import { QueryResponseSchema } from '../../contract/gen/shared/insights/v1/insights_service_pb.js'
import { ServiceError } from '../../contract/service-error.ts'
import { preparePoint } from './alert-points.ts'
import { checkAlert } from './alert-question.ts'

type Point = NonNullable<Exclude<MessageInitShape<typeof AlertPointSchema>, { $typeName: string }>['kind']>
type Spec = MessageInitShape<typeof InsightQuerySpecSchema>
type Result = NonNullable<MessageInitShape<typeof QueryResponseSchema>['result']>

const TWO = [{ event: { kind: 'visit' } }, { event: { kind: 'signup' } }]
const TRENDS = { insightType: InsightType.TRENDS, events: TWO, formulas: [{ expression: 'B / A' }] }
const BY_PLAN = { insightType: InsightType.TRENDS, events: TWO, breakdowns: [{ property: 'plan' }] }
const FUNNEL = { insightType: InsightType.FUNNEL, events: TWO }
const RETENTION = { insightType: InsightType.RETENTION, events: TWO }
const STICKINESS = { insightType: InsightType.STICKINESS, events: TWO.slice(1) }
const MAP = { insightType: InsightType.MAP, map: {} }

const specOf = (spec: Spec): InsightQuerySpec => create(InsightQuerySpecSchema, spec)
const contentOf = (
  kind: Point,
  change: { readonly rangeUnits?: number; readonly cadence?: AlertCadence; readonly subject?: Subject } = {},
): AlertContent => {
  const { rangeUnits = 0, cadence = AlertCadence.DAILY, subject = Subject.VALUE } = change
  return create(AlertContentSchema, {
    name: 'x',
    point: { kind },
    condition: { subject, operator: Operator.ABOVE, threshold: 1 },
    cadence,
    rangeUnits,
  })
}
const read = (spec: Spec, kind: Point, result: Result, rangeUnits = 0): number | undefined =>
  preparePoint(specOf(spec), contentOf(kind, { rangeUnits })).read(create(QueryResponseSchema, { result }))

const series = (
  index: number,
  name: { breakdown?: Record<string, string>; others?: boolean } = {},
): Point => ({
  case: 'series',
  value: { series: index, ...name },
})
const funnel = (step: number, measure: Measure): Point => ({ case: 'funnel', value: { step, measure } })
const line = (value: number, more: object = {}) => ({ points: [{ value: -1 }, { value, ...more }] })

test.each([
  ['an event', 0, 4],
  ['a formula after the events', 2, 0.5],
])('the last bucket of %s is its number', (_, index, expected) => {
  const value = { series: [line(4), line(2), { ...line(0.5), formula: 'B / A' }] }
  expect(read(TRENDS, series(index), { case: 'trends', value })).toBe(expected)
})

test('a formula that divides by zero has no number', () => {
  const value = { series: [line(4), line(2), { ...line(0, { isUndefined: true }), formula: 'B / A' }] }
  expect(read(TRENDS, series(2), { case: 'trends', value })).toBeUndefined()
})

const planLine = (plan: string, value: number) => ({
  ...line(value),
  eventKind: 'signup',
  breakdown: { plan },
})

test('a series of a breakdown is asked alone, with as many values as an answer may have', () => {
  const { spec } = preparePoint(specOf(BY_PLAN), contentOf(series(1, { breakdown: { plan: 'pro' } })))
  expect(spec.events.map(({ event }) => event?.kind)).toEqual(['signup'])
  expect(spec.breakdownLimit).toBe(100)
})

test.each([
  ['its value', { breakdown: { plan: 'pro' } }, 7],
  ['0 for a value without events', { breakdown: { plan: 'team' } }, 0],
])('a breakdown value has %s', (_, name, expected) => {
  const value = { series: [planLine('free', 9), planLine('pro', 7)] }
  expect(read(BY_PLAN, series(1, name), { case: 'trends', value })).toBe(expected)
})

test('a breakdown value beyond the limit of an answer fails, and is not 0', () => {
  const lines = Array.from({ length: 100 }, (_, index) => planLine(`p${index}`, 9))
  const value = { series: [...lines, planLine('$others', 5)] }
  const point = series(1, { breakdown: { plan: 'team' } })
  expect(() => read(BY_PLAN, point, { case: 'trends', value })).toThrow('beyond the largest')
})

test('the other values are the series after the limit of the insight', () => {
  const value = { series: [planLine('$others', 9), planLine('b', 8), planLine('$others', 5)] }
  const others = series(1, { others: true })
  expect(read({ ...BY_PLAN, breakdownLimit: 2 }, others, { case: 'trends', value })).toBe(5)
  expect(read(BY_PLAN, others, { case: 'trends', value: { series: [] } })).toBe(0)
})

test('a cohort that splits an insight has its series in each place', () => {
  const ids = ['a', 'b']
  const value = {
    series: [1, 2, 3, 4].map((number, index) => ({
      ...line(number),
      breakdown: { $cohort: ids[index % 2] ?? '' },
    })),
  }
  const spec = { insightType: InsightType.TRENDS, events: TWO, breakdownCohortIds: ids }
  expect(read(spec, series(1, { breakdown: { $cohort: 'a' } }), { case: 'trends', value })).toBe(3)
})

test('a segmentation of one unit is asked as trends of one bucket, of several as it is', () => {
  const spec = specOf({ insightType: InsightType.SEGMENTATION, events: TWO })
  const typeFor = (rangeUnits: number) =>
    preparePoint(spec, contentOf(series(0), { rangeUnits })).spec.insightType
  expect([typeFor(0), typeFor(1), typeFor(7)]).toEqual([
    InsightType.TRENDS,
    InsightType.TRENDS,
    InsightType.SEGMENTATION,
  ])
  const value = { total: 5, values: [5, 6] }
  expect(
    read(
      { insightType: InsightType.SEGMENTATION, events: TWO },
      series(1),
      { case: 'segmentation', value },
      7,
    ),
  ).toBe(6)
})

const steps = (...totals: readonly number[]) => ({
  series: [
    {
      steps: totals.map((total) => ({
        total,
        conversionFromFirst: total / 2,
        conversionFromPrevious: total / 4,
      })),
    },
  ],
})

test.each([
  ['the users of a step', Measure.TOTAL, 8],
  ['the rate from the first', Measure.RATE_FROM_FIRST, 4],
  ['the rate from the previous', Measure.RATE_FROM_PREVIOUS, 2],
])('a funnel has %s', (_, measure, expected) => {
  expect(read(FUNNEL, funnel(2, measure), { case: 'funnel', value: steps(20, 8) })).toBe(expected)
})

test('a rate of nobody is no number', () => {
  for (const measure of [Measure.RATE_FROM_FIRST, Measure.RATE_FROM_PREVIOUS])
    expect(read(FUNNEL, funnel(2, measure), { case: 'funnel', value: steps(0, 0) })).toBeUndefined()
})

test('a rate from an optional step is one from the step before it', () => {
  const spec = { insightType: InsightType.FUNNEL, events: [...TWO, ...TWO], funnel: { optionalSteps: [2] } }
  const point = funnel(3, Measure.RATE_FROM_PREVIOUS)
  expect(read(spec, point, { case: 'funnel', value: steps(20, 0, 8, 0) })).toBe(2)
})

const retention = (period: number): Point => ({ case: 'retention', value: { period } })

test('a retention period is that of the first cohort of a range that it completes', () => {
  const reachOf = (spec: Spec) => preparePoint(specOf(spec), contentOf(retention(3))).reach
  expect(reachOf(RETENTION)).toEqual({ count: 4, step: 1 })
  expect(reachOf({ ...RETENTION, retention: { periods: Periods.ELAPSED } })).toEqual({ count: 5, step: 1 })
  const cohorts = [{ cohortSize: 4, points: [{ value: 100 }, { value: 25 }] }, { cohortSize: 9 }]
  expect(read(RETENTION, retention(1), { case: 'retention', value: { series: [{ cohorts }] } })).toBe(25)
})

test('the retention of an empty cohort is no number', () => {
  const value = { series: [{ cohorts: [{ cohortSize: 0, points: [{ value: 0 }] }] }] }
  expect(read(RETENTION, retention(0), { case: 'retention', value })).toBeUndefined()
})

test('a lifecycle has the users of a state in the last bucket', () => {
  const value = { series: [{ state: LifecycleState.NEW, points: [{ value: 1 }, { value: 6 }] }] }
  const point: Point = { case: 'lifecycle', value: { state: LifecycleState.NEW } }
  expect(
    read({ insightType: InsightType.LIFECYCLE, events: TWO.slice(1) }, point, { case: 'lifecycle', value }),
  ).toBe(6)
})

test.each([
  [false, 3],
  [true, 5],
])('stickiness has users with a number of buckets, cumulative: %s', (cumulative, expected) => {
  const value = { series: [{ points: [{ buckets: 2, users: 3n, cumulative: 5n }] }] }
  const point: Point = { case: 'stickiness', value: { series: 0, buckets: 2, cumulative } }
  expect(read(STICKINESS, point, { case: 'stickiness', value }, 7)).toBe(expected)
})

const FLOW = { insightType: InsightType.USER_FLOW, userFlow: {} }
const flow = (target: string): Point => ({ case: 'userFlow', value: { depth: 0, source: 'home', target } })

test('a link of a user flow has its sessions, and 0 without any', () => {
  const nodes = [
    { id: 'a', depth: 0, label: 'home' },
    { id: 'b', depth: 1, label: 'pricing' },
  ]
  const links = [{ source: 'a', target: 'b', value: 12n }]
  const value = { nodes, links }
  expect(read(FLOW, flow('pricing'), { case: 'userFlow', value })).toBe(12)
  expect(read(FLOW, flow('docs'), { case: 'userFlow', value })).toBe(0)
  const others = { ...value, nodes: [...nodes, { id: 'c', depth: 1, isOthers: true }] }
  expect(() => read(FLOW, flow('docs'), { case: 'userFlow', value: others })).toThrow('beyond the largest')
})

test('a row has its metric, and 0 when no row is left out', () => {
  const row = (value: string): Point => ({ case: 'row', value: { value } })
  const rows = [{ dimensionValue: 'DE', value: 3 }]
  expect(read(MAP, row('DE'), { case: 'topK', value: { rows } })).toBe(3)
  expect(read(MAP, row('FR'), { case: 'topK', value: { rows } })).toBe(0)
  const cut = { rows: [...rows, { isOthers: true, value: 9 }] }
  expect(() => read(MAP, row('FR'), { case: 'topK', value: cut })).toThrow('beyond the largest')
})

test.each<[string, Spec, Point, Parameters<typeof contentOf>[1], string]>([
  ['of another type', FUNNEL, series(0), {}, 'content.point'],
  ['beyond the series', TRENDS, series(3), {}, 'content.point'],
  ['beyond the steps', FUNNEL, funnel(3, Measure.TOTAL), {}, 'content.point'],
  ['without the value of a breakdown', BY_PLAN, series(0), {}, 'content.point'],
  [
    'of a breakdown that the insight lacks',
    TRENDS,
    series(0, { breakdown: { plan: 'pro' } }),
    {},
    'content.point',
  ],
  [
    'of more active buckets than the range has',
    STICKINESS,
    { case: 'stickiness', value: { buckets: 3 } },
    {},
    'content.point',
  ],
  ['of other rows of a map', MAP, { case: 'row', value: { others: true } }, {}, 'content.point'],
  [
    'a week before a month',
    TRENDS,
    series(0),
    { cadence: AlertCadence.MONTHLY, subject: Subject.WEEKLY_CHANGE },
    'content.condition.subject',
  ],
  [
    'of a lifecycle by hour',
    { insightType: InsightType.LIFECYCLE, events: TWO.slice(1) },
    { case: 'lifecycle', value: { state: LifecycleState.NEW } },
    { cadence: AlertCadence.HOURLY },
    'content.cadence',
  ],
])('a point %s is refused', (_, spec, kind, change, field) => {
  let error: unknown
  try {
    checkAlert(contentOf(kind, change), specOf(spec))
  } catch (thrown) {
    error = thrown
  }
  expect(error).toBeInstanceOf(ServiceError)
  expect((error as ServiceError).violations.map((violation) => violation.field)).toEqual([field])
})
