import type { FunnelQuery } from '../../../domain/insights/funnel.ts'
import type { InsightContext } from '../../../domain/insights/insight-context.ts'
import { join, numbered, type Sql, sql } from '../../sql/sql.ts'
import { integer } from './attempts.ts'
import { isHeld } from './marks.ts'
import { type EventCodes, eventCodes, noFlags, stepBit } from './sorted-events.ts'

/** Whether the codes of events alone decide about strict attempts, so that places and marks are not needed. */
export function hasFollowingCodes(query: FunnelQuery, { width }: EventCodes): boolean {
  const { order, exclusions, view } = query.rules
  return (
    order === 'strict' &&
    width === 'narrow' &&
    exclusions.length === 0 &&
    !isHeld(query) &&
    view.kind !== 'over_time'
  )
}

/**
 * `SELECT user, done, times`, as `pathAttemptsSql` describes them: the earliest of a user's longest attempts in strict order.
 * `chainN` has, for each start of an attempt, the code of the event N places later; no event is a code that matches no step.
 */
export function followingAttempts(query: FunnelQuery, context: InsightContext, codes: EventCodes): Sql {
  const { steps } = query
  const none = integer(noFlags(query))
  const isStart = sql`NOT bitTest(start, ${stepBit(codes, 0)})`
  const chains = steps.map((_, step) => {
    const later = step === 0 ? sql`events` : sql`arrayShiftLeft(events, ${integer(step)}, ${none})`
    return sql`arrayFilter((code, start) -> ${isStart}, ${later}, events) AS ${numbered('chain', step)}`
  })
  const names = steps.map((_, step) => numbered('chain', step))
  const started = sql`SELECT user, ${join(chains, sql`, `)} FROM (${eventCodes(query, context, codes)}) WHERE notEmpty(chain0)`
  const values = steps.map((_, step) => numbered('value', step))
  const taken = steps.map((_, step) => (step === 0 ? sql`1` : isTaken(query, step, codes)))
  const level = sql`multiIf(${join(
    taken.map((isIn, step) => sql`NOT (${isIn}), ${integer(step)}`),
    sql`, `,
  )}, ${integer(steps.length)})`
  const levels = sql`arrayMap((${join(values, sql`, `)}) -> toUInt64(${level}), ${join(names, sql`, `)})`
  const filled = names.map((name) => sql`bitShiftRight(${name}[chosen], ${integer(codes.flagBits)})`)
  const chosen = sql`SELECT ${join(names, sql`, `)}, user, ${levels} AS levels, arrayMax(levels) AS level, indexOf(levels, level) AS chosen FROM (${started})`
  return sql`SELECT user, range(level) AS done, arraySlice([${join(filled, sql`, `)}], 1, level) AS times FROM (${chosen})`
}

/** Whether the event at the place of a step matches it in time: codes are compared whole, because their times are the higher bits. */
function isTaken(query: FunnelQuery, step: number, codes: EventCodes): Sql {
  const size = 2 ** codes.flagBits
  const [code, previous] = [numbered('value', step), numbered('value', step - 1)]
  const within = (since: Sql, windowMs: number): Sql =>
    sql` AND ${code} <= bitOr(${since}, ${integer(size - 1)}) + ${integer(windowMs)} * ${integer(size)}`
  const stepWindowMs = query.rules.stepWindowsMs[step] ?? Number.POSITIVE_INFINITY
  const inStepWindow = stepWindowMs < query.windowMs ? within(previous, stepWindowMs) : sql``
  return sql`NOT bitTest(${code}, ${stepBit(codes, step)})${within(numbered('value', 0), query.windowMs)}${inStepWindow}`
}
