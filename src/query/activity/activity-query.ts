import {
  EventOrder,
  type GetEventExplorerRequest,
} from '../../contract/gen/shared/activity/v1/activity_service_pb.js'
import { NO_COHORT, parseCohortFilters } from '../../domain/insights/cohort-filters.ts'
import type { Condition } from '../../domain/insights/condition.ts'
import type { ProjectContext } from '../../domain/insights/insight-context.ts'
import { invalid } from '../../domain/insights/invalid.ts'
import {
  type EventMatch,
  type FilterContext,
  parseEventFilter,
  parseFilters,
} from '../../domain/insights/parse-filters.ts'
import { parseTimeRange, type RangeMs } from '../../domain/insights/time-range.ts'
import { LIMITS } from '../../kernel/limits.ts'
import { conditionSql } from '../filter/condition-sql.ts'
import { uuidCodec } from '../sql/codec.ts'
import { ALL_TIME } from '../sql/events-table.ts'
import type { ProjectRange } from '../sql/far-sessions.ts'
import { kindConditions, unionOfKinds } from '../sql/kind-sql.ts'
import { allOf, anyOf, param, type Sql, sql } from '../sql/sql.ts'
import { USER_KEY } from '../users/user-sql.ts'
import { type EventCursor, type ListOrder, parseEventCursor } from './event-page.ts'

/** The fields that feed and explorer requests share. */
export type ActivityRequest = Pick<
  GetEventExplorerRequest,
  'sessionId' | 'timeRange' | 'propertyFilters' | 'pageSize' | 'pageToken' | 'events'
> &
  Partial<Pick<GetEventExplorerRequest, 'cohorts'>>

/** The project of a request, with the cohorts that the request names. */
export type ActivityProject = Pick<ProjectContext, 'projectId' | 'cohorts'>

/** A parsed request for events. */
export interface ActivityQuery {
  readonly range: RangeMs
  /** `undefined` for every kind. */
  readonly kinds: readonly string[] | undefined
  readonly conditions: readonly Sql[]
  readonly pageSize: number
  readonly cursor: EventCursor | undefined
}

const REASON = 'INVALID_ACTIVITY_FILTER'

/** Parses a request. Throws `invalid_argument`, or `not_found` for a cohort. */
export function parseActivity(
  request: ActivityRequest,
  { projectId, cohorts: lookup = NO_COHORT }: ActivityProject,
  order: ListOrder = 'occurrence',
): ActivityQuery {
  const range = request.timeRange ? withinAllTime(parseTimeRange(request.timeRange, REASON)) : ALL_TIME
  const rows = { projectId, range }
  const matches = parseMatches(request)
  const ofCohorts = parseCohortFilters(request.cohorts ?? [], context('cohorts'), lookup)
  return {
    range,
    kinds: matches.length === 0 ? undefined : unionOfKinds(matches),
    conditions: [
      ...eventConditions({ ...request, matches }, rows),
      ...conditionsOf(parseFilters(request.propertyFilters, context('propertyFilters')), rows),
      ...conditionsOf(ofCohorts, rows),
    ],
    pageSize: request.pageSize || LIMITS.activityPageSizeDefault,
    cursor: parseEventCursor(request.pageToken, order),
  }
}

/** The arrivals to list; `undefined` for a list by occurrence. Throws `invalid_argument`. */
export function parseArrivals({
  order,
  arrivalRange,
}: Pick<GetEventExplorerRequest, 'order' | 'arrivalRange'>): RangeMs | undefined {
  if (order === EventOrder.ARRIVAL) {
    return arrivalRange ? withinAllTime(parseTimeRange(arrivalRange, REASON, 'arrivalRange')) : ALL_TIME
  }
  if (arrivalRange) throw invalid('arrivalRange', 'needs the order by arrival', REASON)
  return undefined
}

/** Clients encode an open end as the first or last instant that a message can hold. */
function withinAllTime({ fromMs, toMs }: RangeMs): RangeMs {
  return { fromMs: Math.max(fromMs, ALL_TIME.fromMs), toMs: Math.min(toMs, ALL_TIME.toMs) }
}

function context(field: string): FilterContext {
  return { field, reason: REASON }
}

function parseMatches({ events }: ActivityRequest): readonly EventMatch[] {
  return events.map((event, index) => parseEventFilter(event, context(`events[${index}]`)))
}

function eventConditions(
  { matches, sessionId }: Pick<ActivityRequest, 'sessionId'> & { readonly matches: readonly EventMatch[] },
  rows: ProjectRange,
): Sql[] {
  const conditions: Sql[] = []
  if (sessionId !== '') {
    conditions.push(sql`session_id = ${param(uuidCodec, sessionId.toLowerCase())}`)
  }
  if (matches.length === 0) return conditions
  const each = matches.map((match) =>
    allOf([...kindConditions(match), conditionSql(match.condition, { rows, user: USER_KEY })]),
  )
  return [...conditions, anyOf(each)]
}

/** All must hold. */
function conditionsOf(of: readonly Condition[], rows: ProjectRange): Sql[] {
  return of.length === 0 ? [] : [conditionSql({ kind: 'all', of }, { rows, user: USER_KEY })]
}
