import type { MessageInitShape } from '@bufbuild/protobuf'
import { AggregationType } from '../../src/contract/gen/shared/insights/v1/event_query_pb.js'
import type { QueryResponse } from '../../src/contract/gen/shared/insights/v1/insights_service_pb.js'
import type { SegmentationResultSchema } from '../../src/contract/gen/shared/insights/v1/query_result_pb.js'
import type { Prng } from '../../src/kernel/prng.ts'
import { matchesEntry } from './cohorts.ts'
import { eventsOfEntry, listEntries } from './entries.ts'
import { breakDownFormula, distinct, evaluate, generateFormulas } from './formulas.ts'
import { MEASURED_SESSIONS, maybeScope, queries } from './generate-parts.ts'
import type { GeneratedWorld } from './generate-world.ts'
import type { InsightTypeEntry, Spec } from './insight-type.ts'
import { formulaRules } from './invalid-formulas.ts'
import {
  aggregationOf,
  aggregationRules,
  cohortRulesOfEvents,
  SHARED_VALUES,
  sessionRules,
  splitRules,
  WINDOWED,
} from './invalid-parts.ts'
import { countedEvents, measureEvents } from './metrics.ts'
import { pointOf, type ReferencePoint } from './points.ts'
import { eventsInQuery, type Query, subjectOf } from './query.ts'
import { answerSessionSegmentation, breakDownSessions } from './session-metrics.ts'

/** Segmentation in the differential tests. */
export const SEGMENTATION: InsightTypeEntry = {
  answer: (query) => {
    const { session } = query.spec
    const value =
      session === undefined ? answerSegmentation(query) : answerSessionSegmentation(query, session)
    return { case: 'segmentation', value }
  },
  points: segmentationPoints,
  generate: (rng, generated) =>
    rng.chance(0.4)
      ? { session: { metric: rng.pick(MEASURED_SESSIONS), ...maybeScope(rng, generated) } }
      : generateEvents(rng, generated),
  smallest: {},
  fields: {
    events: SHARED_VALUES.events,
    breakdownCohortIds: SHARED_VALUES.breakdownCohortIds,
    session: SHARED_VALUES.session,
    formulas: [{ expression: '1' }],
  },
  broken: [
    ...aggregationRules('SEGMENTATION'),
    ...WINDOWED.map((name) => ({
      name: `SEGMENTATION does not take ${name}`,
      fields: { events: [{ ...SHARED_VALUES.events[0], aggregation: aggregationOf(name) }] },
    })),
    ...cohortRulesOfEvents('SEGMENTATION'),
    ...splitRules('SEGMENTATION', false),
    ...sessionRules('SEGMENTATION'),
    ...formulaRules('SEGMENTATION'),
    ...['ENTRY', 'EXIT'].map((name) => ({
      name: `${name} is not for segmentation`,
      fields: { session: { metric: `SESSION_METRIC_${name}` } },
    })),
  ],
}

function generateEvents(rng: Prng, generated: GeneratedWorld): Spec {
  const events = queries(rng, { generated, count: rng.below(4) })
  return { events, ...generateFormulas(rng, events.length) }
}

/** Answers a segmentation query: the first entry's metric over the events that match any entry, and each entry's own. */
function answerSegmentation(query: Query): MessageInitShape<typeof SegmentationResultSchema> {
  const entries = listEntries(query)
  const [first] = entries
  if (first === undefined) throw new RangeError('a query without entries')
  const matching = eventsInQuery(query).filter((event) =>
    entries.some((entry) => matchesEntry(subjectOf(query, event), entry)),
  )
  const { metric } = first
  const { people } = query.world
  const values = entries.map((entry) =>
    measureEvents(eventsOfEntry(query, entry), { metric: entry.metric, people }),
  )
  const computed = query.spec.formulas.map(
    (formula) => evaluate(formula, (entry) => values[entry] ?? Number.NaN) ?? 0,
  )
  return {
    total: measureEvents(countedEvents(matching, metric), { metric, people }),
    values: [...values, ...computed],
  }
}

function segmentationPoints(query: Query, { result }: QueryResponse): readonly ReferencePoint[] {
  const { session } = query.spec
  if (session) {
    const events = breakDownSessions(query, session).flatMap(({ items }) =>
      items.flatMap((each) => each.events),
    )
    return [{ point: pointOf('segmentation', {}), events }]
  }
  const values = result.case === 'segmentation' ? result.value.values : []
  const entries = listEntries(query)
  const ofEntries = entries.map((entry, series) => ({
    point: pointOf('segmentation', { series }),
    events: eventsOfEntry(query, entry),
    users: entry.metric.aggregation === AggregationType.UNIQUE_USERS ? values[series] : undefined,
  }))
  const ofFormulas = query.spec.formulas.map((formula, index) => ({
    point: pointOf('segmentation', { series: entries.length + index }),
    events: distinct(
      breakDownFormula(query, formula).flatMap(({ items }) => items.map(({ event }) => event)),
    ),
  }))
  return [...ofEntries, ...ofFormulas]
}
