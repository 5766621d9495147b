import type {
  SegmentationPoint,
  TrendsPoint,
} from '../../../contract/gen/millrace/people/v1/actors_service_pb.js'
import type { Breakdown } from '../../../domain/insights/breakdown.ts'
import type { InsightContext } from '../../../domain/insights/insight-context.ts'
import type { Series } from '../../../domain/insights/series.ts'
import type { SessionQuery, SessionTrendsQuery } from '../../../domain/insights/sessions.ts'
import type { SegmentationQuery, TrendsQuery } from '../../../domain/insights/trends.ts'
import type { QueryRunner } from '../../sql/select.ts'
import { type Sql, sql } from '../../sql/sql.ts'
import { type Actors, actorsOfEvents, type FindActors } from '../actors.ts'
import { keyTexts, withKeys } from '../breakdown.ts'
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
import { compileBrokenDown } from './compile.ts'

/** The users of the events that a series counts, in one bucket or over the whole range. */
export const findTrendsActors: FindActors<TrendsQuery | SessionTrendsQuery, TrendsPoint> = async (input) => {
  const { query, point, context, run } = input
  const { starts, breakdown } = query
  const range = point.bucket
    ? rangeOfBucket(starts, bucketAt(starts, point.bucket, 'trends.bucket'), context.range)
    : context.range
  if (query.measures === 'sessions') {
    checkOnly(point.series, 'trends.series')
    return await findSessionActors({ query, breakdown, range, name: point }, context, run)
  }
  const series = itemAt(query.series, point.series, 'trends.series')
  const inGroup = await conditionOf({ series, breakdown, name: point }, context, run)
  return actorsOfSeries({ series, breakdown, inGroup }, { ...context, range })
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
  const series = itemAt(query.series, point.series, 'segmentation.series')
  return actorsOfSeries({ series, breakdown: undefined, inGroup: sql`` }, context)
}

function checkOnly(series: number, field: string): void {
  if (series !== 0) throw invalidPoint(field, 'must be 0: sessions are one series')
}

function actorsOfSeries(
  counted: { readonly series: Series; readonly breakdown: Breakdown | undefined; readonly inGroup: Sql },
  context: InsightContext,
): Actors {
  const { series, breakdown, inGroup } = counted
  return actorsOfEvents(
    context,
    (of) => sql`${eventsOf([series], withKeys(of, breakdown))}${whereCounted(series.metric, of)}${inGroup}`,
  )
}

/** ` AND ...`, or nothing: the events of the point's breakdown values, which are ranked over the whole range. */
async function conditionOf(
  wanted: { readonly series: Series; readonly breakdown: Breakdown | undefined; readonly name: GroupName },
  context: InsightContext,
  run: QueryRunner,
): Promise<Sql> {
  const { series, breakdown, name } = wanted
  if (!breakdown) {
    rejectGroup(name, 'trends')
    return sql``
  }
  const rows = await run(compileBrokenDown({ series, breakdown, starts: [context.range.fromMs] }, context))
  const group = findGroup(breakdown, rows, { name, field: 'trends' })
  return sql` AND ${isInGroup(group, keyTexts(breakdown))}`
}
