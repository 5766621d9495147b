import { isDate } from '@domain/calendar.ts'
import { type DatePeriod, parseDatePeriod, writeDatePeriod } from '@domain/date-periods.ts'
import {
  type CohortFilterDraft,
  readCohortFilters,
  writeCohortFilters,
} from '../../cohorts/cohort-filters.ts'
import { hasUnreadable } from '../../context/route.ts'
import { type DimensionName, isDimension } from './dimensions.ts'
import { isMetric, type MetricName } from './metrics.ts'

/** The operators of a filter, as in addresses. */
export const OPERATORS = ['is', 'is-not', 'contains', 'does-not-contain', 'is-set', 'is-not-set'] as const

/** An operator of a filter. */
export type Operator = (typeof OPERATORS)[number]

/** A condition on visits. */
export interface VisitFilter {
  readonly dimension: DimensionName
  readonly operator: Operator
  /** Empty for operators without an operand. */
  readonly value: string
}

/** The comparison of the range: a named range, or one of as many days that begins on a date. */
export type Compare = NamedCompare | { readonly from: string }

const COMPARISONS = ['previous', 'year', 'none'] as const

/** A comparison with a name. */
export type NamedCompare = (typeof COMPARISONS)[number]

/** The widths of buckets that the page offers. */
export const INTERVALS = ['hour', 'day', 'week', 'month'] as const

/** The width of the buckets of the chart. */
export type Interval = (typeof INTERVALS)[number]

/** The state of the page; all of it is in the address. */
export interface ViewState {
  readonly period: DatePeriod
  readonly compare: Compare
  /** Absent: the one that suits the period. */
  readonly interval: Interval | undefined
  readonly metric: MetricName
  readonly filters: readonly VisitFilter[]
  /** The cohorts whose visits are shown. */
  readonly cohorts: readonly CohortFilterDraft[]
}

/** More would be refused by the service. */
export const FILTERS_MAX = 20

const DEFAULTS: ViewState = {
  period: { last: 30, unit: 'days' },
  compare: 'previous',
  interval: undefined,
  metric: 'visitors',
  filters: [],
  cohorts: [],
}

/** Whether an operator has an operand. */
export function takesValue(operator: Operator): boolean {
  return operator !== 'is-set' && operator !== 'is-not-set'
}

function parseFilter(text: string): VisitFilter | undefined {
  const [dimension = '', name = '', ...rest] = text.split(':')
  const operator = OPERATORS.find((known) => known === name)
  const value = rest.join(':')
  if (!isDimension(dimension) || !operator || takesValue(operator) !== (value !== '')) return undefined
  return { dimension, operator, value }
}

function writeFilter({ dimension, operator, value }: VisitFilter): string {
  return takesValue(operator) ? `${dimension}:${operator}:${value}` : `${dimension}:${operator}`
}

function parseCompare(text: string): Compare | undefined {
  return COMPARISONS.find((known) => known === text) ?? (isDate(text) ? { from: text } : undefined)
}

function writeCompare(compare: Compare): string {
  return typeof compare === 'string' ? compare : compare.from
}

const READERS = {
  range: parseDatePeriod,
  compare: parseCompare,
  interval: (text: string) => INTERVALS.find((known) => known === text),
  metric: (text: string) => (isMetric(text) ? text : undefined),
  filter: parseFilter,
}

/** The state of an address; a parameter that cannot be read has its default. */
export function readState(query: URLSearchParams): ViewState {
  const filters = query.getAll('filter').flatMap((text) => READERS.filter(text) ?? [])
  return {
    period: READERS.range(query.get('range') ?? '') ?? DEFAULTS.period,
    compare: READERS.compare(query.get('compare') ?? '') ?? DEFAULTS.compare,
    interval: READERS.interval(query.get('interval') ?? ''),
    metric: READERS.metric(query.get('metric') ?? '') ?? DEFAULTS.metric,
    filters: filters.slice(0, FILTERS_MAX),
    cohorts: readCohortFilters(query.get('cohort')).slice(0, FILTERS_MAX),
  }
}

/** Whether an address has a part that the state is without. */
export function isBroken(query: URLSearchParams): boolean {
  return query.getAll('filter').length > FILTERS_MAX || hasUnreadable(query, READERS)
}

/** The address with a state; parameters of others stay, and what is the default is left out. */
export function writeState(query: URLSearchParams, state: ViewState): URLSearchParams {
  const written = new URLSearchParams(query)
  const set = (name: string, text: string, usual: string): void => {
    if (text === usual) written.delete(name)
    else written.set(name, text)
  }
  set('range', writeDatePeriod(state.period), writeDatePeriod(DEFAULTS.period))
  set('compare', writeCompare(state.compare), writeCompare(DEFAULTS.compare))
  set('interval', state.interval ?? '', '')
  set('metric', state.metric, DEFAULTS.metric)
  set('cohort', writeCohortFilters(state.cohorts), '')
  written.delete('filter')
  for (const filter of state.filters) written.append('filter', writeFilter(filter))
  return written
}

/** The filters with one more: one that is there already goes, and `is` takes the place of another value. */
export function toggleFilter(filters: readonly VisitFilter[], added: VisitFilter): readonly VisitFilter[] {
  const text = writeFilter(added)
  const others = filters.filter((filter) => writeFilter(filter) !== text)
  if (others.length < filters.length) return others
  const kept = others.filter(
    ({ dimension, operator }) =>
      added.operator !== 'is' ||
      dimension !== added.dimension ||
      (operator !== 'is' && operator !== 'is-not-set'),
  )
  return [...kept, added].slice(-FILTERS_MAX)
}

/** The filter that a click on a row adds; with Alt its opposite. */
export function filterOfRow(
  { dimension, value }: { readonly dimension: DimensionName; readonly value: string },
  click: 'is' | 'is not',
): VisitFilter {
  if (value === '') return { dimension, operator: click === 'is' ? 'is-not-set' : 'is-set', value }
  return { dimension, operator: click === 'is' ? 'is' : 'is-not', value }
}
