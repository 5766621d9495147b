import { durationMs } from '@bufbuild/protobuf/wkt'
import { expect, test } from 'vitest'
import {
  FunnelOptions_Attribution,
  FunnelOptions_View,
} from '../../src/contract/gen/millrace/insights/v1/funnel_options_pb.js'
import type { FunnelSeries } from '../../src/contract/gen/shared/insights/v1/query_result_pb.js'
import { FUNNEL_CASES, type FunnelCase, funnelRequest, type Options, path } from './funnel-cases.ts'
import { answer } from './reference.ts'
import { type EventSample, resultOf, sampleWorld } from './sample.ts'

function funnel(events: readonly EventSample[], funnelCase: FunnelCase): readonly FunnelSeries[] {
  return resultOf(answer(sampleWorld(events), funnelRequest(funnelCase)), 'funnel').series
}

test.each(FUNNEL_CASES)('%s', (_title, events, funnelCase, totals) => {
  const steps = funnel(events, funnelCase).flatMap((series) => series.steps)
  expect(steps.map(({ total }) => total)).toEqual(totals)
})

test('the step that the values are of is one of the counted attempt', () => {
  const events = path('a@10:00 first', 'b@10:01 second')
  const { LAST_STEP, STEP_N } = FunnelOptions_Attribution
  const valuesOf = (steps: string, options: Options): readonly (string | undefined)[] =>
    funnel(events, { steps, options, breakdown: 'v' }).map(({ breakdown }) => breakdown.v)
  expect(valuesOf('ab', {})).toEqual(['first'])
  expect(valuesOf('ab', { attribution: LAST_STEP })).toEqual(['second'])
  expect(valuesOf('abc', { attribution: LAST_STEP })).toEqual([''])
  expect(valuesOf('abc', { attribution: STEP_N, attributionStep: 2 })).toEqual(['second'])
})

test('conversion is in percent of the first step and of the one before', () => {
  const [series] = funnel([...path('a@10:00', 'b@10:01'), { kind: 'a', at: '10:00', by: 'bob' }], {
    steps: 'abc',
    options: {},
  })
  expect(series?.steps.map((step) => [step.conversionFromPrevious, step.conversionFromFirst])).toEqual([
    [100, 100],
    [50, 50],
    [0, 0],
  ])
  const [nobody] = funnel([], { steps: 'ab', options: {} })
  expect(nobody?.steps.map((step) => step.conversionFromPrevious)).toEqual([0, 0])
})

test('an optional step is compared with the required one before, and so is the step after it', () => {
  const [series] = funnel(path('a@10:00', 'c@10:02'), { steps: 'abc', options: { optionalSteps: [2] } })
  expect(series?.steps.map((step) => step.conversionFromPrevious)).toEqual([100, 0, 100])
  expect(series?.steps[2]?.timing?.avg?.seconds).toBe(120n)
})

test('over time, attempts count in the bucket of their start, one per user and bucket', () => {
  const events = path('a@00:10', 'a@00:20', 'b@02:00', 'a@01:00', 'a@03:00')
  const options = { view: FunnelOptions_View.OVER_TIME }
  const [series] = funnel(events, { steps: 'ab', options })
  expect(series?.overTime).toHaveLength(24)
  expect(
    series?.overTime.slice(0, 5).map(({ started, converted, rate }) => [started, converted, rate]),
  ).toEqual([
    [1, 1, 100],
    [1, 1, 100],
    [0, 0, 0],
    [1, 0, 0],
    [0, 0, 0],
  ])
})

test('times to convert fall into bins of one width, the last one closed', () => {
  const events = [0, 10, 20, 30].flatMap((minutes, index): EventSample[] => [
    { kind: 'a', at: '10:00', by: `user-${index}` },
    { kind: 'b', at: `10:${String(minutes).padStart(2, '0')}`, by: `user-${index}` },
  ])
  const binsOf = (options: Options): readonly (readonly number[])[] =>
    funnel(events, {
      steps: 'ab',
      options: { view: FunnelOptions_View.TIME_TO_CONVERT, ...options },
    }).flatMap(
      ({ timeToConvert }) =>
        timeToConvert?.bins.map(({ from, to, count }) => [
          from ? durationMs(from) / 60_000 : -1,
          to ? durationMs(to) / 60_000 : -1,
          Number(count),
        ]) ?? [],
    )
  expect(binsOf({})).toEqual([
    [0, 15, 2],
    [15, 30, 2],
  ])
  expect(binsOf({ bins: 3 })).toEqual([
    [0, 10, 1],
    [10, 20, 1],
    [20, 30, 2],
  ])
  expect(binsOf({ fromStep: 1, toStep: 2, bins: 1 })).toEqual([[0, 30, 4]])
})
