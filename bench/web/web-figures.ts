import type {
  QueryOverviewResponse,
  QueryTableResponse,
  WebMetrics,
} from '../../src/contract/gen/millrace/web/v1/web_analytics_service_pb.js'
import { type Figures, figuresOfRows } from '../insights/figures.ts'

/** The totals of a row by hand, in their order. */
const TOTALS = ['visitors', 'visits', 'views', 'bounces', 'spent'] as const

/** A name or a value with its totals; a row of a table ends with the number of values. */
export type HandRow = readonly [name: string, ...figures: (string | number)[]]

type Figure = readonly [name: string, total: string, figure: number]

/** The figures of an overview. */
export function figuresOfOverview({ points, totals }: QueryOverviewResponse): Figures {
  const days = points.map(({ time, metrics }) => [`${Number(time?.seconds ?? 0n) * 1000}`, metrics] as const)
  return figuresOfRows(
    [...days, ['total', totals] as const].flatMap(([name, metrics]) => ofMetrics(name, metrics)),
  )
}

/** The same of the rows by hand. */
export function figuresOfOverviewByHand(rows: readonly HandRow[]): Figures {
  return figuresOfRows(rows.flatMap(ofTotals))
}

/** The figures of a table. */
export function figuresOfTable({ rows, totalRows }: QueryTableResponse): Figures {
  const figures = rows.flatMap(({ value, metrics, share }): Figure[] => [
    ...ofMetrics(value, metrics),
    [value, 'share', share],
  ])
  return figuresOfRows([...figures, ['', 'rows', Number(totalRows)]])
}

/** The same of the rows by hand, of which the first one is of all visits. */
export function figuresOfTableByHand([all, ...rows]: readonly HandRow[]): Figures {
  const figures = rows.flatMap((row): Figure[] => [
    ...ofTotals(row),
    [row[0], 'share', (100 * Number(row[1])) / Number(all?.[1])],
  ])
  return figuresOfRows([...figures, ['', 'rows', Number(all?.at(-1))]])
}

function ofTotals([name, ...totals]: HandRow): readonly Figure[] {
  return TOTALS.map((total, index) => [name, total, Number(totals[index])])
}

function ofMetrics(name: string, metrics: WebMetrics | undefined): readonly Figure[] {
  const visits = Number(metrics?.visits)
  return [
    [name, 'visitors', Number(metrics?.visitors)],
    [name, 'visits', visits],
    [name, 'views', Number(metrics?.pageViews)],
    [name, 'bounces', Math.round(((metrics?.bounceRate ?? 0) * visits) / 100)],
    [name, 'spent', Math.round((metrics?.visitDurationSeconds ?? 0) * visits * 1000)],
  ]
}
