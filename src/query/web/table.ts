import type { MessageInitShape } from '@bufbuild/protobuf'
import type {
  QueryTableResponseSchema,
  WebTableRowSchema,
} from '../../contract/gen/millrace/web/v1/web_analytics_service_pb.js'
import type { RangeMs } from '../../domain/insights/time-range.ts'
import { assert } from '../../kernel/assert.ts'
import type { Goal } from '../goals/goal-store.ts'
import type { CompiledQuery, QueryRunner } from '../sql/select.ts'
import type { Sql } from '../sql/sql.ts'
import type { EventAttribute, VisitAttribute } from './dimensions.ts'
import { requireGoals, type VisitSearch } from './find-visits.ts'
import { answerGoalTable } from './goal-table.ts'
import { readVisits, type Visits } from './select-visits.ts'
import {
  compilePage,
  compileRowsOf,
  groupByEvent,
  groupByPage,
  groupByVisit,
  type ValueRow,
} from './table-sql.ts'
import { NO_VISITS, percent, toMetrics, type VisitTotals } from './web-metrics.ts'
import type { TableQuery } from './web-query.ts'

type RowInit = Exclude<MessageInitShape<typeof WebTableRowSchema>, { $typeName: string }>

/** Measures the visits of a range by the values of a dimension. Throws `not_found` for an unknown goal. */
export async function answerTable(
  query: TableQuery,
  goals: readonly Goal[],
  run: QueryRunner,
): Promise<MessageInitShape<typeof QueryTableResponseSchema>> {
  const { selection, dimension } = query
  const search = { selection, goals }
  requireGoals(search)
  if (dimension.of === 'goals') return await answerGoalTable(query, goals, run)
  return await answerValueTable(query, { search, dimension }, run)
}

async function answerValueTable(
  query: TableQuery,
  {
    search,
    dimension,
  }: { readonly search: VisitSearch; readonly dimension: VisitAttribute | EventAttribute },
  run: QueryRunner,
): Promise<MessageInitShape<typeof QueryTableResponseSchema>> {
  const isFoldable = isOfVisitRows(dimension)
  const group = (visits: Visits): Sql => groupBy(visits, dimension)
  const compile = (visits: Visits): CompiledQuery<ValueRow> => compilePage(group(visits), query)
  const found = await readVisits({ search, range: query.main, isFoldable, compile }, run)
  const values = found.filter(isValue).map(({ value }) => value)
  const readCompared = async (range: RangeMs): Promise<readonly ValueRow[]> => {
    if (values.length === 0) return []
    const compileSame = (visits: Visits): CompiledQuery<ValueRow> => compileRowsOf(group(visits), values)
    return await readVisits({ search, range, isFoldable, compile: compileSame }, run)
  }
  const other = query.compared && (await readCompared(query.compared))
  const toRow = toRowOf(found)
  const toOther = other && toRowOf(other)
  return {
    totalRows: BigInt(found[0]?.rowCount ?? 0),
    rows: values.map((value) => ({
      ...toRow(value),
      ...(toOther ? { comparison: toOther(value) } : {}),
    })),
  }
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
