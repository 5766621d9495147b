import type { InsightContext } from '../../../domain/insights/insight-context.ts'
import type { SessionQuery, SessionTrendsQuery } from '../../../domain/insights/sessions.ts'
import type { CompiledQuery, QueryRunner } from '../../sql/select.ts'
import { type GivenValues, listValues } from '../breakdown.ts'
import type { InsightResult } from '../insight.ts'
import { fillPoints, type SeriesLine, shapeBrokenDown } from '../series-points.ts'
import { compileSessionBreakdown, compileSessionBuckets, compileSessionTotal } from './compile.ts'
import { readSessions, type SessionSource } from './session-source.ts'

/** Name of a session series whose scope names no kind. */
const ANY_KIND = '$session'

/** Answers a segmentation query over sessions. */
export async function answerSessionSegmentation(
  query: SessionQuery,
  context: InsightContext,
  run: QueryRunner,
): Promise<InsightResult> {
  const [row] = await readSessions(query, context, {
    run,
    compile: (source) => compileSessionTotal(query, context, source),
  })
  return { case: 'segmentation', value: { total: row?.total ?? 0 } }
}

/** The series of a trends query over sessions, with the breakdown values of `given` or with its first ones. */
export async function listSessionSeries(
  query: SessionTrendsQuery,
  context: InsightContext,
  { run, given }: { readonly run: QueryRunner; readonly given?: GivenValues | undefined },
): Promise<SeriesLine> {
  const { starts } = query
  const breakdown = query.breakdown && { ...query.breakdown, given }
  const kind = query.scope.kind || ANY_KIND
  const read = async <R>(compile: (source: SessionSource) => CompiledQuery<R>): Promise<readonly R[]> =>
    // An empty range has no sessions, and no bucket.
    starts.length === 0 ? [] : await readSessions(query, context, { run, compile })
  if (!breakdown) {
    const rows = await read((source) => compileSessionBuckets(query, context, source))
    const values = new Map(rows.map(({ bucketMs, value }) => [bucketMs, value]))
    return { series: [{ eventKind: kind, points: fillPoints(starts, values) }], values: undefined }
  }
  const rows = await read((source) => compileSessionBreakdown({ ...query, breakdown }, context, source))
  return {
    series: shapeBrokenDown({ kind, breakdown, starts }, rows),
    values: listValues(breakdown, rows),
  }
}
