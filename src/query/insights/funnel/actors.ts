import {
  type FunnelPoint,
  FunnelPoint_Outcome,
} from '../../../contract/gen/millrace/people/v1/actors_service_pb.js'
import type { FunnelQuery } from '../../../domain/insights/funnel.ts'
import { hasPlainAttempts } from '../../../domain/insights/funnel-options.ts'
import type { InsightContext } from '../../../domain/insights/insight-context.ts'
import { int64Codec } from '../../sql/codec.ts'
import type { QueryRunner } from '../../sql/select.ts'
import { numbered, param, type Sql, sql } from '../../sql/sql.ts'
import { eventsOfLists, type FindActors } from '../actors.ts'
import { bucketAt, findGroup, invalidPoint, isInGroup, rangeOfBucket, rejectGroup } from '../points.ts'
import { attemptEventsSql } from './attempts.ts'
import { compileFunnel, enteredUsers } from './compile.ts'
import { findPathActors } from './path-actors.ts'
import type { ElapsedRange } from './paths.ts'

/** The users who reached a step, or stopped before it, by their counted attempts. */
export const findFunnelActors: FindActors<FunnelQuery, FunnelPoint> = async (input) => {
  const { query, context, point, run } = input
  checkStep(query, point)
  const within = bucketOf(query, point, context)
  const inGroup = await conditionOf({ query, point, context, run })
  const isReached = point.outcome === FunnelPoint_Outcome.REACHED
  if (!hasPlainAttempts(query.rules)) {
    return findPathActors(query, context, { step: point.step - 1, isReached, inGroup, within })
  }
  const levels = isReached
    ? sql`level >= ${param(int64Codec, point.step)}`
    : sql`level = ${param(int64Codec, point.step - 1)}`
  return {
    users: sql`SELECT user, id, is_cookieless FROM (${enteredUsers(query, context)}) WHERE ${levels}${inGroup}`,
    eventsOf: (users) => eventsOfLists(attemptEventsSql(query, { ...context, users })),
  }
}

function checkStep({ steps }: FunnelQuery, { step, outcome }: FunnelPoint): void {
  if (step < 1 || step > steps.length) throw invalidPoint('funnel.step', `must be 1 to ${steps.length}`)
  if (outcome === FunnelPoint_Outcome.REACHED) return
  if (outcome !== FunnelPoint_Outcome.DROPPED) throw invalidPoint('funnel.outcome', 'is required')
  if (step === 1) throw invalidPoint('funnel.step', 'must be at least 2 for users who dropped')
}

/** The part of the range in the point's bucket, in elapsed milliseconds; `undefined` for a point without one. */
function bucketOf(
  { rules: { view } }: FunnelQuery,
  { bucket }: FunnelPoint,
  { range }: InsightContext,
): ElapsedRange | undefined {
  if (!bucket) return undefined
  if (view.kind !== 'over_time')
    throw invalidPoint('funnel.bucket', 'does not belong to a funnel without buckets')
  const part = rangeOfBucket(view.starts, bucketAt(view.starts, bucket, 'funnel.bucket'), range)
  return { fromMs: part.fromMs - range.fromMs, toMs: part.toMs - range.fromMs }
}

/** ` AND ...`, or nothing: the users whose attempt has the point's breakdown values. */
async function conditionOf(input: {
  readonly query: FunnelQuery
  readonly point: FunnelPoint
  readonly context: InsightContext
  readonly run: QueryRunner
}): Promise<Sql> {
  const { query, point, context, run } = input
  const { breakdown } = query
  if (!breakdown) {
    rejectGroup(point, 'funnel')
    return sql``
  }
  const rows = await run(compileFunnel({ ...query, timing: 'without' }, context))
  const entries = rows.filter(({ cell }) => cell === 0)
  const group = findGroup(breakdown, entries, { name: point, field: 'funnel' })
  return sql` AND ${isInGroup(
    group,
    breakdown.properties.map((_, index) => numbered('key', index)),
  )}`
}
