import type { Point } from '../../contract/gen/millrace/people/v1/actors_service_pb.js'
import { InsightType } from '../../contract/gen/shared/insights/v1/insight_query_spec_pb.js'
import type { KnownInsightType } from '../../domain/insights/insight-context.ts'
import type { InsightQueries, ParsedInsight } from '../../domain/insights/insight-rules.ts'
import type { Actors, FindActors } from '../insights/actors.ts'
import { findFunnelActors } from '../insights/funnel/actors.ts'
import { invalidPoint } from '../insights/points.ts'
import { findRetentionActors } from '../insights/retention/actors.ts'
import { findRowActors } from '../insights/top-k/actors.ts'
import { findSegmentationActors, findTrendsActors } from '../insights/trends/actors.ts'
import { findFlowActors } from '../insights/user-flow/actors.ts'
import type { QueryRunner } from '../sql/select.ts'

type PointKind = Exclude<Point['kind'], { case: undefined }>
type PointCase = PointKind['case']
type PointOf<Case extends PointCase> = Extract<PointKind, { case: Case }>['value']

/** The points of an insight type, by their case, and how their users are found. */
interface PointType<Query> {
  readonly case: PointCase
  readonly find: FindActors<Query, never>
}

function points<Query, Case extends PointCase>(
  name: Case,
  find: FindActors<Query, PointOf<Case>>,
): PointType<Query> {
  return { case: name, find }
}

/** The points of each insight type. */
const POINT_TYPES: { readonly [Type in KnownInsightType]: PointType<InsightQueries[Type]> } = {
  [InsightType.TRENDS]: points('trends', findTrendsActors),
  [InsightType.SEGMENTATION]: points('segmentation', findSegmentationActors),
  [InsightType.TOP_K]: points('row', findRowActors),
  [InsightType.MAP]: points('row', findRowActors),
  [InsightType.RETENTION]: points('retention', findRetentionActors),
  [InsightType.FUNNEL]: points('funnel', findFunnelActors),
  [InsightType.USER_FLOW]: points('userFlow', findFlowActors),
}

/** Finds the users behind a point of an insight. Throws `invalid_argument`. */
export async function findActors<Type extends KnownInsightType>(
  { type, query, context }: ParsedInsight<Type>,
  { kind }: Point,
  run: QueryRunner,
): Promise<Actors> {
  const points: PointType<InsightQueries[Type]> = POINT_TYPES[type]
  if (kind.case !== points.case) {
    throw invalidPoint(
      kind.case ?? 'kind',
      `does not belong to ${InsightType[type]}, whose points are ${points.case}`,
    )
  }
  // The case of the point is that of the type; the type checker cannot correlate the pair.
  return await points.find({ query, point: kind.value as never, context, run })
}
