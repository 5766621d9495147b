import { create, type MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import { LifecycleState } from '@contract/millrace/insights/v1/lifecycle_pb.js'
import {
  FunnelPoint_Outcome as FunnelOutcome,
  RetentionPoint_Outcome as RetentionOutcome,
} from '@contract/millrace/people/v1/actors_service_pb.js'
import type { InsightQuerySpecSchema } from '@contract/shared/insights/v1/insight_query_spec_pb.js'
import { QueryRequestSchema, QueryResponseSchema } from '@contract/shared/insights/v1/insights_service_pb.js'
import { describe, expect, test } from 'vitest'
import type { ChartTarget } from '../../charts/chart.ts'
import { pointOfTarget } from './insight-types.ts'

type Source = Parameters<typeof pointOfTarget>[1]

type Result = NonNullable<MessageInitShape<typeof QueryResponseSchema>['result']>
type Spec = MessageInitShape<typeof InsightQuerySpecSchema>

const DAY_MS = 86_400_000

function sourceOf(result: Result, spec: Spec = {}): Source {
  return {
    request: create(QueryRequestSchema, { spec }),
    result: create(QueryResponseSchema, { result }).result,
  }
}

function pointIn(source: Source, target: ChartTarget) {
  return pointOfTarget(target, source)?.kind
}

const events = (...kinds: readonly string[]): Spec => ({ events: kinds.map((kind) => ({ event: { kind } })) })

function trends(series: readonly (readonly [kind: string, plan?: string])[], spec: Spec): Source {
  const all = series.map(([eventKind, plan]) => ({
    eventKind,
    breakdown: plan === undefined ? {} : { plan },
    points: [],
  }))
  return sourceOf({ case: 'trends', value: { series: all } }, spec)
}

describe('a point of trends', () => {
  const bucket = (series: number): ChartTarget => ({
    kind: 'point',
    series,
    startMs: DAY_MS,
    endMs: 2 * DAY_MS,
  })

  test('of a formula follows those of the events, and two formulas alike have none', () => {
    const value = {
      series: [
        { eventKind: 'a', breakdown: { plan: 'pro' } },
        { formula: 'A', breakdown: { plan: 'free' } },
        { formula: 'A / 2', breakdown: { plan: 'free' } },
        { formula: 'A / 2', breakdown: { plan: 'pro' } },
      ],
    }
    const formulas = [{ expression: 'A' }, { expression: 'A / 2' }]
    const spec = { events: [{ event: { kind: 'a' } }], breakdowns: [{ property: 'plan' }], formulas }
    expect(pointIn(sourceOf({ case: 'trends', value }, spec), bucket(3))).toMatchObject({
      case: 'trends',
      value: { series: 2, breakdown: { plan: 'pro' } },
    })
    const twins = { ...spec, formulas: [{ expression: 'A / 2' }, { expression: 'A / 2' }] }
    expect(pointIn(sourceOf({ case: 'trends', value }, twins), bucket(3))).toBeUndefined()
  })

  test('names its event and its bucket', () => {
    const source = trends([['a'], ['b']], events('a', 'b'))
    expect(pointIn(source, bucket(1))).toEqual({
      case: 'trends',
      value: { series: 1, breakdown: {}, bucket: timestampFromMs(DAY_MS) },
    })
  })

  test('has no bucket for a total', () => {
    const source = trends([['a']], events('a'))
    expect(pointIn(source, { kind: 'total', series: 0 })).toEqual({
      case: 'trends',
      value: { series: 0, breakdown: {} },
    })
  })

  test('names its breakdown value, and its event among several', () => {
    const source = trends(
      [
        ['a', 'free'],
        ['a', 'team'],
        ['b', 'team'],
      ],
      events('a', 'b'),
    )
    const valueAt = (series: number) => pointIn(source, { kind: 'total', series })?.value
    expect([0, 1, 2].map(valueAt)).toEqual([
      { series: 0, breakdown: { plan: 'free' } },
      { series: 0, breakdown: { plan: 'team' } },
      { series: 1, breakdown: { plan: 'team' } },
    ])
  })

  test('skips an event without series', () => {
    const source = trends([['c', 'team']], events('a', 'b', 'c'))
    expect(pointIn(source, { kind: 'total', series: 0 })?.value).toMatchObject({ series: 2 })
  })

  test('is the rest after as many values as the limit, and a real value of its label before', () => {
    const spec = { ...events('a'), breakdownLimit: 1 }
    const source = trends(
      [
        ['a', '$others'],
        ['a', '$others'],
      ],
      spec,
    )
    const valueAt = (series: number) => pointIn(source, { kind: 'total', series })?.value
    expect([0, 1].map(valueAt)).toEqual([
      { series: 0, breakdown: { plan: '$others' } },
      { series: 0, others: true },
    ])
  })

  test('is none where two events of one kind may have its value', () => {
    const source = trends([['a', 'free']], events('a', 'a'))
    expect(pointIn(source, { kind: 'total', series: 0 })).toBeUndefined()
  })

  test('is none for a series that the answer does not have', () => {
    expect(pointIn(trends([['a']], events('a')), bucket(1))).toBeUndefined()
  })
})

test('a single number has one point', () => {
  const source = sourceOf({ case: 'segmentation', value: { total: 3 } })
  expect(pointIn(source, { kind: 'total', series: 0 })).toEqual({
    case: 'segmentation',
    value: { series: 0 },
  })
})

test.each([
  ['continued', 0, FunnelOutcome.REACHED, 1],
  ['dropped', 1, FunnelOutcome.DROPPED, 2],
] as const)('%s in bar %i of a funnel has outcome %i of step %i', (part, at, outcome, step) => {
  const source = sourceOf({ case: 'funnel', value: { series: [{ breakdown: { plan: 'team' }, steps: [] }] } })
  expect(pointIn(source, { kind: 'step', series: 0, step: at, part })).toEqual({
    case: 'funnel',
    value: { step, outcome, breakdown: { plan: 'team' } },
  })
})

test('a bucket of a funnel has the people who converted', () => {
  const steps = [{ eventKind: 'a' }, { eventKind: 'b' }]
  const source = sourceOf({ case: 'funnel', value: { series: [{ steps }] } })
  expect(pointIn(source, { kind: 'point', series: 0, startMs: DAY_MS, endMs: 2 * DAY_MS })).toEqual({
    case: 'funnel',
    value: { step: 2, outcome: FunnelOutcome.REACHED, breakdown: {}, bucket: timestampFromMs(DAY_MS) },
  })
})

test.each([
  [undefined, RetentionOutcome.RETURNED],
  ['absent', RetentionOutcome.DID_NOT_RETURN],
] as const)('the part %s of a cell of retention has outcome %i', (part, outcome) => {
  const source = sourceOf({ case: 'retention', value: { series: [{ cohorts: [] }] } })
  const cohort = '2026-01-02T00:00:00Z'
  expect(pointIn(source, { kind: 'cell', series: 0, cohort, period: 3, ...(part && { part }) })).toEqual({
    case: 'retention',
    value: { cohort: timestampFromMs(Date.parse(cohort)), period: 3, outcome, breakdown: {} },
  })
})

test('a bar of a lifecycle has the state of its series', () => {
  const series = [{ state: LifecycleState.NEW }, { state: LifecycleState.DORMANT }]
  const source = sourceOf({ case: 'lifecycle', value: { series } })
  const bar = { kind: 'point', series: 1, startMs: DAY_MS, endMs: 2 * DAY_MS } as const
  expect(pointIn(source, bar)).toEqual({
    case: 'lifecycle',
    value: { state: LifecycleState.DORMANT, bucket: timestampFromMs(DAY_MS) },
  })
  expect(pointIn(source, { ...bar, series: 2 })).toBeUndefined()
  expect(pointIn(source, { kind: 'total', series: 0 })).toBeUndefined()
})

test.each([true, false])('a number of active buckets has its point, or more of them: %j', (orMore) => {
  const source = sourceOf({ case: 'stickiness', value: {} })
  expect(pointIn(source, { kind: 'activity', series: 1, buckets: 3, orMore })).toEqual({
    case: 'stickiness',
    value: { series: 1, buckets: 3, cumulative: orMore },
  })
})

test.each<[target: ChartTarget, kind: object]>([
  [
    { kind: 'node', id: '0:home' },
    { case: 'node', value: '0:home' },
  ],
  [
    { kind: 'link', source: '0:home', target: '1' },
    { case: 'link', value: { source: '0:home', target: '1' } },
  ],
])('%j of a user flow has its point', (target, kind) => {
  expect(pointIn(sourceOf({ case: 'userFlow', value: {} }), target)).toEqual({
    case: 'userFlow',
    value: { kind },
  })
})

test.each<[name: string, isOthers: boolean, value: object]>([
  ['DE', false, { value: 'DE' }],
  ['$others', false, { value: '$others' }],
  ['', true, { others: true }],
])('the row %j of a ranking or a map has its point', (value, isOthers, point) => {
  const source = sourceOf({ case: 'topK', value: {} })
  expect(pointIn(source, { kind: 'row', value, isOthers })).toEqual({ case: 'row', value: point })
})

test('a part of another chart has no point', () => {
  expect(pointIn(sourceOf({ case: 'topK', value: {} }), { kind: 'node', id: 'x' })).toBeUndefined()
})
