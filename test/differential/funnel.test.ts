import type { MessageInitShape } from '@bufbuild/protobuf'
import { durationMs } from '@bufbuild/protobuf/wkt'
import { describe, expect, test } from 'vitest'
import { FilterOperator, type PropertyFilterSchema } from '../../src/contract/gen/common/v1/filter_pb.js'
import { InsightType } from '../../src/contract/gen/shared/insights/v1/insight_query_spec_pb.js'
import type { FunnelSeries } from '../../src/contract/gen/shared/insights/v1/query_result_pb.js'
import type { ReferenceWorld } from './model.ts'
import { answerSample, type EventSample, resultOf, sampleProfile, sampleWorld } from './sample.ts'

interface FunnelSpec {
  readonly events: { event: { kind: string; filters?: MessageInitShape<typeof PropertyFilterSchema>[] } }[]
  readonly breakdowns?: { property: string }[]
  readonly breakdownLimit?: number
  readonly conversionWindow?: { readonly seconds: bigint; readonly nanos: number }
  readonly includeStepTiming?: boolean
  readonly includeCookieless?: boolean
}

/** One step per letter. */
function ofKinds(kinds: string): FunnelSpec {
  return { events: [...kinds].map((kind) => ({ event: { kind } })) }
}

function funnel(world: ReferenceWorld, spec: FunnelSpec): readonly FunnelSeries[] {
  return resultOf(answerSample(world, { ...spec, insightType: InsightType.FUNNEL }), 'funnel').series
}

/** `a@10:00` and the like, all of one user. */
function path(...steps: readonly string[]): readonly EventSample[] {
  return steps.map((step) => {
    const [kind = '', at = ''] = step.split('@')
    return { kind, at }
  })
}

function totals(events: readonly EventSample[], spec: FunnelSpec): readonly number[] {
  return funnel(sampleWorld(events), spec).flatMap(({ steps }) => steps.map(({ total }) => total))
}

const seconds = (count: number): Omit<FunnelSpec, 'events'> => ({
  conversionWindow: { seconds: BigInt(count), nanos: 0 },
})

describe('levels', () => {
  test.each<
    [
      title: string,
      steps: string,
      events: readonly EventSample[],
      expected: readonly number[],
      spec?: Omit<FunnelSpec, 'events'>,
    ]
  >([
    ['steps go in order', 'ab', path('a@10:00', 'b@10:01'), [1, 1]],
    ['a step before its time is none', 'ab', path('b@10:00', 'a@10:01'), [1, 0]],
    ['a repeated step needs two events', 'aa', path('a@10:00'), [1, 0]],
    ['an event fills one of three equal steps', 'aaa', path('a@10:00', 'a@10:01'), [1, 1, 0]],
    ['two events fill a repeated step', 'aa', path('a@10:00', 'a@10:01'), [1, 1]],
    ['at one instant the lower step is first', 'ab', path('b@10:00', 'a@10:00'), [1, 1]],
    ['at one instant the order of steps holds', 'ba', path('b@10:00', 'a@10:00'), [1, 1]],
    [
      'other events between do not matter',
      'abc',
      path('a@10:00', 'x@10:01', 'a@10:02', 'b@10:03', 'c@10:04'),
      [1, 1, 1],
    ],
    ['no user is a row of zeros', 'ab', path('x@10:00'), [0, 0]],
    ['the window includes its end', 'ab', path('a@10:00', 'b@10:01'), [1, 1], seconds(60)],
    ['a millisecond beyond the window is late', 'ab', path('a@10:00', 'b@10:01:00.001'), [1, 0], seconds(60)],
    [
      'the window counts from the first step',
      'abc',
      path('a@10:00', 'b@10:01', 'c@10:01:30'),
      [1, 1, 0],
      seconds(60),
    ],
    [
      'a later start may get further',
      'abc',
      path('a@10:00', 'b@10:01', 'a@10:02', 'b@10:03', 'c@10:03'),
      [1, 1, 1],
      seconds(60),
    ],
  ])('%s', (_title, steps, events, expected, spec = {}) => {
    expect(totals(events, { ...ofKinds(steps), ...spec })).toEqual(expected)
  })

  test('one event fills one step even when it matches both', () => {
    const any = { events: [{ event: { kind: '' } }, { event: { kind: 'b' } }] }
    expect(totals(path('b@10:00'), any)).toEqual([1, 0])
    expect(totals(path('x@10:00', 'b@10:00'), any)).toEqual([1, 1])
  })
})

test('ids of one person are one user, and cookieless visitors count only on request', () => {
  const world = sampleWorld(
    [
      { kind: 'a', at: '10:00', by: 'anon-1' },
      { kind: 'b', at: '10:01', by: 'anna' },
      { kind: 'a', at: '10:00', by: 'cookieless-x' },
    ],
    [sampleProfile('anna', { anonymousIds: ['anon-1'] })],
  )
  const spec = ofKinds('ab')
  const reached = (series: readonly FunnelSeries[]): readonly number[] =>
    series.flatMap(({ steps }) => steps.map(({ total }) => total))
  expect(reached(funnel(world, spec))).toEqual([1, 1])
  expect(reached(funnel(world, { ...spec, includeCookieless: true }))).toEqual([2, 1])
})

test('the value of the counted attempt decides the series', () => {
  const world = sampleWorld([
    { kind: 'a', at: '10:00', properties: { ad: 'first' } },
    { kind: 'a', at: '12:00', properties: { ad: 'second' } },
    { kind: 'b', at: '12:01', properties: { ad: 'third' } },
    { kind: 'a', at: '10:00', by: 'bob', properties: { ad: 'first' } },
    { kind: 'a', at: '11:00', by: 'bob', properties: { ad: 'zero' } },
    { kind: 'a', at: '11:00', by: 'carl' },
  ])
  const spec = {
    ...ofKinds('ab'),
    breakdowns: [{ property: 'ad' }],
    ...seconds(60),
  }
  const rows = (series: readonly FunnelSeries[]): readonly string[] =>
    series.map(({ breakdown, steps }) => `${breakdown.ad}: ${steps.map(({ total }) => total).join(' ')}`)
  expect(rows(funnel(world, spec))).toEqual([': 1 0', 'first: 1 0', 'second: 1 1'])
  expect(rows(funnel(world, { ...spec, breakdownLimit: 1 }))).toEqual([': 1 0', '$others: 2 1'])
  expect(rows(funnel(world, { ...spec, ...ofKinds('x') }))).toEqual([])
})

test('filters of a step narrow that step only', () => {
  const big = { property: 'n', operator: FilterOperator.GTE, value: '10' }
  const events = [{ event: { kind: 'a' } }, { event: { kind: 'b', filters: [big] } }]
  const world = sampleWorld([
    { kind: 'a', at: '10:00' },
    { kind: 'b', at: '10:01', properties: { n: 9n } },
    { kind: 'b', at: '10:05', properties: { n: 10n } },
  ])
  const [series] = funnel(world, { events, includeStepTiming: true })
  expect(series?.steps.map(({ total }) => total)).toEqual([1, 1])
  expect(series?.steps.map(({ timing }) => timing?.avg?.seconds)).toEqual([undefined, 300n])
})

describe('timing', () => {
  /** One user per number: so many seconds from a to b. */
  function timing(deltas: readonly number[]) {
    const events = deltas.flatMap((delta, index) => [
      { kind: 'a', at: '2026-01-05T00:00:00Z', by: `user-${index}` },
      {
        kind: 'b',
        at: new Date(Date.parse('2026-01-05T00:00:00Z') + delta * 1000).toISOString(),
        by: `user-${index}`,
      },
    ])
    const spec = {
      insightType: InsightType.FUNNEL,
      includeStepTiming: true,
      ...ofKinds('ab'),
    }
    const answer = answerSample(sampleWorld(events), spec, { to: '2026-01-09T00:00:00Z' })
    const found = resultOf(answer, 'funnel').series[0]?.steps[1]?.timing
    if (!found?.avg || !found.median || !found.p95) throw new Error('no timing')
    const counts = found.distribution.map(({ count }) => Number(count))
    return {
      ms: [found.avg, found.median, found.p95].map((duration) => durationMs(duration)),
      counts,
      bounds: found.distribution.map(({ label, upperBound }) => `${label} ${upperBound?.seconds}`),
    }
  }

  test('a funnel without users has zeros in eight buckets', () => {
    expect(timing([])).toEqual({
      ms: [0, 0, 0],
      counts: [0, 0, 0, 0, 0, 0, 0, 0],
      bounds: [
        '0-30s 30',
        '30s-2m 120',
        '2-5m 300',
        '5-15m 900',
        '15-60m 3600',
        '1-6h 21600',
        '6-24h 86400',
        '24h+ undefined',
      ],
    })
  })

  test('upper bounds belong to the next bucket', () => {
    const { counts } = timing([0, 29.999, 30, 120, 300, 900, 3600, 21_600, 86_399.999, 86_400, 200_000])
    expect(counts).toEqual([2, 1, 1, 1, 1, 1, 2, 2])
  })

  test('the median of an even number is the mean of the two middles', () => {
    expect(timing([1, 2, 4, 9]).ms).toEqual([4000, 3000, 9000])
    expect(timing([9, 1, 2]).ms).toEqual([4000, 2000, 9000])
  })

  test('the 95th percentile is an element', () => {
    expect(timing(Array.from({ length: 20 }, (_, index) => index + 1)).ms[2]).toBe(19_000)
    expect(timing(Array.from({ length: 21 }, (_, index) => index + 1)).ms[2]).toBe(20_000)
  })

  test('the earliest of the longest attempts is timed', () => {
    const world = sampleWorld(path('a@10:00', 'a@10:01', 'b@10:02', 'a@11:00', 'b@11:00:01'))
    const [series] = funnel(world, { ...ofKinds('ab'), includeStepTiming: true })
    expect(series?.steps.map((step) => step.timing?.avg?.seconds)).toEqual([undefined, 120n])
  })
})
