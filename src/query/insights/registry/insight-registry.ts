import type { Point } from '../../../contract/gen/millrace/people/v1/actors_service_pb.js'
import { InsightType } from '../../../contract/gen/shared/insights/v1/insight_query_spec_pb.js'
import { COHORT_KEY } from '../../../domain/insights/cohort-filters.ts'
import type { InsightContext, KnownInsightType } from '../../../domain/insights/insight-context.ts'
import type { InsightQueries, ParsedInsight } from '../../../domain/insights/insight-rules.ts'
import type { QueryRunner } from '../../sql/select.ts'
import type { Actors, FindActors } from '../actors.ts'
import { contextOf } from '../cohort-split.ts'
import { findFunnelActors } from '../funnel/actors.ts'
import { answerFunnel } from '../funnel/funnel.ts'
import type { InsightAnswers } from '../insight.ts'
import { findLifecycleActors } from '../lifecycle/actors.ts'
import { answerLifecycle } from '../lifecycle/lifecycle.ts'
import { invalidPoint } from '../points.ts'
import { findRetentionActors } from '../retention/actors.ts'
import { answerRetention } from '../retention/retention.ts'
import { findStickinessActors } from '../stickiness/actors.ts'
import { answerStickiness } from '../stickiness/stickiness.ts'
import { findRowActors } from '../top-k/actors.ts'
import { answerRanking } from '../top-k/top-k.ts'
import { findSegmentationActors, findTrendsActors } from '../trends/actors.ts'
import { answerSegmentation } from '../trends/segmentation.ts'
import { answerTrends, compareTrends } from '../trends/trends.ts'
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

interface RegisteredType<Query> extends InsightAnswers<Query> {
  readonly points: PointType<Query>
}

/**
 * The insight types of the service: their answers, and the users behind the points of an answer. `INSIGHT_RULES` of
 * `domain/insights` is the half of the registry that runs without SQL: the fields and the parser of each type.
 */
const REGISTRY: { readonly [Type in KnownInsightType]: RegisteredType<InsightQueries[Type]> } = {
  [InsightType.TRENDS]: {
    answer: answerTrends,
    compare: compareTrends,
    points: points('trends', findTrendsActors),
  },
  [InsightType.SEGMENTATION]: {
    answer: answerSegmentation,
    points: points('segmentation', findSegmentationActors),
  },
  [InsightType.TOP_K]: { answer: answerRanking, points: points('row', findRowActors) },
  [InsightType.MAP]: { answer: answerRanking, points: points('row', findRowActors) },
  [InsightType.RETENTION]: { answer: answerRetention, points: points('retention', findRetentionActors) },
  [InsightType.FUNNEL]: { answer: answerFunnel, points: points('funnel', findFunnelActors) },
  [InsightType.USER_FLOW]: { answer: answerUserFlow, points: points('userFlow', findFlowActors) },
  [InsightType.LIFECYCLE]: { answer: answerLifecycle, points: points('lifecycle', findLifecycleActors) },
  [InsightType.STICKINESS]: { answer: answerStickiness, points: points('stickiness', findStickinessActors) },
}

/** The functions that answer queries of a type. */
export function answersOf<Type extends KnownInsightType>(type: Type): InsightAnswers<InsightQueries[Type]> {
  return REGISTRY[type]
}

/** The point in the answer for its cohort, where cohorts split the answer. Throws `invalid_argument`. */
function enterCohort(
  { split, context }: Pick<ParsedInsight<KnownInsightType>, 'split' | 'context'>,
  { kind }: Point,
): { readonly kind: Point['kind']; readonly context: InsightContext } {
  if (split.length === 0 || kind.case === undefined || !('breakdown' in kind.value)) return { kind, context }
  const { breakdown } = kind.value
  const isWhole = kind.case === 'segmentation' && Object.keys(breakdown).length === 0
  if (isWhole) return { kind, context }
  const part = split.find(({ cohortId }) => cohortId === breakdown[COHORT_KEY])
  if (!part || Object.keys(breakdown).length > 1)
    throw invalidPoint(`${kind.case}.breakdown`, 'is not in the answer')
  const value = { ...kind.value, breakdown: {} }
  return { kind: { case: kind.case, value } as Point['kind'], context: contextOf(part, context) }
}

/** Finds the users behind a point of an insight. Throws `invalid_argument`. */
export async function findActors<Type extends KnownInsightType>(
  parsed: ParsedInsight<Type>,
  point: Point,
  run: QueryRunner,
): Promise<Actors> {
  const { type, query } = parsed
  const { kind, context } = enterCohort(parsed, point)
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
