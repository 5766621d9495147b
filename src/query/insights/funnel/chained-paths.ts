import type { FunnelQuery } from '../../../domain/insights/funnel.ts'
import { join, numbered, type Param, type Sql, sql } from '../../sql/sql.ts'
import { integer } from './attempts.ts'
import { isHeld, listNames, marksBefore, stepMarks, timeOf } from './marks.ts'
import { type EventCodes, stepBit } from './sorted-events.ts'

/** Beyond this many steps a look-up per attempt and step costs less than the chains, which grow with the square of the steps. */
const CHAINED_STEPS_MAX = 8

/** Whether the events of all later steps are known without following each attempt: none of them depends on its first event. */
export function hasChains(query: FunnelQuery): boolean {
  const { steps, rules } = query
  const isInOrder = rules.order !== 'any' && rules.optionalSteps.length === 0
  return isInOrder && !isHeld(query) && steps.length <= CHAINED_STEPS_MAX
}

/** What chains are made with. */
interface Chaining {
  readonly codes: EventCodes
  /** The columns of a user that every statement passes on. */
  readonly state: Sql
  /** The condition on `mark` and `flag` by which an event starts an attempt. */
  readonly isStart: Sql
}

/**
 * The attempts of every event that starts one, as `followPaths` describes them. From the last step back, each event receives the
 * event of the next step that follows it, and with it those of the later steps: the array of a step is filled from its
 * events towards the start. Look-ups by place cost several times as much.
 */
export function followChains(query: FunnelQuery, users: Sql, { codes, state, isStart }: Chaining): Sql {
  const last = query.steps.length - 1
  const chained = query.steps.slice(1).reduceRight((before, _, index) => {
    const step = index + 1
    const later = Array.from({ length: last - step }, (_each, more) => step + 1 + more)
    const bit = stepBit(codes, step)
    const own = sql`, ${nextOf(query, sql`marks`, bit)} AS ${numbered('chain', step)}`
    const rest = later.map(
      (each) => sql`, ${nextOf(query, numbered('chain', each), bit)} AS ${numbered('chain', each)}`,
    )
    return sql`SELECT ${state}${own}${join(rest, sql``)} FROM (${before})`
  }, users)
  const starts = sql`arrayFilter((mark, flag) -> ${isStart}, marks, flags)`
  const found = query.steps.slice(1).map((_, index) => {
    const chain = numbered('chain', index + 1)
    return sql`, arrayFilter((item, mark, flag) -> ${isStart}, ${chain}, marks, flags) AS ${chain}`
  })
  const begun = sql`SELECT ${state}, ${starts} AS begin${join(found, sql``)} FROM (${chained}) WHERE notEmpty(begin)`
  return query.steps.slice(1).reduce(
    (before, _, index) => {
      const step = index + 1
      const rest = Array.from({ length: last - step }, (_each, more) => numbered('chain', step + 1 + more))
      const marks = withinWindows(query, step)
      return sql`SELECT ${state}, begin${listNames(marksBefore(step))}, ${marks} AS ${stepMarks(step)}${listNames(rest)} FROM (${before})`
    },
    sql`SELECT ${state}, begin, begin AS ${stepMarks(0)}${listNames(query.steps.slice(1).map((_, index) => numbered('chain', index + 1)))} FROM (${begun})`,
  )
}

/** For each event, the item of the next event with a flag: in strict order only if it is the very next one. */
function nextOf({ rules }: FunnelQuery, items: Sql, bit: Param): Sql {
  const ofStep =
    rules.order === 'strict'
      ? sql`arrayMap((item, flag) -> if(bitTest(flag, ${bit}), none, item), ${items}, flags)`
      : sql`arrayReverseFill((item, flag) -> NOT bitTest(flag, ${bit}), ${items}, flags)`
  return sql`arrayPushBack(arrayPopFront(${ofStep}), none)`
}

/** The events of a step that are found in time, after a step that was. */
function withinWindows({ windowMs, rules }: FunnelQuery, step: number): Sql {
  const stepWindowMs = rules.stepWindowsMs[step] ?? Number.POSITIVE_INFINITY
  const inStepWindow =
    stepWindowMs < windowMs
      ? sql` AND ${timeOf(sql`mark`)} - ${timeOf(sql`previous`)} <= ${integer(stepWindowMs)}`
      : sql``
  const inWindow = sql`${timeOf(sql`mark`)} - ${timeOf(sql`start`)} <= ${integer(windowMs)}`
  return sql`arrayMap((mark, start, previous) -> if(previous != none AND ${inWindow}${inStepWindow}, mark, none), ${numbered('chain', step)}, begin, ${stepMarks(step - 1)})`
}
