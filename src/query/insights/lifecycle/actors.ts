import { LifecycleState } from '../../../contract/gen/millrace/insights/v1/lifecycle_pb.js'
import type { LifecyclePoint } from '../../../contract/gen/millrace/people/v1/actors_service_pb.js'
import type { InsightContext } from '../../../domain/insights/insight-context.ts'
import type { LifecycleQuery } from '../../../domain/insights/lifecycle.ts'
import type { RangeMs } from '../../../domain/insights/time-range.ts'
import { sql } from '../../sql/sql.ts'
import { actorsOfEvents, type FindActors } from '../actors.ts'
import { eventsOf, excludeCookieless } from '../event-sql.ts'
import { bucketAt, invalidPoint, rangeOfBucket } from '../points.ts'
import { usersInState } from './compile.ts'

/** The users in a state in a bucket, and their events that decide it: those of the bucket, or of the one before. */
export const findLifecycleActors: FindActors<LifecycleQuery, LifecyclePoint> = async (input) => {
  const { query, point, context } = input
  const { state } = point
  if (state === LifecycleState.UNSPECIFIED || LifecycleState[state] === undefined) {
    throw invalidPoint('lifecycle.state', 'is required')
  }
  const bucket = bucketAt(query.starts, point.bucket, 'lifecycle.bucket')
  const range = countedRange(query, state === LifecycleState.DORMANT ? bucket - 1 : bucket, context)
  const { eventsOf: counted } = actorsOfEvents(
    { ...context, range },
    (of) => sql`${eventsOf([query.event], of)}${excludeCookieless(of)}`,
  )
  return { users: usersInState(query, { bucket, state }, context), eventsOf: counted }
}

/** The part of a bucket whose events make users active; -1 is the bucket before the first one, which counts whole. */
function countedRange(
  { starts, beforeMs }: LifecycleQuery,
  bucket: number,
  { range }: InsightContext,
): RangeMs {
  return bucket < 0
    ? { fromMs: beforeMs, toMs: starts[0] ?? range.fromMs }
    : rangeOfBucket(starts, bucket, range)
}
