import type { Breakdown } from '../../domain/insights/breakdown.ts'
import { propertyTexts } from '../attribution/joined-texts.ts'
import { int64Codec, stringArrayCodec, stringArraysCodec } from '../sql/codec.ts'
import { type Column, column } from '../sql/select.ts'
import { join, numbered, param, type Sql, sql } from '../sql/sql.ts'
import type { EventContext } from './event-sql.ts'

/** The context of a statement that reads the values of a breakdown on its rows. */
export function withKeys<C extends EventContext>(
  context: C,
  breakdown: Breakdown | undefined,
): C & Pick<EventContext, 'joined'> {
  return breakdown ? { ...context, joined: breakdown.properties } : context
}

/** The values of a row of events {@link withKeys}; a missing value is the empty text. */
export function keyTexts({ properties }: Breakdown): readonly Sql[] {
  return propertyTexts(properties)
}

/** `text of the first property AS key0, ...`: the {@link keyTexts} of the row. */
export function selectKeys(breakdown: Breakdown): Sql {
  const keys = keyTexts(breakdown).map((text, index) => sql`${text} AS ${numbered('key', index)}`)
  return join(keys, sql`, `)
}

/** `key0, key1, ...`: for `GROUP BY` and `ORDER BY`. */
export function keyNames({ properties }: Breakdown): Sql {
  return join(
    properties.map((_, index) => numbered('key', index)),
    sql`, `,
  )
}

/** The rank of a group, from 1, by a total and then by its values; all groups beyond the limit share the rank after it. */
export function groupRank(group: { readonly total: Sql; readonly keys: Sql; readonly limit: number }): Sql {
  const { total, keys, limit } = group
  return sql`least(row_number() OVER (ORDER BY ${total} DESC, ${keys}), ${param(int64Codec, limit + 1)})`
}

/** Rows of a statement that {@link rankedGroups} ranks and merges. */
export interface GroupCells {
  /** One row for each cell of each group: the breakdown values by name, and the columns of the cell. */
  readonly rows: Sql
  /** The columns of one cell, as a tuple. */
  readonly cell: Sql
  /** The total of a group, as an aggregate of its cells, and its name, which no column of the cell has. */
  readonly total: { readonly value: Sql; readonly name: Sql }
  /** Which groups there are, by their total; all of them when absent. */
  readonly having?: Sql
}

/** A breakdown whose first values may be given instead of found. */
export interface RankedBreakdown extends Breakdown {
  readonly given?: GivenValues | undefined
}

/** The values of the series of another answer. */
export interface GivenValues {
  /** Those with a series of their own, at most as many as the limit, in the order of their ranks. */
  readonly top: readonly (readonly string[])[]
  /** Whether the rest has a series. */
  readonly others: boolean
}

/**
 * `FROM ... GROUP BY rank`, extended with `, ...`: the cells of all groups by the rank of their group, in one scan. Cells
 * of groups beyond the limit have one rank, so grouping merges them. Each row reads its tuple as `cell`.
 */
export function rankedGroups(breakdown: RankedBreakdown, { rows, cell, total, having }: GroupCells): Sql {
  const keys = keyNames(breakdown)
  const position = breakdown.given && positionIn(breakdown.given.top, breakdown)
  const exists = having && position ? sql`(${having} OR ${position} > 0)` : having
  const groups = sql`SELECT ${keys}, groupArray(${cell}) AS cells, ${total.value} AS ${total.name} FROM (${rows}) GROUP BY ${keys}${exists ? sql` HAVING ${exists}` : sql``}`
  const rank = breakdown.given
    ? givenRank(breakdown.given, breakdown)
    : groupRank({ total: total.name, keys, limit: breakdown.limit })
  return sql`FROM (SELECT ${keys}, cells, ${rank} AS rank FROM (${groups})) ARRAY JOIN cells AS cell GROUP BY rank`
}

/** The rank of a group where the values are given; those that are not among them share the rank after the limit. */
export function givenRank({ top }: GivenValues, breakdown: Breakdown): Sql {
  const position = positionIn(top, breakdown)
  return sql`if(${position} = 0, ${param(int64Codec, breakdown.limit + 1)}, toInt64(${position}))`
}

/** The position of a group's values in a list, from 1; 0 when it is not there. */
function positionIn(top: readonly (readonly string[])[], { properties }: Breakdown): Sql {
  const values = properties.map((_, index) => sql`CAST(${numbered('key', index)}, 'String')`)
  return sql`indexOf(${param(stringArraysCodec, top)}, [${join(values, sql`, `)}])`
}

/** A row of {@link rankedGroups}. */
export interface RankedRow {
  /** Rank of the breakdown value, from 1; a rank above the limit is the rest. */
  readonly rank: number
  /** Breakdown values; those of any group for the rest. */
  readonly keys: readonly string[]
}

/** The columns of {@link RankedRow}. */
export function rankColumns(breakdown: Breakdown): {
  readonly [Name in keyof RankedRow]: Column<RankedRow[Name]>
} {
  return {
    rank: column(int64Codec, sql`toInt64(rank)`),
    keys: column(stringArrayCodec, sql`any([${keyNames(breakdown)}])`),
  }
}

/** Label of the rest. A real value may have the same text: the rest is identified by its rank. */
export const OTHERS = '$others'

/** The rows of one series. */
export interface RankedGroup<R> {
  readonly rank: number
  /** Labels by property. */
  readonly breakdown: Record<string, string>
  readonly rows: readonly R[]
}

/** The rows of each breakdown value, in the order of ranks; the rest comes last. Given values may have no rows. */
export function groupByRank<R extends RankedRow>(
  { names, limit, given }: RankedBreakdown,
  rows: readonly R[],
): readonly RankedGroup<R>[] {
  const byRank = Map.groupBy(rows, ({ rank }) => rank)
  const { top, others } = given ?? listValues({ limit }, rows)
  const groupOf = (rank: number, label: (index: number) => string): RankedGroup<R> => ({
    rank,
    breakdown: Object.fromEntries(names.map((name, index) => [name, label(index)])),
    rows: byRank.get(rank) ?? [],
  })
  return [
    ...top.map((keys, index) => groupOf(index + 1, (at) => keys[at] ?? '')),
    ...(others ? [groupOf(limit + 1, () => OTHERS)] : []),
  ]
}

/** The values that ranked rows have. */
export function listValues({ limit }: Pick<Breakdown, 'limit'>, rows: readonly RankedRow[]): GivenValues {
  const byRank = new Map(rows.map(({ rank, keys }) => [rank, keys]))
  const ranks = [...byRank].sort(([left], [right]) => left - right)
  return {
    top: ranks.filter(([rank]) => rank <= limit).map(([, keys]) => keys),
    others: ranks.some(([rank]) => rank > limit),
  }
}
