import { create, type MessageInitShape } from '@bufbuild/protobuf'
import {
  RetentionOptions_Periods,
  RetentionOptions_ReturnRule,
  RetentionOptions_StartRule,
  RetentionOptions_Value,
  RetentionOptionsSchema,
} from '../../src/contract/gen/millrace/insights/v1/retention_options_pb.js'
import { Granularity, InsightType } from '../../src/contract/gen/shared/insights/v1/insight_query_spec_pb.js'
import type { QueryRequest } from '../../src/contract/gen/shared/insights/v1/insights_service_pb.js'
import type { RetentionSeries } from '../../src/contract/gen/shared/insights/v1/query_result_pb.js'
import { type EventSample, sampleRequest } from './sample.ts'

/** Options of retention, as a test writes them. */
type Options = Exclude<MessageInitShape<typeof RetentionOptionsSchema>, { $typeName: string }>

/** Retention of `view` by the day over three days, with the return event `buy` where the case has one. */
export interface RetentionCase {
  readonly options: Options
  readonly back?: string
  readonly breakdown?: string
  /** The end of the range; by default the third day is over. */
  readonly to?: string
}

/** The request for a case, from 2026-01-05 on. */
export function retentionRequest({ options, back, breakdown, to }: RetentionCase): QueryRequest {
  const spec = {
    insightType: InsightType.RETENTION,
    events: ['view', ...(back === undefined ? [] : [back])].map((kind) => ({ event: { kind } })),
    retention: create(RetentionOptionsSchema, options),
    breakdowns: breakdown === undefined ? [] : [{ property: breakdown }],
  }
  const range = { from: day(5, '00:00'), to: to ?? day(8, '00:00'), granularity: Granularity.DAY }
  return sampleRequest(spec, range)
}

/** An instant of January 2026. */
export function day(number: number, time = '12:00'): string {
  return `2026-01-0${number}T${time}:00Z`
}

/** A series as text: cohorts as `size: values`, then the average. */
export function writeSeries({ cohorts, average }: RetentionSeries): readonly string[] {
  const write = (points: readonly { readonly value: number }[]): string =>
    points.map(({ value }) => value).join(' ')
  return [
    ...cohorts.map(({ cohortSize, points }) => `${cohortSize}: ${write(points)}`),
    `average: ${write(average)}`,
  ]
}

/** Anna views on each day, Bob on the first and the last; Carl began before the range. */
const VIEWS: readonly EventSample[] = [
  { at: day(5), by: 'anna' },
  { at: day(6), by: 'anna' },
  { at: day(7), by: 'anna' },
  { at: day(5), by: 'bob' },
  { at: day(7), by: 'bob' },
  { at: day(4), by: 'carl' },
  { at: day(6), by: 'carl' },
]

/** Anna views twice and buys between; the purchase on Tuesday is 13 hours after the first view. */
const PURCHASES: readonly EventSample[] = [
  { at: day(5), by: 'anna' },
  { at: day(5, '13:00'), by: 'anna', kind: 'buy', properties: { amount: 10n } },
  { at: day(6, '01:00'), by: 'anna', kind: 'buy', properties: { amount: 2.5 } },
  { at: day(6, '13:00'), by: 'anna', kind: 'buy', properties: { amount: 'n/a' } },
  { at: day(5), by: 'bob' },
  { at: day(5, '11:00'), by: 'bob', kind: 'buy', properties: { amount: 99n } },
  { at: day(7), by: 'carl' },
  { at: day(7), by: 'carl', kind: 'buy', properties: { amount: 6n } },
]

const { ON_OR_AFTER } = RetentionOptions_ReturnRule
const { FIRST_EVER, EVERY } = RetentionOptions_StartRule
const { ELAPSED } = RetentionOptions_Periods
const { PROPERTY_SUM, PROPERTY_AVG } = RetentionOptions_Value

/** Retention with options, and its only series as {@link writeSeries} writes it. */
export const RETENTION_CASES: readonly (readonly [
  title: string,
  events: readonly EventSample[],
  retentionCase: RetentionCase,
  expected: readonly string[],
])[] = [
  [
    'without options, the average is weighted by the sizes of cohorts',
    VIEWS,
    { options: {} },
    ['2: 100 50 100', '1: 100 0', '0: 0', `average: 100 ${100 / 3} 100`],
  ],
  [
    'on or after: users who return later count for each period before',
    VIEWS,
    { options: { returnRule: ON_OR_AFTER } },
    ['2: 100 100 100', '1: 100 0', '0: 0', `average: 100 ${200 / 3} 100`],
  ],
  [
    'on or after: an event before the start event is no return',
    PURCHASES,
    { options: { returnRule: ON_OR_AFTER }, back: 'buy' },
    ['2: 50 50 0', '0: 0 0', '1: 100', `average: ${200 / 3} 50 0`],
  ],
  [
    'first ever, on or after: the same, with return events of their own scan',
    PURCHASES,
    { options: { startRule: FIRST_EVER, returnRule: ON_OR_AFTER }, back: 'buy' },
    ['2: 50 50 0', '0: 0 0', '1: 100', `average: ${200 / 3} 50 0`],
  ],
  [
    'first ever: users who began before the range are in no cohort',
    VIEWS,
    { options: { startRule: FIRST_EVER } },
    ['2: 100 50 100', '0: 0 0', '0: 0', 'average: 100 50 100'],
  ],
  [
    'every: users are in the cohort of each bucket with a start event',
    VIEWS,
    { options: { startRule: EVERY } },
    ['2: 100 50 100', '2: 100 50', '2: 100', 'average: 100 50 100'],
  ],
  [
    'a period that is not over is left out of the average',
    VIEWS,
    { options: {}, to: day(7, '23:00') },
    ['2: 100 50 100', '1: 100 0', '0: 0', `average: 100 50 0`],
  ],
  [
    'elapsed: periods are counted from the start event',
    PURCHASES,
    { options: { periods: ELAPSED }, back: 'buy' },
    ['2: 50 50 0', '0: 0 0', '1: 100', 'average: 50 50 0'],
  ],
  [
    'a sum counts return events from the start on, and skips texts',
    PURCHASES,
    { options: { value: PROPERTY_SUM, property: 'amount' }, back: 'buy' },
    ['2: 10 2.5 0', '0: 0 0', '1: 6', `average: ${16 / 3} 1.25 0`],
  ],
  [
    'a mean is the sum by the size of the cohort',
    PURCHASES,
    { options: { value: PROPERTY_AVG, property: 'amount' }, back: 'buy' },
    ['2: 5 1.25 0', '0: 0 0', '1: 6', `average: ${16 / 3} 1.25 0`],
  ],
  [
    'a sum on or after adds up the later periods',
    PURCHASES,
    { options: { value: PROPERTY_SUM, property: 'amount', returnRule: ON_OR_AFTER }, back: 'buy' },
    ['2: 12.5 2.5 0', '0: 0 0', '1: 6', `average: ${18.5 / 3} 1.25 0`],
  ],
  [
    'an elapsed period holds the returns of its hours',
    PURCHASES,
    { options: { value: PROPERTY_SUM, property: 'amount', periods: ELAPSED }, back: 'buy' },
    ['2: 12.5 0 0', '0: 0 0', '1: 6', 'average: 6.25 0 0'],
  ],
]
