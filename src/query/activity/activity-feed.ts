import type { GetActivityFeedRequest } from '../../contract/gen/shared/activity/v1/activity_service_pb.js'
import type { ProjectId } from '../../contract/ids.ts'
import { invalid } from '../spec/invalid.ts'
import type { QueryRunner } from '../sql/select.ts'
import { sql } from '../sql/sql.ts'
import { locateEvents } from '../users/locate-events.ts'
import { canonicalUser, USER_KEY } from '../users/user-sql.ts'
import { parseActivity } from './activity-query.ts'
import { type EventPage, listEvents, USER_SPANS_MS } from './event-page.ts'

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
  const { range, kinds, conditions, pageSize, cursor } = parseActivity(request, projectId)
  const user = { projectId, distinctId }
  return await listEvents(
    {
      scope: { projectId, kinds, ...(await locateEvents(user, range, run)) },
      conditions: [sql`${USER_KEY} = ${canonicalUser(user)}`, ...conditions],
      pageSize,
      cursor,
      spansMs: USER_SPANS_MS,
      nowMs,
    },
    run,
  )
}
