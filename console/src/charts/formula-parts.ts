import type { InsightQuerySpec } from '@contract/shared/insights/v1/insight_query_spec_pb.js'
import type { TrendSeries } from '@contract/shared/insights/v1/query_result_pb.js'

const LETTER = /(?<![A-Za-z0-9_])[A-Z](?![A-Za-z0-9_])/g

/** The indexes of the series that a formula uses: a chart hides them until they are ticked, and shows the formula. */
export function findFormulaParts(
  series: readonly TrendSeries[],
  spec: Pick<InsightQuerySpec, 'events'> | undefined,
): ReadonlySet<number> {
  const letters = new Set(series.flatMap(({ formula }) => formula.match(LETTER) ?? []))
  if (letters.size === 0) return new Set()
  const counted = series.filter(({ formula }) => formula === '')
  const kinds = kindsOf(counted, spec)
  const isUsed = (event: number): boolean => letters.has(String.fromCharCode(65 + event))
  // With a breakdown, an event has several series, and two events of one kind cannot be told apart.
  const isPart = ({ eventKind }: TrendSeries, at: number): boolean =>
    counted.length === kinds.length
      ? isUsed(at)
      : kinds.includes(eventKind) && kinds.every((kind, event) => kind !== eventKind || isUsed(event))
  return new Set(counted.flatMap((one, at) => (isPart(one, at) ? [at] : [])))
}

/** The kinds of the events, in the order of their letters. The query of a public dashboard leaves them out. */
function kindsOf(
  counted: readonly TrendSeries[],
  spec: Pick<InsightQuerySpec, 'events'> | undefined,
): readonly string[] {
  const asked = (spec?.events ?? []).map(({ event }) => event?.kind ?? '')
  return asked.some((kind) => kind !== '') ? asked : [...new Set(counted.map(({ eventKind }) => eventKind))]
}
