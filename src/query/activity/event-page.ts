import type { JsonObject } from '@bufbuild/protobuf'
import { type Timestamp, timestampFromMs } from '@bufbuild/protobuf/wkt'
import { isCanonicalUuid } from '../../contract/ids.ts'
import type { RangeMs } from '../../domain/insights/time-range.ts'
import { decodePageToken, encodePageToken, invalidPageToken } from '../calls/page-token.ts'
import { int64Codec, stringCodec, uuidCodec } from '../sql/codec.ts'
import { type EventScope, scopedEvents } from '../sql/events-table.ts'
import { type CompiledQuery, column, type QueryRunner, type Row, select } from '../sql/select.ts'
import { join, param, type Sql, sql } from '../sql/sql.ts'
import { PROPERTY_COLUMNS, readProperties } from './event-properties.ts'

/** The last event of a page; the next page starts after it. Two events may share an id, but never all four fields. */
export interface EventCursor {
  /** Milliseconds since the Unix epoch. */
  readonly timeMs: number
  /** Lower-case UUID text. */
  readonly eventId: string
  readonly kind: string
  readonly distinctId: string
}

/** Encodes the cursor as a page token. */
export function encodeEventCursor({ timeMs, eventId, kind, distinctId }: EventCursor): string {
  return encodePageToken([timeMs, eventId, kind, distinctId])
}

/** Decodes a token; empty text is the first page. Throws `invalid_argument`. */
export function parseEventCursor(token: string): EventCursor | undefined {
  if (token === '') return undefined
  const [timeMs, eventId, kind, distinctId] = decodePageToken(token)
  const isCursor =
    Number.isSafeInteger(timeMs) &&
    typeof eventId === 'string' &&
    isCanonicalUuid(eventId) &&
    typeof kind === 'string' &&
    typeof distinctId === 'string'
  if (!isCursor) throw invalidPageToken()
  return { timeMs: Number(timeMs), eventId, kind, distinctId }
}

/** The events to list, newest first. */
export interface EventPageQuery {
  readonly scope: EventScope
  /** Conditions in addition to the scope. */
  readonly conditions: readonly Sql[]
  readonly pageSize: number
  /** Last event of the previous page. */
  readonly cursor: EventCursor | undefined
  /** How far back from its newest instant each span of the search reaches, newest first: see {@link listSpans}. */
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
  readonly autoProperties: JsonObject
  readonly customProperties: JsonObject
}

/** One page, and the token of the next page (empty on the last). */
export interface EventPage {
  readonly events: ListedEvent[]
  readonly nextPageToken: string
}

const HOUR_MS = 3_600_000

/** For a whole project: the newest events are usually from the last hour. */
export const PROJECT_SPANS_MS = [HOUR_MS, 24 * HOUR_MS, 7 * 24 * HOUR_MS, 60 * 24 * HOUR_MS]
/** For one user or session: few events, spread over a long time, and found through an index. */
export const USER_SPANS_MS: readonly number[] = []

const COLUMNS = {
  eventId: column(uuidCodec, sql`event_id`),
  kind: column(stringCodec, sql`toString(kind)`),
  distinctId: column(stringCodec, sql`distinct_id`),
  sessionId: column(uuidCodec, sql`session_id`),
  timeMs: column(int64Codec, sql`toUnixTimestamp64Milli(time)`),
  ...PROPERTY_COLUMNS,
}

type EventRow = Row<typeof COLUMNS>

/** Lists a page of events by (time, event id), descending; the order is stable while events arrive. */
export async function listEvents(query: EventPageQuery, run: QueryRunner): Promise<EventPage> {
  const { pageSize } = query
  const rows: EventRow[] = []
  for (const span of listSpans(query)) {
    rows.push(...(await run(compileSpan(query, span, pageSize + 1 - rows.length))))
    if (rows.length > pageSize) break
  }
  const page = rows.slice(0, pageSize)
  const last = page.at(-1)
  return {
    events: page.map(toListedEvent),
    nextPageToken: rows.length > pageSize && last ? encodeEventCursor(last) : '',
  }
}

/**
 * Splits the range into spans, newest first: the first one reaches back from now, or from the end of the range, the
 * others reach further. Cost grows with the rows sorted, and the first span fills most pages.
 */
function listSpans({ scope, cursor, spansMs, nowMs }: EventPageQuery): RangeMs[] {
  const toMs = Math.min(scope.toMs, cursor ? cursor.timeMs + 1 : scope.toMs)
  const startMs = Math.min(toMs, nowMs)
  const starts = [...spansMs.map((ms) => Math.max(startMs - ms, scope.fromMs)), scope.fromMs]
  return starts
    .map((fromMs, index) => ({ fromMs, toMs: starts[index - 1] ?? toMs }))
    .filter((span) => span.fromMs < span.toMs)
}

function compileSpan(query: EventPageQuery, span: RangeMs, rowsMax: number): CompiledQuery<EventRow> {
  const { scope, cursor } = query
  const conditions = [...query.conditions, ...(cursor ? [afterCursor(cursor)] : [])]
  const filtered = join(
    conditions.map((condition) => sql` AND ${condition}`),
    sql``,
  )
  return select(
    COLUMNS,
    sql`${scopedEvents({ ...scope, ...span })}${filtered} ORDER BY time DESC, toString(event_id) DESC, kind DESC, distinct_id DESC LIMIT ${param(int64Codec, rowsMax)}`,
  )
}

function afterCursor({ timeMs, eventId, kind, distinctId }: EventCursor): Sql {
  const ids = sql`${param(stringCodec, eventId)}, ${param(stringCodec, kind)}, ${param(stringCodec, distinctId)}`
  return sql`(toUnixTimestamp64Milli(time), toString(event_id), toString(kind), distinct_id) < (${param(int64Codec, timeMs)}, ${ids})`
}

function toListedEvent(row: EventRow): ListedEvent {
  const { eventId, kind, distinctId, sessionId, timeMs } = row
  return { eventId, kind, distinctId, sessionId, occurTime: timestampFromMs(timeMs), ...readProperties(row) }
}
