import type { GetEventExplorerRequest } from '../../contract/gen/shared/activity/v1/activity_service_pb.js'
import type { ProjectId } from '../../contract/ids.ts'
import { stringCodec } from '../sql/codec.ts'
import type { QueryRunner } from '../sql/select.ts'
import { param, sql } from '../sql/sql.ts'
import { userHash } from '../users/user-sql.ts'
import { parseActivity } from './activity-query.ts'
import { type EventPage, listEvents, PROJECT_SPANS_MS, USER_SPANS_MS } from './event-page.ts'

/** One call of `ActivityService.GetEventExplorer`. */
export interface ExplorerCall {
  readonly request: GetEventExplorerRequest
  readonly projectId: ProjectId
  readonly nowMs: number
  readonly run: QueryRunner
}

/** Events of a project, or of one exact distinct id, newest first, a page at a time. Throws `ServiceError`. */
export async function exploreEvents({ request, projectId, nowMs, run }: ExplorerCall): Promise<EventPage> {
  const { range, kinds, conditions, pageSize, cursor } = parseActivity(request, projectId)
  const { distinctId } = request
  const isOfOne = distinctId !== ''
  const scope = {
    projectId,
    ...range,
    kinds,
    userHashes: isOfOne ? sql`(${userHash({ projectId, distinctId })})` : undefined,
  }
  const exact = isOfOne ? [sql`distinct_id = ${param(stringCodec, distinctId)}`] : []
  return await listEvents(
    {
      scope,
      conditions: [...exact, ...conditions],
      pageSize,
      cursor,
      spansMs: isOfOne || request.sessionId !== '' ? USER_SPANS_MS : PROJECT_SPANS_MS,
      nowMs,
    },
    run,
  )
}
