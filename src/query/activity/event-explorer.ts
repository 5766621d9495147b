import type { JsonObject, MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import type {
  GetEventExplorerRequest,
  GetEventExplorerResponseSchema,
} from '../../contract/gen/shared/activity/v1/activity_service_pb.js'
import type { ProjectId } from '../../contract/ids.ts'
import { LIMITS } from '../../kernel/limits.ts'
import type { Ask } from '../insights/insight.ts'
import { notYet } from '../insights/query-insight.ts'
import { parseTimeRange } from '../insights/time-range.ts'
import { int64Codec, stringArrayCodec, stringCodec, uuidCodec } from '../sql/codec.ts'
import { scopedEvents } from '../sql/events-table.ts'
import { column, type Query, type Row, select } from '../sql/select.ts'
import { join, param, type Sql, sql } from '../sql/sql.ts'
import { PROPERTY_COLUMNS, readProperties } from './event-properties.ts'
import { type EventCursor, encodePageToken, parsePageToken } from './page-token.ts'

/** One call of `ActivityService.GetEventExplorer`. */
export interface ExplorerCall {
  readonly request: GetEventExplorerRequest
  readonly projectId: ProjectId
  readonly ask: Ask
}

/** The end of the times that an event can have: the range of a request that names none. */
const TIME_END_MS = Date.UTC(2106, 0, 1)

const COLUMNS = {
  eventId: column(uuidCodec, sql`event_id`),
  kind: column(stringCodec, sql`toString(kind)`),
  distinctId: column(stringCodec, sql`distinct_id`),
  sessionId: column(uuidCodec, sql`session_id`),
  timeMs: column(int64Codec, sql`toUnixTimestamp64Milli(time)`),
  ...PROPERTY_COLUMNS,
}

/** Events of a project, newest first by (occurTime, eventId), a page at a time. Throws `ServiceError`. */
export async function exploreEvents(
  call: ExplorerCall,
): Promise<MessageInitShape<typeof GetEventExplorerResponseSchema>> {
  const pageSize = call.request.pageSize || LIMITS.activityPageSizeDefault
  const rows = await call.ask(compileExplorer(call.request, call.projectId, pageSize))
  const page = rows.slice(0, pageSize)
  const last = page.at(-1)
  return {
    events: page.map(toActivityEvent),
    nextPageToken: rows.length > pageSize && last ? encodePageToken(last) : '',
  }
}

function compileExplorer(
  request: GetEventExplorerRequest,
  projectId: ProjectId,
  pageSize: number,
): Query<Row<typeof COLUMNS>> {
  const range = request.timeRange
    ? parseTimeRange(request.timeRange, 'INVALID_ACTIVITY_FILTER')
    : { fromMs: 0, toMs: TIME_END_MS }
  const conditions = explorerConditions(request)
  return select(
    COLUMNS,
    sql`${scopedEvents({ projectId, ...range })}${join(conditions, sql``)} ORDER BY time DESC, toString(event_id) DESC LIMIT ${param(int64Codec, pageSize + 1)}`,
  )
}

function explorerConditions(request: GetEventExplorerRequest): Sql[] {
  const hasFilters =
    request.propertyFilters.length > 0 || request.events.some(({ filters }) => filters.length > 0)
  if (hasFilters) throw notYet('a property filter')
  const conditions: Sql[] = []
  const kinds = request.events.map(({ kind }) => kind)
  if (kinds.length > 0 && !kinds.includes(''))
    conditions.push(sql` AND kind IN ${param(stringArrayCodec, kinds)}`)
  if (request.distinctId !== '')
    conditions.push(sql` AND distinct_id = ${param(stringCodec, request.distinctId)}`)
  if (request.sessionId !== '') {
    conditions.push(sql` AND session_id = ${param(uuidCodec, request.sessionId.toLowerCase())}`)
  }
  const cursor = parsePageToken(request.pageToken)
  if (cursor) conditions.push(afterCursor(cursor))
  return conditions
}

function afterCursor(cursor: EventCursor): Sql {
  const time = param(int64Codec, cursor.timeMs)
  return sql` AND (toUnixTimestamp64Milli(time), toString(event_id)) < (${time}, ${param(stringCodec, cursor.eventId)})`
}

function toActivityEvent(row: Row<typeof COLUMNS>): {
  readonly eventId: string
  readonly kind: string
  readonly distinctId: string
  readonly sessionId: string
  readonly occurTime: ReturnType<typeof timestampFromMs>
  readonly autoProperties: JsonObject
  readonly customProperties: JsonObject
} {
  const { eventId, kind, distinctId, sessionId, timeMs } = row
  return { eventId, kind, distinctId, sessionId, occurTime: timestampFromMs(timeMs), ...readProperties(row) }
}
