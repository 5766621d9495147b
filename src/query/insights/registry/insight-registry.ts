import type { Point } from '../../../contract/gen/millrace/people/v1/actors_service_pb.js'
import { InsightType } from '../../../contract/gen/shared/insights/v1/insight_query_spec_pb.js'
import type { KnownInsightType } from '../../../domain/insights/insight-context.ts'
import type { InsightQueries, ParsedInsight } from '../../../domain/insights/insight-rules.ts'
import type { QueryRunner } from '../../sql/select.ts'
import type { Actors, FindActors } from '../actors.ts'
import { findFunnelActors } from '../funnel/actors.ts'
import { answerFunnel } from '../funnel/funnel.ts'
import type { AnswerInsight } from '../insight.ts'
import { invalidPoint } from '../points.ts'
import { findRetentionActors } from '../retention/actors.ts'
import { answerRetention } from '../retention/retention.ts'
import { findRowActors } from '../top-k/actors.ts'
import { answerRanking } from '../top-k/top-k.ts'
import { findSegmentationActors, findTrendsActors } from '../trends/actors.ts'
import { answerSegmentation } from '../trends/segmentation.ts'
import { answerTrends } from '../trends/trends.ts'
import { findFlowActors } from '../user-flow/actors.ts'
import { answerUserFlow } from '../user-flow/user-flow.ts'

type PointKind = Exclude<Point['kind'], { case: undefined }>
type PointCase = PointKind['case']
type PointOf<Case extends PointCase> = Extract<PointKind, { case: Case }>['value']

/** The points of an insight type, by their case, and the function that finds their users. */
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

interface RegisteredType<Query> {
  readonly answer: AnswerInsight<Query>
  readonly points: PointType<Query>
}

/**
 * The insight types of the service: their answers, and the users behind the points of an answer. `INSIGHT_RULES` of
 * `domain/insights` is the half of the registry that runs without SQL: the fields and the parser of each type.
 */
const REGISTRY: { readonly [Type in KnownInsightType]: RegisteredType<InsightQueries[Type]> } = {
  [InsightType.TRENDS]: { answer: answerTrends, points: points('trends', findTrendsActors) },
  [InsightType.SEGMENTATION]: {
    answer: answerSegmentation,
    points: points('segmentation', findSegmentationActors),
  },
  [InsightType.TOP_K]: { answer: answerRanking, points: points('row', findRowActors) },
  [InsightType.MAP]: { answer: answerRanking, points: points('row', findRowActors) },
  [InsightType.RETENTION]: { answer: answerRetention, points: points('retention', findRetentionActors) },
  [InsightType.FUNNEL]: { answer: answerFunnel, points: points('funnel', findFunnelActors) },
  [InsightType.USER_FLOW]: { answer: answerUserFlow, points: points('userFlow', findFlowActors) },
}

/** The function that answers queries of a type. */
export function answerOf<Type extends KnownInsightType>(type: Type): AnswerInsight<InsightQueries[Type]> {
  return REGISTRY[type].answer
}

/** Finds the users behind a point of an insight. Throws `invalid_argument`. */
export async function findActors<Type extends KnownInsightType>(
  { type, query, context }: ParsedInsight<Type>,
  { kind }: Point,
  run: QueryRunner,
): Promise<Actors> {
  const { points }: RegisteredType<InsightQueries[Type]> = REGISTRY[type]
  if (kind.case !== points.case) {
    throw invalidPoint(
      kind.case ?? 'kind',
      `does not belong to ${InsightType[type]}, whose points are ${points.case}`,
    )
  }
  // The case of the point is that of the type; the type checker cannot correlate the pair.
  return await points.find({ query, point: kind.value as never, context, run })
}
