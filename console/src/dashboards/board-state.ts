import { fromJson, type JsonValue, toJson } from '@bufbuild/protobuf'
import { type PropertyFilter, PropertyFilterSchema } from '@contract/common/v1/filter_pb.js'
import { type DatePeriod, parseDatePeriod, writeDatePeriod } from '@domain/date-periods.ts'
import type { RangePresetName } from '@domain/time-ranges.ts'
import { hasUnreadable } from '../context/route.ts'

/** The comparison of all tiles; `tile`: each as stored. */
export type BoardCompare = 'tile' | 'none' | 'previous' | 'year'

/** The period, comparison and filters that replace those of the tiles; the address has all of them. */
export interface BoardState {
  /** Absent: the period of the dashboard. */
  readonly period: DatePeriod | undefined
  readonly compare: BoardCompare
  readonly filters: readonly PropertyFilter[]
}

/** More would make addresses that servers cut. */
export const BOARD_FILTERS_MAX = 20

const COMPARISONS: readonly BoardCompare[] = ['none', 'previous', 'year']

/** Periods of whole days by the stored range of a dashboard. Hours are the current day: a range of the console has days. */
const PERIODS = {
  LAST_1_HOUR: 'today',
  LAST_6_HOURS: 'today',
  LAST_24_HOURS: 'today',
  LAST_7_DAYS: { last: 7, unit: 'days' },
  LAST_14_DAYS: { last: 14, unit: 'days' },
  LAST_30_DAYS: { last: 30, unit: 'days' },
  LAST_90_DAYS: { last: 90, unit: 'days' },
  LAST_180_DAYS: { last: 180, unit: 'days' },
  LAST_365_DAYS: { last: 365, unit: 'days' },
} as const satisfies Record<RangePresetName, DatePeriod>

/** The period of days of a stored range. */
export function periodOfPreset(preset: RangePresetName): DatePeriod {
  return PERIODS[preset]
}

function parsePeriod(text: string): DatePeriod | undefined {
  const preset = Object.hasOwn(PERIODS, text) ? PERIODS[text as RangePresetName] : undefined
  return preset ?? parseDatePeriod(text)
}

function parseCompare(text: string): BoardCompare | undefined {
  return COMPARISONS.find((known) => known === text)
}

/** The state of an address; a parameter that cannot be read has its default. */
export function readBoardState(query: URLSearchParams): BoardState {
  const filters = parseBoardFilters(query.get('filters') ?? '[]') ?? []
  return {
    period: parsePeriod(query.get('range') ?? ''),
    compare: parseCompare(query.get('compare') ?? '') ?? 'tile',
    filters: filters.flatMap((filter) => filter ?? []).slice(0, BOARD_FILTERS_MAX),
  }
}

/** Whether an address has a period that cannot be read. */
export function hasBrokenPeriod(query: URLSearchParams): boolean {
  return hasUnreadable(query, { range: parsePeriod })
}

/** Whether an address has a part that the state is without. */
export function isBrokenBoardState(query: URLSearchParams): boolean {
  const filters = parseBoardFilters(query.get('filters') || '[]')
  const hasAllFilters =
    filters !== undefined && filters.length <= BOARD_FILTERS_MAX && !filters.includes(undefined)
  return !hasAllFilters || hasBrokenPeriod(query) || hasUnreadable(query, { compare: parseCompare })
}

/** The address with a state; parameters of others stay, and what is the default is left out. */
export function writeBoardState(query: URLSearchParams, state: BoardState): URLSearchParams {
  const written = new URLSearchParams(query)
  const texts = {
    range: state.period === undefined ? '' : writeDatePeriod(state.period),
    compare: state.compare === 'tile' ? '' : state.compare,
    filters: state.filters.length === 0 ? '' : writeBoardFilters(state.filters),
  }
  for (const [name, text] of Object.entries(texts)) {
    if (text === '') written.delete(name)
    else written.set(name, text)
  }
  return written
}

/** Whether two states lead to the same answers. */
export function isSameBoardState(one: BoardState, other: BoardState): boolean {
  const [text, otherText] = [one, other].map((state) =>
    writeBoardState(new URLSearchParams(), state).toString(),
  )
  return text === otherText
}

/** Filters in proto JSON, `undefined` for each that is none; `undefined` for a text that is no list. */
function parseBoardFilters(text: string): readonly (PropertyFilter | undefined)[] | undefined {
  try {
    const values: unknown = JSON.parse(text)
    return Array.isArray(values) ? values.map((value: JsonValue) => parseFilter(value)) : undefined
  } catch {
    return undefined
  }
}

/** The text of filters in proto JSON. */
export function writeBoardFilters(filters: readonly PropertyFilter[]): string {
  return JSON.stringify(filters.map((filter) => toJson(PropertyFilterSchema, filter)))
}

function parseFilter(value: JsonValue): PropertyFilter | undefined {
  try {
    const filter = fromJson(PropertyFilterSchema, value, { ignoreUnknownFields: true })
    return filter.property === '' || filter.operator === 0 ? undefined : filter
  } catch {
    return undefined
  }
}
