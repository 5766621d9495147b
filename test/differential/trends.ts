import type { MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import { Granularity } from '../../src/contract/gen/shared/insights/v1/insight_query_spec_pb.js'
import type {
  TrendSeriesSchema,
  TrendsResultSchema,
} from '../../src/contract/gen/shared/insights/v1/query_result_pb.js'
import { SessionMetric } from '../../src/contract/gen/shared/insights/v1/session_query_pb.js'
import type { Prng } from '../../src/kernel/prng.ts'
import {
  breakDownEntry,
  type Entry,
  eventsOfBuckets,
  eventsOfEntry,
  listEntries,
  measureOf,
} from './entries.ts'
import { breakDownFormula, type Counted, countedBy, generateFormulas, shapeFormula } from './formulas.ts'
import { generateProperty } from './generate-filters.ts'
import {
  breakdowns,
  generateLimit,
  MEASURED_SESSIONS,
  maybeScope,
  queries,
  ROLLING,
} from './generate-parts.ts'
import type { GeneratedWorld } from './generate-world.ts'
import type { InsightTypeEntry, Spec } from './insight-type.ts'
import { formulaRules } from './invalid-formulas.ts'
import {
  aggregationRules,
  breakdownRules,
  cohortRulesOfEvents,
  SHARED_VALUES,
  sessionRules,
  splitRules,
} from './invalid-parts.ts'
import type { ReferenceEvent } from './model.ts'
import { bucketsOf, comparedQuery, type Query } from './query.ts'
import { type BrokenDown, regroup } from './ranking.ts'
import { answerSessionTrends } from './session-metrics.ts'
import { listTrendsPoints } from './trends-points.ts'

type SeriesInit = Exclude<MessageInitShape<typeof TrendSeriesSchema>, { $typeName: string }>

const ENDS = [SessionMetric.ENTRY, SessionMetric.EXIT] as const

/** Trends in the differential tests. */
export const TRENDS: InsightTypeEntry = {
  answer: (query) => {
    const { session } = query.spec
    const value = session === undefined ? answerTrends(query) : answerSessionTrends(query, session)
    return { case: 'trends', value }
  },
  points: listTrendsPoints,
  generate: (rng, generated, granularity) =>
    rng.chance(0.3)
      ? generateSessionTrends(rng, generated)
      : generateEventTrends(rng, generated, granularity),
  smallest: {},
  fields: { ...SHARED_VALUES, formulas: [{ expression: '1' }] },
  broken: [
    ...breakdownRules('TRENDS'),
    ...cohortRulesOfEvents('TRENDS'),
    ...splitRules('TRENDS', true),
    ...aggregationRules('TRENDS'),
    ...sessionRules('TRENDS'),
    ...formulaRules('TRENDS'),
    ...ENDS.map((metric) => SessionMetric[metric]).flatMap((name) => {
      const session = { metric: `SESSION_METRIC_${name}` }
      return [
        { name: `${name} needs a breakdown`, fields: { session } },
        {
          name: `${name} takes one breakdown`,
          fields: { session, breakdowns: [{ property: 'a' }, { property: 'b' }] },
        },
      ]
    }),
  ],
}

/** The buckets that have a last day. */
const DAYS: readonly Granularity[] = [Granularity.DAY, Granularity.WEEK, Granularity.MONTH]

function generateEventTrends(rng: Prng, generated: GeneratedWorld, granularity: Granularity): Spec {
  const rare = DAYS.includes(granularity) ? { rare: ROLLING } : {}
  const events = queries(rng, { generated, count: rng.below(4), ...rare })
  return { events, ...breakdowns(rng), ...generateFormulas(rng, events.length) }
}

function generateSessionTrends(rng: Prng, generated: GeneratedWorld): Spec {
  if (rng.chance(0.6)) {
    return {
      session: { metric: rng.pick(MEASURED_SESSIONS), ...maybeScope(rng, generated) },
      ...breakdowns(rng),
    }
  }
  const metric = rng.pick(ENDS)
  return {
    session: { metric, ...maybeScope(rng, generated) },
    breakdowns: [generateProperty(rng)],
    breakdownLimit: generateLimit(rng),
  }
}

/** The answer about events, with the series of the range to compare with. */
function answerTrends(query: Query): MessageInitShape<typeof TrendsResultSchema> {
  const bucketStarts = bucketsOf(query)
  const entries = listEntries(query).map((entry) => ({ entry, groups: breakDownEntry(query, entry) }))
  const formulas = query.spec.formulas.map((formula) => ({
    formula,
    groups: breakDownFormula(query, formula),
  }))
  const other = comparedQuery(query)
  return {
    series: [
      ...entries.flatMap((line) => shapeEntry(query, { ...line, bucketStarts })),
      ...formulas.flatMap((line) => shapeFormula(query, line)),
      ...(other === undefined
        ? []
        : [
            ...entries.flatMap(({ entry, groups }) => {
              const rule = { query: other, eventOf: (event: ReferenceEvent) => event }
              const regrouped = regroup(eventsOfEntry(other, entry), rule, groups)
              return shapeEntry(other, { entry, groups: regrouped, bucketStarts: bucketsOf(other) })
            }),
            ...formulas.flatMap(({ formula, groups }) => {
              const rule = { query: other, eventOf: ({ event }: Counted) => event }
              const items = countedBy(other, formula)
              return shapeFormula(other, { formula, groups: regroup(items, rule, groups) })
            }),
          ].map((series) => ({ ...series, isComparison: true }))),
    ],
  }
}

function shapeEntry(
  query: Query,
  line: {
    readonly entry: Entry
    readonly groups: readonly BrokenDown<ReferenceEvent>[]
    readonly bucketStarts: readonly number[]
  },
): readonly SeriesInit[] {
  const { entry, groups, bucketStarts } = line
  const measure = measureOf(query, entry)
  const eventsOfGroup = eventsOfBuckets(query, entry)
  return groups.map((group) => {
    const eventsAt = eventsOfGroup(group)
    return {
      eventKind: entry.event?.kind ?? '',
      breakdown: group.breakdown,
      points: bucketStarts.map((start, index) => ({
        time: timestampFromMs(start),
        value: measure(eventsAt(index)),
      })),
    }
  })
}
