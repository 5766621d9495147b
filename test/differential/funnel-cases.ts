import { create, type MessageInitShape } from '@bufbuild/protobuf'
import { FilterOperator } from '../../src/contract/gen/common/v1/filter_pb.js'
import {
  FunnelOptions_CountBy,
  FunnelOptions_Order,
  FunnelOptionsSchema,
} from '../../src/contract/gen/millrace/insights/v1/funnel_options_pb.js'
import { Granularity, InsightType } from '../../src/contract/gen/shared/insights/v1/insight_query_spec_pb.js'
import type { QueryRequest } from '../../src/contract/gen/shared/insights/v1/insights_service_pb.js'
import { type EventSample, sampleRequest } from './sample.ts'

/** Options of a funnel, as a test writes them. */
export type Options = Exclude<MessageInitShape<typeof FunnelOptionsSchema>, { $typeName: string }>

/** A funnel over events of one letter each. */
export interface FunnelCase {
  /** One letter per step; `*` matches any event. */
  readonly steps: string
  readonly options: Options
  readonly windowSeconds?: number
  readonly breakdown?: string
}

/** The request for a funnel over 2026-01-05 by the hour. */
export function funnelRequest({ steps, options, ...rest }: FunnelCase): QueryRequest {
  const spec = {
    insightType: InsightType.FUNNEL,
    events: [...steps].map((letter) => ({ event: { kind: letter === '*' ? '' : letter } })),
    funnel: create(FunnelOptionsSchema, options),
    includeStepTiming: true,
    ...(rest.windowSeconds ? { conversionWindow: { seconds: BigInt(rest.windowSeconds), nanos: 0 } } : {}),
    breakdowns: rest.breakdown ? [{ property: rest.breakdown }] : [],
  }
  return sampleRequest(spec, { granularity: Granularity.HOUR })
}

/** `a@10:00`, or `a@10:00 text` with a value of the property `v`; all of one user in one session. */
export function path(...steps: readonly string[]): readonly EventSample[] {
  return steps.map((step) => {
    const [event = '', v] = step.split(' ')
    const [kind = '', at = ''] = event.split('@')
    return { kind, at, ...(v === undefined ? {} : { properties: { v } }) }
  })
}

const { STRICT, ANY } = FunnelOptions_Order

/** Excludes events of a kind between two steps. */
export function without(kind: string, afterStep: number, beforeStep: number): Options {
  return { exclusions: [{ event: { kind }, afterStep, beforeStep }] }
}

/** Events `b` whose property `v` is x. */
const OF_X = { kind: 'b', filters: [{ property: 'v', operator: FilterOperator.EQUALS, value: 'x' }] }

/** Funnels with options, and the totals of their steps. */
export const FUNNEL_CASES: readonly (readonly [
  title: string,
  events: readonly EventSample[],
  funnelCase: FunnelCase,
  totals: readonly number[],
])[] = [
  [
    'strict: any event in between ends the attempt',
    path('a@10:00', 'x@10:01', 'b@10:02'),
    { steps: 'ab', options: { order: STRICT } },
    [1, 0],
  ],
  [
    'strict: a later attempt may succeed',
    path('a@10:00', 'x@10:01', 'a@10:02', 'b@10:03'),
    { steps: 'ab', options: { order: STRICT } },
    [1, 1],
  ],
  [
    'strict: events of no step come last at one instant',
    path('a@10:00', 'x@10:01', 'b@10:01'),
    { steps: 'ab', options: { order: STRICT } },
    [1, 1],
  ],
  [
    'strict: all steps are within the window of the first',
    path('a@10:00', 'b@10:01', 'c@10:03'),
    { steps: 'abc', options: { order: STRICT }, windowSeconds: 120 },
    [1, 1, 0],
  ],
  [
    'strict: a step window counts from the previous step',
    path('a@10:00', 'b@10:01', 'c@10:03'),
    { steps: 'abc', options: { order: STRICT, stepWindows: [{}, {}, { seconds: 119n }] } },
    [1, 1, 0],
  ],
  [
    'strict: the earliest of the longest attempts has the times',
    path('a@10:00', 'x@10:01', 'a@10:02', 'b@10:03', 'a@10:05', 'b@10:07'),
    { steps: 'ab', options: { order: STRICT } },
    [1, 1],
  ],
  [
    'any order: steps count as they are taken',
    path('c@10:00', 'b@10:01'),
    { steps: 'abc', options: { order: ANY } },
    [1, 1, 0],
  ],
  [
    'any order: an event takes one of two equal steps',
    path('a@10:00', 'b@10:01'),
    { steps: 'aab', options: { order: ANY } },
    [1, 1, 0],
  ],
  [
    'any order: the window counts from the first event',
    path('b@10:00', 'a@10:01', 'c@10:02'),
    { steps: 'abc', options: { order: ANY }, windowSeconds: 60 },
    [1, 1, 0],
  ],
  [
    'any order: an event that a lower step has taken is not taken again, in whatever order the lower ones came',
    path('b@10:00', 'a@10:01'),
    { steps: 'ab*', options: { order: ANY } },
    [1, 1, 0],
  ],
  [
    'any order: the next free event is taken instead',
    path('b@10:00', 'a@10:01', 'b@10:05'),
    { steps: 'ab*', options: { order: ANY } },
    [1, 1, 1],
  ],
  [
    'any order: a free event before those of the lower steps is taken',
    path('x@10:00', 'b@10:01', 'a@10:02'),
    { steps: 'ab*', options: { order: ANY } },
    [1, 1, 1],
  ],
  [
    'an excluded event between two steps voids the attempt',
    path('a@10:00', 'x@10:01', 'b@10:02'),
    { steps: 'ab', options: without('x', 1, 2) },
    [0, 0],
  ],
  [
    'an excluded event at the instant of a step does not',
    path('a@10:00', 'x@10:00', 'x@10:02', 'b@10:02'),
    { steps: 'ab', options: without('x', 1, 2) },
    [1, 1],
  ],
  [
    'a step that is not reached leaves the exclusion open to the end of the range',
    path('a@10:00', 'x@23:00'),
    { steps: 'ab', options: without('x', 1, 2) },
    [0, 0],
  ],
  [
    'or to the end of the window, inclusive',
    path('a@10:00', 'x@10:01'),
    { steps: 'ab', options: without('x', 1, 2), windowSeconds: 60 },
    [0, 0],
  ],
  [
    'and not beyond',
    path('a@10:00', 'x@10:01:00.001'),
    { steps: 'ab', options: without('x', 1, 2), windowSeconds: 60 },
    [1, 0],
  ],
  [
    'an exclusion counts from a step that is reached',
    path('a@10:00', 'x@10:01'),
    { steps: 'abc', options: without('x', 2, 3) },
    [1, 0, 0],
  ],
  [
    'an event that fills a step never voids',
    path('a@10:00', 'b@10:01', 'c@10:02'),
    { steps: 'abc', options: without('b', 1, 3) },
    [1, 1, 1],
  ],
  [
    'another event of that kind does',
    path('a@10:00', 'b@10:01', 'b@10:02', 'c@10:03'),
    { steps: 'abc', options: without('b', 1, 3) },
    [0, 0, 0],
  ],
  [
    'an attempt that is not void counts, even a shorter one',
    path('a@10:00', 'x@10:01', 'b@10:02', 'a@11:00'),
    { steps: 'ab', options: without('x', 1, 2) },
    [1, 0],
  ],
  [
    'properties that are held constant are equal',
    path('a@10:00 one', 'b@10:01 two'),
    { steps: 'ab', options: { holdConstant: ['v'] } },
    [1, 0],
  ],
  ['and not empty', path('a@10:00', 'b@10:01'), { steps: 'ab', options: { holdConstant: ['v'] } }, [0, 0]],
  [
    'a user counts once, with the longest attempt',
    path('a@10:00 one', 'a@10:01 two', 'b@10:02 two'),
    { steps: 'ab', options: { holdConstant: ['v'] } },
    [1, 1],
  ],
  [
    'strict: the very next event has the texts',
    path('a@10:00 one', 'b@10:01 two', 'b@10:02 one'),
    { steps: 'ab', options: { order: STRICT, holdConstant: ['v'] } },
    [1, 0],
  ],
  [
    'any order: the values are those of the step that was taken, whichever it is',
    path('b@10:00 first', 'a@10:01 second'),
    { steps: 'ab', options: { order: ANY }, breakdown: 'v' },
    [1, 1],
  ],
  [
    'of two events of a step at one instant the lower id fills it, though it is excluded',
    path('a@10:00', 'b@10:01 x', 'b@10:01 y', 'c@10:02'),
    { steps: 'abc', options: { exclusions: [{ event: OF_X, afterStep: 1, beforeStep: 3 }] } },
    [1, 1, 1],
  ],
  [
    'an optional step may be skipped',
    path('a@10:00', 'c@10:02'),
    { steps: 'abc', options: { optionalSteps: [2] } },
    [1, 0, 1],
  ],
  [
    'and is taken where it can be',
    path('a@10:00', 'b@10:01', 'c@10:02'),
    { steps: 'abc', options: { optionalSteps: [2] } },
    [1, 1, 1],
  ],
  [
    'the furthest step counts more than the number of steps',
    path('a@10:00', 'd@10:01', 'b@10:02', 'c@10:03'),
    { steps: 'abcd', options: { optionalSteps: [2, 3] } },
    [1, 0, 0, 1],
  ],
  [
    'a step window counts from the previous step, inclusive',
    path('a@10:00', 'b@10:01', 'c@10:02'),
    { steps: 'abc', options: { stepWindows: [{}, { seconds: 60n }, { seconds: 59n }] } },
    [1, 1, 0],
  ],
  [
    'a step that is skipped leaves the window to the one before',
    path('a@10:00', 'c@10:02'),
    { steps: 'abc', options: { optionalSteps: [2], stepWindows: [{}, {}, { seconds: 119n }] } },
    [1, 0, 0],
  ],
  [
    'sessions are counted, with the events of all their users',
    [
      { kind: 'a', at: '10:00', by: 'anna', session: 1 },
      { kind: 'b', at: '10:01', by: 'bob', session: 1 },
      { kind: 'a', at: '11:00', by: 'anna', session: 2 },
      { kind: 'x', at: '11:01', by: 'anna', session: 3 },
      { kind: 'b', at: '11:02', by: 'anna', session: 2 },
    ],
    { steps: 'ab', options: { countBy: FunnelOptions_CountBy.SESSIONS, ...without('x', 1, 2) } },
    [2, 2],
  ],
]
