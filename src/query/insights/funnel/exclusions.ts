import type { FunnelQuery } from '../../../domain/insights/funnel.ts'
import type { Exclusion } from '../../../domain/insights/funnel-options.ts'
import { join, numbered, type Sql, sql } from '../../sql/sql.ts'
import { areDisjoint, integer } from './attempts.ts'
import { type EventArray, elementsAt, stepMarks, timeOf } from './marks.ts'
import { exclusionBit } from './sorted-events.ts'

/** Later than the end of any window. */
const NEVER = sql`toInt64(1152921504606846976)`

/** The arrays that {@link countExcluded} adds. */
export function exclusionArrays({ rules }: FunnelQuery): readonly EventArray[] {
  return rules.exclusions.flatMap((_, index) =>
    [numbered('upto', index), numbered('before', index), numbered('next', index)].map((name) => ({
      name,
      end: sql`0`,
    })),
  )
}

/**
 * Adds three arrays per exclusion to users whose events are sorted by time; `passed` are the columns of the users. For each
 * event: `uptoN`, the number of excluded events up to its millisecond, `beforeN`, of those before it, and `nextN`, the time
 * of the next one in a later millisecond.
 */
export function countExcluded(query: FunnelQuery, users: Sql, passed: Sql): Sql {
  const { exclusions } = query.rules
  if (exclusions.length === 0) return users
  const neighbours = sql`SELECT ${passed}, arrayPushBack(arrayPopFront(at), -1) AS following, arrayPushFront(arrayPopBack(at), -1) AS preceding FROM (${users})`
  const counts = exclusions.map((_, index) => {
    const hit = sql`bitTest(flag, ${exclusionBit(query, index)})`
    const count = sql`arrayCumSum(flag -> ${hit}, flags)`
    const upto = sql`arrayReverseFill((count, ms, next) -> ms != next, ${count}, at, following)`
    const before = sql`arrayFill((count, ms, previous) -> ms != previous, arrayMap((count, flag) -> count - ${hit}, ${count}, flags), at, preceding)`
    const coming = sql`arrayReverseFill((ms, isHit) -> isHit, arrayPushBack(at, ${NEVER}), arrayPushBack(arrayMap(flag -> ${hit}, flags), 1))`
    const next = sql`arrayReverseFill((coming, ms, next) -> ms != next, arrayPopFront(${coming}), at, following)`
    return sql`, ${upto} AS ${numbered('upto', index)}, ${before} AS ${numbered('before', index)}, ${next} AS ${numbered('next', index)}`
  })
  return sql`SELECT ${passed}${join(counts, sql``)} FROM (${neighbours})`
}

/** The mark of the last event of each attempt: marks ascend from step to step. */
export function lastMarks({ steps }: FunnelQuery): Sql {
  const marks = steps.map((_, step) => stepMarks(step))
  const values = steps.map((_, step) => numbered('value', step))
  const reached = values.map((value) => sql`if(${value} = none, 0, ${value})`)
  return sql`arrayMap((${join(values, sql`, `)}) -> greatest(0, ${join(reached, sql`, `)}), ${join(marks, sql`, `)})`
}

/** `, ... AS fillings`: of each attempt, the steps that excluded events can fill, as (mark, flags). Nothing without such steps. */
export function fillings(query: FunnelQuery): Sql {
  const { steps, rules } = query
  const fillers = steps.flatMap((step, index) =>
    rules.exclusions.some(({ match }) => !areDisjoint(step, match)) ? [index] : [],
  )
  if (fillers.length === 0) return sql``
  const marks = fillers.map((_, index) => numbered('visit', index))
  const flags = fillers.map((_, index) => numbered('value', index))
  const pairs = marks.map((mark, index) => sql`(${mark}, ${flags[index] ?? mark})`)
  const args = [...fillers.map(stepMarks), ...fillers.map((step) => elementsAt(sql`flags`, stepMarks(step)))]
  return sql`, arrayMap((${join([...marks, ...flags], sql`, `)}) -> [${join(pairs, sql`, `)}], ${join(args, sql`, `)}) AS fillings`
}

/** 1 for each attempt that an exclusion voids; reads {@link lastMarks} as `last`, and {@link fillings}. */
export function voidMarks(query: FunnelQuery): Sql {
  const { exclusions } = query.rules
  const each = exclusions.map((exclusion, index) => voidsOf(query, exclusion, index))
  const [first] = each
  if (!first) return sql`arrayMap(mark -> 0, begin)`
  if (each.length === 1) return first
  const values = exclusions.map((_, index) => numbered('value', index))
  return sql`arrayMap((${join(values, sql`, `)}) -> greatest(${join(values, sql`, `)}), ${join(each, sql`, `)})`
}

/**
 * More excluded events lie between the two steps than fill steps of the attempt there; where the second step is not reached,
 * after the first one up to the attempt's last event, or any later one in the window.
 */
function voidsOf(query: FunnelQuery, exclusion: Exclusion, index: number): Sql {
  const { match, after, before } = exclusion
  const [upto, below, next] = [numbered('upto', index), numbered('before', index), numbered('next', index)]
  const canFill = query.steps.some((step) => !areDisjoint(step, match))
  const [fill, flag] = [sql`tupleElement(filling, 1)`, sql`tupleElement(filling, 2)`]
  // Steps up to the first one are no later, those from the second one on no earlier, and those not reached have no flags.
  const isBetween = sql`${timeOf(fill)} > ${timeOf(sql`one`)} AND (two = none OR ${timeOf(fill)} < ${timeOf(sql`two`)})`
  const filled = canFill
    ? sql`arrayCount(filling -> bitTest(${flag}, ${exclusionBit(query, index)}) AND ${isBetween}, filled)`
    : sql`0`
  const until = sql`if(two = none, toInt64(until_last), toInt64(until_two))`
  const isLater = sql`two = none AND coming <= ${timeOf(sql`start`)} + ${integer(query.windowMs)}`
  const isVoid = sql`toUInt8(one != none AND (${until} - toInt64(until_one) > ${filled} OR ${isLater}))`
  const [one, two] = [stepMarks(after), stepMarks(before)]
  const [parameter, argument] = canFill ? [sql`, filled`, sql`, fillings`] : [sql``, sql``]
  return sql`arrayMap((start, one, two, until_one, until_two, until_last, coming${parameter}) -> ${isVoid}, begin, ${one}, ${two}, ${elementsAt(upto, one)}, ${elementsAt(below, two)}, ${elementsAt(upto, sql`last`)}, ${elementsAt(next, sql`last`)}${argument})`
}
