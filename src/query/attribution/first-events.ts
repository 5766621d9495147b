import type { FirstOf } from '../../domain/insights/property.ts'
import type { RangeMs } from '../../domain/insights/time-range.ts'
import { LONG_SESSION_MS } from '../../store/clickhouse/migrations/003-sessions.ts'
import { EVENT_ORDER } from '../sql/event-order.ts'
import { ALL_TIME, HAS_SESSION, instant, scopedEvents } from '../sql/events-table.ts'
import { farSessions, type ProjectRange } from '../sql/far-sessions.ts'
import { type Sql, sql } from '../sql/sql.ts'
import { USER_KEY } from '../users/user-sql.ts'

/** Events whose sessions or users are looked up: rows of a statement, and possibly others. */
export interface RowScope extends ProjectRange {
  /** The only kinds that the rows may have; every kind when absent. */
  readonly kinds?: readonly string[] | undefined
}

/** The session or the user of the row's event: the key of its first event. Without a session, there is no first event of one. */
export const FIRST_KEYS: Readonly<Record<FirstOf, Sql>> = { session: sql`session_id`, user: USER_KEY }

/** Whether the first event of the row's session or user meets the condition, which is 0 or 1 and never NULL: 0 or 1. */
export function isFirstMet(of: FirstOf, condition: Sql, rows: RowScope): Sql {
  return sql`${FIRST_KEYS[of]} IN (${keysByFirst(of, condition, rows)})`
}

/** `SELECT first_key`: the sessions or the users (as hashes) of the rows whose first event meets the condition. */
export function keysByFirst(of: FirstOf, condition: Sql, rows: RowScope): Sql {
  return sql`SELECT ${FIRST_KEYS[of]} AS first_key ${historyOf(of, rows)} GROUP BY first_key HAVING ${valueAtFirst(condition)}`
}

/** A value of the first event, as an aggregate of events; it must not be NULL. */
export function valueAtFirst(value: Sql): Sql {
  return sql`argMin(${value}, ${EVENT_ORDER})`
}

/**
 * `FROM events ...`, extended with `AND`: for every session or user of a row, its first event and all others before the end
 * of the rows. Each condition that only saves work is left out where it would exclude little.
 */
export function historyOf(of: FirstOf, rows: RowScope): Sql {
  const { projectId, range, kinds } = rows
  const isEverything = range.fromMs <= ALL_TIME.fromMs
  const start = of === 'session' && !isEverything ? earliestStart(rows) : undefined
  const all = scopedEvents({ projectId, fromMs: ALL_TIME.fromMs, toMs: range.toMs, start })
  const events = of === 'session' ? sql`${all} AND ${HAS_SESSION}` : all
  // The start excludes most other sessions already; users come back for years.
  const isNarrow = kinds !== undefined || (of === 'user' && !isEverything)
  if (!isNarrow) return events
  const key = FIRST_KEYS[of]
  return sql`${events} AND ${key} IN (SELECT ${key} ${scopedEvents({ projectId, ...range, kinds })})`
}

/**
 * An instant that no session with an event in the range precedes. An erased event may have been the first, so that the
 * session may also begin later.
 */
function earliestStart({ projectId, range }: RowScope): Sql {
  const near: RangeMs = {
    fromMs: Math.max(range.fromMs - LONG_SESSION_MS, ALL_TIME.fromMs),
    toMs: range.toMs,
  }
  const start = instant(near.fromMs)
  return sql`(SELECT if(count() = 0, ${start}, least(${start}, min(began))) FROM (${farSessions({ projectId, range }, near)}))`
}
