import type { MessageInitShape } from '@bufbuild/protobuf'
import type {
  QueryTableResponseSchema,
  WebTableRowSchema,
} from '../../contract/gen/millrace/web/v1/web_analytics_service_pb.js'
import type { RangeMs } from '../../domain/insights/time-range.ts'
import type { Goal } from '../goals/goal-store.ts'
import type { QueryRunner } from '../sql/select.ts'
import { findVisits } from './find-visits.ts'
import { compileGoals, type GoalRow } from './table-sql.ts'
import { NO_VISITS, percent, toMetrics } from './web-metrics.ts'
import type { TableQuery } from './web-query.ts'

type RowInit = Exclude<MessageInitShape<typeof WebTableRowSchema>, { $typeName: string }>

/** A table of goals: every goal has a row, completed or not. They are few, so that rows are ordered and cut here. */
export async function answerGoalTable(
  { selection, main, compared, search, limit, offset }: TableQuery,
  goals: readonly Goal[],
  run: QueryRunner,
): Promise<MessageInitShape<typeof QueryTableResponseSchema>> {
  const measure = async (range: RangeMs): Promise<readonly RowInit[]> => {
    const visits = goals.length === 0 ? undefined : await findVisits({ selection, goals }, range, run)
    const rows = visits ? await run(compileGoals(visits, goals, selection.projectId)) : []
    return toRows(goals, rows)
  }
  const [own, other] = await Promise.all([measure(main), compared && measure(compared)])
  const rows = own
    .map((row, index) => ({ ...row, ...(other?.[index] ? { comparison: other[index] } : {}) }))
    .filter(({ value }) => (value ?? '').toLowerCase().includes(search.toLowerCase()))
    .sort(compareRows)
  return { rows: rows.slice(offset, offset + limit), totalRows: BigInt(rows.length) }
}

function toRows(goals: readonly Goal[], rows: readonly GoalRow[]): readonly RowInit[] {
  const visitorsOfAll = rows.find(({ isTotal }) => isTotal === 1)?.visitors ?? 0
  return goals.map(({ id, name }, index) => {
    const row = rows.find(({ goal }) => goal === index) ?? { ...NO_VISITS, conversions: 0, amount: 0 }
    const share = percent(row.visitors, visitorsOfAll)
    return {
      value: name,
      goalId: id,
      metrics: toMetrics(row),
      share,
      conversions: BigInt(row.conversions),
      conversionRate: share,
      goalValue: row.amount,
    }
  })
}

/** By visitors, most first, then by the bytes of the name; goals of one name by id. */
function compareRows(left: RowInit, right: RowInit): number {
  const [less, more] = [visitorsOf(left), visitorsOf(right)]
  if (less !== more) return less > more ? -1 : 1
  return Buffer.compare(Buffer.from(keyOf(left)), Buffer.from(keyOf(right)))
}

function visitorsOf({ metrics }: RowInit): bigint {
  return BigInt(metrics?.visitors ?? 0)
}

function keyOf({ value = '', goalId = '' }: RowInit): string {
  return `${value}\0${goalId}`
}
