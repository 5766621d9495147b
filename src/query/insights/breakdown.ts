import type { Breakdown } from '../../domain/insights/breakdown.ts'
import { propertyTexts } from '../attribution/joined-texts.ts'
import { int64Codec, stringArrayCodec } from '../sql/codec.ts'
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
}

/**
 * `FROM ... GROUP BY rank`, extended with `, ...`: the cells of all groups by the rank of their group, in one scan. Cells
 * of groups beyond the limit have one rank, so grouping merges them. Each row reads its tuple as `cell`.
 */
export function rankedGroups(breakdown: Breakdown, { rows, cell, total }: GroupCells): Sql {
  const keys = keyNames(breakdown)
  const groups = sql`SELECT ${keys}, groupArray(${cell}) AS cells, ${total.value} AS ${total.name} FROM (${rows}) GROUP BY ${keys}`
  const rank = groupRank({ total: total.name, keys, limit: breakdown.limit })
  return sql`FROM (SELECT ${keys}, cells, ${rank} AS rank FROM (${groups})) ARRAY JOIN cells AS cell GROUP BY rank`
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

/** The rows of each breakdown value with its label by property, in the order of ranks; the rest comes last. */
export function groupByRank<R extends RankedRow>(
  { names, limit }: Breakdown,
  rows: readonly R[],
): readonly { readonly breakdown: Record<string, string>; readonly rows: readonly R[] }[] {
  const byRank = [...Map.groupBy(rows, ({ rank }) => rank)].sort(([left], [right]) => left - right)
  return byRank.map(([rank, ofRank]) => {
    const label = (index: number): string => (rank > limit ? OTHERS : (ofRank[0]?.keys[index] ?? ''))
    return { breakdown: Object.fromEntries(names.map((name, index) => [name, label(index)])), rows: ofRank }
  })
}
