import type { MessageInitShape } from '@bufbuild/protobuf'
import { ImportedState } from '../../contract/gen/millrace/web/v1/imported_days_pb.js'
import type {
  QueryTableResponseSchema,
  WebTableRowSchema,
} from '../../contract/gen/millrace/web/v1/web_analytics_service_pb.js'
import type { RangeMs } from '../../domain/insights/time-range.ts'
import { assert } from '../../kernel/assert.ts'
import type { Goal } from '../goals/goal-store.ts'
import { type ImportedSums, toImportedMetrics } from '../imported/imported-numbers.ts'
import type { CompiledQuery, QueryRunner } from '../sql/select.ts'
import type { Sql } from '../sql/sql.ts'
import type { EventAttribute, VisitAttribute } from './dimensions.ts'
import { requireGoals, type VisitSearch } from './find-visits.ts'
import { isFoldable } from './folded-visits.ts'
import { answerGoalTable } from './goal-table.ts'
import { type ImportedTable, readImportedTable } from './imported-table.ts'
import type { OverviewReading } from './overview.ts'
import type { ScanPart } from './scan-sql.ts'
import { readEvents, readVisits, type Visits } from './select-visits.ts'
import {
  compilePage,
  compileRowsOf,
  groupByEvent,
  groupByPage,
  groupByVisit,
  type ValueRow,
} from './table-sql.ts'
import type { VisitReading } from './visit-scans.ts'
import { NO_VISITS, percent, toMetrics, type VisitTotals } from './web-metrics.ts'
import type { TableQuery } from './web-query.ts'

type RowInit = Exclude<MessageInitShape<typeof WebTableRowSchema>, { $typeName: string }>

/** Measures the visits of a range by the values of a dimension. Throws `not_found` for an unknown goal. */
export async function answerTable(
  query: TableQuery,
  goals: readonly Goal[],
  reading: OverviewReading,
): Promise<MessageInitShape<typeof QueryTableResponseSchema>> {
  const { selection, dimension } = query
  const search = { selection, goals }
  requireGoals(search)
  if (dimension.of === 'goals') {
    return {
      ...(await answerGoalTable(query, goals, reading.run)),
      importedState: (await findImported(query, reading))?.state ?? ImportedState.UNSPECIFIED,
    }
  }
  return await answerValueTable(query, { search, dimension }, reading)
}

async function findImported(
  query: TableQuery,
  { imported, run }: OverviewReading,
): Promise<ImportedTable | undefined> {
  return imported && (await readImportedTable(imported, { query, dimension: query.dimensionNumber }, run))
}

/** The visits of a table, and what groups them. */
interface ValueTable {
  readonly search: VisitSearch
  readonly dimension: VisitAttribute | EventAttribute
}

/** A page of a table, the number of all rows, and the totals of all visits. */
interface TableRows {
  readonly rows: readonly (VisitTotals & { readonly value: string })[]
  readonly rowCount: number
  readonly whole: VisitTotals
}

async function answerValueTable(
  query: TableQuery,
  table: ValueTable,
  reading: OverviewReading,
): Promise<MessageInitShape<typeof QueryTableResponseSchema>> {
  const [{ rows, rowCount, whole }, imported] = await Promise.all([
    readPage(query, table, reading),
    findImported(query, reading),
  ])
  const values = rows.map(({ value }) => value)
  const other = query.compared && (await readCompared(query.compared, { ...table, values }, reading.run))
  const toOther = other && toRowOf(other)
  const sums = imported && (await imported.sumsOf(values))
  return {
    totalRows: BigInt(rowCount),
    rows: rows.map((row) => ({
      ...toTableRow(row.value, row, whole.visitors),
      ...(toOther ? { comparison: toOther(row.value) } : {}),
      ...importedOf(sums?.get(row.value)),
    })),
    ...(imported ? await importedFields(imported, { query, table, rows, whole }, reading.run) : {}),
  }
}

function importedOf(sums: ImportedSums | undefined): Pick<RowInit, 'imported'> {
  return sums ? { imported: toImportedMetrics(sums) } : {}
}

type TableInit = Exclude<MessageInitShape<typeof QueryTableResponseSchema>, { $typeName: string }>
type ImportedFields = Pick<TableInit, 'importedRows' | 'importedState' | 'importedTotalRows'>

/** The rows of imported values, with the project's own measures of those that its page of rows does not have. */
async function importedFields(
  { state, values, valueCount }: ImportedTable,
  {
    query,
    table,
    rows,
    whole,
  }: { readonly query: TableQuery; readonly table: ValueTable } & Pick<TableRows, 'rows' | 'whole'>,
  run: QueryRunner,
): Promise<ImportedFields> {
  const own = new Map<string, VisitTotals>(rows.map((row) => [row.value, row]))
  const others = values.map(({ value }) => value).filter((value) => !own.has(value))
  for (const row of await readCompared(query.main, { ...table, values: others }, run)) {
    if (isValue(row)) own.set(row.value, row)
  }
  return {
    importedState: state,
    importedTotalRows: BigInt(valueCount),
    importedRows: values.map((row) => ({
      ...toTableRow(row.value, own.get(row.value) ?? NO_VISITS, whole.visitors),
      ...importedOf(row),
    })),
  }
}

async function readPage(
  query: TableQuery,
  { search, dimension }: ValueTable,
  { run, scans }: VisitReading,
): Promise<TableRows> {
  const { main: range, offset } = query
  const part = partOf(query, dimension)
  const scanned = part && (await scans.ask({ search, range, part }, run))
  if (scanned && (part.by === 'value' || scanned.source === 'table')) {
    const { whole = NO_VISITS, rows } = scanned
    const shown = rows.filter(({ rank }) => rank > offset).map((row) => ({ ...row, value: row.key }))
    return { whole, rowCount: rows[0]?.rowCount ?? 0, rows: shown }
  }
  const compile = (visits: Visits): CompiledQuery<ValueRow> => compilePage(groupBy(visits, dimension), query)
  const found = await readEvents({ search, range, compile }, run)
  const [whole = NO_VISITS] = found.filter(({ isTotal }) => isTotal === 1)
  return { whole, rowCount: found[0]?.rowCount ?? 0, rows: found.filter(isValue) }
}

/** The part of a scan that has the rows of a table; `undefined` where only single events have them. */
function partOf(
  { selection, search, limit, offset }: TableQuery,
  dimension: VisitAttribute | EventAttribute,
): Exclude<ScanPart, { by: 'bucket' }> | undefined {
  const page = { search, limit, offset }
  if (dimension.of !== 'events') return { by: 'value', attribute: dimension, page }
  return isOfVisitRows(dimension) && isFoldable(selection) ? { by: 'pages', page } : undefined
}

async function readCompared(
  range: RangeMs,
  { search, dimension, values }: ValueTable & { readonly values: readonly string[] },
  run: QueryRunner,
): Promise<readonly ValueRow[]> {
  if (values.length === 0) return []
  const compile = (visits: Visits): CompiledQuery<ValueRow> =>
    compileRowsOf(groupBy(visits, dimension), values)
  return await readVisits({ search, range, isFoldable: isOfVisitRows(dimension), compile }, run)
}

/** The totals of each value; visits of rows have each value of theirs once, with its views. */
function groupBy(visits: Visits, dimension: VisitAttribute | EventAttribute): Sql {
  if (dimension.of !== 'events') return groupByVisit(visits, dimension)
  if (visits.folded) return groupByPage(visits)
  assert(visits.rest, 'visits have rows or a scope of events')
  return groupByEvent(visits.rest, dimension)
}

/** Whether the table of visits has the values. */
function isOfVisitRows({ of, property }: VisitAttribute | EventAttribute): boolean {
  return of !== 'events' || property === '$pathname'
}

function isValue({ isTotal }: { readonly isTotal: number }): boolean {
  return isTotal === 0
}

/** The row of each value in the answer to one statement; of zeros for a value that it does not have. */
function toRowOf(rows: readonly ValueRow[]): (value: string) => RowInit {
  const visitors = rows.find(({ isTotal }) => isTotal === 1)?.visitors ?? 0
  const byValue = new Map(rows.filter(isValue).map((row) => [row.value, row]))
  return (value) => toTableRow(value, byValue.get(value) ?? NO_VISITS, visitors)
}

/** A row with its share of all visitors. */
function toTableRow(value: string, totals: VisitTotals, visitorsOfAll: number): RowInit {
  return { value, metrics: toMetrics(totals), share: percent(totals.visitors, visitorsOfAll) }
}
