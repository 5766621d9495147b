import type { QueryResponse } from '@contract/shared/insights/v1/insights_service_pb.js'
import { plain, type Table } from './columns.ts'
import type { InsightType } from './draft.ts'
import { tabulate } from './table.ts'

type Result = QueryResponse['result']

/** Which types can be compared with the time before: those whose numbers stand for the same thing in both. */
const IS_COMPARABLE = {
  INSIGHT_TYPE_TRENDS: true,
  INSIGHT_TYPE_SEGMENTATION: true,
  INSIGHT_TYPE_FUNNEL: true,
  INSIGHT_TYPE_RETENTION: false,
  INSIGHT_TYPE_USER_FLOW: false,
  INSIGHT_TYPE_TOP_K: true,
  INSIGHT_TYPE_MAP: true,
} as const satisfies Record<InsightType, boolean>

/** True for types that can be compared with the time before. */
export function isComparable(type: InsightType): boolean {
  return IS_COMPARABLE[type]
}

/** The column of the number that a row is about, in tables of comparable types. */
const NUMBER_COLUMN: Readonly<Partial<Record<NonNullable<Result['case']>, number>>> = {
  trends: 2,
  segmentation: 0,
  funnel: 3,
  topK: 1,
}

/** An answer as a table, with the numbers of the time before and how they changed. */
export function tabulateBeside(result: Result, before: Result | undefined): Table {
  const table = tabulate(result)
  const column = result.case && NUMBER_COLUMN[result.case]
  if (before === undefined || before.case !== result.case || column === undefined) return table
  const known = new Map(keyRows(tabulate(before), column).map(({ key, number }) => [key, number]))
  const rows = keyRows(table, column).map(({ key, number, row }) => {
    const was = known.get(key)
    return [...row, was ?? '', was === undefined || was === 0 ? '' : ((number - was) / Math.abs(was)) * 100]
  })
  const kind = table.columns[column]?.kind ?? 'plain'
  return { columns: [...table.columns, { name: 'Before', kind }, plain('Change in percent')], rows }
}

/** Rows by what they are about: the texts in them, but for times, whose place in their series counts. */
function keyRows({ columns, rows }: Table, column: number) {
  const timeColumn = columns.findIndex(({ kind }) => kind === 'moment')
  const seen = new Map<string, number>()
  return rows.map((row) => {
    const name = row
      .filter((cell, at) => at !== timeColumn && typeof cell === 'string' && cell !== '')
      .join('\n')
    const place = seen.get(name) ?? 0
    seen.set(name, place + 1)
    return { key: `${name}\n${place}`, number: Number(row[column]), row }
  })
}
