import { isDeepStrictEqual } from 'node:util'
import { ALWAYS } from '../../../domain/insights/condition.ts'
import type { FunnelQuery } from '../../../domain/insights/funnel.ts'
import type { InsightContext } from '../../../domain/insights/insight-context.ts'
import { type EventMatch, kindsOfMatch } from '../../../domain/insights/parse-filters.ts'
import { int64Codec } from '../../sql/codec.ts'
import { EVENT_ORDER, shiftLeft256 } from '../../sql/event-order.ts'
import { join, numbered, type Param, param, type Sql, sql } from '../../sql/sql.ts'
import { USER_KEY } from '../../users/user-sql.ts'
import { ACTOR_COLUMNS } from '../actors.ts'
import { eventsOf, excludeCookieless, matchSql } from '../event-sql.ts'

/**
 * A step event is encoded as one number, its code: the time since the range's start, then one bit per step, the first
 * step highest, 0 where the event matches that step. Codes therefore sort by time, then by lowest step. A code fits an
 * Int64: 20 step bits, and 39 bits of milliseconds for the longest range of ten years.
 */
interface Codes {
  /** The highest value of the step bits, plus one. */
  readonly size: Param
  /** Mask of all step bits. */
  readonly mask: Param
  /** Number of step bits. */
  readonly width: Param
  /** The bit of each step. */
  readonly bits: readonly Param[]
}

/** Milliseconds from the start of the range to the row's event. */
export function elapsed({ range }: InsightContext): Sql {
  return sql`toUnixTimestamp64Milli(time) - ${integer(range.fromMs)}`
}

/**
 * The counted attempt of every user who has one: `user`, `level` (steps completed), `start` (elapsed time of its first
 * event), and `deltas` when the query includes timing: milliseconds from each completed step to the next.
 *
 * Everything runs in whole-array functions, none with an array inside a lambda, so the cost is linear in the events of
 * a user. Each step is a subquery, because the engine inlines aliases, and nested copies grow without bounds. This
 * takes 0.6 of the time of windowFunnel for the same levels.
 */
export function attemptsSql(
  query: FunnelQuery,
  context: InsightContext,
  carried: keyof typeof CARRIED = 'nothing',
): Sql {
  const codes = codesOf(query)
  const attempts = locateAttempts(query, codes, userCodes(query, codes, context, carried), CARRIED[carried])
  return query.timing === 'with' ? followAttempts(codes, attempts) : attempts
}

/** Columns of attempts besides their level and start. With timing, users carry no others. */
const CARRIED = { nothing: sql``, users: sql`, id, is_cookieless`, sessions: sql`, sessions` } as const

/** `user, counted`: the events of the counted attempt of every user who has one, as (milliseconds, session). */
export function attemptEventsSql(query: FunnelQuery, context: InsightContext): Sql {
  const codes = codesOf(query)
  const attempts = locateAttempts(
    query,
    codes,
    userCodes(query, codes, context, 'sessions'),
    CARRIED.sessions,
  )
  const [, ...later] = codes.bits
  const followed = later.reduce((before, bit, index) => {
    const [rest, visits] = [numbered('step', index), numbered('visit', index)]
    const found = sql`arrayFirstIndex(code -> bitAnd(code, ${bit}) = 0, ${rest}) AS found`
    const event = sql`(bitShiftRight(${rest}[found], ${codes.width}), ${visits}[found])`
    return sql`SELECT user, level, ${found}, arrayPushBack(counted, ${event}) AS counted, arraySlice(${rest}, found + 1) AS ${numbered('step', index + 1)}, arraySlice(${visits}, found + 1) AS ${numbered('visit', index + 1)} FROM (${before})`
  }, sql`SELECT user, level, [(start, sessions[first])] AS counted, arraySlice(codes, first + 1, last - first) AS step0, arraySlice(sessions, first + 1, last - first) AS visit0 FROM (${attempts})`)
  const times = sql`arrayMap(event -> (tupleElement(event, 1) + ${integer(context.range.fromMs)}, tupleElement(event, 2)), arraySlice(counted, 1, level))`
  return sql`SELECT user, ${times} AS counted FROM (${followed})`
}

function codesOf({ steps }: FunnelQuery): Codes {
  const size = 2 ** steps.length
  const bits = steps.map((_, index) => integer(2 ** (steps.length - 1 - index)))
  return { size: integer(size), mask: integer(size - 1), width: integer(steps.length), bits }
}

/** `user` and their sorted `codes`, and what is carried. */
function userCodes(
  query: FunnelQuery,
  codes: Codes,
  context: InsightContext,
  carried: keyof typeof CARRIED,
): Sql {
  const matched = query.steps.map(
    (step, index) => sql`(${matchSql(step, context)}) * ${codes.bits[index] ?? codes.size}`,
  )
  const code = sql`(${elapsed(context)}) * ${codes.size} + ${codes.mask} - (${join(matched, sql` + `)}) AS code`
  // Filters by kind only: the code already includes whether an event matches any step, so the conditions are evaluated
  // once.
  const kinds = query.steps.map((step) => ({ ...step, condition: ALWAYS }))
  const source = sql`${eventsOf(kinds, context)}${excludeCookieless(context)}`
  const ofAnyStep = sql`bitAnd(code, ${codes.mask}) != ${codes.mask}`
  const ofUser = carried === 'users' ? sql`, ${ACTOR_COLUMNS}` : sql``
  const columns = carried === 'users' ? sql`, distinct_id, cookieless` : sql``
  if (carried !== 'sessions' && planOrder(query.steps) === 'by step') {
    return sql`SELECT user, arraySort(groupArray(code)) AS codes${ofUser} FROM (SELECT ${USER_KEY} AS user, ${code}${columns} ${source}) WHERE ${ofAnyStep} GROUP BY user`
  }
  // The lowest step is the highest bit that is 0. It ranks after the time and before the event order, which then
  // decides by id.
  const lowest = sql`20 - toInt64(log2(${codes.mask} - bitAnd(code, ${codes.mask})))`
  const position = sql`${shiftLeft256(sql`toUInt64(bitShiftRight(code, ${codes.width}) * 32 + ${lowest})`, 192)} + event_order`
  const sorted = (of: Sql): Sql =>
    sql`arraySort((item, position) -> position, groupArray(${of}), groupArray(${position}))`
  const [sessions, session] =
    carried === 'sessions'
      ? [sql`, ${sorted(sql`session_id`)} AS sessions`, sql`, session_id`]
      : [sql``, sql``]
  return sql`SELECT user, ${sorted(sql`code`)} AS codes${ofUser}${sessions} FROM (SELECT ${USER_KEY} AS user, ${code}, ${EVENT_ORDER} AS event_order${columns}${session} ${source}) WHERE ${ofAnyStep} GROUP BY user`
}

/**
 * The positions in `codes` of the `first` and `last` event of the counted attempt.
 *
 * After each event, `stepN` is the deadline, as a code, of an attempt that has completed that step; of several attempts
 * the one with the latest start lasts longest, so only its deadline matters. `level` is the number of steps ever completed.
 * The event that first completes the highest step ends the counted attempt: an attempt that ends later either started
 * later or is too long. The attempt starts at the earliest event of the first step that is still within the window.
 */
function locateAttempts({ windowMs }: FunnelQuery, codes: Codes, users: Sql, carried: Sql): Sql {
  const [entry = codes.mask, ...later] = codes.bits
  const deadline = sql`bitOr(code, ${codes.mask}) + ${integer(windowMs)} * ${codes.size}`
  const entered = sql`arrayFill(deadline -> deadline > 0, arrayMap(code -> if(bitAnd(code, ${entry}) = 0, ${deadline}, 0), codes)) AS step0`
  const filled = later.reduce((before, bit, index) => {
    const [previous, step] = [numbered('step', index), numbered('step', index + 1)]
    // An event completes one step only: the state of the attempt before the event counts.
    const next = sql`arrayFill((deadline, code) -> bitAnd(code, ${bit}) = 0 AND code <= deadline, arrayShiftRight(${previous}, 1), codes) AS ${step}`
    const first = index === 0 ? sql`` : sql`step0, `
    return sql`SELECT user, codes${carried}, ${first}${previous}, ${next}, arrayPushBack(filled, countEqual(${step}, 0)) AS filled FROM (${before})`
  }, sql`SELECT user, codes${carried}, ${entered}, [countEqual(step0, 0)] AS filled FROM (${users})`)
  const reached = sql`SELECT user, codes${carried}, step0, length(codes) AS size, arrayCount(count -> count < size, filled) AS level, filled[level] + 1 AS last, codes[last] AS finish FROM (${filled})`
  return sql`SELECT user, codes${carried}, level, last, arrayFirstIndex(deadline -> deadline >= finish, step0) AS first, bitShiftRight(codes[first], ${codes.width}) AS start FROM (${reached}) WHERE level > 0`
}

/**
 * Adds the times between the steps of each attempt. From the attempt's first event on, each step takes its nearest
 * match in the remaining events; `stepN` holds the events after step N. Events after the attempt's last one are cut
 * off.
 */
function followAttempts(codes: Codes, attempts: Sql): Sql {
  const [, ...later] = codes.bits
  const followed = later.reduce((before, bit, index) => {
    const rest = numbered('step', index)
    const found = sql`arrayFirstIndex(code -> bitAnd(code, ${bit}) = 0, ${rest}) AS found`
    return sql`SELECT user, level, start, ${found}, arrayPushBack(times, bitShiftRight(${rest}[found], ${codes.width})) AS times, arraySlice(${rest}, found + 1) AS ${numbered('step', index + 1)} FROM (${before})`
  }, sql`SELECT user, level, start, [start] AS times, arraySlice(codes, first + 1, last - first) AS step0 FROM (${attempts})`)
  return sql`SELECT user, level, start, arraySlice(arrayDifference(times), 2, level - 1) AS deltas FROM (${followed})`
}

/** A parameter of type `Int64`. */
export function integer(value: number): Param {
  return param(int64Codec, value)
}

/**
 * Tie-breaker for a user's events of the same time. An event counts for its lowest step, and ids decide within a step.
 * Ids cost twice as much to read and sort as everything else, and cannot matter when all events with the same lowest
 * step match the same set of steps.
 */
export type StepOrder = 'by step' | 'by step and id'

/** Decides whether event ids can affect the result. */
export function planOrder(steps: readonly EventMatch[]): StepOrder {
  const isSettled = steps.every((step, index) =>
    steps.slice(index + 1).every((later) => areDisjoint(step, later) || implies(step, later)),
  )
  return isSettled ? 'by step' : 'by step and id'
}

/** Whether no event can match both. */
export function areDisjoint(...[left, right]: readonly [EventMatch, EventMatch]): boolean {
  const [ofLeft, ofRight] = [kindsOfMatch(left), kindsOfMatch(right)]
  return ofLeft !== undefined && ofRight !== undefined && !ofLeft.some((kind) => ofRight.includes(kind))
}

/** Whether every event that matches the first step also matches the second. */
function implies(...[step, other]: readonly [EventMatch, EventMatch]): boolean {
  const [ofStep, ofOther] = [kindsOfMatch(step), kindsOfMatch(other)]
  if (ofOther !== undefined && !ofStep?.every((kind) => ofOther.includes(kind))) return false
  const { condition } = other
  return (
    (condition.kind === 'all' && condition.of.length === 0) || isDeepStrictEqual(condition, step.condition)
  )
}
