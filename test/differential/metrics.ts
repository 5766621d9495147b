import { AggregationType } from '../../src/contract/gen/shared/insights/v1/event_query_pb.js'
import { hasSession, type People, type ReferenceEvent } from './model.ts'
import { canonicalUser, eventsOfPersons } from './users.ts'
import { propertyText, readProperty } from './values.ts'

/** How events are counted. */
export interface Metric {
  readonly aggregation: AggregationType
  /** Property to aggregate; empty where events or users are counted. */
  readonly property: string
  readonly includeCookieless: boolean
}

type Measure = (events: readonly ReferenceEvent[], inputs: MeasureInputs) => number

interface MeasureInputs {
  readonly people: People
  readonly property: string
}

const countEvents: Measure = (events) => events.length
const countUsers: Measure = (events, { people }) =>
  new Set(events.map(({ distinctId }) => canonicalUser(people, distinctId))).size
const sum: Measure = (events, inputs) => numbersOf(events, inputs).reduce((total, each) => total + each, 0)

const MEASURES = {
  [AggregationType.UNSPECIFIED]: countEvents,
  [AggregationType.TOTAL]: countEvents,
  [AggregationType.UNIQUE_USERS]: countUsers,
  [AggregationType.PER_USER_AVG]: (events, inputs) =>
    divide({ part: events.length, whole: countUsers(events, inputs) }),
  [AggregationType.SUM]: sum,
  [AggregationType.AVG]: (events, inputs) =>
    divide({ part: sum(events, inputs), whole: numbersOf(events, inputs).length }),
  [AggregationType.MIN]: (events, inputs) => extreme(Math.min, numbersOf(events, inputs)),
  [AggregationType.MAX]: (events, inputs) => extreme(Math.max, numbersOf(events, inputs)),
  [AggregationType.MEDIAN]: (events, inputs) => median(sortedNumbersOf(events, inputs)),
  [AggregationType.P75]: percentile(75),
  [AggregationType.P90]: percentile(90),
  [AggregationType.P95]: percentile(95),
  [AggregationType.P99]: percentile(99),
  [AggregationType.DISTINCT_VALUES]: (events, { property }) =>
    new Set(events.map((event) => propertyText(event, property)).filter((text) => text !== '')).size,
  [AggregationType.ROLLING_7_DAY_USERS]: countUsers,
  [AggregationType.ROLLING_30_DAY_USERS]: countUsers,
  [AggregationType.UNIQUE_SESSIONS]: (events) =>
    new Set(events.filter(hasSession).map(({ sessionId }) => sessionId)).size,
} satisfies Record<AggregationType, Measure>

/** The events that a metric counts: user metrics leave cookieless ones out. */
export function countedEvents(
  events: readonly ReferenceEvent[],
  { aggregation, includeCookieless }: Metric,
): readonly ReferenceEvent[] {
  const isOfUsers = aggregation === AggregationType.PER_USER_AVG || countsUsers({ aggregation })
  return isOfUsers ? eventsOfPersons(events, { includeCookieless }) : events
}

/** Whether the metric is a number of users. */
export function countsUsers({ aggregation }: Pick<Metric, 'aggregation'>): boolean {
  return aggregation === AggregationType.UNIQUE_USERS || rollingDays({ aggregation }) !== undefined
}

/** The days of the windows of rolling users; undefined for other metrics. */
export function rollingDays({ aggregation }: Pick<Metric, 'aggregation'>): number | undefined {
  if (aggregation === AggregationType.ROLLING_7_DAY_USERS) return 7
  return aggregation === AggregationType.ROLLING_30_DAY_USERS ? 30 : undefined
}

/** A metric over some of its counted events; 0 over nothing. */
export function measureEvents(
  events: readonly ReferenceEvent[],
  { metric, people }: { readonly metric: Metric; readonly people: People },
): number {
  return MEASURES[metric.aggregation](events, { people, property: metric.property })
}

/** A quotient; 0 when there is nothing to divide by. */
export function divide({ part, whole }: { readonly part: number; readonly whole: number }): number {
  return whole === 0 ? 0 : part / whole
}

function numbersOf(events: readonly ReferenceEvent[], { property }: MeasureInputs): readonly number[] {
  return events.map((event) => readProperty(event, property)?.number).filter((number) => number !== undefined)
}

function sortedNumbersOf(events: readonly ReferenceEvent[], inputs: MeasureInputs): readonly number[] {
  return numbersOf(events, inputs).toSorted((left, right) => left - right)
}

/** The middle number, or the mean of the two middle ones; 0 over nothing. */
function median(sorted: readonly number[]): number {
  const [lower = 0, upper = 0] = [
    sorted[Math.ceil(sorted.length / 2) - 1],
    sorted[Math.floor(sorted.length / 2)],
  ]
  return (lower + upper) / 2
}

/** Of n ascending numbers, number ceil(percent * n / 100); 0 over nothing. */
function percentile(percent: number): Measure {
  return (events, inputs) => {
    const sorted = sortedNumbersOf(events, inputs)
    return sorted[Math.ceil((percent * sorted.length) / 100) - 1] ?? 0
  }
}

/** Adding 0 turns -0 into 0. */
function extreme(choose: (...numbers: number[]) => number, numbers: readonly number[]): number {
  return numbers.length === 0 ? 0 : choose(...numbers) + 0
}
