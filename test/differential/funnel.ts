import type { MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import {
  type FunnelBucketSchema,
  FunnelOptions_Attribution,
  FunnelOptions_CountBy,
  FunnelOptions_View,
  type FunnelTimeBinSchema,
  type FunnelTimeToConvertSchema,
} from '../../src/contract/gen/millrace/insights/v1/funnel_options_pb.js'
import { FunnelPoint_Outcome } from '../../src/contract/gen/millrace/people/v1/actors_service_pb.js'
import type { QueryResponse } from '../../src/contract/gen/shared/insights/v1/insights_service_pb.js'
import type {
  FunnelResultSchema,
  FunnelSeriesSchema,
  FunnelStepSchema,
} from '../../src/contract/gen/shared/insights/v1/query_result_pb.js'
import type { Prng } from '../../src/kernel/prng.ts'
import { bucketIndex } from './buckets.ts'
import { type Attempt, bestOf, listRuns, optionsOf, type Run } from './funnel-attempts.ts'
import { funnelOptionRules, generateFunnelOptions } from './funnel-options.ts'
import { durationOf, timeStep } from './funnel-timing.ts'
import { breakdowns, plainQueries } from './generate-parts.ts'
import type { GeneratedWorld } from './generate-world.ts'
import type { InsightTypeEntry, Spec } from './insight-type.ts'
import {
  breakdownRules,
  cohortRulesOfEvents,
  countingRules,
  EVENT,
  SHARED_VALUES,
  splitRules,
} from './invalid-parts.ts'
import { divide } from './metrics.ts'
import type { ReferenceEvent } from './model.ts'
import { pointOf, type ReferencePoint, seriesName } from './points.ts'
import { bucketsOf, type Query } from './query.ts'
import { type BrokenDown, breakDown } from './ranking.ts'
import { PAUSES_MS } from './vocabulary.ts'

/** Funnels in the differential tests. */
export const FUNNEL: InsightTypeEntry = {
  answer: (query) => ({ case: 'funnel', value: answerFunnel(query) }),
  points: funnelPoints,
  generate: generateFunnel,
  smallest: { events: [EVENT] },
  fields: {
    events: SHARED_VALUES.events,
    breakdowns: SHARED_VALUES.breakdowns,
    breakdownCohortIds: SHARED_VALUES.breakdownCohortIds,
    conversionWindow: '60s',
    includeStepTiming: true,
    funnel: { bins: 3 },
  },
  broken: [
    ...cohortRulesOfEvents('FUNNEL'),
    ...splitRules('FUNNEL', true),
    { name: 'a funnel needs a step', fields: { events: [] } },
    {
      name: 'a funnel has twenty steps at most',
      fields: { events: Array.from({ length: 21 }, () => EVENT) },
    },
    ...countingRules('FUNNEL'),
    ...['0s', '0.5s', '1.5s', '-1s', '60.000000001s'].map((conversionWindow) => ({
      name: `a conversion window is not ${conversionWindow}`,
      fields: { conversionWindow },
    })),
    ...breakdownRules('FUNNEL'),
    ...funnelOptionRules(),
  ],
}

function generateFunnel(rng: Prng, generated: GeneratedWorld): Spec {
  const windowMs = rng.pick(PAUSES_MS) + rng.pick(PAUSES_MS)
  const seconds = BigInt(Math.max(1, Math.floor(windowMs / 1000)))
  const count = rng.chance(0.05) ? 20 : 1 + rng.below(5)
  return {
    events: plainQueries(rng, { generated, count }),
    ...(rng.chance(0.7) ? { funnel: generateFunnelOptions(rng, generated, count) } : {}),
    includeStepTiming: rng.chance(0.6),
    ...(rng.chance(0.6) ? { conversionWindow: { seconds } } : {}),
    ...breakdowns(rng),
  }
}

function answerFunnel(query: Query): MessageInitShape<typeof FunnelResultSchema> {
  return {
    series: breakDownRuns(query).map(({ breakdown, items }) => ({
      breakdown,
      steps: [...describeSteps(items, query)],
      ...describeView(items, query),
    })),
  }
}

/** The users (or sessions) of each series, by their counted attempts. */
function breakDownRuns(query: Query): readonly BrokenDown<Run>[] {
  const step = attributedStep(query)
  return breakDown(listRuns(query), query, {
    eventOf: ({ counted }) => counted.events[counted.steps.indexOf(step)],
    measure: (runs) => runs.length,
  })
}

/** The step, from 0, whose event has the breakdown values. */
function attributedStep(query: Query): number {
  const { attribution, attributionStep } = optionsOf(query)
  if (attribution === FunnelOptions_Attribution.STEP_N) return attributionStep - 1
  return attribution === FunnelOptions_Attribution.LAST_STEP ? query.spec.events.length - 1 : 0
}

/** The best attempt of a run that starts in a bucket. */
function bestInBucket({ attempts }: Run, bucket: number, query: Query): Attempt | undefined {
  const starts = bucketsOf(query)
  return bestOf(attempts.filter(({ events: [first] }) => bucketIndex(starts, first.occurMs) === bucket))
}

function describeSteps(
  runs: readonly Run[],
  query: Query,
): readonly MessageInitShape<typeof FunnelStepSchema>[] {
  const { spec } = query
  const optional = optionsOf(query).optionalSteps.map((step) => step - 1)
  const attempts = runs.map(({ counted }) => counted)
  const totals = spec.events.map((_, index) => attempts.filter(({ steps }) => steps.includes(index)).length)
  return spec.events.map(({ event }, index) => {
    const previous = totals.findLastIndex((_, step) => step < index && !optional.includes(step))
    const total = totals[index] ?? 0
    const step = {
      eventKind: event?.kind ?? '',
      total,
      conversionFromPrevious: percent(total, totals[Math.max(previous, 0)] ?? 0),
      conversionFromFirst: percent(total, totals[0] ?? 0),
    }
    const deltasMs = attempts.flatMap((attempt) => deltaOf(attempt, index))
    return spec.includeStepTiming && index > 0 ? { ...step, timing: timeStep(deltasMs) } : step
  })
}

function percent(...[part, whole]: readonly [number, number]): number {
  return divide({ part: 100 * part, whole })
}

function deltaOf({ events, steps }: Attempt, step: number): readonly number[] {
  const position = steps.indexOf(step)
  const [previous, current] = [events[position - 1], events[position]]
  return previous === undefined || current === undefined ? [] : [current.occurMs - previous.occurMs]
}

/** What the view answers besides the steps. */
function describeView(runs: readonly Run[], query: Query): MessageInitShape<typeof FunnelSeriesSchema> {
  const { view } = optionsOf(query)
  if (view === FunnelOptions_View.OVER_TIME) return { overTime: describeBuckets(runs, query) }
  if (view === FunnelOptions_View.TIME_TO_CONVERT) return { timeToConvert: describeTimes(runs, query) }
  return {}
}

function describeBuckets(runs: readonly Run[], query: Query): MessageInitShape<typeof FunnelBucketSchema>[] {
  const last = query.spec.events.length - 1
  return bucketsOf(query).map((startMs, bucket) => {
    const attempts = runs.flatMap((run) => bestInBucket(run, bucket, query) ?? [])
    const converted = attempts.filter(({ steps }) => steps.includes(last)).length
    const started = attempts.length
    return { time: timestampFromMs(startMs), started, converted, rate: percent(converted, started) }
  })
}

function describeTimes(
  runs: readonly Run[],
  query: Query,
): MessageInitShape<typeof FunnelTimeToConvertSchema> {
  const { fromStep, toStep, bins } = optionsOf(query)
  const [from, to] = [(fromStep || 1) - 1, (toStep || query.spec.events.length) - 1]
  const timesMs = runs.flatMap(({ counted: { events, steps } }) => {
    const [start, end] = [events[steps.indexOf(from)], events[steps.indexOf(to)]]
    return start && end ? [end.occurMs - start.occurMs] : []
  })
  const { avg, median, p95 } = timeStep(timesMs)
  return { avg, median, p95, users: timesMs.length, bins: binTimes(timesMs, bins) } as MessageInitShape<
    typeof FunnelTimeToConvertSchema
  >
}

/** Bins of one width; 0 of them means the cube root of the number of times. */
function binTimes(
  timesMs: readonly number[],
  binCount: number,
): MessageInitShape<typeof FunnelTimeBinSchema>[] {
  const [least, greatest] = [Math.min(...timesMs), Math.max(...timesMs)]
  if (timesMs.length === 0) return []
  const counts = Array.from({ length: 60 }, (_, index) => index + 1)
  const automatic = counts.find((count) => count ** 3 >= timesMs.length) ?? 60
  const count = least === greatest ? 1 : binCount || automatic
  return Array.from({ length: count }, (_, bin) => {
    // Times are compared with a bound times the number of bins, which is whole.
    const bound = (index: number): number => least * count + (greatest - least) * index
    const isIn = (ms: number): boolean =>
      ms * count >= bound(bin) && (ms * count < bound(bin + 1) || bin === count - 1)
    return {
      from: durationOf(bound(bin) / count),
      to: durationOf(bound(bin + 1) / count),
      count: BigInt(timesMs.filter(isIn).length),
    }
  })
}

function funnelPoints(query: Query, { result }: QueryResponse): readonly ReferencePoint[] {
  const answered = result.case === 'funnel' ? result.value.series : []
  const isOverTime = optionsOf(query).view === FunnelOptions_View.OVER_TIME
  return breakDownRuns(query).flatMap((group, position) => {
    const shown = answered[position]
    const counted = group.items.map((run) => run.counted)
    const totals = shown?.steps.map(({ total }) => total) ?? []
    const whole = stepPoints(query, { name: seriesName(group), attempts: counted, totals })
    if (!isOverTime) return whole
    const buckets = bucketsOf(query).flatMap((startMs, bucket) => {
      const attempts = group.items.flatMap((run) => bestInBucket(run, bucket, query) ?? [])
      const { started, converted } = shown?.overTime[bucket] ?? {}
      const ends = query.spec.events.map((_, step) =>
        step === 0 ? started : step === query.spec.events.length - 1 ? converted : undefined,
      )
      const name = { ...seriesName(group), bucket: timestampFromMs(startMs) }
      return stepPoints(query, { name, attempts, totals: ends })
    })
    return [...whole, ...buckets]
  })
}

/** Each step with those who reached it, and those who reached only the one before. */
function stepPoints(
  query: Query,
  input: {
    readonly name: object
    readonly attempts: readonly Attempt[]
    readonly totals: readonly (number | undefined)[]
  },
): readonly ReferencePoint[] {
  const { name, attempts, totals } = input
  const { countBy, optionalSteps } = optionsOf(query)
  const countsUsers = countBy === FunnelOptions_CountBy.USERS
  const eventsOf = (isOf: (steps: readonly number[]) => boolean): readonly ReferenceEvent[] =>
    attempts.filter(({ steps }) => isOf(steps)).flatMap(({ events }) => events)
  return query.spec.events.flatMap((_, index) => {
    const reached = {
      point: pointOf('funnel', { ...name, step: index + 1, outcome: FunnelPoint_Outcome.REACHED }),
      events: eventsOf((steps) => steps.includes(index)),
      users: countsUsers ? totals[index] : undefined,
    }
    if (index === 0) return [reached]
    const [previous, own] = [totals[index - 1], totals[index]]
    const isDifference = countsUsers && optionalSteps.length === 0
    const dropped = {
      point: pointOf('funnel', { ...name, step: index + 1, outcome: FunnelPoint_Outcome.DROPPED }),
      events: eventsOf((steps) => steps.includes(index - 1) && !steps.includes(index)),
      users: isDifference && previous !== undefined && own !== undefined ? previous - own : undefined,
    }
    return [reached, dropped]
  })
}
