import type { GetActivityFeedRequest } from '../../contract/gen/shared/activity/v1/activity_service_pb.js'
import type { ProjectId } from '../../contract/ids.ts'
import type { Ask } from '../insights/insight.ts'
import { invalid } from '../invalid.ts'
import { sql } from '../sql/sql.ts'
import { locateEvents } from '../users/locate-events.ts'
import { canonicalUser } from '../users/user-ids.ts'
import { USER_KEY } from '../users/user-key.ts'
import { parseActivity } from './activity-question.ts'
import { type EventPage, listEvents, USER_SPANS_MS } from './event-page.ts'

/** One call of `ActivityService.GetActivityFeed`. */
export interface FeedCall {
  readonly request: GetActivityFeedRequest
  readonly projectId: ProjectId
  readonly nowMs: number
  readonly ask: Ask
}

/** Events of one user across all of their ids, newest first, a page at a time. Throws `ServiceError`. */
export async function listActivity({ request, projectId, nowMs, ask }: FeedCall): Promise<EventPage> {
  const { distinctId } = request
  if (distinctId === '') throw invalid('distinctId', 'is required', 'INVALID_ACTIVITY_FILTER')
  const { range, kinds, conditions, pageSize, cursor } = parseActivity(request, projectId)
  const user = { projectId, distinctId }
  return await listEvents(
    {
      scope: { projectId, kinds, ...(await locateEvents(user, range, ask)) },
      conditions: [sql`${USER_KEY} = ${canonicalUser(user)}`, ...conditions],
      pageSize,
      cursor,
      spansMs: USER_SPANS_MS,
      nowMs,
    },
    ask,
  )
}
