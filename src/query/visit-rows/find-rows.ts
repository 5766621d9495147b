import type { ProjectId } from '../../contract/ids.ts'
import type { RangeMs } from '../../domain/insights/time-range.ts'
import { monotonicMs } from '../../kernel/clock.ts'
import { VISIT_MS_MAX } from '../../store/clickhouse/migrations/011-visits.ts'
import { SETTLE_MS, VISIT_LAYOUT } from '../../store/clickhouse/migrations/fold-visits.ts'
import { int64ArrayCodec, int64Codec, uuidArrayCodec, uuidCodec } from '../sql/codec.ts'
import { instant, scopedEvents } from '../sql/events-table.ts'
import { scopedTable, scopedVersions } from '../sql/scoped-table.ts'
import { type CompiledQuery, column, type QueryRunner, type Row, select } from '../sql/select.ts'
import { anyOf, join, param, type Sql, sql } from '../sql/sql.ts'

/** Whether some events count. */
type Counting = 'left out' | 'measured'

/** The sessions of a question: those that begin in its range, or the paths of those that may have an event in it. */
export interface Sought {
  readonly projectId: ProjectId
  readonly range: RangeMs
  readonly sessions: 'begun' | 'overlapping'
  /** Whether events of bots count. */
  readonly bots: Counting
  /** Whether those of cookieless visitors count. */
  readonly cookieless: Counting
}

/** Sessions whose rows are not up to date, and an extent that contains all of their events. */
export interface OtherSessions {
  readonly sessionIds: readonly string[]
  readonly extent: RangeMs
}

/** Sessions of which rows of the table of visits tell everything, and those that have to be read from events. */
export interface VisitRows extends Sought {
  /** Sessions whose rows do not count. */
  readonly excluded: readonly string[]
  /** Those among them that may be sought; absent when none is. */
  readonly others: OtherSessions | undefined
  /** No more sessions are sought. */
  readonly visitCountMax: number
}

/** The sessions of the part of a range that the table covers, and the rest of the range. */
export interface FoundRows {
  readonly rows: VisitRows
  /** The last part of the range, which has to be read from events; `undefined` without one. */
  readonly rest: RangeMs | undefined
}

/** Sessions that a statement names; with more, the latest days are read from events. */
const OTHERS_MAX = 3000

const DAY_MS = 24 * 3_600_000

/** The folder is behind by so much that reading the sessions of all later arrivals is no gain. */
const BEHIND_MS_MAX = 7 * DAY_MS

/** Well below the time that a fold waits for questions which have not found the latest arrivals. */
const ANSWER_MS_MAX = SETTLE_MS - 2000

/**
 * Whether rows of the table answer a question whose search for arrivals began at `startMs`. One that takes longer than folds wait
 * might read rows of arrivals that its search did not find.
 */
export function isInTime(startMs: number): boolean {
  return monotonicMs() - startMs < ANSWER_MS_MAX
}

/**
 * Finds which sessions are in the table: those without an arrival since the table was brought up to date. `undefined` when the table
 * does not help.
 */
export async function findRows(sought: Sought, run: QueryRunner): Promise<FoundRows | undefined> {
  const [found] = await run(compileOthers(sought))
  if (!found || !isUsable(found, startOf(sought))) return undefined
  const others = listOthers(found)
  return sought.sessions === 'begun'
    ? await findBegun(sought, { others, rowCount: found.rowCount }, run)
    : findOverlapping(sought, { others, rowCount: found.rowCount })
}

/** A session of the table may begin this long before it has an event in the range. */
function startOf({ range, sessions }: Sought): number {
  return sessions === 'begun' ? range.fromMs : range.fromMs - VISIT_MS_MAX
}

function isUsable({ layout, coveredMs, startMs, nowMs }: Row<typeof OTHERS>, fromMs: number): boolean {
  // Rows of an earlier release lack columns.
  if (coveredMs === 0 || layout !== VISIT_LAYOUT || fromMs < usableFrom(startMs)) return false
  // A clock that was set back makes new arrivals look old.
  return nowMs - coveredMs <= BEHIND_MS_MAX && nowMs >= coveredMs
}

/** A copy may have moved the first event of a session away, so that one of before `start` begins later, and is in no row yet. */
function usableFrom(startMs: number): number {
  return startMs === 0 ? Number.NEGATIVE_INFINITY : startMs + VISIT_MS_MAX
}

interface Session {
  readonly sessionId: string
  readonly firstMs: number
  readonly lastMs: number
}

interface Found {
  readonly others: readonly Session[]
  readonly rowCount: number
}

async function findBegun(
  sought: Sought,
  { others, rowCount }: Found,
  run: QueryRunner,
): Promise<FoundRows | undefined> {
  const { projectId, range } = sought
  const leftOut = others[OTHERS_MAX]
  const toMs = leftOut ? Math.min(range.toMs, startOfDay(leftOut.firstMs)) : range.toMs
  if (toMs <= range.fromMs) return undefined
  const own = { fromMs: range.fromMs, toMs }
  const earlier = others.slice(0, OTHERS_MAX).filter(({ firstMs }) => firstMs < toMs)
  const begunBefore = await findBegunBefore(projectId, { range: own, sessions: earlier }, run)
  const begun = earlier.filter(({ sessionId }) => !begunBefore.has(sessionId))
  return {
    rows: {
      ...sought,
      range: own,
      excluded: idsOf(earlier),
      others: toOthers(begun),
      visitCountMax: rowCount + begun.length,
    },
    rest: toMs < range.toMs ? { fromMs: toMs, toMs: range.toMs } : undefined,
  }
}

function findOverlapping(sought: Sought, { others, rowCount }: Found): FoundRows | undefined {
  if (others.length > OTHERS_MAX) return undefined
  const rows = {
    ...sought,
    excluded: idsOf(others),
    others: toOthers(others),
    visitCountMax: rowCount + others.length,
  }
  return { rows, rest: undefined }
}

/** One text, which the engine evaluates once: all parts are of the same moment. Without a table, no arrival matters. */
const COVERAGE = sql`(SELECT tuple(argMax(covered, version), argMax(start, version), if(count() = 0, now64(3, 'UTC'), argMax(covered, version)), argMax(layout, version)) FROM visit_coverage)`

const OTHERS = {
  coveredMs: column(int64Codec, sql`toUnixTimestamp64Milli(${COVERAGE}.1)`),
  startMs: column(int64Codec, sql`toUnixTimestamp64Milli(${COVERAGE}.2)`),
  layout: column(int64Codec, sql`toInt64(${COVERAGE}.4)`),
  nowMs: column(int64Codec, sql`toUnixTimestamp64Milli(now64(3))`),
  sessionIds: column(uuidArrayCodec, sql`groupArray(session_id)`),
  firstMs: column(int64ArrayCodec, sql`groupArray(toUnixTimestamp64Milli(began))`),
  lastMs: column(int64ArrayCodec, sql`groupArray(toUnixTimestamp64Milli(ended))`),
}

/**
 * The sessions of the range that are not in the table as they are, by their start: those with later arrivals, those that are too long for
 * it, and those whose rows do not tell enough. A session may have moved its start, so that the one of its row may be anywhere in its extent.
 */
function compileOthers(sought: Sought): CompiledQuery<Row<typeof OTHERS> & { readonly rowCount: number }> {
  const { projectId, range } = sought
  const { fromMs, toMs } = range
  const arrived = sql`SELECT session_id ${scopedTable('session_arrivals', projectId)} AND arrived >= ${COVERAGE}.3`
  const fresh = sql`SELECT session_id, first AS least, last AS most ${scopedTable('sessions', projectId)} AND session_id IN (${arrived})`
  const tooLong = sql`SELECT session_id, min(first) AS least, max(last) AS most ${scopedTable('long_sessions', projectId)} GROUP BY session_id HAVING most > least + toIntervalMillisecond(${param(int64Codec, VISIT_MS_MAX)})`
  const sessions = sql`SELECT session_id, min(least) AS began, max(most) AS ended FROM (${join([fresh, tooLong, ...unfitRows(sought)], sql` UNION ALL `)}) GROUP BY session_id HAVING began < ${instant(toMs)} AND ended >= ${instant(fromMs)} ORDER BY began LIMIT ${param(int64Codec, OTHERS_MAX + 1)}`
  // With every version, because that needs no column.
  const rowCount = sql`(SELECT count() ${scopedVersions('visits', projectId)} AND ${inDays(sought)})`
  return select(
    { ...OTHERS, rowCount: column(int64Codec, sql`toInt64(${rowCount})`) },
    sql`FROM (${sessions})`,
  )
}

/** Sessions whose rows do not tell what counts: only some of their events are left out, or they have no path. */
function unfitRows(sought: Sought): readonly Sql[] {
  const unfit = [
    ...(sought.bots === 'measured' ? [] : [sql`(is_bot AND bot_count < event_count)`]),
    ...(sought.cookieless === 'measured'
      ? []
      : [sql`(cookieless_count > 0 AND cookieless_count < event_count)`]),
    ...(sought.sessions === 'begun' ? [] : [sql`path_kinds.size0 = 0`]),
  ]
  if (unfit.length === 0) return []
  return [
    sql`SELECT session_id, began AS least, ${ENDED} AS most ${scopedTable('visits', sought.projectId)} AND ${inDays(sought)} AND ${anyOf(unfit)} AND NOT is_gone`,
  ]
}

/** The last event of a row's session. */
const ENDED = sql`began + toIntervalMillisecond(spent)`

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
  projectId: ProjectId,
  { range, sessions }: Extents,
  run: QueryRunner,
): Promise<ReadonlySet<string>> {
  const long = sessions.filter(
    ({ firstMs, lastMs }) => firstMs < range.fromMs && lastMs > firstMs + VISIT_MS_MAX,
  )
  if (long.length === 0) return new Set()
  const firstMsOf = new Map(long.map(({ sessionId, firstMs }) => [sessionId, firstMs]))
  const found = await run(compileStarts(projectId, long))
  return new Set(
    found
      .filter(({ sessionId, startMs }) => startMs === firstMsOf.get(sessionId))
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
  const ids = param(uuidArrayCodec, idsOf(sessions))
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

function idsOf(sessions: readonly Session[]): readonly string[] {
  return sessions.map(({ sessionId }) => sessionId)
}

function toOthers(sessions: readonly Session[]): OtherSessions | undefined {
  if (sessions.length === 0) return undefined
  const fromMs = leastOf(sessions.map(({ firstMs }) => firstMs))
  const toMs = mostOf(sessions.map(({ lastMs }) => lastMs)) + 1
  return { sessionIds: idsOf(sessions), extent: { fromMs, toMs } }
}

/** `FROM visits ...`: the rows of the sessions that are up to date. */
export function fromRows(rows: VisitRows): Sql {
  const { projectId, range, sessions, excluded, bots, cookieless } = rows
  const others =
    excluded.length === 0 ? sql`` : sql` AND session_id NOT IN ${param(uuidArrayCodec, excluded)}`
  const from = sql`${sessions === 'begun' ? sql`began` : ENDED} >= ${instant(range.fromMs)}`
  const people = bots === 'measured' ? sql`` : sql` AND NOT is_bot`
  const known = cookieless === 'measured' ? sql`` : sql` AND cookieless_count = 0`
  return sql`${scopedTable('visits', projectId)} AND ${inDays(rows)} AND ${from} AND began < ${instant(range.toMs)} AND NOT is_gone${people}${known}${others}`
}

/** `FROM visits ...`: the rows of the same days in every version, as for texts that may be too many. */
export function fromVersions(rows: VisitRows): Sql {
  return sql`${scopedVersions('visits', rows.projectId)} AND ${inDays(rows)}`
}

/** The days on which the sessions begin. */
function inDays(sought: Sought): Sql {
  return sql`day >= toDate(${instant(Math.max(startOf(sought), 0))}) AND day <= toDate(${instant(sought.range.toMs - 1)})`
}
