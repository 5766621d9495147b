import { create, type JsonObject, type MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import {
  type RetentionOptions,
  RetentionOptions_Periods,
  RetentionOptions_ReturnRule,
  RetentionOptions_StartRule,
  RetentionOptions_Value,
  RetentionOptionsSchema,
} from '../../src/contract/gen/millrace/insights/v1/retention_options_pb.js'
import { RetentionPoint_Outcome } from '../../src/contract/gen/millrace/people/v1/actors_service_pb.js'
import { Granularity } from '../../src/contract/gen/shared/insights/v1/insight_query_spec_pb.js'
import type { QueryResponse } from '../../src/contract/gen/shared/insights/v1/insights_service_pb.js'
import type {
  DataPointSchema,
  RetentionCohort,
  RetentionResultSchema,
} from '../../src/contract/gen/shared/insights/v1/query_result_pb.js'
import type { Prng } from '../../src/kernel/prng.ts'
import { bucketEnd, bucketIndex } from './buckets.ts'
import { compareEvents } from './bytewise.ts'
import { matchesEntry } from './cohorts.ts'
import { breakdowns, plainQueries } from './generate-parts.ts'
import type { InsightTypeEntry } from './insight-type.ts'
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
import { bucketsOf, eventsMeeting, eventsWithin, type Query, subjectOf } from './query.ts'
import { type BrokenDown, breakDown } from './ranking.ts'
import { canonicalUser, eventsOfPersons } from './users.ts'
import { readProperty } from './values.ts'
import { EXACT_NAMES } from './vocabulary.ts'

/** A user in a cohort. */
export interface Member {
  /** The start event that makes the user a member. */
  readonly first: ReferenceEvent
  readonly cohort: number
  /** The user's start events in the bucket of the cohort. */
  readonly started: readonly ReferenceEvent[]
  /** The return events from the first start event on, with their periods from 0. */
  readonly returned: readonly { readonly event: ReferenceEvent; readonly period: number }[]
}

const OPTION_RULES: readonly (readonly [name: string, retention: JsonObject])[] = [
  ['retention has a known return rule', { returnRule: 2 }],
  ['retention has a known start rule', { startRule: 3 }],
  ['retention has known periods', { periods: 2 }],
  ['retention measures something known', { value: 3 }],
  ['a sum in retention needs a property', { value: 'VALUE_PROPERTY_SUM' }],
  ['a mean in retention needs a property', { value: 'VALUE_PROPERTY_AVG' }],
  ['a sum in retention needs a valid name', { value: 'VALUE_PROPERTY_SUM', property: 'a b' }],
]

type Options = Exclude<MessageInitShape<typeof RetentionOptionsSchema>, { $typeName: string }>

function generateOptions(rng: Prng, granularity: Granularity): Options {
  const { USERS, PROPERTY_SUM, PROPERTY_AVG } = RetentionOptions_Value
  const { FIRST_IN_RANGE, FIRST_EVER, EVERY } = RetentionOptions_StartRule
  const hasElapsed = [Granularity.HOUR, Granularity.DAY, Granularity.WEEK].includes(granularity)
  return {
    returnRule: rng.pick([RetentionOptions_ReturnRule.ON, RetentionOptions_ReturnRule.ON_OR_AFTER]),
    startRule: rng.pick([FIRST_IN_RANGE, FIRST_EVER, EVERY]),
    periods:
      hasElapsed && rng.chance(0.5) ? RetentionOptions_Periods.ELAPSED : RetentionOptions_Periods.CALENDAR,
    value: rng.pick([USERS, USERS, PROPERTY_SUM, PROPERTY_AVG]),
    property: rng.pick(EXACT_NAMES),
  }
}

/** Retention in the differential tests. */
export const RETENTION: InsightTypeEntry = {
  answer: (query) => ({ case: 'retention', value: answerRetention(query) }),
  points: retentionPoints,
  generate: (rng, generated, granularity) => ({
    events: plainQueries(rng, { generated, count: 1 + rng.below(2) }),
    ...(rng.chance(0.7) ? { retention: generateOptions(rng, granularity) } : {}),
    ...breakdowns(rng),
  }),
  smallest: { events: [EVENT] },
  fields: {
    events: SHARED_VALUES.events,
    breakdowns: SHARED_VALUES.breakdowns,
    breakdownCohortIds: SHARED_VALUES.breakdownCohortIds,
    retention: { property: 'amount' },
  },
  broken: [
    ...cohortRulesOfEvents('RETENTION'),
    ...splitRules('RETENTION', true),
    { name: 'retention needs a start event', fields: { events: [] } },
    { name: 'retention has two events at most', fields: { events: [EVENT, EVENT, EVENT] } },
    ...countingRules('RETENTION'),
    ...breakdownRules('RETENTION'),
    ...OPTION_RULES.map(([name, retention]) => ({ name, fields: { retention } })),
  ],
  normalise: (result) =>
    result.case === 'retention'
      ? {
          series: result.value.series.map(({ breakdown, cohorts, average }) => ({
            breakdown,
            cohorts: cohorts.map(normaliseCohort),
            average,
          })),
        }
      : undefined,
}

/** The options of a query; all defaults when it has none. */
function optionsOf({ spec }: Query): RetentionOptions {
  return spec.retention ?? create(RetentionOptionsSchema)
}

function answerRetention(query: Query): MessageInitShape<typeof RetentionResultSchema> {
  const starts = bucketsOf(query)
  return {
    series: breakDownMembers(query).map(({ breakdown, items }) => {
      const cohorts = starts.map((_, cohort) => measureCohort(items, cohort, query))
      return {
        breakdown,
        cohorts: cohorts.map(({ size, values }, cohort) => ({
          cohort: formatBucketStart(starts[cohort] ?? 0),
          cohortSize: size,
          points: values.map((value, period) => ({
            time: timestampFromMs(starts[cohort + period] ?? 0),
            value,
          })),
        })),
        average: averagePeriods(cohorts, query),
      }
    }),
  }
}

/** The members of all cohorts of each series. */
function breakDownMembers(query: Query): readonly BrokenDown<Member>[] {
  return breakDown(listMembers(query), query, {
    eventOf: ({ first }) => first,
    measure: (members) => members.length,
  })
}

/** The return events of a member that count for a period, from 0. */
function returnsInPeriod({ returned }: Member, wanted: number, query: Query): readonly ReferenceEvent[] {
  const isOn = optionsOf(query).returnRule === RetentionOptions_ReturnRule.ON
  return returned
    .filter(({ period }) => (isOn ? period === wanted : period >= wanted))
    .map(({ event }) => event)
}

const HOUR_MS = 3_600_000

function periodMs({ calendar }: Query): number {
  if (calendar.granularity === Granularity.HOUR) return HOUR_MS
  if (calendar.granularity === Granularity.DAY) return 24 * HOUR_MS
  return 7 * 24 * HOUR_MS
}

function listMembers(query: Query): readonly Member[] {
  const { world, spec } = query
  const events = eventsOfPersons(eventsMeeting(world, spec), spec)
  const byUser = Map.groupBy(events, ({ distinctId }) => canonicalUser(world.people, distinctId))
  return [...byUser.values()].flatMap((list) => findMembers(list, query))
}

/** The cohorts of one user, from all events of all time that pass the filters. */
function findMembers(events: readonly ReferenceEvent[], query: Query): readonly Member[] {
  const bucketStarts = bucketsOf(query)
  const [start, returnEvent = start] = query.spec.events
  const matches = (event: ReferenceEvent, entry: typeof start): boolean =>
    matchesEntry(subjectOf(query, event), entry)
  const startsEver = events.filter((event) => matches(event, start)).toSorted(compareEvents)
  const startsInRange = eventsWithin(startsEver, query.range)
  const returns = eventsWithin(events, query.range).filter((event) => matches(event, returnEvent))
  const bucketOf = ({ occurMs }: ReferenceEvent): number => bucketIndex(bucketStarts, occurMs)
  const isElapsed = optionsOf(query).periods === RetentionOptions_Periods.ELAPSED
  return firstsOf(optionsOf(query).startRule, { startsEver, startsInRange, bucketOf }).map((first) => ({
    first,
    cohort: bucketOf(first),
    started: startsInRange.filter((event) => bucketOf(event) === bucketOf(first)),
    returned: returns
      .filter(({ occurMs }) => occurMs >= first.occurMs)
      .map((event) => ({
        event,
        period: isElapsed
          ? Math.floor((event.occurMs - first.occurMs) / periodMs(query))
          : bucketOf(event) - bucketOf(first),
      })),
  }))
}

/** The start events that make members; lists are sorted. */
function firstsOf(
  rule: RetentionOptions_StartRule,
  input: {
    readonly startsEver: readonly ReferenceEvent[]
    readonly startsInRange: readonly ReferenceEvent[]
    readonly bucketOf: (event: ReferenceEvent) => number
  },
): readonly ReferenceEvent[] {
  const { startsEver, startsInRange, bucketOf } = input
  if (rule === RetentionOptions_StartRule.EVERY) {
    return [...Map.groupBy(startsInRange, bucketOf).values()].flatMap((list) => list.slice(0, 1))
  }
  const [first] = startsInRange
  if (first === undefined) return []
  return rule === RetentionOptions_StartRule.FIRST_IN_RANGE || first === startsEver[0] ? [first] : []
}

/** The size of a cohort, and its value in each period from its own bucket to the last. */
interface MeasuredCohort {
  readonly size: number
  readonly values: readonly number[]
}

function measureCohort(members: readonly Member[], cohort: number, query: Query): MeasuredCohort {
  const own = members.filter((member) => member.cohort === cohort)
  const values = bucketsOf(query)
    .slice(cohort)
    .map((_, period) => measurePeriod(own, period, query))
  return { size: own.length, values }
}

/** The value of a cohort in a period. */
function measurePeriod(members: readonly Member[], period: number, query: Query): number {
  const { value, property } = optionsOf(query)
  const returns = members.map((member) => returnsInPeriod(member, period, query))
  if (value === RetentionOptions_Value.USERS) {
    const back = returns.filter((events) => events.length > 0)
    return divide({ part: 100 * back.length, whole: members.length })
  }
  const numbers = returns.flat().map((event) => readProperty(event, property)?.number ?? 0)
  const sum = numbers.reduce((total, number) => total + number, 0)
  return value === RetentionOptions_Value.PROPERTY_SUM ? sum : divide({ part: sum, whole: members.length })
}

/** The mean of each period over the cohorts for which it lies wholly inside the range. */
function averagePeriods(
  cohorts: readonly MeasuredCohort[],
  query: Query,
): MessageInitShape<typeof DataPointSchema>[] {
  const { fromMs, toMs } = query.range
  const { periods, value } = optionsOf(query)
  const starts = bucketsOf(query)
  const ends = [...starts.slice(1), bucketEnd(starts.at(-1) ?? fromMs, query.calendar)]
  const isWhole = (cohort: number, period: number): boolean =>
    periods === RetentionOptions_Periods.ELAPSED
      ? (ends[cohort] ?? toMs) + (period + 1) * periodMs(query) <= toMs
      : (starts[cohort + period] ?? fromMs) >= fromMs && (ends[cohort + period] ?? toMs) <= toMs
  return starts.map((startMs, period) => {
    const values = cohorts.flatMap(({ size, values: own }, cohort) =>
      period < own.length && isWhole(cohort, period) ? [{ size, value: own[period] ?? 0 }] : [],
    )
    const isSum = value === RetentionOptions_Value.PROPERTY_SUM
    const weightOf = ({ size }: { readonly size: number }): number => (isSum ? 1 : size)
    const mean = divide({
      part: values.reduce((total, each) => total + weightOf(each) * each.value, 0),
      whole: values.reduce((total, each) => total + weightOf(each), 0),
    })
    return { time: timestampFromMs(startMs), value: mean }
  })
}

/** RFC 3339 as the times of points are printed: in UTC, without a fraction of zero. */
function formatBucketStart(ms: number): string {
  return new Date(ms).toISOString().replace('.000Z', 'Z')
}

/** Any RFC 3339 form of an instant will do. */
function normaliseCohort({ cohort, cohortSize, points }: RetentionCohort): unknown {
  const isInstant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(cohort)
  return { cohort: isInstant ? new Date(cohort).toISOString() : cohort, cohortSize, points }
}

function retentionPoints(query: Query, { result }: QueryResponse): readonly ReferencePoint[] {
  const starts = bucketsOf(query)
  const answered = result.case === 'retention' ? result.value.series : []
  const countsUsers = (query.spec.retention?.value ?? 0) === RetentionOptions_Value.USERS
  return breakDownMembers(query).flatMap((group, position) =>
    starts.flatMap((startMs, cohort) => {
      const members = group.items.filter((member) => member.cohort === cohort)
      const shown = answered[position]?.cohorts[cohort]
      return starts.slice(cohort).flatMap((_, period) => {
        const name = { cohort: timestampFromMs(startMs), period, ...seriesName(group) }
        const returns = members.map((member) => returnsInPeriod(member, period, query))
        const away = members.filter((_member, index) => returns[index]?.length === 0)
        const size = shown?.cohortSize ?? 0
        const returned = Math.round(((shown?.points[period]?.value ?? 0) * size) / 100)
        return [
          {
            point: pointOf('retention', { ...name, outcome: RetentionPoint_Outcome.RETURNED }),
            events: returns.flat(),
            users: countsUsers ? returned : undefined,
          },
          {
            point: pointOf('retention', { ...name, outcome: RetentionPoint_Outcome.DID_NOT_RETURN }),
            events: away.flatMap(({ started }) => started),
            users: countsUsers ? size - returned : undefined,
          },
        ]
      })
    }),
  )
}
