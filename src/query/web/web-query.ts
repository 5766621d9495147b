import { FilterOperator } from '../../contract/gen/common/v1/filter_pb.js'
import { PropertySource } from '../../contract/gen/common/v1/property_pb.js'
import type { CohortFilter } from '../../contract/gen/millrace/insights/v1/cohort_filter_pb.js'
import type {
  Dimension,
  QueryOverviewRequest,
  QueryTableRequest,
  WebFilter,
} from '../../contract/gen/millrace/web/v1/web_analytics_service_pb.js'
import { Granularity } from '../../contract/gen/shared/insights/v1/insight_query_spec_pb.js'
import type { ProjectId } from '../../contract/ids.ts'
import { type BucketWidth, bucketStarts } from '../../domain/insights/buckets.ts'
import { type CohortLookup, NO_COHORT, parseCohortFilters } from '../../domain/insights/cohort-filters.ts'
import { parseComparedRange } from '../../domain/insights/compared-range.ts'
import { type Condition, OPERATORS, type Operands, type Operator } from '../../domain/insights/condition.ts'
import type { ProjectContext } from '../../domain/insights/insight-context.ts'
import { invalid } from '../../domain/insights/invalid.ts'
import { isOperator, parseOperands } from '../../domain/insights/parse-filters.ts'
import {
  parseCalendarRange,
  parseGranularity,
  parseLongRange,
  type RangeMs,
} from '../../domain/insights/time-range.ts'
import { parseTimeZone, type TimeZone } from '../../domain/insights/time-zone.ts'
import type { UserId } from '../users/user-sql.ts'
import { type DimensionRule, type EventAttribute, findDimension, type VisitAttribute } from './dimensions.ts'

/** The reason of errors in requests about visits. */
export const REASON = 'INVALID_WEB_QUERY'

/** Conditions of one request; each one is an aggregate or a comparison of its statement. */
const FILTERS_MAX = 20
const VALUES_MAX = 1000

const ROWS_DEFAULT = 10
const ROWS_MAX = 1000
const OFFSET_MAX = 1_000_000
const SEARCH_CHARACTERS_MAX = 1000

/** A condition on a text. */
export interface TextCondition {
  readonly operator: Operator
  readonly operands: Operands
}

/** A condition on an event. */
export interface EventCondition extends TextCondition {
  readonly attribute: EventAttribute
}

/** A condition on a visit. */
export interface VisitCondition extends TextCondition {
  readonly attribute: VisitAttribute
  /** Whether the value is that of the first event that the visitor ever sent. */
  readonly isFirstTouch: boolean
}

/** Whether visits must complete a goal, or must not. */
export interface GoalCondition {
  readonly goalId: string
  readonly field: string
  readonly completion: 'needed' | 'excluded'
}

/** The visits to measure, apart from their range. */
export interface VisitSelection {
  readonly projectId: ProjectId
  /** All must hold on one event of the visit. */
  readonly events: readonly EventCondition[]
  readonly visits: readonly VisitCondition[]
  readonly goals: readonly GoalCondition[]
  /** Must hold on the event that meets `events`; of no effect on the page views that count. */
  readonly properties?: Condition
  /** Only visits with an event of this user, under any of their ids; every visit when absent. */
  readonly person?: UserId
  readonly bots: 'left out' | 'measured'
  /** Only events that meet it take part in visits; every event when absent. */
  readonly cohorts?: Condition
}

/** A range of an overview, with the starts of its buckets, ascending; without any when the range is empty. */
export interface BucketRange extends RangeMs {
  readonly starts: readonly number[]
}

/** A parsed overview request. */
export interface OverviewQuery {
  readonly selection: VisitSelection
  readonly width: BucketWidth
  readonly main: BucketRange
  readonly compared: BucketRange | undefined
}

/** A parsed table request. */
export interface TableQuery {
  readonly selection: VisitSelection
  readonly main: RangeMs
  readonly compared: RangeMs | undefined
  readonly dimension: DimensionRule
  readonly dimensionNumber: Dimension
  /** Empty: all rows. */
  readonly search: string
  readonly limit: number
  readonly offset: number
}

/** Parses an overview request. Throws `invalid_argument`. */
export function parseOverview(request: QueryOverviewRequest, project: ProjectContext): OverviewQuery {
  const main = parseCalendarRange(request.timeRange, REASON)
  const width = parseGranularity(request.granularity, main, REASON)
  const zone = parseZone(request, project)
  const compared = parseCompared(request, main, zone)
  return {
    selection: parseSelection(request, project),
    width,
    main: withBuckets(main, width, zone),
    compared: compared && withBuckets(compared, width, zone),
  }
}

/** Parses a table request. Throws `invalid_argument`. */
export function parseTable(request: QueryTableRequest, project: ProjectContext): TableQuery {
  const { search, limit, offset } = request
  const main = parseLongRange(request.timeRange, REASON)
  if (request.granularity !== Granularity.UNSPECIFIED) parseGranularity(request.granularity, main, REASON)
  const dimension = findDimension(request.dimension)
  if (!dimension) throw invalid('dimension', 'is required', REASON)
  if (limit < 0 || limit > ROWS_MAX) throw invalid('limit', `must be 0 to ${ROWS_MAX}`, REASON)
  if (offset < 0 || offset > OFFSET_MAX) throw invalid('offset', `must be 0 to ${OFFSET_MAX}`, REASON)
  if (search.length > SEARCH_CHARACTERS_MAX * 2) throw invalid('search', 'is too long', REASON)
  return {
    selection: parseSelection(request, project),
    main,
    compared: parseCompared(request, main, parseZone(request, project)),
    dimension,
    dimensionNumber: request.dimension,
    search,
    limit: limit || ROWS_DEFAULT,
    offset,
  }
}

type WebRequest = QueryOverviewRequest | QueryTableRequest

function parseZone({ timezone }: WebRequest, { projectTimeZone }: ProjectContext): TimeZone {
  return parseTimeZone(timezone || projectTimeZone)
}

function parseCompared({ compareTo }: WebRequest, range: RangeMs, zone: TimeZone): RangeMs | undefined {
  return compareTo && parseComparedRange(compareTo, { range, zone, reason: REASON })
}

function withBuckets(range: RangeMs, width: BucketWidth, zone: TimeZone): BucketRange {
  const isEmpty = range.fromMs >= range.toMs
  return { ...range, starts: isEmpty ? [] : bucketStarts({ ...range, width, zone }) }
}

/** Parses the conditions of a request. Throws `invalid_argument`. */
export function parseSelection(
  { filters, includeBots, cohorts }: Pick<WebRequest, 'filters' | 'includeBots' | 'cohorts'>,
  { projectId, cohorts: lookup }: Pick<ProjectContext, 'projectId' | 'cohorts'>,
): VisitSelection {
  if (filters.length > FILTERS_MAX) throw invalid('filters', `must be at most ${FILTERS_MAX}`, REASON)
  const [events, visits, goals]: [EventCondition[], VisitCondition[], GoalCondition[]] = [[], [], []]
  for (const [index, filter] of filters.entries()) {
    const field = `filters[${index}]`
    const attribute = findDimension(filter.dimension)
    if (!attribute) throw invalid(`${field}.dimension`, 'is required', REASON)
    const isFirstTouch = parseSource(filter, attribute, field) === PropertySource.FIRST_TOUCH
    if (attribute.of === 'goals') goals.push(parseGoal(filter, field))
    else if (attribute.of === 'events') events.push({ attribute, ...parseText(filter, field) })
    else visits.push({ attribute, isFirstTouch, ...parseText(filter, field) })
  }
  const ofCohorts = parseCohorts(cohorts, lookup)
  return {
    projectId,
    events,
    visits,
    goals,
    bots: includeBots ? 'measured' : 'left out',
    ...(ofCohorts ? { cohorts: ofCohorts } : {}),
  }
}

/** Parses the cohorts of a request; `undefined` for none. Throws `invalid_argument` or `not_found`. */
export function parseCohorts(
  cohorts: readonly CohortFilter[],
  lookup: CohortLookup = NO_COHORT,
): Condition | undefined {
  const of = parseCohortFilters(cohorts, { field: 'cohorts', reason: REASON }, lookup)
  return of.length === 0 ? undefined : { kind: 'all', of }
}

function parseSource({ source }: WebFilter, { of }: DimensionRule, field: string): PropertySource {
  if (source === PropertySource.UNSPECIFIED) return source
  if (source !== PropertySource.FIRST_TOUCH)
    throw invalid(`${field}.source`, 'must be FIRST_TOUCH or unset', REASON)
  if (of !== 'first event')
    throw invalid(`${field}.source`, 'belongs to dimensions of the first event of a visit', REASON)
  return source
}

/** The condition of a filter that {@link parseSelection} has accepted. */
export function parseTextCondition(filter: WebFilter): TextCondition {
  return parseText(filter, 'filters')
}

function parseText(filter: WebFilter, field: string): TextCondition {
  const { operator, values, goalId } = filter
  if (goalId !== '') throw invalid(`${field}.goalId`, 'belongs to GOAL', REASON)
  if (!isOperator(operator)) throw invalid(`${field}.operator`, 'is required', REASON)
  if (values.length > VALUES_MAX) throw invalid(`${field}.values`, `must be at most ${VALUES_MAX}`, REASON)
  if (['number', 'numbers'].includes(OPERATORS[operator].takes)) {
    throw invalid(`${field}.operator`, 'must be one that compares texts', REASON)
  }
  return { operator, operands: parseOperands(filter, operator, { field, reason: REASON }) }
}

const COMPLETIONS = new Map<FilterOperator, GoalCondition['completion']>([
  [FilterOperator.EQUALS, 'needed'],
  [FilterOperator.NOT_EQUALS, 'excluded'],
])

function parseGoal({ operator, goalId }: WebFilter, field: string): GoalCondition {
  const completion = COMPLETIONS.get(operator)
  if (!completion) throw invalid(`${field}.operator`, 'must be EQUALS or NOT_EQUALS for GOAL', REASON)
  if (goalId === '') throw invalid(`${field}.goalId`, 'is required for GOAL', REASON)
  return { goalId, field, completion }
}
