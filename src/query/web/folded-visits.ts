import type { ProjectId } from '../../contract/ids.ts'
import type { RangeMs } from '../../domain/insights/time-range.ts'
import { VISIT_MS_MAX } from '../../store/clickhouse/migrations/011-visits.ts'
import { int64ArrayCodec, int64Codec, uuidArrayCodec, uuidCodec } from '../sql/codec.ts'
import { instant, scopedEvents } from '../sql/events-table.ts'
import { scopedTable, scopedVersions } from '../sql/scoped-table.ts'
import { type CompiledQuery, column, type QueryRunner, type Row, select } from '../sql/select.ts'
import { param, type Sql, sql } from '../sql/sql.ts'
import type { VisitScope } from './visits-sql.ts'
import type { VisitSelection } from './web-query.ts'

/** Visits of a range, most of them from rows of the table of visits. */
export interface FoldedScope {
  readonly selection: VisitSelection
  /** The visits of this range are in the table, except those of other sessions. */
  readonly range: RangeMs
  readonly otherSessions: readonly string[]
  /** The visits of the other sessions, read from their events; absent when none begins in the range. */
  readonly others: VisitScope | undefined
  /** No more visits are in the range. */
  readonly visitCountMax: number
}

/** Sessions that a statement names; with more, the latest days are read from events. */
const OTHERS_MAX = 3000

const DAY_MS = 24 * 3_600_000

/** The folder is behind by so much that reading the sessions of all later arrivals is no gain. */
const BEHIND_MS_MAX = 7 * DAY_MS

/** Whether rows of the table suffice for the selection: they have no single events, and no values of users. */
export function isFoldable({ events, goals, visits, properties, person, cohorts }: VisitSelection): boolean {
  const isOfVisit = visits.every(({ isFirstTouch }) => !isFirstTouch)
  return events.length === 0 && goals.length === 0 && isOfVisit && !properties && !person && !cohorts
}

/** The visits of the part of a range that the table covers, and the rest of the range. */
export interface FoldedRange {
  readonly folded: FoldedScope
  /** The last part of the range, which has to be read from events; `undefined` without one. */
  readonly rest: RangeMs | undefined
}

/**
 * Finds which visits of a range are in the table: those of sessions without an arrival since the table was brought up to date.
 * `undefined` when the table does not help.
 */
export async function findFolded(
  selection: VisitSelection,
  range: RangeMs,
  run: QueryRunner,
): Promise<FoldedRange | undefined> {
  const [found] = await run(compileOthers(selection, range))
  if (!found || found.coveredMs === 0 || range.fromMs < usableFrom(found.startMs)) return undefined
  // A clock that was set back makes new arrivals look old.
  if (found.nowMs - found.coveredMs > BEHIND_MS_MAX || found.nowMs < found.coveredMs) return undefined
  const others = listOthers(found)
  const leftOut = others[OTHERS_MAX]
  const toMs = leftOut ? Math.min(range.toMs, startOfDay(leftOut.firstMs)) : range.toMs
  if (toMs <= range.fromMs) return undefined
  const own = { fromMs: range.fromMs, toMs }
  const earlier = others.slice(0, OTHERS_MAX).filter(({ firstMs }) => firstMs < toMs)
  const begunBefore = await findBegunBefore(selection, { range: own, sessions: earlier }, run)
  const begun = earlier.filter(({ sessionId }) => !begunBefore.has(sessionId))
  return {
    folded: {
      selection,
      range: own,
      otherSessions: earlier.map(({ sessionId }) => sessionId),
      others: toScope(selection, own, begun),
      visitCountMax: found.rowCount + begun.length,
    },
    rest: toMs < range.toMs ? { fromMs: toMs, toMs: range.toMs } : undefined,
  }
}

/** A copy may have moved the first event of a session away, so that one of before `start` begins later, and is in no row yet. */
function usableFrom(startMs: number): number {
  return startMs === 0 ? 0 : startMs + VISIT_MS_MAX
}

interface Session {
  readonly sessionId: string
  readonly firstMs: number
  readonly lastMs: number
}

/** One text, which the engine evaluates once: all parts are of the same moment. Without a table, no arrival matters. */
const COVERAGE = sql`(SELECT tuple(argMax(covered, version), argMax(start, version), if(count() = 0, now64(3, 'UTC'), argMax(covered, version))) FROM visit_coverage)`

const OTHERS = {
  coveredMs: column(int64Codec, sql`toUnixTimestamp64Milli(${COVERAGE}.1)`),
  startMs: column(int64Codec, sql`toUnixTimestamp64Milli(${COVERAGE}.2)`),
  nowMs: column(int64Codec, sql`toUnixTimestamp64Milli(now64(3))`),
  sessionIds: column(uuidArrayCodec, sql`groupArray(session_id)`),
  firstMs: column(int64ArrayCodec, sql`groupArray(toUnixTimestamp64Milli(began))`),
  lastMs: column(int64ArrayCodec, sql`groupArray(toUnixTimestamp64Milli(ended))`),
}

/**
 * The sessions of the range that are not in the table as they are, by their start: those with later arrivals, and those that
 * are too long for it. A session may have moved its start, so that the one of its row may be anywhere in its extent.
 */
function compileOthers(
  { projectId }: VisitSelection,
  range: RangeMs,
): CompiledQuery<Row<typeof OTHERS> & { readonly rowCount: number }> {
  const { fromMs, toMs } = range
  const arrived = sql`SELECT session_id ${scopedTable('session_arrivals', projectId)} AND arrived >= ${COVERAGE}.3`
  const fresh = sql`SELECT session_id, first AS least, last AS most ${scopedTable('sessions', projectId)} AND session_id IN (${arrived})`
  const tooLong = sql`SELECT session_id, min(first) AS least, max(last) AS most ${scopedTable('long_sessions', projectId)} GROUP BY session_id HAVING most > least + toIntervalMillisecond(${param(int64Codec, VISIT_MS_MAX)})`
  const sessions = sql`SELECT session_id, min(least) AS began, max(most) AS ended FROM (${fresh} UNION ALL ${tooLong}) GROUP BY session_id HAVING began < ${instant(toMs)} AND ended >= ${instant(fromMs)} ORDER BY began LIMIT ${param(int64Codec, OTHERS_MAX + 1)}`
  // With every version, because that needs no column.
  const rowCount = sql`(SELECT count() ${scopedVersions('visits', projectId)} AND ${inDays(range)})`
  return select(
    { ...OTHERS, rowCount: column(int64Codec, sql`toInt64(${rowCount})`) },
    sql`FROM (${sessions})`,
  )
}

function listOthers({ sessionIds, firstMs, lastMs }: Row<typeof OTHERS>): readonly Session[] {
  return sessionIds
    .map((sessionId, index) => ({ sessionId, firstMs: firstMs[index] ?? 0, lastMs: lastMs[index] ?? 0 }))
    .toSorted((left, right) => left.firstMs - right.firstMs)
}

function startOfDay(ms: number): number {
  return Math.floor(ms / DAY_MS) * DAY_MS
}

/** A session of a range with its recorded extent, which contains its events. */
interface Extents {
  readonly range: RangeMs
  readonly sessions: readonly Session[]
}

/**
 * The long sessions that begin before the range: an id in constant use is not read as a whole. The recorded start may be that of an
 * event which a copy has moved to another session, so that the session must have the event still.
 */
async function findBegunBefore(
  { projectId }: VisitSelection,
  { range, sessions }: Extents,
  run: QueryRunner,
): Promise<ReadonlySet<string>> {
  const long = sessions.filter(
    ({ firstMs, lastMs }) => firstMs < range.fromMs && lastMs > firstMs + VISIT_MS_MAX,
  )
  if (long.length === 0) return new Set()
  const startOf = new Map(long.map(({ sessionId, firstMs }) => [sessionId, firstMs]))
  const found = await run(compileStarts(projectId, long))
  return new Set(
    found
      .filter(({ sessionId, startMs }) => startMs === startOf.get(sessionId))
      .map(({ sessionId }) => sessionId),
  )
}

const STARTS = {
  sessionId: column(uuidCodec, sql`session_id`),
  startMs: column(int64Codec, sql`toUnixTimestamp64Milli(min(time))`),
}

/** The first event of each session at one of the recorded starts. */
function compileStarts(
  projectId: ProjectId,
  sessions: readonly Session[],
): CompiledQuery<Row<typeof STARTS>> {
  const starts = sessions.map(({ firstMs }) => firstMs)
  const ids = param(
    uuidArrayCodec,
    sessions.map(({ sessionId }) => sessionId),
  )
  const range = { fromMs: leastOf(starts), toMs: mostOf(starts) + 1 }
  const instants = sql`SELECT fromUnixTimestamp64Milli(arrayJoin(${param(int64ArrayCodec, starts)}), 'UTC') AS start`
  return select(
    STARTS,
    sql`${scopedEvents({ projectId, ...range })} AND toDate(time) IN (SELECT toDate(start) FROM (${instants})) AND time IN (${instants}) AND session_id IN ${ids} GROUP BY session_id`,
  )
}

function leastOf(values: readonly number[]): number {
  return values.reduce((least, value) => Math.min(least, value), Number.POSITIVE_INFINITY)
}

function mostOf(values: readonly number[]): number {
  return values.reduce((most, value) => Math.max(most, value), 0)
}

/** The events of sessions. */
function toScope(
  selection: VisitSelection,
  range: RangeMs,
  begun: readonly Session[],
): VisitScope | undefined {
  if (begun.length === 0) return undefined
  const fromMs = leastOf(begun.map(({ firstMs }) => firstMs))
  const toMs = mostOf(begun.map(({ lastMs }) => lastMs)) + 1
  return {
    selection,
    range,
    reach: { range: { fromMs, toMs }, condition: undefined },
    completions: new Map(),
    candidates: { fromMs, toMs, userHashes: undefined, sessionIds: begun.map(({ sessionId }) => sessionId) },
  }
}

/** `FROM visits ...`: the rows of the visits of a range but for those of other sessions. */
export function fromFolded({ selection, range, otherSessions }: FoldedScope): Sql {
  const others =
    otherSessions.length === 0 ? sql`` : sql` AND session_id NOT IN ${param(uuidArrayCodec, otherSessions)}`
  const bots = selection.bots === 'left out' ? sql` AND NOT is_bot` : sql``
  return sql`${scopedTable('visits', selection.projectId)} AND ${inDays(range)} AND began >= ${instant(range.fromMs)} AND began < ${instant(range.toMs)} AND NOT is_gone${bots}${others}`
}

/** The days of a range. */
function inDays({ fromMs, toMs }: RangeMs): Sql {
  return sql`day >= toDate(${instant(fromMs)}) AND day <= toDate(${instant(toMs - 1)})`
}
