import { AggregationType } from '../../src/contract/gen/shared/insights/v1/event_query_pb.js'
import type { People, ReferenceEvent } from './model.ts'
import { canonicalUser, eventsOfPersons } from './users.ts'
import { readProperty } from './values.ts'

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
} satisfies Record<AggregationType, Measure>

/** The events that a metric counts: user metrics leave cookieless ones out. */
export function countedEvents(
  events: readonly ReferenceEvent[],
  { aggregation, includeCookieless }: Metric,
): readonly ReferenceEvent[] {
  const countsUsers =
    aggregation === AggregationType.UNIQUE_USERS || aggregation === AggregationType.PER_USER_AVG
  return countsUsers ? eventsOfPersons(events, { includeCookieless }) : events
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

/** Adding 0 turns -0 into 0. */
function extreme(choose: (...numbers: number[]) => number, numbers: readonly number[]): number {
  return numbers.length === 0 ? 0 : choose(...numbers) + 0
}
