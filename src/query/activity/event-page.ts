import type { JsonObject } from '@bufbuild/protobuf'
import { type Timestamp, timestampFromMs } from '@bufbuild/protobuf/wkt'
import { isCanonicalUuid } from '../../contract/ids.ts'
import { decodeKindName } from '../../contract/kind-names.ts'
import type { RangeMs } from '../../domain/insights/time-range.ts'
import { decodePageToken, encodePageToken, invalidPageToken } from '../../rpc/page-token.ts'
import { int64Codec, stringCodec, uuidCodec } from '../sql/codec.ts'
import { type EventScope, instant, scopedEvents } from '../sql/events-table.ts'
import { type CompiledQuery, column, type QueryRunner, type Row, select } from '../sql/select.ts'
import { join, param, type Sql, sql } from '../sql/sql.ts'
import { PROPERTY_COLUMNS, readProperties } from './event-properties.ts'
import { newestSpans } from './newest-spans.ts'

/** The orders of a list, newest first: by the time of the events, or by their arrival. */
export type ListOrder = 'occurrence' | 'arrival'

/** The last event of a page; the next page starts after it. Two events may share an id, but never all fields. */
export interface EventCursor {
  /** Milliseconds since the Unix epoch; absent in a list by occurrence. */
  readonly arrivalMs?: number
  /** Milliseconds since the Unix epoch. */
  readonly timeMs: number
  /** Lower-case UUID text. */
  readonly eventId: string
  readonly kind: string
  readonly distinctId: string
}

/** Encodes the cursor as a page token. */
export function encodeEventCursor({ arrivalMs, timeMs, eventId, kind, distinctId }: EventCursor): string {
  const position = [timeMs, eventId, kind, distinctId]
  return encodePageToken(arrivalMs === undefined ? position : [...position, arrivalMs])
}

/** Decodes a token of a list in this order; empty text is the first page. Throws `invalid_argument`. */
export function parseEventCursor(token: string, order: ListOrder): EventCursor | undefined {
  if (token === '') return undefined
  const values = decodePageToken(token)
  const [timeMs, eventId, kind, distinctId, arrivalMs] = values
  const isCursor =
    values.length === (order === 'arrival' ? 5 : 4) &&
    Number.isSafeInteger(timeMs) &&
    typeof eventId === 'string' &&
    isCanonicalUuid(eventId) &&
    typeof kind === 'string' &&
    typeof distinctId === 'string'
  if (!isCursor) throw invalidPageToken()
  const cursor = { timeMs: Number(timeMs), eventId, kind, distinctId }
  if (order === 'occurrence') return cursor
  if (!Number.isSafeInteger(arrivalMs)) throw invalidPageToken()
  return { ...cursor, arrivalMs: Number(arrivalMs) }
}

/** The events to list, newest first. */
export interface EventPageQuery {
  readonly scope: EventScope
  /** The range of arrivals of a list by arrival; absent in a list by occurrence. */
  readonly arrivals?: RangeMs | undefined
  /** Conditions in addition to the scope. */
  readonly conditions: readonly Sql[]
  readonly pageSize: number
  /** Last event of the previous page. */
  readonly cursor: EventCursor | undefined
  /** Lengths of the spans that the search reads, newest first: see {@link newestSpans}. */
  readonly spansMs: readonly number[]
  readonly nowMs: number
}

/** An event in the form of `ActivityEvent`. */
export interface ListedEvent {
  readonly eventId: string
  readonly kind: string
  readonly distinctId: string
  readonly sessionId: string
  readonly occurTime: Timestamp
  readonly arrivalTime?: Timestamp
  readonly autoProperties: JsonObject
  readonly customProperties: JsonObject
  readonly displayName?: string
}

/** One page, and the token of the next page (empty on the last). */
export interface EventPage {
  readonly events: ListedEvent[]
  readonly nextPageToken: string
}

/** The columns of a listed event. */
export const EVENT_COLUMNS = {
  eventId: column(uuidCodec, sql`event_id`),
  kind: column(stringCodec, sql`toString(kind)`),
  distinctId: column(stringCodec, sql`distinct_id`),
  sessionId: column(uuidCodec, sql`session_id`),
  timeMs: column(int64Codec, sql`toUnixTimestamp64Milli(time)`),
  arrivalMs: column(int64Codec, sql`toUnixTimestamp64Milli(ingested)`),
  ...PROPERTY_COLUMNS,
}

type EventRow = Row<typeof EVENT_COLUMNS>

/**
 * Lists a page of events by (time, event id) or (arrival, time, event id), descending; the order is stable while events
 * arrive.
 */
export async function listEvents(query: EventPageQuery, run: QueryRunner): Promise<EventPage> {
  const { pageSize } = query
  const rows: EventRow[] = []
  for (const span of listSpans(query)) {
    rows.push(...(await run(compileSpan(query, span, pageSize + 1 - rows.length))))
    if (rows.length > pageSize) break
  }
  const page = rows.slice(0, pageSize).map(query.arrivals ? (row) => row : forgetArrival)
  const last = page.at(-1)
  return {
    events: page.map(toListedEvent),
    nextPageToken: rows.length > pageSize && last ? encodeEventCursor(last) : '',
  }
}

type ListedRow = Omit<EventRow, 'arrivalMs'> & Partial<Pick<EventRow, 'arrivalMs'>>

/** The row without its arrival, which only lists by arrival show. */
export function forgetArrival({ arrivalMs: _, ...row }: EventRow): ListedRow {
  return row
}

/** The spans of the range up to the cursor. */
function listSpans({ scope, arrivals, cursor, spansMs, nowMs }: EventPageQuery): RangeMs[] {
  const { fromMs, toMs } = arrivals ?? scope
  const reachedMs = cursor && (cursor.arrivalMs ?? cursor.timeMs)
  const range = { fromMs, toMs: Math.min(toMs, reachedMs === undefined ? toMs : reachedMs + 1) }
  return newestSpans(range, { spansMs, nowMs })
}

function compileSpan(query: EventPageQuery, span: RangeMs, rowsMax: number): CompiledQuery<EventRow> {
  const { scope, arrivals, cursor } = query
  const conditions = [
    ...(arrivals ? [arrivedWithin(span)] : []),
    ...query.conditions,
    ...(cursor ? [afterCursor(cursor)] : []),
  ]
  const filtered = join(
    conditions.map((condition) => sql` AND ${condition}`),
    sql``,
  )
  const events = scopedEvents(arrivals ? scope : { ...scope, ...span })
  const first = arrivals ? sql`ingested DESC, ` : sql``
  return select(
    EVENT_COLUMNS,
    sql`${events}${filtered} ORDER BY ${first}time DESC, toString(event_id) DESC, kind DESC, distinct_id DESC LIMIT ${param(int64Codec, rowsMax)}`,
  )
}

/** An index has the arrivals of each granule: a span reads those that may have a row of it. */
function arrivedWithin({ fromMs, toMs }: RangeMs): Sql {
  return sql`ingested >= ${instant(fromMs)} AND ingested < ${instant(toMs)}`
}

function afterCursor({ arrivalMs, timeMs, eventId, kind, distinctId }: EventCursor): Sql {
  const ids = sql`${param(stringCodec, eventId)}, ${param(stringCodec, kind)}, ${param(stringCodec, distinctId)}`
  const [column, value] =
    arrivalMs === undefined
      ? [sql``, sql``]
      : [sql`toUnixTimestamp64Milli(ingested), `, sql`${param(int64Codec, arrivalMs)}, `]
  return sql`(${column}toUnixTimestamp64Milli(time), toString(event_id), toString(kind), distinct_id) < (${value}${param(int64Codec, timeMs)}, ${ids})`
}

/** The event of a row. */
export function toListedEvent(row: ListedRow): ListedEvent {
  const { eventId, kind, distinctId, sessionId, timeMs, arrivalMs } = row
  const name = decodeKindName(kind)
  return {
    eventId,
    kind,
    distinctId,
    sessionId,
    occurTime: timestampFromMs(timeMs),
    ...(arrivalMs !== undefined && { arrivalTime: timestampFromMs(arrivalMs) }),
    ...readProperties(row),
    ...(name !== kind && { displayName: name }),
  }
}
