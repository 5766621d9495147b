import { create, type MessageInitShape } from '@bufbuild/protobuf'
import { type Duration, type Timestamp, timestampMs } from '@bufbuild/protobuf/wkt'
import { LifecycleState } from '../../src/contract/gen/millrace/insights/v1/lifecycle_pb.js'
import type { StickinessResult } from '../../src/contract/gen/millrace/insights/v1/stickiness_pb.js'
import type { VisitsServiceListResponse } from '../../src/contract/gen/millrace/web/v1/visits_service_pb.js'
import {
  type QueryResponse,
  QueryResponseSchema,
} from '../../src/contract/gen/shared/insights/v1/insights_service_pb.js'
import type { LifecycleResult } from '../../src/contract/gen/shared/insights/v1/lifecycle_result_pb.js'
import type {
  FunnelResult,
  FunnelSeries,
  RetentionResult,
  TopKResult,
  TrendSeries,
  TrendsResult,
  UserFlowResult,
} from '../../src/contract/gen/shared/insights/v1/query_result_pb.js'

/** An answer as named numbers; those that are 0 are left out, so that SQL need not fill gaps. */
export type Figures = ReadonlyMap<string, number>

type Figure = readonly [name: readonly (string | number)[], value: number]

/** The figures of an answer of the service. */
export function figuresOf(answer: MessageInitShape<typeof QueryResponseSchema>): Figures {
  return toFigures(figuresOfResult(create(QueryResponseSchema, answer).result))
}

/** The events of each visit of a page. */
export function figuresOfVisits({ visits }: VisitsServiceListResponse): Figures {
  return toFigures(visits.map(({ sessionId, events }) => [[sessionId], Number(events)]))
}

/** The figures of rows whose last cell is the figure and whose other cells name it. */
export function figuresOfRows(rows: readonly (readonly unknown[])[]): Figures {
  return toFigures(rows.map((row) => [row.slice(0, -1).map(String), Number(row.at(-1))]))
}

function toFigures(figures: readonly Figure[]): Figures {
  return new Map(figures.filter(([, value]) => value !== 0).map(([name, value]) => [name.join('|'), value]))
}

function figuresOfResult(result: QueryResponse['result']): readonly Figure[] {
  switch (result.case) {
    case 'trends':
      return ofTrends(result.value)
    case 'segmentation':
      return [[['total'], result.value.total]]
    case 'funnel':
      return ofFunnel(result.value)
    case 'retention':
      return ofRetention(result.value)
    case 'lifecycle':
      return ofLifecycle(result.value)
    case 'stickiness':
      return ofStickiness(result.value)
    case 'userFlow':
      return ofUserFlow(result.value)
    case 'topK':
      return ofTopK(result.value)
    default:
      throw new TypeError('the benchmark has no figures of this result')
  }
}

function ofTrends({ series }: TrendsResult): readonly Figure[] {
  const subjectOf = ({ formula, eventKind }: TrendSeries): string => formula || eventKind
  const isSplitBySubject = new Set(series.map(subjectOf)).size > 1
  return series.flatMap((one) => {
    const { breakdown, points } = one
    const name = [...(isSplitBySubject ? [subjectOf(one)] : []), ...Object.values(breakdown)]
    return points.map((point): Figure => [[...name, toMs(point.time)], point.value])
  })
}

function ofFunnel({ series }: FunnelResult): readonly Figure[] {
  return series.flatMap(({ breakdown, steps, timeToConvert }) => [
    ...ofTimeToConvert(Object.values(breakdown), timeToConvert),
    ...steps.flatMap(({ total, timing }, index): readonly Figure[] => {
      const name = [...Object.values(breakdown), index + 1]
      if (!timing) return [[name, total]]
      return [
        [name, total],
        [[...name, 'avg'], toSeconds(timing.avg)],
        [[...name, 'median'], toSeconds(timing.median)],
        [[...name, 'p95'], toSeconds(timing.p95)],
        ...timing.distribution.map(({ label, count }): Figure => [[...name, label], Number(count)]),
      ]
    }),
  ])
}

function ofTimeToConvert(name: readonly string[], times: FunnelSeries['timeToConvert']): readonly Figure[] {
  if (!times) return []
  return [
    [[...name, 'users'], Number(times.users)],
    [[...name, 'avg'], toSeconds(times.avg)],
    [[...name, 'median'], toSeconds(times.median)],
    [[...name, 'p95'], toSeconds(times.p95)],
    ...times.bins.map(({ count }, index): Figure => [[...name, `bin ${index + 1}`], Number(count)]),
  ]
}

/** Users instead of percentages. */
function ofRetention({ series }: RetentionResult): readonly Figure[] {
  return series.flatMap(({ breakdown, cohorts }) =>
    cohorts.flatMap(({ cohort, cohortSize, points }): readonly Figure[] => {
      const name = [...Object.values(breakdown), Date.parse(cohort)]
      return [
        [[...name, 'size'], cohortSize],
        ...points.map(
          ({ time, value }): Figure => [[...name, toMs(time)], Math.round((value * cohortSize) / 100)],
        ),
      ]
    }),
  )
}

function ofLifecycle({ series }: LifecycleResult): readonly Figure[] {
  return series.flatMap(({ state, points }) =>
    points.map(({ time, value }): Figure => [[LifecycleState[state], toMs(time)], value]),
  )
}

/** The cumulative numbers are sums of these. */
function ofStickiness({ series }: StickinessResult): readonly Figure[] {
  return series.flatMap(({ eventKind, points }) => {
    const name = series.length > 1 ? [eventKind] : []
    return points.map(({ buckets, users }): Figure => [[...name, buckets], Number(users)])
  })
}

function ofUserFlow({ nodes, links }: UserFlowResult): readonly Figure[] {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  return links.map(({ source, target, value }) => {
    const from = byId.get(source)
    const to = byId.get(target)
    return [[from?.depth ?? '?', from?.label ?? '?', to?.label ?? '?'], Number(value)]
  })
}

function ofTopK({ rows }: TopKResult): readonly Figure[] {
  return rows.map(({ dimensionValue, value, isOthers }) => [[isOthers ? '$others' : dimensionValue], value])
}

function toMs(time: Timestamp | undefined): number {
  if (!time) throw new TypeError('a point has no time')
  return timestampMs(time)
}

function toSeconds(duration: Duration | undefined): number {
  return duration ? Number(duration.seconds) + duration.nanos / 1e9 : 0
}

/** How far an answer is from the exact one. */
export interface Difference {
  /** Sum of the differences of all figures, as a share of the sum of the exact ones. */
  readonly share: number
  /** How many figures differ, of how many there are in either answer. */
  readonly wrong: number
  readonly figures: number
  /** The figure that is furthest off, where one is. */
  readonly worst?: { readonly name: string; readonly exact: number; readonly answered: number }
}

/** Sums of doubles depend on their order. */
const ROUNDING = 1e-9

/** Compares an answer with the exact one. */
export function differ(exact: Figures, answered: Figures): Difference {
  const names = [...new Set([...exact.keys(), ...answered.keys()])]
  const pairs = names
    .map((name) => ({ name, exact: exact.get(name) ?? 0, answered: answered.get(name) ?? 0 }))
    .map((pair) => ({ ...pair, off: Math.abs(pair.answered - pair.exact) }))
  const wrong = pairs.filter((pair) => pair.off > ROUNDING * Math.abs(pair.exact))
  const [worst] = [...wrong].sort((a, b) => b.off - a.off)
  const sum = pairs.reduce((total, pair) => total + Math.abs(pair.exact), 0)
  const share = sum === 0 ? 0 : wrong.reduce((total, { off }) => total + off, 0) / sum
  const counts = { share, wrong: wrong.length, figures: names.length }
  if (!worst) return counts
  return { ...counts, worst: { name: worst.name, exact: worst.exact, answered: worst.answered } }
}
