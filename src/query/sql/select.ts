import type { Codec } from './codec.ts'
import type { DayCells } from './day-cells.ts'
import { join, type Sql, sql } from './sql.ts'

/** One expression of a select list, with the codec of its cells. */
export interface Column<T> {
  readonly expression: Sql
  readonly codec: Codec<T>
}

/** A select list, by the names of the fields in the decoded row. */
export type Columns = Readonly<Record<string, Column<unknown>>>

/** A decoded row of a select list. */
export type Row<C extends Columns> = {
  readonly [Name in keyof C]: C[Name] extends Column<infer T> ? T : never
}

/** A statement with the decoder of its rows. */
export interface CompiledQuery<R> {
  readonly statement: Sql
  /** Reads one row of `FORMAT JSONCompactEachRow`. */
  decode(cells: readonly unknown[]): R
  /** The same statement over cells, those of some days being kept; absent when an answer depends on more than the events of its days. */
  readonly days?: DayCells | undefined
}

/** Runs a compiled query within the deadline and the concurrency limit of its call, and decodes its rows. */
export type QueryRunner = <R>(query: CompiledQuery<R>) => Promise<R[]>

/** Makes a column. */
export function column<T>(codec: Codec<T>, expression: Sql): Column<T> {
  return { codec, expression }
}

/** `SELECT` of the columns, followed by the rest of the statement; the select list is the decoder. */
export function select<C extends Columns>(columns: C, rest: Sql): CompiledQuery<Row<C>> {
  const entries = Object.entries(columns)
  const list = join(
    entries.map(([, { expression }]) => expression),
    sql`, `,
  )
  return {
    statement: sql`SELECT ${list} ${rest}`,
    decode: (cells) => {
      if (cells.length !== entries.length)
        throw new TypeError(`expected ${entries.length} cells, got ${cells.length}`)
      return Object.fromEntries(
        entries.map(([name, { codec }], index) => [name, codec.decode(cells[index])]),
      ) as Row<C>
    },
  }
}
