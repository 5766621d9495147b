import type { JsonObject } from '@bufbuild/protobuf'
import { AGGREGATIONS, type Draft, needsProperty, newSeries, type SeriesDraft } from './draft.ts'
import { decodeFilter, encodeFilters } from './filters.ts'
import { type Json, keyOf, listOf, recordOf } from './json.ts'

/** The events of a series in proto JSON. */
export function encodeScope({ kind, filters }: SeriesDraft): JsonObject {
  return { kind, filters: encodeFilters(filters) }
}

/** The series of a spec in proto JSON. */
export function encodeSeries(events: readonly SeriesDraft[]): JsonObject[] {
  return events.map((series) => ({
    event: encodeScope(series),
    aggregation: series.aggregation,
    ...(needsProperty(series.aggregation) && { aggregationProperty: series.property }),
  }))
}

/** The steps of a spec in proto JSON: series that are not counted. */
export function encodeSteps(events: readonly SeriesDraft[]): JsonObject[] {
  return events.map((series) => ({ event: encodeScope(series) }))
}

/** The series of a spec; those of a new draft where it has none. */
export function decodeSeries({ events }: Json): Pick<Draft, 'events'> {
  const series = listOf(events).map(({ event, aggregation, aggregationProperty }) =>
    decodeOne(recordOf(event), { aggregation, property: aggregationProperty }),
  )
  return { events: series.length > 0 ? series : [newSeries()] }
}

/** The scope and metric of a query of a ranking in proto JSON. */
export function encodeScopedMetric(scope: SeriesDraft): JsonObject {
  return {
    scope: encodeScope(scope),
    metric: scope.aggregation,
    ...(needsProperty(scope.aggregation) && { metricProperty: scope.property }),
  }
}

/** The draft of a scope, and of a metric beside it. */
export function decodeScope({ scope, metric, metricProperty }: Json): Pick<Draft, 'scope'> {
  return { scope: decodeOne(recordOf(scope), { aggregation: metric, property: metricProperty }) }
}

function decodeOne(
  { kind, filters }: Json,
  { aggregation, property }: { readonly aggregation: Json[string]; readonly property: Json[string] },
): SeriesDraft {
  const fresh = newSeries(String(kind ?? ''))
  return {
    ...fresh,
    filters: listOf(filters).map(decodeFilter),
    aggregation: keyOf(AGGREGATIONS, aggregation, fresh.aggregation),
    property: String(property ?? ''),
  }
}

/** The breakdowns of a spec in proto JSON, without those that have no name yet. */
export function encodeBreakdowns({ breakdowns, breakdownLimit }: Draft): JsonObject {
  const names = namedBreakdowns({ breakdowns })
  if (names.length === 0) return {}
  return {
    breakdowns: names.map((property) => ({ property })),
    ...(breakdownLimit > 0 && { breakdownLimit }),
  }
}

/** The draft of the breakdowns of a spec. */
export function decodeBreakdowns({
  breakdowns,
  breakdownLimit,
}: Json): Pick<Draft, 'breakdowns' | 'breakdownLimit'> {
  return {
    breakdowns: listOf(breakdowns).map(({ property }) => String(property)),
    breakdownLimit: Number(breakdownLimit ?? 0),
  }
}

/** The properties of breakdowns that have a name. */
export function namedBreakdowns({ breakdowns }: Pick<Draft, 'breakdowns'>): readonly string[] {
  return breakdowns.filter((name) => name !== '')
}

/** The events of series in words. */
export function describeEvents({ events }: Pick<Draft, 'events'>): string {
  return events.map(({ kind }) => (kind === '' ? 'all events' : kind)).join(', ')
}
