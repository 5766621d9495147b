import { ImportedState } from '../../contract/gen/millrace/web/v1/imported_days_pb.js'
import type { Dimension } from '../../contract/gen/millrace/web/v1/web_analytics_service_pb.js'
import {
  compileImportedValues,
  compileValues,
  type ImportedPage,
  type ImportedSums,
  type ImportedValue,
} from '../imported/imported-numbers.ts'
import type { QueryRunner } from '../sql/select.ts'
import { sql } from '../sql/sql.ts'
import { findScope, type ImportedDaysOf } from './imported-selection.ts'
import { isFound } from './table-sql.ts'
import type { TableQuery } from './web-query.ts'

/** The imported days of a table: a page of their values, and the sums of other values. */
export interface ImportedTable {
  readonly state: ImportedState
  readonly values: readonly ImportedValue[]
  readonly valueCount: number
  readonly sumsOf: (values: readonly string[]) => Promise<ReadonlyMap<string, ImportedSums>>
}

const NONE = { values: [], valueCount: 0, sumsOf: async () => new Map<string, ImportedSums>() }

function firstOf({ found }: ImportedPage): ImportedPage {
  return { found, limit: 1, offset: 0 }
}

/** Reads a page of the values that imported days have. */
export async function readImportedTable(
  imported: ImportedDaysOf,
  { query, dimension }: { readonly query: TableQuery; readonly dimension: Dimension },
  run: QueryRunner,
): Promise<ImportedTable> {
  const found = findScope(imported, query.main, dimension)
  if (found.state !== ImportedState.INCLUDED) return { state: found.state, ...NONE }
  const { scope, state } = found
  const { search, limit, offset } = query
  const page = { found: search === '' ? undefined : isFound(sql`value`, search), limit, offset }
  const values = await run(compileValues(scope, page))
  const known = new Map<string, ImportedSums>(values.map((row) => [row.value, row]))
  // A page after the last one has no row that has the number of all values.
  const [counted] =
    values.length > 0 || offset === 0 ? values : await run(compileValues(scope, firstOf(page)))
  return {
    state,
    values,
    valueCount: counted?.valueCount ?? 0,
    sumsOf: async (asked) => {
      const others = asked.filter((value) => !known.has(value))
      const rows = others.length === 0 ? [] : await run(compileImportedValues(scope, others))
      return new Map([...known, ...rows.map((row) => [row.value, row] as const)])
    },
  }
}
