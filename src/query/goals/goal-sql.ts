import { parseEventFilter } from '../../domain/insights/parse-filters.ts'
import { resolveEventProperty } from '../../domain/insights/property.ts'
import { matchSql } from '../insights/event-sql.ts'
import { eventPropertyNumber } from '../property/event-property.ts'
import { stringCodec } from '../sql/codec.ts'
import type { ProjectRange } from '../sql/far-sessions.ts'
import { allOf, param, type Sql, sql } from '../sql/sql.ts'
import type { Goal, GoalTarget } from './goal-store.ts'

/** A goal as expressions over a row of `events`. */
export interface GoalSql {
  /** The only kind of its events; empty when they may have any kind. */
  readonly kind: string
  /** Whether the row's event is a conversion: 0 or 1. */
  readonly matches: Sql
  /** The value of a conversion, as a double; `undefined` for a goal without a value. */
  readonly value: Sql | undefined
}

/** The kind of page views. */
const PAGE_VIEW = 'page_view'

/** Compiles a goal, for events within the rows. */
export function compileGoal(
  { target, valueProperty }: Pick<Goal, 'target' | 'valueProperty'>,
  rows: ProjectRange,
): GoalSql {
  return { ...compileTarget(target, rows), value: valueSql(valueProperty) }
}

function compileTarget(target: GoalTarget, rows: ProjectRange): Pick<GoalSql, 'kind' | 'matches'> {
  if (target.case === 'event') {
    const match = parseEventFilter(target.value, { field: 'event', reason: 'INVALID_REQUEST' })
    return { kind: match.kind, matches: matchSql(match, rows) }
  }
  const kind = sql`kind = ${param(stringCodec, PAGE_VIEW)}`
  return { kind: PAGE_VIEW, matches: allOf([kind, pathSql(target.value)]) }
}

/** A pattern without `*` is an equality, which needs no matching of patterns. */
function pathSql(pattern: string): Sql {
  if (!pattern.includes('*')) return sql`pathname = ${param(stringCodec, pattern)}`
  return sql`pathname LIKE ${param(stringCodec, toLikePattern(pattern))}`
}

/** The pattern of ClickHouse's LIKE that matches the same texts. */
export function toLikePattern(pattern: string): string {
  return pattern.replaceAll(/[\\%_]/g, '\\$&').replaceAll('*', '%')
}

function valueSql(name: string): Sql | undefined {
  if (name === '') return undefined
  return sql`ifNull(${eventPropertyNumber(resolveEventProperty(name))}, 0)`
}
