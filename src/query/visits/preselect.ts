import type { ProjectId } from '../../contract/ids.ts'
import { int64Codec, uint64ArrayCodec, uuidArrayCodec, uuidCodec } from '../sql/codec.ts'
import { HAS_SESSION, scopedCopies } from '../sql/events-table.ts'
import { scopedTable } from '../sql/scoped-table.ts'
import { type CompiledQuery, column, type QueryRunner, type Row, select } from '../sql/select.ts'
import { param, type Sql, sql } from '../sql/sql.ts'
import type { Candidates, VisitScope } from '../web/visits-sql.ts'
import { type Criterion, listCriteria } from './criteria.ts'

/** Bounds of a preselection: beyond them, reading every visit of the range costs less. */
export interface PreselectionLimits {
  /** Events that meet a criterion. */
  readonly eventsMax: number
  /** Sessions that one statement names, and so at most about three thousand: they are a parameter. */
  readonly sessionsMax: number
  /** Ids that one statement names; with more, the events are found by time and session alone. */
  readonly hashesMax: number
}

/** The visits of the last part of a range. */
export interface Preselection {
  /** Start of the part: all visits of the range from then on are among the candidates. */
  readonly fromMs: number
  /** The part with its candidates; `undefined` without any. */
  readonly visits: VisitScope | undefined
}

/**
 * Finds the sessions that may be visits of the scope by an event that each of them needs, from the newest on, as far as
 * the limits allow. Few columns find such events, and then only the events of their sessions are read. `undefined` when the
 * conditions need no particular event, or one that is frequent.
 */
export async function preselect(
  visits: VisitScope,
  limits: PreselectionLimits,
  run: QueryRunner,
): Promise<Preselection | undefined> {
  const { range } = visits
  const rarest = await findRarest(await listCriteria(visits, run), run)
  if (!rarest || rarest.eventCount > limits.eventsMax) return undefined
  if (rarest.eventCount === 0) return { fromMs: range.fromMs, visits: undefined }
  const latest = await run(compileLatest(rarest.criterion, limits.sessionsMax + 1))
  // A visit that begins at an instant or later has its events from then on, and its last match too.
  const leftOut = latest[limits.sessionsMax]
  const fromMs = Math.max(range.fromMs, leftOut ? leftOut.latestMs + 1 : range.fromMs)
  // All of the latest ones may be later visits, whose events are within reach.
  if (fromMs >= range.toMs) return { fromMs: range.toMs, visits: undefined }
  const sessionIds = latest.filter(({ latestMs }) => latestMs >= fromMs).map(({ sessionId }) => sessionId)
  const candidates = await locate({ sessionIds, visits, hashesMax: limits.hashesMax }, run)
  return { fromMs, visits: candidates && { ...visits, range: { ...range, fromMs }, candidates } }
}

async function findRarest(
  criteria: readonly Criterion[],
  run: QueryRunner,
): Promise<{ readonly criterion: Criterion; readonly eventCount: number } | undefined> {
  const counted = await Promise.all(
    criteria.map(async (criterion) => {
      const [row] = await run(select({ eventCount: column(int64Codec, sql`toInt64(count())`) }, criterion))
      return { criterion, eventCount: row?.eventCount ?? 0 }
    }),
  )
  return counted.toSorted((left, right) => left.eventCount - right.eventCount)[0]
}

const LATEST = {
  sessionId: column(uuidCodec, sql`session_id`),
  latestMs: column(int64Codec, sql`toUnixTimestamp64Milli(max(time))`),
}

/** The sessions with an event that meets the criterion, by the last one. */
function compileLatest(criterion: Criterion, countMax: number): CompiledQuery<Row<typeof LATEST>> {
  return select(
    LATEST,
    sql`${criterion} AND ${HAS_SESSION} GROUP BY session_id ORDER BY max(time) DESC LIMIT ${param(int64Codec, countMax)}`,
  )
}

interface Located {
  readonly sessionIds: readonly string[]
  readonly visits: VisitScope
  readonly hashesMax: number
}

/** Finds the ids and the times of the events of the sessions, which may be of any user. */
async function locate(
  { sessionIds, visits, hashesMax }: Located,
  run: QueryRunner,
): Promise<Candidates | undefined> {
  const { selection, reach } = visits
  const { projectId } = selection
  const ids = sql`${param(uuidArrayCodec, sessionIds)}`
  const isOfSessions = sql`toDate(time) IN (${daysOf(projectId, ids)}) AND session_id IN ${ids}`
  const events = scopedCopies({ projectId, ...reach.range }, isOfSessions)
  const [found] = await run(select(placesOf(hashesMax), events))
  if (!found?.eventCount) return undefined
  const { hashes, firstMs, lastMs } = found
  return {
    sessionIds,
    fromMs: firstMs,
    toMs: lastMs + 1,
    userHashes: hashes.length === 0 ? undefined : sql`${param(uint64ArrayCodec, hashes)}`,
  }
}

/** Where events are; without their ids when those are too many. */
function placesOf(hashesMax: number) {
  const hashes = sql`groupUniqArray(user_hash)`
  const isFew = sql`length(${hashes}) <= ${param(int64Codec, hashesMax)}`
  return {
    eventCount: column(int64Codec, sql`toInt64(count())`),
    hashes: column(uint64ArrayCodec, sql`if(${isFew}, ${hashes}, emptyArrayUInt64())`),
    firstMs: column(int64Codec, sql`toUnixTimestamp64Milli(min(time))`),
    lastMs: column(int64Codec, sql`toUnixTimestamp64Milli(max(time))`),
  }
}

/** `SELECT` of the days on which the sessions have events, and possibly others. */
function daysOf(projectId: ProjectId, ids: Sql): Sql {
  return sql`SELECT arrayJoin(arrayMap(day -> toDate(day), range(toUInt16(toDate(first)), toUInt16(toDate(last)) + 1))) ${scopedTable('sessions', projectId)} AND session_id IN ${ids}`
}
