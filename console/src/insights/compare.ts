import type { InsightQuerySpec } from '@contract/shared/insights/v1/insight_query_spec_pb.js'
import { type Column, plain, type Table } from '../format/table.ts'
import { t } from '../i18n/translate.ts'
import type { InsightTypeEntry, Result } from './model/insight-type.ts'

/** The table of an answer; with a previous answer, also its numbers and the change. */
export function compareTables(
  { comparable, table: tabulate }: InsightTypeEntry,
  answer: {
    readonly result: Result
    readonly previous: Result | undefined
    readonly spec?: InsightQuerySpec | undefined
  },
): Table {
  const { result, previous, spec } = answer
  const table = tabulate(result, spec)
  if (!comparable || previous === undefined || previous.case !== result.case) return table
  const { column } = comparable
  const previousNumbers = new Map(keyRows(tabulate(previous), column).map(({ key, number }) => [key, number]))
  const rows = keyRows(table, column).map(({ key, number, row }) => {
    const from = previousNumbers.get(key)
    const change = from === undefined || from === 0 ? '' : ((number - from) / Math.abs(from)) * 100
    return [...row, from ?? '', change]
  })
  return { columns: [...table.columns, ...comparedColumns(table.columns[column])], rows }
}

function comparedColumns(column: Column | undefined): readonly Column[] {
  return [{ name: t('chart.previousPeriod'), kind: column?.kind ?? 'plain' }, plain(t('chart.changePercent'))]
}

/** Rows with a key that is the same in both periods: their texts without times, and their index among rows of these texts. */
function keyRows({ columns, rows }: Table, column: number) {
  const timeColumn = columns.findIndex(({ kind }) => kind === 'instant')
  const counts = new Map<string, number>()
  return rows.map((row) => {
    const texts = row
      .filter((cell, at) => at !== timeColumn && typeof cell === 'string' && cell !== '')
      .join('\n')
    const index = counts.get(texts) ?? 0
    counts.set(texts, index + 1)
    return { key: `${texts}\n${index}`, number: Number(row[column]), row }
  })
}
