import type { FunnelQuery } from '../../../domain/insights/funnel.ts'
import type { InsightContext } from '../../../domain/insights/insight-context.ts'
import { join, numbered, type Sql, sql } from '../../sql/sql.ts'
import { bucketIndex } from '../bucket-sql.ts'
import { integer } from './attempts.ts'
import { codedAttempts, hasCodedAttempts } from './coded-paths.ts'
import { countExcluded, exclusionArrays, fillings, lastMarks, voidMarks } from './exclusions.ts'
import { elementsAt, isHeld, listNames, markedEvents, marksBefore, placeOf, timeOf } from './marks.ts'
import { type ElapsedRange, followPaths } from './paths.ts'
import { type Carried, carriedNames, planCodes, sortedEvents } from './sorted-events.ts'

/** What the attempts have besides their steps. */
interface PathColumns {
  readonly carried: Carried
  /** Only attempts that start in it; all of them when absent. */
  readonly within?: ElapsedRange | undefined
}

/**
 * The counted attempt of every user (or session) who has one, under any options: `SELECT user, done, times`: the steps that
 * it reached, ascending from 0 (in any order: as many as were taken), and the elapsed times of their events, with the arrays
 * that are carried. In the view over time also `started` and `converted`: the buckets in which attempts start, and those in
 * which an attempt starts that reaches the last step.
 *
 * `attemptsSql` only carries the latest start along the events. This follows every attempt by itself, because all of its
 * events decide whether it is void and how far it gets. The cost is linear in the events of a user and in the steps.
 */
export function pathAttemptsSql(
  query: FunnelQuery,
  context: InsightContext,
  { carried, within }: PathColumns,
): Sql {
  const codes = planCodes(query, carried)
  if (!within && hasCodedAttempts(query, codes)) return codedAttempts(query, context, codes)
  const names = carriedNames(carried)
  const kept = names.map((name) => ({ name, end: sql`${name}[1]` }))
  const held = isHeld(query) ? [{ name: sql`held`, end: sql`0` }] : []
  const sorted = sortedEvents(query, context, { codes, carried })
  const passed = sql`user, at, flags${listNames([...names, ...held.map(({ name }) => name)])}`
  const arrays = [...kept, ...held, ...exclusionArrays(query)]
  const counted = countExcluded(query, sorted, passed)
  const origin = hasGroups(query) ? [{ name: sql`origin`, end: sql`0` }] : []
  const grouped = hasGroups(query)
    ? groupByTexts(
        counted,
        arrays.map(({ name }) => name),
      )
    : counted
  const all = [...arrays, ...origin]
  const paths = followPaths(query, markedEvents(grouped, all), {
    codes,
    kept: all.map(({ name }) => name),
    within,
  })
  return describeChosen(query, context, { chosen: chooseAttempts(query, paths, names), names })
}

/** Whether a user's events are sorted by the texts that are held constant: strict order goes by the events of all texts. */
function hasGroups(query: FunnelQuery): boolean {
  return isHeld(query) && query.rules.order !== 'strict'
}

/** Sorts all arrays of a user by texts, and within one text as before; `origin` are the positions from before. */
function groupByTexts(users: Sql, arrays: readonly Sql[]): Sql {
  const position = sql`arrayMap((text, place) -> toUInt128(text) * 16777216 + place, held, arrayEnumerate(held)) AS position`
  const sorted = (items: Sql): Sql => sql`arraySort((item, key) -> key, ${items}, position)`
  const columns = [sql`at`, sql`flags`, ...arrays].map((name) => sql`${sorted(name)} AS ${name}`)
  const rows = sql`SELECT user, at, flags${listNames(arrays)}, ${position} FROM (${users})`
  return sql`SELECT user, ${join(columns, sql`, `)}, ${sorted(sql`arrayEnumerate(at)`)} AS origin FROM (${rows})`
}

/** Score of a step, above those of the start and of optional steps. */
const FURTHEST = sql`1099511627776`

/**
 * Adds the `scores` of attempts, and the position of the best one as `chosen`: the furthest step, the earliest start, the most
 * steps, the lower optional steps. A score of 0 does not count.
 */
function chooseAttempts(query: FunnelQuery, paths: Sql, names: readonly Sql[]): Sql {
  const { steps, rules } = query
  const state = sql`user, none${listNames(names)}, begin${listNames(marksBefore(steps.length))}`
  const [voided, isVoid] = voidedPaths(query, paths)
  const values = steps.map((_, step) => numbered('value', step))
  const places = hasGroups(query)
    ? elementsAt(sql`origin`, sql`begin`)
    : sql`arrayMap(mark -> ${placeOf(sql`mark`)}, begin)`
  const score = sql`toUInt64(${furthestOf(query, values)}) * ${FURTHEST} + toUInt64(16777215 - place) * 65536${choiceScore(query, values)}`
  const failed = rules.optionalSteps.length > 0 ? sql`failed` : isVoid
  const refused = sql`arrayMap((isVoid, hasFailed) -> isVoid OR hasFailed, ${isVoid}, ${failed})`
  const scores = sql`arrayMap((place, isRefused, ${join(values, sql`, `)}) -> if(isRefused, 0, ${score}), ${places}, ${refused}${listNames(marksBefore(steps.length))})`
  const scored = sql`SELECT ${state}, ${scores} AS scores FROM (${voided})`
  return sql`SELECT ${state}, scores, arrayMax(scores) AS best, indexOf(scores, best) AS chosen FROM (${scored}) WHERE best > 0`
}

/** The attempts with what their exclusions need, and whether each is void. */
function voidedPaths(query: FunnelQuery, paths: Sql): readonly [paths: Sql, isVoid: Sql] {
  if (query.rules.exclusions.length === 0) return [paths, sql`arrayMap(mark -> toUInt8(0), begin)`]
  return [sql`SELECT *, ${lastMarks(query)} AS last${fillings(query)} FROM (${paths})`, voidMarks(query)]
}

/** The number, from 1, of the furthest step; in any order, how many were taken. */
function furthestOf({ rules }: FunnelQuery, marks: readonly Sql[]): Sql {
  if (rules.optionalSteps.length === 0) return countOf(marks)
  const numbers = marks.map((mark, step) => sql`(${mark} != none) * ${integer(step + 1)}`)
  return sql`greatest(${join(numbers, sql`, `)})`
}

function countOf(marks: readonly Sql[]): Sql {
  return join(
    marks.map((mark) => sql`(${mark} != none)`),
    sql` + `,
  )
}

function choiceScore({ rules }: FunnelQuery, marks: readonly Sql[]): Sql {
  const { optionalSteps } = rules
  if (optionalSteps.length === 0) return sql``
  const lower = optionalSteps.map((step, index) => {
    const weight = integer(2 ** (optionalSteps.length - 1 - index))
    return sql` + (${marks[step] ?? sql`none`} != none) * ${weight}`
  })
  return sql` + toUInt64((${countOf(marks)}) * 256${join(lower, sql``)})`
}

/** The steps and events of the chosen attempts. */
function describeChosen(
  query: FunnelQuery,
  context: InsightContext,
  { chosen, names }: { readonly chosen: Sql; readonly names: readonly Sql[] },
): Sql {
  const { steps, rules } = query
  const filled = marksBefore(steps.length).map((marks) => sql`${marks}[chosen]`)
  const taken = sql`arrayFilter(mark -> mark != none, [${join(filled, sql`, `)}])`
  const isAny = rules.order === 'any'
  const path = isAny ? sql`arraySort(${taken})` : taken
  const reached = sql`arrayFilter((step, mark) -> mark != none, range(toUInt64(${integer(steps.length)})), [${join(filled, sql`, `)}])`
  const done = isAny ? sql`range(length(path))` : reached
  const rows = sql`SELECT user${listNames(names)}, begin, scores, ${path} AS path, ${done} AS done FROM (${chosen})`
  const carried = names.map((name) => sql`, ${elementsAt(name, sql`path`)} AS ${name}`)
  return sql`SELECT user, done, arrayMap(mark -> ${timeOf(sql`mark`)}, path) AS times${join(carried, sql``)}${bucketColumns(query, context)} FROM (${rows})`
}

/** `, started, converted` in the view over time. */
function bucketColumns({ steps, rules: { view } }: FunnelQuery, { range }: InsightContext): Sql {
  if (view.kind !== 'over_time') return sql``
  const bucket = bucketIndex(sql`(${timeOf(sql`mark`)} + ${integer(range.fromMs)})`, view.starts)
  const bucketsFrom = (least: Sql): Sql =>
    sql`arrayDistinct(arrayMap(mark -> ${bucket}, arrayFilter((mark, score) -> score >= ${least}, begin, scores)))`
  const complete = sql`toUInt64(${integer(steps.length)}) * ${FURTHEST}`
  return sql`, ${bucketsFrom(sql`1`)} AS started, ${bucketsFrom(complete)} AS converted`
}
