import type { JsonObject } from '@bufbuild/protobuf'
import { decodeCohortFilters, encodeCohortFilters } from '../../cohorts/encode-filters.ts'
import { t } from '../../i18n/translate.ts'
import type { PropertyRef } from '../../picker/filter-draft.ts'
import { labelOfProperty } from '../../picker/names.ts'
import {
  type BreakdownDraft,
  CALCULATIONS,
  COUNTS,
  type EventDraft,
  type MeasureDraft,
  newEvent,
  newSeries,
  propertyOf,
  ROLLING_COUNTS,
  type SeriesDraft,
  TOTAL,
} from './draft.ts'
import { decodeFilter, decodeSource, encodeFilters } from './filters.ts'
import { type Json, listOf, recordOf } from './json.ts'
import './messages.ts'

/** Most series or steps of a spec. */
export const SERIES_MAX = 20

/** Most events of stickiness. */
export const STICKINESS_MAX = 10

/** Most breakdowns of a spec. */
export const BREAKDOWNS_MAX = 5

/** The letter of a series: A, B, C. */
export function seriesLetter(index: number): string {
  return String.fromCharCode('A'.charCodeAt(0) + index)
}

/** Events in proto JSON. */
export function encodeEvent({ kind, filters }: EventDraft): JsonObject {
  return { kind, filters: encodeFilters(filters) }
}

function encodeCohortsOf({ cohorts = [] }: EventDraft): JsonObject {
  return cohorts.length === 0 ? {} : { cohorts: encodeCohortFilters(cohorts) }
}

function decodeCohortsOf(cohorts: Json[string]): Pick<EventDraft, 'cohorts'> {
  const filters = decodeCohortFilters(cohorts)
  return filters.length === 0 ? {} : { cohorts: filters }
}

/** The draft of events; all events where the spec has none. */
export function decodeEvent(event: Json[string]): EventDraft {
  const { kind, filters } = recordOf(event)
  return { ...newEvent(String(kind ?? '')), filters: listOf(filters).map(decodeFilter) }
}

const EVERY_COUNT = [...COUNTS, ...ROLLING_COUNTS] as const

function decodeMeasure(name: Json[string], property: Json[string]): MeasureDraft {
  const calculation = CALCULATIONS.find((known) => known === name)
  if (calculation) return { aggregation: calculation, property: String(property ?? '') }
  return { aggregation: EVERY_COUNT.find((known) => known === name) ?? TOTAL.aggregation } as MeasureDraft
}

/** The series of a spec in proto JSON. */
export function encodeSeries(series: readonly SeriesDraft[]): JsonObject[] {
  return series.map((one) => {
    const property = propertyOf(one.measure)
    return {
      event: encodeEvent(one),
      ...encodeCohortsOf(one),
      aggregation: one.measure.aggregation,
      ...(property !== undefined && { aggregationProperty: property }),
    }
  })
}

/** The series of a spec; one of all events where it has none. */
export function decodeSeries({ events }: Json): readonly SeriesDraft[] {
  const series = listOf(events).map(({ event, cohorts, aggregation, aggregationProperty }) => ({
    ...decodeEvent(event),
    ...decodeCohortsOf(cohorts),
    measure: decodeMeasure(aggregation, aggregationProperty),
  }))
  return series.length > 0 ? series : [newSeries()]
}

/** The steps of a spec in proto JSON: events that are not counted. */
export function encodeSteps(steps: readonly EventDraft[]): JsonObject[] {
  return steps.map((step) => ({ event: encodeEvent(step), ...encodeCohortsOf(step) }))
}

/** The steps of a spec; one of all events where it has none. */
export function decodeSteps({ events }: Json): readonly [EventDraft, ...EventDraft[]] {
  const [first, ...others] = listOf(events).map(({ event, cohorts }) => ({
    ...decodeEvent(event),
    ...decodeCohortsOf(cohorts),
  }))
  return [first ?? newEvent(), ...others]
}

/** The events and the measure of a ranking in proto JSON. */
export function encodeRankedSeries(series: SeriesDraft): JsonObject {
  const property = propertyOf(series.measure)
  return {
    scope: encodeEvent(series),
    metric: series.measure.aggregation,
    ...(property !== undefined && { metricProperty: property }),
  }
}

/** The draft of the events and the measure of a ranking. */
export function decodeRankedSeries({ scope, metric, metricProperty }: Json): SeriesDraft {
  return { ...decodeEvent(scope), measure: decodeMeasure(metric, metricProperty) }
}

/** The breakdowns of a spec in proto JSON; nothing when there are none. */
export function encodeBreakdown({ properties, limit, cohortIds = [] }: BreakdownDraft): JsonObject {
  if (cohortIds.length > 0) return { breakdownCohortIds: [...cohortIds] }
  if (properties.length === 0) return {}
  return { breakdowns: properties.map(encodeProperty), ...(limit > 0 && { breakdownLimit: limit }) }
}

function encodeProperty({ property, source }: PropertyRef): JsonObject {
  // The name distinguishes the sources of events.
  const isOfEvent = source === 'PROPERTY_SOURCE_AUTO' || source === 'PROPERTY_SOURCE_CUSTOM'
  return isOfEvent ? { property } : { property, source }
}

/** The draft of the breakdowns of a spec. */
export function decodeBreakdown({ breakdowns, breakdownLimit, breakdownCohortIds }: Json): BreakdownDraft {
  const cohortIds = Array.isArray(breakdownCohortIds) ? breakdownCohortIds.map(String) : []
  const properties = listOf(breakdowns).map(({ property, source }) => {
    const name = String(property ?? '')
    return { property: name, source: decodeSource(source, name) }
  })
  return { properties, limit: Number(breakdownLimit ?? 0), ...(cohortIds.length > 0 && { cohortIds }) }
}

/** The name of events in words. */
export function nameEvent({ kind }: Pick<EventDraft, 'kind'>): string {
  return kind === '' ? t('insights.allEvents') : kind
}

/** The name of a property in words; a title names none of its sources. */
export function nameProperty(property: string): string {
  return labelOfProperty({ property, source: decodeSource(undefined, property) })
}

/** The events of series in words. */
export function describeEvents(events: readonly Pick<EventDraft, 'kind'>[]): string {
  return events.map(nameEvent).join(', ')
}
