import type { RangeMs } from '../../domain/insights/time-range.ts'
import { newestSpans, PROJECT_SPANS_MS } from '../activity/newest-spans.ts'
import { int64Codec, stringCodec, uint64ArrayCodec } from '../sql/codec.ts'
import { ALL_TIME } from '../sql/events-table.ts'
import { type Column, type CompiledQuery, column, type QueryRunner, type Row, select } from '../sql/select.ts'
import { param, type Sql, sql } from '../sql/sql.ts'
import { findVisits, type VisitSearch } from '../web/find-visits.ts'
import { selectVisits, type VisitScope } from '../web/visits-sql.ts'
import { type PreselectionLimits, preselect } from './preselect.ts'

/** A visit with more ids than this has none of them listed: its events are then found without them. */
const IDS_MAX = 100

/** Each search of a span preselects more sessions than the one before; then all visits are read. */
const PRESELECTIONS: readonly PreselectionLimits[] = [400, 1500, 3000].map((sessionsMax) => ({
  eventsMax: 100_000,
  sessionsMax,
  hashesMax: 4000,
}))

/** The last visit of a page; the next page starts after it. */
export interface VisitCursor {
  /** Milliseconds since the Unix epoch. */
  readonly startMs: number
  /** Lower-case UUID text. */
  readonly sessionId: string
}

/** The visits to find. */
export interface StartSearch extends VisitSearch {
  readonly range: RangeMs
  readonly cursor: VisitCursor | undefined
  readonly countMax: number
  readonly nowMs: number
  /** By default those of the service. */
  readonly preselections?: readonly PreselectionLimits[] | undefined
}

const IDS: Sql = sql`groupUniqArray(user_hash)`

/** Hashes of the distinct ids of a visit's events, over a group of them; empty when they are too many. */
export const IDS_OF_VISIT: Column<readonly bigint[]> = column(
  uint64ArrayCodec,
  sql`if(length(${IDS}) > ${param(int64Codec, IDS_MAX)}, emptyArrayUInt64(), ${IDS})`,
)

const COLUMNS = {
  sessionId: column(stringCodec, sql`session`),
  startMs: column(int64Codec, sql`toUnixTimestamp64Milli(began)`),
  endMs: column(int64Codec, sql`toUnixTimestamp64Milli(began) + spent`),
  hashes: column(uint64ArrayCodec, sql`hashes`),
}

/** The time range of a visit, and its users. */
export type VisitStart = Row<typeof COLUMNS>

/**
 * Finds the visits that start last in the range, the latest start first. The range is searched in spans, newest first, so
 * that a page costs the events around its visits and not those of the whole range.
 */
export async function findStarts(search: StartSearch, run: QueryRunner): Promise<readonly VisitStart[]> {
  const { range, cursor, countMax, nowMs } = search
  const reached: RangeMs = {
    fromMs: Math.max(range.fromMs, ALL_TIME.fromMs),
    toMs: Math.min(range.toMs, ALL_TIME.toMs, cursor ? cursor.startMs + 1 : range.toMs),
  }
  const found: VisitStart[] = []
  for (const span of newestSpans(reached, { spansMs: PROJECT_SPANS_MS, nowMs })) {
    found.push(...(await searchSpan({ ...search, range: span, countMax: countMax - found.length }, run)))
    if (found.length >= countMax) break
  }
  return found
}

/** Finds the visits of a span: among preselected sessions from the newest on, and the rest among all. */
async function searchSpan(search: StartSearch, run: QueryRunner): Promise<readonly VisitStart[]> {
  const { cursor, countMax, preselections = PRESELECTIONS } = search
  const found: VisitStart[] = []
  let range = search.range
  for (const limits of [...preselections, undefined]) {
    const visits = await findVisits(search, range, run)
    if (!visits) break
    const part = limits && (await preselect(visits, limits, run))
    const read = part ? part.visits : visits
    if (read) found.push(...(await run(compileStarts(read, cursor, countMax - found.length))))
    range = { ...range, toMs: part ? part.fromMs : range.fromMs }
    if (found.length >= countMax || range.toMs <= range.fromMs) break
  }
  return found
}

function compileStarts(
  scope: VisitScope,
  cursor: VisitCursor | undefined,
  countMax: number,
): CompiledQuery<VisitStart> {
  const visits = selectVisits(scope, [
    sql`toString(session_id) AS session`,
    sql`${IDS_OF_VISIT.expression} AS hashes`,
  ])
  const after = cursor
    ? sql` WHERE (toUnixTimestamp64Milli(began), session) < (${param(int64Codec, cursor.startMs)}, ${param(stringCodec, cursor.sessionId)})`
    : sql``
  return select(
    COLUMNS,
    sql`FROM (${visits})${after} ORDER BY began DESC, session DESC LIMIT ${param(int64Codec, countMax)}`,
  )
}
