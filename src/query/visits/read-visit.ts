import type { MessageInitShape } from '@bufbuild/protobuf'
import type {
  VisitsServiceGetRequest,
  VisitsServiceGetResponseSchema,
} from '../../contract/gen/millrace/web/v1/visits_service_pb.js'
import { NO_SESSION, type ProjectId } from '../../contract/ids.ts'
import { ServiceError } from '../../contract/service-error.ts'
import {
  EVENT_COLUMNS,
  type EventCursor,
  type EventPage,
  encodeEventCursor,
  forgetArrival,
  parseEventCursor,
  toListedEvent,
} from '../activity/event-page.ts'
import { int64Codec, stringCodec, uuidCodec } from '../sql/codec.ts'
import { scopedEvents } from '../sql/events-table.ts'
import { scopedTable } from '../sql/scoped-table.ts'
import { column, type QueryRunner, select } from '../sql/select.ts'
import { param, type Sql, sql } from '../sql/sql.ts'
import { describeVisits, scopeOf } from './describe-visits.ts'
import { IDS_OF_VISIT, type VisitStart } from './find-starts.ts'
import { parsePageSize } from './list-visits.ts'

/** One call of `VisitsService.Get`. */
export interface ReadVisitCall {
  readonly request: VisitsServiceGetRequest
  readonly projectId: ProjectId
  readonly run: QueryRunner
}

/** A visit and a page of its events, the first event first. Throws `ServiceError`. */
export async function readVisit({
  request,
  projectId,
  run,
}: ReadVisitCall): Promise<MessageInitShape<typeof VisitsServiceGetResponseSchema>> {
  const pageSize = parsePageSize(request.pageSize)
  const cursor = parseEventCursor(request.pageToken, 'occurrence')
  const session: SessionKey = { projectId, sessionId: request.sessionId.toLowerCase() }
  const start = await locateVisit(session, run)
  if (!start) throw visitNotFound()
  const [[visit], page] = await Promise.all([
    describeVisits({ projectId }, [start], run),
    listInOrder({ session, start, cursor, pageSize }, run),
  ])
  if (!visit) throw visitNotFound()
  return { visit, ...page }
}

interface SessionKey {
  readonly projectId: ProjectId
  readonly sessionId: string
}

/** Finds the time of the session by its key, and then whose events it has: `events` has no index of sessions. */
async function locateVisit(
  { projectId, sessionId }: SessionKey,
  run: QueryRunner,
): Promise<VisitStart | undefined> {
  if (sessionId === NO_SESSION) return undefined
  const isOf = sql`session_id = ${param(uuidCodec, sessionId)}`
  const [extent] = await run(
    select(
      {
        count: column(int64Codec, sql`toInt64(count())`),
        fromMs: column(int64Codec, sql`toUnixTimestamp64Milli(min(first))`),
        lastMs: column(int64Codec, sql`toUnixTimestamp64Milli(max(last))`),
      },
      sql`${scopedTable('sessions', projectId)} AND ${isOf}`,
    ),
  )
  if (!extent?.count) return undefined
  const events = scopedEvents({ projectId, fromMs: extent.fromMs, toMs: extent.lastMs + 1 })
  const [start] = await run(
    select(
      {
        sessionId: column(stringCodec, sql`toString(session_id)`),
        startMs: column(int64Codec, sql`toUnixTimestamp64Milli(min(time))`),
        endMs: column(int64Codec, sql`toUnixTimestamp64Milli(max(time))`),
        hashes: IDS_OF_VISIT,
      },
      sql`${events} AND ${isOf} GROUP BY session_id`,
    ),
  )
  return start
}

interface OrderedQuery {
  readonly session: SessionKey
  readonly start: VisitStart
  /** Last event of the previous page. */
  readonly cursor: EventCursor | undefined
  readonly pageSize: number
}

async function listInOrder(
  { session: { projectId, sessionId }, start, cursor, pageSize }: OrderedQuery,
  run: QueryRunner,
): Promise<EventPage> {
  const scope = scopeOf([start])
  const fromMs = Math.max(scope.fromMs, cursor?.timeMs ?? scope.fromMs)
  const events = scopedEvents({ projectId, ...scope, fromMs })
  const after = cursor ? sql` AND ${isAfter(cursor)}` : sql``
  const rows = await run(
    select(
      EVENT_COLUMNS,
      sql`${events} AND session_id = ${param(uuidCodec, sessionId)}${after} ORDER BY time, toString(event_id), toString(kind), distinct_id LIMIT ${param(int64Codec, pageSize + 1)}`,
    ),
  )
  const page = rows.slice(0, pageSize).map(forgetArrival)
  const last = rows.length > pageSize ? page.at(-1) : undefined
  return { events: page.map(toListedEvent), nextPageToken: last ? encodeEventCursor(last) : '' }
}

function isAfter({ timeMs, eventId, kind, distinctId }: EventCursor): Sql {
  const position = sql`${param(int64Codec, timeMs)}, ${param(stringCodec, eventId)}, ${param(stringCodec, kind)}, ${param(stringCodec, distinctId)}`
  return sql`(toUnixTimestamp64Milli(time), toString(event_id), toString(kind), distinct_id) > (${position})`
}

function visitNotFound(): ServiceError {
  return new ServiceError({
    code: 'not_found',
    reason: 'VISIT_NOT_FOUND',
    message: 'there is no event with this session id',
  })
}
