import type { MessageInitShape } from '@bufbuild/protobuf'
import type {
  QueryTableResponseSchema,
  WebTableRowSchema,
} from '../../contract/gen/millrace/web/v1/web_analytics_service_pb.js'
import type { RangeMs } from '../../domain/insights/time-range.ts'
import type { Goal } from '../goals/goal-store.ts'
import type { QueryRunner } from '../sql/select.ts'
import type { Sql } from '../sql/sql.ts'
import type { EventAttribute, VisitAttribute } from './dimensions.ts'
import { findVisits, requireGoals, type VisitSearch } from './find-visits.ts'
import { answerGoalTable } from './goal-table.ts'
import { compilePage, compileRowsOf, groupByEvent, groupByVisit, type ValueRow } from './table-sql.ts'
import type { VisitScope } from './visits-sql.ts'
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
  const group = (visits: VisitScope): Sql =>
    dimension.of === 'events' ? groupByEvent(visits, dimension) : groupByVisit(visits, dimension)
  const visits = await findVisits(search, query.main, run)
  const found = visits ? await run(compilePage(group(visits), query)) : []
  const values = found.filter(isValue).map(({ value }) => value)
  const readCompared = async (range: RangeMs): Promise<readonly ValueRow[]> => {
    const compared = values.length === 0 ? undefined : await findVisits(search, range, run)
    return compared ? await run(compileRowsOf(group(compared), values)) : []
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
