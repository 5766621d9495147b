import { create } from '@bufbuild/protobuf'
import { timestampMs } from '@bufbuild/protobuf/wkt'
import {
  type QueryOverviewRequest,
  QueryOverviewResponseSchema,
  type QueryTableRequest,
  QueryTableResponseSchema,
  type WebMetrics,
  type WebPoint,
  type WebTableRow,
} from '../../src/contract/gen/millrace/web/v1/web_analytics_service_pb.js'
import type { ProjectContext } from '../../src/domain/insights/insight-context.ts'
import type { Goal } from '../../src/query/goals/goal-store.ts'
import type { QueryRunner } from '../../src/query/sql/select.ts'
import { answerOverview } from '../../src/query/web/overview.ts'
import { answerTable } from '../../src/query/web/table.ts'
import { VisitScans } from '../../src/query/web/visit-scans.ts'
import { parseOverview, parseTable } from '../../src/query/web/web-query.ts'

/** Where a request is answered. */
export interface AskedProject {
  readonly project: ProjectContext
  readonly goals: readonly Goal[]
  readonly run: QueryRunner
  /** Questions that are asked together share it; by default none do. */
  readonly scans?: VisitScans
}

/** The answer of the engine to a request for an overview, as plain values, and its number of visits. */
export async function queryOverview(
  request: QueryOverviewRequest,
  { project, goals, run, scans = new VisitScans() }: AskedProject,
): Promise<{ readonly visitCount: number; readonly plain: unknown }> {
  const answer = create(
    QueryOverviewResponseSchema,
    await answerOverview(parseOverview(request, project), goals, { run, scans }),
  )
  const { comparisonTotals } = answer
  const plain = {
    totals: plainMetrics(answer.totals),
    points: answer.points.map(plainPoint),
    ...(comparisonTotals
      ? {
          comparisonTotals: plainMetrics(comparisonTotals),
          comparisonPoints: answer.comparisonPoints.map(plainPoint),
        }
      : {}),
  }
  return { visitCount: Number(answer.totals?.visits), plain }
}

/** The answer of the engine to a request for a table, as plain values. */
export async function queryTable(
  request: QueryTableRequest,
  { project, goals, run, scans = new VisitScans() }: AskedProject,
): Promise<{ readonly rows: readonly object[]; readonly totalRows: number }> {
  const answer = create(
    QueryTableResponseSchema,
    await answerTable(parseTable(request, project), goals, { run, scans }),
  )
  return { rows: answer.rows.map(plainRow), totalRows: Number(answer.totalRows) }
}

function plainMetrics(metrics: WebMetrics | undefined): unknown {
  if (!metrics) return undefined
  const { visitors, visits, pageViews, viewsPerVisit, bounceRate, visitDurationSeconds } = metrics
  return {
    visitors: Number(visitors),
    visits: Number(visits),
    pageViews: Number(pageViews),
    viewsPerVisit,
    bounceRate,
    visitDurationSeconds,
  }
}

function plainPoint({ time, metrics }: WebPoint): unknown {
  return { time: time && timestampMs(time), metrics: plainMetrics(metrics) }
}

function plainRow({ $typeName: _, metrics, conversions, comparison, ...row }: WebTableRow): object {
  return {
    ...row,
    metrics: plainMetrics(metrics),
    conversions: Number(conversions),
    ...(comparison ? { comparison: plainRow(comparison) } : {}),
  }
}
