import type {
  GetActivityFeedRequest,
  GetEventExplorerRequest,
} from '../../contract/gen/shared/activity/v1/activity_service_pb.js'
import type { ProjectId } from '../../contract/ids.ts'
import { invalid } from '../../domain/insights/invalid.ts'
import { stringCodec } from '../sql/codec.ts'
import type { QueryRunner } from '../sql/select.ts'
import { param, sql } from '../sql/sql.ts'
import { locateEvents } from '../users/locate-events.ts'
import { canonicalUser, USER_KEY, userHash } from '../users/user-sql.ts'
import { type ActivityProject, parseActivity, parseArrivals } from './activity-query.ts'
import { type EventPage, listEvents } from './event-page.ts'
import { type EventUser, readEventUsers } from './event-users.ts'
import { ARRIVAL_SPANS_MS, PROJECT_SPANS_MS, USER_SPANS_MS } from './newest-spans.ts'

/** One call of `ActivityService.GetActivityFeed`. */
export interface FeedCall {
  readonly request: GetActivityFeedRequest
  readonly projectId: ProjectId
  readonly nowMs: number
  readonly run: QueryRunner
}

/** Events of one user across all of their ids, newest first, a page at a time. Throws `ServiceError`. */
export async function listActivity({ request, projectId, nowMs, run }: FeedCall): Promise<EventPage> {
  const { distinctId } = request
  if (distinctId === '') throw invalid('distinctId', 'is required', 'INVALID_ACTIVITY_FILTER')
  const { range, kinds, conditions, pageSize, cursor } = parseActivity(request, { projectId })
  const user = { projectId, distinctId }
  return await listEvents(
    {
      scope: { projectId, kinds, ...(await locateEvents(user, { range, run })) },
      conditions: [sql`${USER_KEY} = ${canonicalUser(user)}`, ...conditions],
      pageSize,
      cursor,
      spansMs: USER_SPANS_MS,
      nowMs,
    },
    run,
  )
}

/** One call of `ActivityService.GetEventExplorer`. */
export interface ExplorerCall {
  readonly request: GetEventExplorerRequest
  readonly project: ActivityProject
  readonly nowMs: number
  readonly run: QueryRunner
}

/** A page with the users of its events, if they are requested. */
export interface ExplorerPage extends EventPage {
  readonly users?: EventUser[]
}

/**
 * Events of a project, or of one exact distinct id, newest first by time or by arrival, a page at a time. Throws
 * `ServiceError`.
 */
export async function exploreEvents(call: ExplorerCall): Promise<ExplorerPage> {
  const page = await listExplored(call)
  if (!call.request.withUsers) return page
  const distinctIds = page.events.map(({ distinctId }) => distinctId)
  const { projectId } = call.project
  return { ...page, users: await readEventUsers({ projectId, distinctIds }, call.run) }
}

async function listExplored({ request, project, nowMs, run }: ExplorerCall): Promise<EventPage> {
  const { projectId } = project
  const arrivals = parseArrivals(request)
  const { range, kinds, conditions, pageSize, cursor } = parseActivity(
    request,
    project,
    arrivals ? 'arrival' : 'occurrence',
  )
  const { distinctId } = request
  const isOfOne = distinctId !== ''
  const scope = {
    projectId,
    ...range,
    kinds,
    userHashes: isOfOne ? sql`(${userHash({ projectId, distinctId })})` : undefined,
  }
  const projectSpans = arrivals ? ARRIVAL_SPANS_MS : PROJECT_SPANS_MS
  const exact = isOfOne ? [sql`distinct_id = ${param(stringCodec, distinctId)}`] : []
  return await listEvents(
    {
      scope,
      arrivals,
      conditions: [...exact, ...conditions],
      pageSize,
      cursor,
      spansMs: isOfOne || request.sessionId !== '' ? USER_SPANS_MS : projectSpans,
      nowMs,
    },
    run,
  )
}
