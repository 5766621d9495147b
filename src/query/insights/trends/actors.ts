import type {
  SegmentationPoint,
  TrendsPoint,
} from '../../../contract/gen/millrace/people/v1/actors_service_pb.js'
import type { Breakdown } from '../../../domain/insights/breakdown.ts'
import type { Formula } from '../../../domain/insights/formula.ts'
import type { InsightContext } from '../../../domain/insights/insight-context.ts'
import { rollingWindows } from '../../../domain/insights/rolling-windows.ts'
import { overRange, type Series } from '../../../domain/insights/series.ts'
import type { SessionQuery, SessionTrendsQuery } from '../../../domain/insights/sessions.ts'
import type { RangeMs } from '../../../domain/insights/time-range.ts'
import type { SegmentationQuery, TrendsQuery } from '../../../domain/insights/trends.ts'
import { instant } from '../../sql/events-table.ts'
import type { QueryRunner } from '../../sql/select.ts'
import { anyOf, join, type Sql, sql } from '../../sql/sql.ts'
import { actorsOfEvents, type FindActors } from '../actors.ts'
import { keyTexts, type RankedRow, withKeys } from '../breakdown.ts'
import { eventsOf, whereCounted } from '../event-sql.ts'
import {
  bucketAt,
  findGroup,
  type GroupName,
  invalidPoint,
  isInGroup,
  itemAt,
  rangeOfBucket,
  rejectGroup,
} from '../points.ts'
import { findSessionActors } from '../sessions/actors.ts'
import { compileBrokenDown, conditionAmong } from './compile.ts'
import { compileLines, formulaLine } from './compile-lines.ts'
import { namedSeries } from './formulas.ts'

/** The users of the events that a series counts, in one bucket or over the whole range. */
export const findTrendsActors: FindActors<TrendsQuery | SessionTrendsQuery, TrendsPoint> = async (input) => {
  const { query, point, context, run } = input
  const { starts, breakdown } = query
  const bucket = point.bucket && bucketAt(starts, point.bucket, 'trends.bucket')
  if (query.measures === 'sessions') {
    checkOnly(point.series, 'trends.series')
    const range = bucket === undefined ? context.range : rangeOfBucket(starts, bucket, context.range)
    return await findSessionActors({ query, breakdown, range, name: point }, context, run)
  }
  const line = lineAt(query, point.series, 'trends.series')
  const inGroup = await conditionOf({ query, line, name: point }, context, run)
  const counted = line.series.map((series): Counted => {
    const range = bucket === undefined ? context.range : countedRange(starts, { series, bucket }, context)
    return { series, range }
  })
  return actorsOfEvents(context, (of) => sql`${countedEvents(counted, withKeys(of, breakdown))}${inGroup}`)
}

/** The series that a point's number names: one of the events, or those of a formula. */
interface Line {
  readonly series: readonly Series[]
  readonly formula?: Formula
}

function lineAt(
  { series, formulas }: Pick<TrendsQuery, 'series' | 'formulas'>,
  position: number,
  field: string,
): Line {
  const lines = [
    ...series.map((one): Line => ({ series: [one] })),
    ...formulas.map((formula): Line => ({ series: namedSeries(formula, series), formula })),
  ]
  return itemAt(lines, position, field)
}

/** The time whose events a series counts in a bucket. */
function countedRange(
  starts: readonly number[],
  { series, bucket }: { readonly series: Series; readonly bucket: number },
  { range, zone }: InsightContext,
): RangeMs {
  const own = rangeOfBucket(starts, bucket, range)
  const { metric } = series
  if (metric.kind !== 'rolling_users') return own
  return rollingWindows({ starts, range, zone, days: metric.days })[bucket] ?? own
}

/** A series, and the time whose events it counts. */
interface Counted {
  readonly series: Series
  readonly range: RangeMs
}

/** `FROM events ...`: the events that any of the series counts. */
function countedEvents(counted: readonly Counted[], context: InsightContext): Sql {
  const series = counted.map((one) => one.series)
  const range = {
    fromMs: Math.min(...counted.map((one) => one.range.fromMs)),
    toMs: Math.max(...counted.map((one) => one.range.toMs)),
  }
  const [only] = series
  if (!only) return eventsOf([], context)
  const events = eventsOf(series, { ...context, range })
  if (series.length === 1) return sql`${events}${whereCounted(only.metric, context)}`
  const each = counted.map((one) => {
    const { fromMs, toMs } = one.range
    const isIn = sql`time >= ${instant(fromMs)} AND time < ${instant(toMs)}`
    const isCounted = conditionAmong(series, one.series, { ...context, range })
    return isCounted ? sql`(${isIn} AND ${isCounted})` : sql`(${isIn})`
  })
  return sql`${events} AND ${anyOf(each)}`
}

/** The users of the events that a value of a segmentation counts. */
export const findSegmentationActors: FindActors<
  SegmentationQuery | SessionQuery,
  SegmentationPoint
> = async ({ query, point, context, run }) => {
  const name = { breakdown: point.breakdown, others: false }
  rejectGroup(name, 'segmentation')
  if (query.measures === 'sessions') {
    checkOnly(point.series, 'segmentation.series')
    const { range } = context
    return await findSessionActors({ query, breakdown: undefined, range, name }, context, run)
  }
  const { series } = lineAt(query, point.series, 'segmentation.series')
  const { range } = context
  return actorsOfEvents(context, (of) =>
    countedEvents(
      series.map((one) => ({ series: one, range })),
      of,
    ),
  )
}

function checkOnly(series: number, field: string): void {
  if (series !== 0) throw invalidPoint(field, 'must be 0: sessions are one series')
}

/** ` AND ...`, or nothing: the events of the point's breakdown values, which are ranked over the whole range. */
async function conditionOf(
  wanted: { readonly query: TrendsQuery; readonly line: Line; readonly name: GroupName },
  context: InsightContext,
  run: QueryRunner,
): Promise<Sql> {
  const { query, line, name } = wanted
  const { breakdown } = query
  if (!breakdown) {
    rejectGroup(name, 'trends')
    return sql``
  }
  const rows = await rankValues({ ...query, breakdown }, { line, context, run })
  const group = findGroup(breakdown, rows, { name, field: 'trends' })
  const inGroup = sql` AND ${isInGroup(group, keyTexts(breakdown))}`
  const isRolling = line.series.some(({ metric }) => metric.kind === 'rolling_users')
  return isRolling && group.kind === 'others'
    ? sql`${inGroup} AND ${isOfRange(line, breakdown, context)}`
    : inGroup
}

async function rankValues(
  { series, breakdown }: TrendsQuery & { readonly breakdown: Breakdown },
  {
    line,
    context,
    run,
  }: { readonly line: Line; readonly context: InsightContext; readonly run: QueryRunner },
): Promise<readonly RankedRow[]> {
  const starts = [context.range.fromMs]
  const [first] = line.series
  // A formula of numbers alone has no values.
  if (!first) return []
  return line.formula
    ? await run(compileLines({ series, lines: [formulaLine(line.formula)], breakdown, starts }, context))
    : await run(compileBrokenDown({ series: overRange(first), breakdown, starts }, context))
}

/** Whether the values of a row are those of a counted event of the range; the row may be of another time. */
function isOfRange({ series }: Line, breakdown: Breakdown, context: InsightContext): Sql {
  const values = sql`(${join(keyTexts(breakdown), sql`, `)})`
  const counted = series.map((one) => ({ series: one, range: context.range }))
  return sql`${values} IN (SELECT ${values} ${countedEvents(counted, withKeys(context, breakdown))})`
}
