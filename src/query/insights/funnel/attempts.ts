import { ALWAYS } from '../../filter/condition.ts'
import { int64Codec } from '../../sql/codec.ts'
import { join, numbered, type Param, param, type Sql, sql } from '../../sql/sql.ts'
import { USER_KEY } from '../../users/user-key.ts'
import { EVENT_ORDER, shiftLeft256 } from '../event-order.ts'
import type { Frame } from '../insight.ts'
import { eventsOf, matchSql } from '../series-sql.ts'
import { planOrder } from './plan.ts'
import type { FunnelQuestion } from './spec.ts'

/**
 * A step event is one number, its code: its time since the range's start, then a bit per step, the first step highest,
 * 0 where the event is of that step. So codes sort by time and lowest step. Fits an Int64: 20 bits of steps, and 39 of
 * milliseconds in the longest range of ten years.
 */
interface Codes {
  /** One more than the highest bits of steps. */
  readonly size: Param
  /** All bits of steps. */
  readonly mask: Param
  /** How many bits of steps there are. */
  readonly width: Param
  /** The bit of each step. */
  readonly bits: readonly Param[]
}

/** Milliseconds from the start of the range to the row's event. */
export function elapsed({ range }: Frame): Sql {
  return sql`toUnixTimestamp64Milli(time) - ${integer(range.fromMs)}`
}

/** ` AND ...`: leaves out events whose users do not count. */
export function personsOnly({ includeCookieless }: Frame): Sql {
  return includeCookieless ? sql`` : sql` AND NOT cookieless`
}

/**
 * The counted attempt of every user who has one: `user`, `level` (steps filled), `start` (elapsed time of its first
 * event), and `deltas` where the question asks for timing: milliseconds from each filled step to the next one.
 *
 * All is done by functions over whole arrays, none of them with an array inside a lambda: linear in the events however
 * many a user has. A step is a subquery, because the engine copies what an alias names, and copies of copies grow
 * without bounds. For the same levels this takes 0.6 of the time of windowFunnel.
 */
export function attemptsSql(question: FunnelQuestion, frame: Frame): Sql {
  const codes = codesOf(question)
  const attempts = locateAttempts(question, codes, userCodes(question, codes, frame))
  return question.timing === 'with' ? followAttempts(codes, attempts) : attempts
}

function codesOf({ steps }: FunnelQuestion): Codes {
  const size = 2 ** steps.length
  const bits = steps.map((_, index) => integer(2 ** (steps.length - 1 - index)))
  return { size: integer(size), mask: integer(size - 1), width: integer(steps.length), bits }
}

/** `user` and its sorted `codes`. */
function userCodes(question: FunnelQuestion, codes: Codes, frame: Frame): Sql {
  const matched = question.steps.map(
    (step, index) => sql`(${matchSql(step, frame)}) * ${codes.bits[index] ?? codes.size}`,
  )
  const code = sql`(${elapsed(frame)}) * ${codes.size} + ${codes.mask} - (${join(matched, sql` + `)}) AS code`
  // Kinds only: whether an event is of any step is read from its code, so that conditions are computed once.
  const kinds = question.steps.map(({ kind }) => ({ kind, condition: ALWAYS }))
  const source = sql`${eventsOf(kinds, frame)}${personsOnly(frame)}`
  const ofAnyStep = sql`bitAnd(code, ${codes.mask}) != ${codes.mask}`
  if (planOrder(question.steps) === 'by step') {
    return sql`SELECT user, arraySort(groupArray(code)) AS codes FROM (SELECT ${USER_KEY} AS user, ${code} ${source}) WHERE ${ofAnyStep} GROUP BY user`
  }
  // The lowest step is the highest bit that is 0. It stands between the time and the event's order, which is by id then.
  const lowest = sql`20 - toInt64(log2(${codes.mask} - bitAnd(code, ${codes.mask})))`
  const place = sql`${shiftLeft256(sql`toUInt64(bitShiftRight(code, ${codes.width}) * 32 + ${lowest})`, 192)} + event_order`
  return sql`SELECT user, arraySort((code, place) -> place, groupArray(code), groupArray(${place})) AS codes FROM (SELECT ${USER_KEY} AS user, ${code}, ${EVENT_ORDER} AS event_order ${source}) WHERE ${ofAnyStep} GROUP BY user`
}

/**
 * Where in `codes` the counted attempt has its `first` and its `last` event.
 *
 * After each event, `stepN` is the last code that an attempt which has filled that step may have; of several attempts
 * the latest start lasts longest, so it alone is kept. The `level` is the number of steps that were ever filled. The
 * event that first fills the highest one ends the counted attempt: an attempt that ends later started later or is too
 * long. It started at the earliest event of the first step that is not too long ago then.
 */
function locateAttempts({ windowMs }: FunnelQuestion, codes: Codes, users: Sql): Sql {
  const [entry = codes.mask, ...later] = codes.bits
  const deadline = sql`bitOr(code, ${codes.mask}) + ${integer(windowMs)} * ${codes.size}`
  const entered = sql`arrayFill(deadline -> deadline > 0, arrayMap(code -> if(bitAnd(code, ${entry}) = 0, ${deadline}, 0), codes)) AS step0`
  const filled = later.reduce((before, bit, index) => {
    const [previous, step] = [numbered('step', index), numbered('step', index + 1)]
    // One event fills one step: what counts is the attempt as it was before the event.
    const next = sql`arrayFill((deadline, code) -> bitAnd(code, ${bit}) = 0 AND code <= deadline, arrayShiftRight(${previous}, 1), codes) AS ${step}`
    const kept = index === 0 ? sql`` : sql`step0, `
    return sql`SELECT user, codes, ${kept}${previous}, ${next}, arrayPushBack(filled, countEqual(${step}, 0)) AS filled FROM (${before})`
  }, sql`SELECT user, codes, ${entered}, [countEqual(step0, 0)] AS filled FROM (${users})`)
  const reached = sql`SELECT user, codes, step0, length(codes) AS size, arrayCount(count -> count < size, filled) AS level, filled[level] + 1 AS last, codes[last] AS finish FROM (${filled})`
  return sql`SELECT user, codes, level, last, arrayFirstIndex(deadline -> deadline >= finish, step0) AS first, bitShiftRight(codes[first], ${codes.width}) AS start FROM (${reached}) WHERE level > 0`
}

/**
 * Adds the times between the steps of the attempts. From the attempt's first event on, each step takes the nearest one
 * in the rest of the events; `stepN` is what is left after step N. After the attempt's last event nothing is.
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

function integer(value: number): Param {
  return param(int64Codec, value)
}
