import { AggregationType } from '../../contract/gen/shared/insights/v1/event_query_pb.js'
import {
  type SegmentUsersRequest,
  SegmentUsersRequestSchema,
} from '../../contract/gen/shared/insights/v1/insights_service_pb.js'
import type { ProjectId } from '../../contract/ids.ts'
import {
  type CohortLookup,
  NO_COHORT,
  parseCohortFilters,
  withCohorts,
} from '../../domain/insights/cohort-filters.ts'
import type { Condition } from '../../domain/insights/condition.ts'
import { invalid } from '../../domain/insights/invalid.ts'
import { type MergedKinds, withMergedKinds } from '../../domain/insights/merged-kinds.ts'
import { type EventMatch, parseFilterGroups } from '../../domain/insights/parse-filters.ts'
import { parseMatch } from '../../domain/insights/series.ts'
import { parseLongRange, type RangeMs } from '../../domain/insights/time-range.ts'
import { encodeBoundToken, parseBoundToken } from '../calls/bound-token.ts'
import { eventsOf } from '../insights/event-sql.ts'
import { int64Codec, stringCodec } from '../sql/codec.ts'
import { type CompiledQuery, column, type QueryRunner, select } from '../sql/select.ts'
import { param, sql } from '../sql/sql.ts'
import { DISPLAY_ID, joinExternalIds, NOT_COOKIELESS, USER_COLUMNS } from '../users/user-sql.ts'

/** One call of `InsightsService.SegmentUsers`. */
export interface SegmentUsersCall {
  readonly request: SegmentUsersRequest
  readonly projectId: ProjectId
  /** Finds the cohorts that the request names. */
  readonly cohorts?: CohortLookup | undefined
  /** The kinds that count as others. */
  readonly mergedKinds?: MergedKinds | undefined
  readonly run: QueryRunner
}

/** One page of users, and the token of the next page (empty on the last). */
export interface UserPage {
  readonly distinctIds: string[]
  readonly nextPageToken: string
}

/** The users to list: those who did any of the events. */
interface SegmentQuery {
  readonly projectId: ProjectId
  readonly range: RangeMs
  readonly filters: Condition
  readonly excludeBots: boolean
  readonly matches: readonly EventMatch[]
  readonly pageSize: number
  /** The last id of the previous page. */
  readonly lastId: string | undefined
}

const PAGE_SIZE_DEFAULT = 100
const PAGE_SIZE_MAX = 1000
const REASON = 'INVALID_INSIGHT_QUERY'

/** A segment has no series, so the metric does not matter. */
const UNCOUNTED: readonly AggregationType[] = [
  AggregationType.UNSPECIFIED,
  AggregationType.TOTAL,
  AggregationType.UNIQUE_USERS,
]

/** Users who did any of the given events, ordered by id, a page at a time. Throws `ServiceError`. */
export async function listSegmentUsers({ request, run, ...project }: SegmentUsersCall): Promise<UserPage> {
  const { projectId } = project
  const query = parseSegment(request, project)
  const found = await run(compileSegment(query))
  const distinctIds = found.slice(0, query.pageSize).map(({ id }) => id)
  const last = distinctIds.at(-1)
  const isLast = found.length === distinctIds.length || last === undefined
  return {
    distinctIds,
    nextPageToken: isLast
      ? ''
      : encodeBoundToken({ schema: SegmentUsersRequestSchema, request, projectId }, last),
  }
}

function parseSegment(
  request: SegmentUsersRequest,
  { projectId, cohorts = NO_COHORT, mergedKinds }: Omit<SegmentUsersCall, 'request' | 'run'>,
): SegmentQuery {
  const { pageSize, events, excludeBots } = request
  if (pageSize < 0 || pageSize > PAGE_SIZE_MAX)
    throw invalid('pageSize', `must be 0 to ${PAGE_SIZE_MAX}`, REASON)
  if (events.length === 0) throw invalid('events', 'needs at least one entry', REASON)
  const groups = { field: 'filterGroups', reason: REASON } as const
  return {
    projectId,
    range: parseLongRange(request.timeRange, REASON),
    filters: withCohorts(
      parseFilterGroups(request.filterGroups, request.filterGroupsOperator, groups),
      parseCohortFilters(request.cohorts, { field: 'cohorts', reason: REASON }, cohorts),
    ),
    excludeBots,
    matches: parseEvents(withMergedKinds(SegmentUsersRequestSchema, request, mergedKinds), cohorts),
    pageSize: pageSize || PAGE_SIZE_DEFAULT,
    lastId: parseBoundToken({ schema: SegmentUsersRequestSchema, request, projectId }),
  }
}

function parseEvents({ events }: SegmentUsersRequest, lookup: CohortLookup): readonly EventMatch[] {
  return events.map((query, index) => {
    if (!UNCOUNTED.includes(query.aggregation)) {
      throw invalid(`events[${index}].aggregation`, 'must be unset, TOTAL or UNIQUE_USERS here', REASON)
    }
    return parseMatch(query, `events[${index}]`, lookup)
  })
}

function compileSegment(query: SegmentQuery): CompiledQuery<{ readonly id: string }> {
  const { projectId, matches, pageSize, lastId } = query
  const users = sql`SELECT ${USER_COLUMNS} ${eventsOf(matches, query)} AND ${NOT_COOKIELESS} GROUP BY user`
  const after = lastId === undefined ? sql`` : sql` WHERE shown > ${param(stringCodec, lastId)}`
  return select(
    { id: column(stringCodec, sql`${DISPLAY_ID} AS shown`) },
    sql`${joinExternalIds(users, projectId)}${after} ORDER BY shown LIMIT ${param(int64Codec, pageSize + 1)}`,
  )
}
