import type { MessageInitShape } from '@bufbuild/protobuf'
import { type Duration, durationMs } from '@bufbuild/protobuf/wkt'
import { FunnelPoint_Outcome } from '../../src/contract/gen/millrace/people/v1/actors_service_pb.js'
import type { QueryResponse } from '../../src/contract/gen/shared/insights/v1/insights_service_pb.js'
import type {
  FunnelResultSchema,
  FunnelStepSchema,
} from '../../src/contract/gen/shared/insights/v1/query_result_pb.js'
import type { Prng } from '../../src/kernel/prng.ts'
import { compareBytewise } from './bytewise.ts'
import { matchesEntry } from './cohorts.ts'
import { timeStep } from './funnel-timing.ts'
import { breakdowns, plainQueries } from './generate-parts.ts'
import type { GeneratedWorld } from './generate-world.ts'
import type { InsightTypeEntry, Spec } from './insight-type.ts'
import {
  aggregationOf,
  breakdownRules,
  cohortRulesOfEvents,
  countingRules,
  EVENT,
  SHARED_VALUES,
  splitRules,
} from './invalid-parts.ts'
import type { ReferenceEvent } from './model.ts'
import { pointOf, type ReferencePoint, seriesName } from './points.ts'
import { eventsInQuery, type Query, subjectOf } from './query.ts'
import { type BrokenDown, breakDown } from './ranking.ts'
import { canonicalUser, eventsOfPersons } from './users.ts'
import { PAUSES_MS } from './vocabulary.ts'

/** An event that fills some step, and the steps (from 0) that it could fill. */
interface Candidate {
  readonly event: ReferenceEvent
  readonly steps: readonly number[]
}

/** The events that fill the steps of one user, from the first step on: never none. */
export type Attempt = readonly [ReferenceEvent, ...ReferenceEvent[]]

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
    {
      name: 'FUNNEL does not take PER_USER_AVG',
      fields: { events: [{ ...EVENT, aggregation: aggregationOf('PER_USER_AVG') }] },
    },
    ...['0s', '0.5s', '1.5s', '-1s', '60.000000001s'].map((conversionWindow) => ({
      name: `a conversion window is not ${conversionWindow}`,
      fields: { conversionWindow },
    })),
    ...breakdownRules('FUNNEL'),
  ],
}

function generateFunnel(rng: Prng, generated: GeneratedWorld): Spec {
  const windowMs = rng.pick(PAUSES_MS) + rng.pick(PAUSES_MS)
  const seconds = BigInt(Math.max(1, Math.floor(windowMs / 1000)))
  return {
    events: plainQueries(rng, { generated, count: rng.chance(0.05) ? 20 : 1 + rng.below(5) }),
    includeStepTiming: rng.chance(0.6),
    ...(rng.chance(0.6) ? { conversionWindow: { seconds } } : {}),
    ...breakdowns(rng),
  }
}

function answerFunnel(query: Query): MessageInitShape<typeof FunnelResultSchema> {
  return {
    series: breakDownAttempts(query).map(({ breakdown, items }) => ({
      breakdown,
      steps: [...describeSteps(items, query)],
    })),
  }
}

/** The counted attempts of each series. */
export function breakDownAttempts(query: Query): readonly BrokenDown<Attempt>[] {
  const attempts = usersCandidates(query).flatMap((candidates) => findCountedAttempt(candidates, query))
  return breakDown(attempts, query, {
    eventOf: ([first]) => first,
    measure: (reached) => reached.length,
  })
}

/** The candidates of each user who has any, in the order of the funnel. */
function usersCandidates(query: Query): readonly (readonly Candidate[])[] {
  const { world, spec } = query
  const candidates = eventsOfPersons(eventsInQuery(query), spec)
    .map((event) => ({ event, steps: stepsOf(event, query) }))
    .filter(({ steps }) => steps.length > 0)
  const byUser = Map.groupBy(candidates, ({ event }) => canonicalUser(world.people, event.distinctId))
  return [...byUser.values()].map((list) => list.sort((left, right) => compareCandidates(left, right)))
}

function stepsOf(event: ReferenceEvent, query: Query): readonly number[] {
  const subject = subjectOf(query, event)
  return query.spec.events.flatMap((step, index) => (matchesEntry(subject, step) ? [index] : []))
}

function compareCandidates(...[left, right]: readonly [Candidate, Candidate]): number {
  return (
    left.event.occurMs - right.event.occurMs ||
    Math.min(...left.steps) - Math.min(...right.steps) ||
    compareBytewise(left.event.eventId, right.event.eventId)
  )
}

/** Tries every event of the first step as a start; the earliest of the longest attempts counts. */
function findCountedAttempt(candidates: readonly Candidate[], query: Query): readonly Attempt[] {
  let counted: Attempt | undefined
  for (const [index, { event, steps }] of candidates.entries()) {
    if (!steps.includes(0)) continue
    const attempt = follow(event, { later: candidates.slice(index + 1), query })
    if (counted === undefined || attempt.length > counted.length) counted = attempt
  }
  return counted === undefined ? [] : [counted]
}

/** Each next step takes the nearest later event of that step; a nearest one beyond the window ends the attempt. */
function follow(
  first: ReferenceEvent,
  { later, query }: { readonly later: readonly Candidate[]; readonly query: Query },
): Attempt {
  const { events: steps, conversionWindow } = query.spec
  const lastMs = first.occurMs + windowMs(conversionWindow)
  const filled: ReferenceEvent[] = []
  let position = 0
  while (filled.length + 1 < steps.length) {
    const step = filled.length + 1
    const found = later.findIndex((candidate, index) => index >= position && candidate.steps.includes(step))
    const event = later[found]?.event
    if (event === undefined || event.occurMs > lastMs) break
    filled.push(event)
    position = found + 1
  }
  return [first, ...filled]
}

function windowMs(window: Duration | undefined): number {
  return window === undefined ? Number.POSITIVE_INFINITY : durationMs(window)
}

function describeSteps(
  attempts: readonly Attempt[],
  { spec }: Query,
): readonly MessageInitShape<typeof FunnelStepSchema>[] {
  return spec.events.map(({ event }, index) => {
    const deltasMs = attempts.flatMap((attempt) => deltaOf(attempt, index))
    const step = {
      eventKind: event?.kind ?? '',
      total: attempts.filter((attempt) => attempt.length > index).length,
    }
    return spec.includeStepTiming && index > 0 ? { ...step, timing: timeStep(deltasMs) } : step
  })
}

function deltaOf(attempt: Attempt, index: number): readonly number[] {
  const [previous, current] = [attempt[index - 1], attempt[index]]
  return previous === undefined || current === undefined ? [] : [current.occurMs - previous.occurMs]
}

function funnelPoints(query: Query, { result }: QueryResponse): readonly ReferencePoint[] {
  const answered = result.case === 'funnel' ? result.value.series : []
  return breakDownAttempts(query).flatMap((group, position) =>
    query.spec.events.flatMap((_, index) => {
      const name = { step: index + 1, ...seriesName(group) }
      const totals = answered[position]?.steps.map(({ total }) => total) ?? []
      const of = (isOf: (length: number) => boolean): readonly ReferenceEvent[] =>
        group.items.filter(({ length }) => isOf(length)).flat()
      const reached = {
        point: pointOf('funnel', { ...name, outcome: FunnelPoint_Outcome.REACHED }),
        events: of((length) => length > index),
        users: totals[index],
      }
      if (index === 0) return [reached]
      const dropped = {
        point: pointOf('funnel', { ...name, outcome: FunnelPoint_Outcome.DROPPED }),
        events: of((length) => length === index),
        users: (totals[index - 1] ?? 0) - (totals[index] ?? 0),
      }
      return [reached, dropped]
    }),
  )
}
