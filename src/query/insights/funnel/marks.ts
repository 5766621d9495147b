import type { FunnelQuery } from '../../../domain/insights/funnel.ts'
import { join, numbered, type Sql, sql } from '../../sql/sql.ts'

// A place is the position of an event among those of its user. A mark is a place with its time in the bits above: elapsed
// milliseconds * 2^24 + place, so that one look-up finds both. The events of a user end in one more, later than any range,
// that matches every step: its mark, `none`, stands for no event.

/** The time of a mark, in elapsed milliseconds. */
export function timeOf(mark: Sql): Sql {
  return sql`toInt64(bitShiftRight(${mark}, 24))`
}

/** The place of a mark. */
export function placeOf(mark: Sql): Sql {
  return sql`bitAnd(${mark}, 16777215)`
}

/**
 * The elements of an array at the places of marks. A lambda that reads the array would copy it for each mark, so that the
 * cost grew with the square of a user's events; ranges of one element are read in place.
 */
export function elementsAt(items: Sql, marks: Sql): Sql {
  return sql`arrayReduceInRanges('any', arrayMap(mark -> (${placeOf(sql`mark`)}, 1), ${marks}), ${items})`
}

/** An array that a user's events have besides their times and flags, and its element after the last event. */
export interface EventArray {
  readonly name: Sql
  readonly end: Sql
}

/**
 * `SELECT user, flags, marks, none, ...`: users with the event after the last one. Throws where places do not fit, because they
 * would name other events.
 */
export function markedEvents(users: Sql, arrays: readonly EventArray[]): Sql {
  const ended = arrays.map(({ name, end }) => sql`, arrayPushBack(${name}, ${end}) AS ${name}`)
  const rows = sql`SELECT user, arrayPushBack(at, toInt64(549755813888)) AS at, arrayPushBack(flags, 0) AS flags${join(ended, sql``)} FROM (${users})`
  const marks = sql`arrayMap((ms, place) -> toUInt64(ms) * 16777216 + place, at, arrayEnumerate(at)) AS marks`
  const fits = sql`throwIf(length(at) > 16777215, 'a user of the funnel has too many events') = 0`
  return sql`SELECT user, flags${listNames(arrays.map(({ name }) => name))}, ${marks}, marks[-1] AS none FROM (${rows}) WHERE ${fits}`
}

/** `, a, b, ...`. */
export function listNames(names: readonly Sql[]): Sql {
  return join(
    names.map((name) => sql`, ${name}`),
    sql``,
  )
}

/** The name of the marks of a step, by attempt. */
export function stepMarks(step: number): Sql {
  return numbered('step', step)
}

/** The names of the marks of the steps before one. */
export function marksBefore(step: number): readonly Sql[] {
  return Array.from({ length: step }, (_, index) => stepMarks(index))
}

/** Whether properties are held constant. */
export function isHeld({ rules }: FunnelQuery): boolean {
  return rules.holdConstant.length > 0
}
