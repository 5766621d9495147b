import {
  type FunnelPoint,
  FunnelPoint_Outcome,
} from '../../../contract/gen/millrace/people/v1/actors_service_pb.js'
import type { FunnelQuery } from '../../../domain/insights/funnel.ts'
import type { InsightContext } from '../../../domain/insights/insight-context.ts'
import { int64Codec } from '../../sql/codec.ts'
import type { QueryRunner } from '../../sql/select.ts'
import { numbered, param, type Sql, sql } from '../../sql/sql.ts'
import { eventsOfLists, type FindActors } from '../actors.ts'
import { findGroup, invalidPoint, isInGroup, rejectGroup } from '../points.ts'
import { attemptEventsSql } from './attempts.ts'
import { compileFunnel, enteredUsers } from './compile.ts'

/** The users who reached a step, or stopped before it, by their counted attempts. */
export const findFunnelActors: FindActors<FunnelQuery, FunnelPoint> = async (input) => {
  const { query, context, point, run } = input
  if (point.bucket) throw invalidPoint('funnel.bucket', 'does not belong to a funnel without buckets')
  const levels = levelsOf(query, point)
  const inGroup = await conditionOf({ query, point, context, run })
  return {
    users: sql`SELECT user, id, is_cookieless FROM (${enteredUsers(query, context)}) WHERE ${levels}${inGroup}`,
    eventsOf: (users) => eventsOfLists(attemptEventsSql(query, { ...context, users })),
  }
}

/** The condition on the number of steps that users completed. */
function levelsOf({ steps }: FunnelQuery, { step, outcome }: FunnelPoint): Sql {
  if (step < 1 || step > steps.length) throw invalidPoint('funnel.step', `must be 1 to ${steps.length}`)
  if (outcome === FunnelPoint_Outcome.REACHED) return sql`level >= ${param(int64Codec, step)}`
  if (outcome !== FunnelPoint_Outcome.DROPPED) throw invalidPoint('funnel.outcome', 'is required')
  if (step === 1) throw invalidPoint('funnel.step', 'must be at least 2 for users who dropped')
  return sql`level = ${param(int64Codec, step - 1)}`
}

/** ` AND ...`, or nothing: the users whose attempt began with the point's breakdown values. */
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
  const entries = rows.filter(({ step }) => step === 0)
  const group = findGroup(breakdown, entries, { name: point, field: 'funnel' })
  return sql` AND ${isInGroup(
    group,
    breakdown.properties.map((_, index) => numbered('key', index)),
  )}`
}
