import type { FunnelQuery } from '../../../domain/insights/funnel.ts'
import { type Param, type Sql, sql } from '../../sql/sql.ts'
import { integer } from './attempts.ts'
import { followChains, hasChains } from './chained-paths.ts'
import { elementsAt, isHeld, listNames, marksBefore, stepMarks, timeOf } from './marks.ts'
import { type EventCodes, stepBit } from './sorted-events.ts'
import { takeInAnyOrder } from './unordered-paths.ts'

/** What attempts are followed with. */
interface PathPlan {
  readonly codes: EventCodes
  /** Arrays of the user's events to keep. */
  readonly kept: readonly Sql[]
  /** Elapsed milliseconds in which attempts start; the whole range when absent. */
  readonly within?: ElapsedRange | undefined
}

/** A half-open range of elapsed milliseconds. */
export interface ElapsedRange {
  readonly fromMs: number
  readonly toMs: number
}

/**
 * Follows the attempt of every event that starts one. Attempts are arrays: `begin` has the mark of the first event, `stepN`
 * that of the event of step N, or `none`. With optional steps each choice of skipped steps makes an attempt: bit N of
 * `skips` is the Nth optional step, and `failed` is 1 where a step was neither skipped nor found.
 */
export function followPaths(query: FunnelQuery, users: Sql, plan: PathPlan): Sql {
  const { kept, within } = plan
  const state = sql`user, flags, marks, none${listNames(kept)}`
  const ofFirst = query.rules.order === 'any' ? sql`` : sql` AND NOT bitTest(flag, ${stepBit(plan.codes, 0)})`
  const isWithin = within
    ? sql` AND ${timeOf(sql`mark`)} >= ${integer(within.fromMs)} AND ${timeOf(sql`mark`)} < ${integer(within.toMs)}`
    : sql``
  const isStart = sql`mark != none${ofFirst}${isWithin}`
  if (hasChains(query)) return followChains(query, users, { codes: plan.codes, state, isStart })
  const starts = sql`arrayFilter((mark, flag) -> ${isStart}, marks, flags)`
  const begun = sql`SELECT ${state}, ${starts} AS begin FROM (${users}) WHERE notEmpty(begin)`
  if (query.rules.order === 'any') return takeInAnyOrder(query, begun, { codes: plan.codes, state })
  return query.rules.optionalSteps.length === 0
    ? takeAll(query, begun, { codes: plan.codes, state })
    : takeOrSkip(query, begun, { codes: plan.codes, state })
}

/** The columns of a user that every statement passes on. */
interface Following {
  readonly codes: EventCodes
  readonly state: Sql
}

function takeAll(query: FunnelQuery, begun: Sql, { codes, state }: Following): Sql {
  return query.steps.slice(1).reduce(
    (before, _, index) => {
      const step = index + 1
      const found = findNext(query, step, { codes, here: stepMarks(index) })
      return sql`SELECT ${state}, begin${listNames(marksBefore(step))}, ${found} AS ${stepMarks(step)} FROM (${before})`
    },
    sql`SELECT ${state}, begin, begin AS ${stepMarks(0)} FROM (${begun})`,
  )
}

/** `here` is the event of the last step that was not skipped: `none` once one was not found. */
function takeOrSkip(query: FunnelQuery, begun: Sql, { codes, state }: Following): Sql {
  const { optionalSteps } = query.rules
  const count = integer(2 ** optionalSteps.length)
  const repeated = sql`arrayFlatten(arrayMap(mark -> arrayWithConstant(${count}, mark), begin))`
  const choices = sql`arrayFlatten(arrayMap(mark -> range(toUInt64(${count})), begin))`
  const chosen = sql`SELECT ${state}, ${repeated} AS variants, ${choices} AS skips FROM (${begun})`
  const first = sql`SELECT ${state}, variants AS begin, skips, variants AS ${stepMarks(0)}, variants AS here, arrayMap(mark -> 0, variants) AS failed FROM (${chosen})`
  return query.steps.slice(1).reduce((before, _, index) => {
    const step = index + 1
    const passed = sql`${state}, begin, skips${listNames(marksBefore(step))}`
    const found = findNext(query, step, { codes, here: sql`here` })
    const choice = optionalSteps.indexOf(step)
    const searched = sql`SELECT ${passed}, here AS previous, failed AS has_failed, ${found} AS found FROM (${before})`
    if (choice < 0)
      return sql`SELECT ${passed}, found AS ${stepMarks(step)}, found AS here, has_failed AS failed FROM (${searched})`
    const isSkipped = sql`bitTest(choice, ${integer(choice)})`
    const taken = sql`arrayMap((mark, choice) -> if(${isSkipped}, none, mark), found, skips)`
    const next = sql`arrayMap((mark, choice, before) -> if(${isSkipped}, before, mark), found, skips, previous)`
    const missed = sql`arrayMap((mark, choice, before, was) -> was OR (mark = none AND before != none AND NOT ${isSkipped}), found, skips, previous, has_failed)`
    return sql`SELECT ${passed}, ${taken} AS ${stepMarks(step)}, ${next} AS here, ${missed} AS failed FROM (${searched})`
  }, first)
}

/** The event of a step after `here`, by attempt: the next one of all in strict order, else the nearest of the step. */
function findNext(
  query: FunnelQuery,
  step: number,
  { codes, here }: { readonly codes: EventCodes; readonly here: Sql },
): Sql {
  const found = elementsAt(laterMarks(query, stepBit(codes, step)), here)
  const stepWindowMs = query.rules.stepWindowsMs[step] ?? Number.POSITIVE_INFINITY
  const limits = [
    sql`${timeOf(sql`mark`)} - ${timeOf(sql`start`)} <= ${integer(query.windowMs)}`,
    ...(stepWindowMs < query.windowMs
      ? [sql`${timeOf(sql`mark`)} - ${timeOf(sql`previous`)} <= ${integer(stepWindowMs)}`]
      : []),
  ]
  const [inWindow, inStepWindow = sql`1`] = limits
  return sql`arrayMap((mark, start, previous) -> if(${inWindow ?? sql`1`} AND ${inStepWindow}, mark, none), ${found}, begin, ${here})`
}

/** For each event of the user, the mark of the event that comes next with a flag, or `none`. */
function laterMarks(query: FunnelQuery, bit: Param): Sql {
  if (query.rules.order === 'strict') {
    const own = sql`arrayMap((mark, flag) -> if(bitTest(flag, ${bit}), none, mark), marks, flags)`
    return withSameTexts(query, shifted(own, sql`none`), shifted(sql`held`, sql`0`))
  }
  return withSameTexts(
    query,
    shifted(nearest(sql`marks`, bit), sql`none`),
    shifted(nearest(sql`held`, bit), sql`0`),
  )
}

/** For each event of the user, the element of the nearest event with a flag, itself included. */
function nearest(items: Sql, bit: Param): Sql {
  return sql`arrayReverseFill((item, flag) -> NOT bitTest(flag, ${bit}), ${items}, flags)`
}

function shifted(items: Sql, end: Sql): Sql {
  return sql`arrayPushBack(arrayPopFront(${items}), ${end})`
}

/** `none` instead of the events with other texts of the properties that are held constant. */
function withSameTexts(query: FunnelQuery, marks: Sql, texts: Sql): Sql {
  if (!isHeld(query)) return marks
  return sql`arrayMap((mark, its, own) -> if(its = own, mark, none), ${marks}, ${texts}, held)`
}
