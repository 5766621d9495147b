import { isDeepStrictEqual } from 'node:util'
import type { FunnelQuery } from '../../../domain/insights/funnel.ts'
import { join, numbered, type Sql, sql } from '../../sql/sql.ts'
import { areDisjoint, integer } from './attempts.ts'
import { elementsAt, isHeld, listNames, marksBefore, stepMarks, timeOf } from './marks.ts'
import { type EventCodes, stepBit } from './sorted-events.ts'

interface Taking {
  readonly codes: EventCodes
  readonly state: Sql
}

/**
 * The steps of attempts that take them in any order. An event takes the lowest step that it matches and that is not taken,
 * so a step is taken by its first event, from the start on, that takes no lower step: steps are settled from the lowest
 * to the highest, in any order of their events.
 */
export function takeInAnyOrder(query: FunnelQuery, begun: Sql, { codes, state }: Taking): Sql {
  return query.steps.reduce((before, _, step) => {
    const rivals = rivalsOf(query, step)
    const passed = sql`${state}, begin${listNames(marksBefore(step))}`
    const bit = stepBit(codes, step)
    const isOfStep = sql`NOT bitTest(flag, ${bit})`
    if (rivals.length === 0) {
      const first = elementsAt(sql`arrayReverseFill((mark, flag) -> ${isOfStep}, marks, flags)`, sql`begin`)
      return settle(query, { passed, step, found: first, before })
    }
    // Among the events of the step, numbered from 1, the first one from the start on that no rival has.
    const numbers = sql`arrayCumSum(flag -> ${isOfStep}, flags) AS upto, arrayMap((count, flag) -> if(${isOfStep}, count, 0), upto, flags) AS numbers`
    const counted = sql`SELECT ${passed}, arrayFilter((mark, flag) -> ${isOfStep}, marks, flags) AS listed, ${numbers}, arrayMap((count, flag) -> count + bitTest(flag, ${bit}), upto, flags) AS firsts FROM (${before})`
    const found = sql`arrayReduceInRanges('any', arrayMap(number -> (least(number, length(listed)), 1), ${chooseNumbers(query, step, rivals)}), listed)`
    return settle(query, { passed, step, found, before: counted })
  }, begun)
}

/** The number of the event that an attempt takes, among those of the step. Equal rivals take the ones before it. */
function chooseNumbers({ steps }: FunnelQuery, step: number, rivals: readonly number[]): Sql {
  const firsts = elementsAt(sql`firsts`, sql`begin`)
  if (rivals.every((rival) => isDeepStrictEqual(steps[rival], steps[step])))
    return sql`arrayMap(first -> first + ${integer(rivals.length)}, ${firsts})`
  const names = rivals.map((_rival, index) => numbered('value', index))
  const ofRivals = rivals.map((rival) => elementsAt(sql`numbers`, stepMarks(rival)))
  const free = sql`arrayFold((number, taken) -> number + (taken = number), arraySort([${join(names, sql`, `)}]), first)`
  return sql`arrayMap((first${listNames(names)}) -> ${free}, ${firsts}${listNames(ofRivals)})`
}

/** Lower steps that events of a step can match too. */
function rivalsOf({ steps }: FunnelQuery, step: number): readonly number[] {
  const own = steps[step]
  return steps.flatMap((other, index) => (own && index < step && !areDisjoint(own, other) ? [index] : []))
}

/** Keeps the events that are found within the window, and with the texts of the start. */
function settle(
  query: FunnelQuery,
  input: { readonly passed: Sql; readonly step: number; readonly found: Sql; readonly before: Sql },
): Sql {
  const { passed, step, found, before } = input
  const inWindow = sql`${timeOf(sql`mark`)} - ${timeOf(sql`start`)} <= ${integer(query.windowMs)}`
  if (!isHeld(query)) {
    const marks = sql`arrayMap((mark, start) -> if(${inWindow}, mark, none), ${found}, begin)`
    return sql`SELECT ${passed}, ${marks} AS ${stepMarks(step)} FROM (${before})`
  }
  const marks = sql`arrayMap((mark, start, its, own) -> if(${inWindow} AND its = own, mark, none), found, begin, ${elementsAt(sql`held`, sql`found`)}, ${elementsAt(sql`held`, sql`begin`)})`
  return sql`SELECT ${passed}, ${marks} AS ${stepMarks(step)} FROM (SELECT ${passed}, ${found} AS found FROM (${before}))`
}
