import type { Breakdown } from '../../../domain/insights/breakdown.ts'
import type { Formula } from '../../../domain/insights/formula.ts'
import type { InsightContext } from '../../../domain/insights/insight-context.ts'
import type { Series } from '../../../domain/insights/series.ts'
import type { TrendsQuery } from '../../../domain/insights/trends.ts'
import { runInOrder } from '../../../kernel/run-in-order.ts'
import type { QueryRunner } from '../../sql/select.ts'
import { type GivenValues, listValues } from '../breakdown.ts'
import { fillPoints, type SeriesLine, shapeBrokenDown } from '../series-points.ts'
import { compileLines, formulaLine, type LineRow, type LinesQuery, seriesLine } from './compile-lines.ts'
import { measureRolling, shapeFormula, shapeFormulaBy } from './formulas.ts'
import { isRolling, measureBrokenDown, measureTotals, STATEMENTS_MAX } from './measure.ts'

/** How lines are found. */
interface Means {
  readonly run: QueryRunner
  /** The lines of another range, whose breakdown values these have too; without them, each line ranks its own. */
  readonly others: readonly SeriesLine[]
}

/** A line for each event, then for each formula. */
export async function listLines(
  query: TrendsQuery,
  context: InsightContext,
  means: Means,
): Promise<readonly SeriesLine[]> {
  const { breakdown } = query
  if (breakdown) return await listBrokenDown({ ...query, breakdown }, context, means)
  const { series, formulas, starts } = query
  // An empty range has no events, and no bucket.
  const measured = starts.length === 0 ? [] : await measureTotals({ series, starts }, context, means.run)
  const lines = [
    ...series.map(({ kind }, index) => ({
      eventKind: kind,
      points: fillPoints(starts, measured[index] ?? new Map()),
    })),
    ...formulas.map((formula) => shapeFormula(formula, starts, measured)),
  ]
  return lines.map((one) => ({ series: [one], values: undefined }))
}

type BrokenDownQuery = TrendsQuery & { readonly breakdown: Breakdown }

/** Most lines of one scan: each of them carries the states of all series through the ranking. */
const TOGETHER_MAX = 8

/** A line for each event and formula, with the breakdown values of other lines or with its first ones. */
async function listBrokenDown(
  query: BrokenDownQuery,
  context: InsightContext,
  { run, others }: Means,
): Promise<readonly SeriesLine[]> {
  const { series, formulas } = query
  const lines = [...series.map((_, position) => seriesLine(position)), ...formulas.map(formulaLine)]
  const given = lines.map((_, position) => others[position]?.values)
  const scan = async (positions: readonly number[]): Promise<RowsByLine> =>
    await scanLines({ ...query, lines, given }, { positions, context, run })
  const positions = [...lines.keys()].filter((position) => !hasOwnScan(series[position]))
  const shared = shouldShare(query) ? await scan(positions) : undefined
  const answered = lines.map((): SeriesLine => ({ series: [], values: undefined }))
  await runInOrder(answered.keys(), STATEMENTS_MAX, async (position) => {
    const formula = formulas[position - series.length]
    const one = series[position]
    const means = { context, run, given: given[position] }
    if (formula) {
      const rows = (shared ?? (await scan([position]))).get(position) ?? []
      answered[position] = await answerFormula(query, { formula, rows }, means)
    } else if (one) {
      const rows = shared && (shared.get(position) ?? [])
      answered[position] = await answerSeries(query, { position, series: one, rows }, means)
    }
  })
  return answered
}

/** One scan pays where lines read the same events: formulas those of their series, metrics of one kind each other's. */
function shouldShare({ series, formulas }: BrokenDownQuery): boolean {
  if (series.length + formulas.length > TOGETHER_MAX) return false
  const scanned = series.filter((one) => !isRolling(one))
  const areOfOneKind = new Set(scanned.map(({ kind }) => kind)).size === 1
  return formulas.length > 0 || (scanned.length > 1 && areOfOneKind)
}

/** Rolling users read more than the range. */
function hasOwnScan(series: Series | undefined): boolean {
  return series !== undefined && isRolling(series)
}

/** Rows by the position of their line. */
type RowsByLine = ReadonlyMap<number, readonly LineRow[]>

async function scanLines(
  query: LinesQuery,
  {
    positions,
    context,
    run,
  }: {
    readonly positions: readonly number[]
    readonly context: InsightContext
    readonly run: QueryRunner
  },
): Promise<RowsByLine> {
  // An empty range has no events, and a formula of numbers alone no values.
  const scanned = positions.filter((position) => (query.lines[position]?.named.length ?? 0) > 0)
  if (query.starts.length === 0 || scanned.length === 0) return new Map()
  const lines = scanned.flatMap((position) => query.lines[position] ?? [])
  const given = scanned.map((position) => query.given?.[position])
  const rows = await run(compileLines({ ...query, lines, given }, context))
  return Map.groupBy(rows, ({ line }) => scanned[line] ?? -1)
}

/** How one line is answered. */
interface LineMeans {
  readonly context: InsightContext
  readonly run: QueryRunner
  readonly given: GivenValues | undefined
}

/** The line of a series, from rows of a scan with other lines or from a scan of its own events. */
async function answerSeries(
  { breakdown, starts }: BrokenDownQuery,
  {
    position,
    series,
    rows,
  }: {
    readonly position: number
    readonly series: Series
    readonly rows: readonly LineRow[] | undefined
  },
  { context, run, given }: LineMeans,
): Promise<SeriesLine> {
  const isMeasured = rows !== undefined && !isRolling(series)
  const query = { series, kind: series.kind, breakdown: { ...breakdown, given }, starts }
  const measured = isMeasured
    ? rows.map((row) => ({ ...row, value: row.values[position] ?? 0 }))
    : starts.length === 0
      ? []
      : await measureBrokenDown(query, context, run)
  return { series: shapeBrokenDown(query, measured), values: listValues(breakdown, measured) }
}

async function answerFormula(
  { series, breakdown, starts }: BrokenDownQuery,
  { formula, rows }: { readonly formula: Formula; readonly rows: readonly LineRow[] },
  { context, run, given }: LineMeans,
): Promise<SeriesLine> {
  const values = listValues(breakdown, rows)
  const query = { formula, series, breakdown: { ...breakdown, given: given ?? values }, starts }
  const rolling = starts.length === 0 ? new Map() : await measureRolling(query, context, run)
  return { series: shapeFormulaBy(query, { rows, rolling }), values }
}
