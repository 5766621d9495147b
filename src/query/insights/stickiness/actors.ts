import type { StickinessPoint } from '../../../contract/gen/millrace/people/v1/actors_service_pb.js'
import type { StickinessQuery } from '../../../domain/insights/stickiness.ts'
import { int64Codec } from '../../sql/codec.ts'
import { param, sql } from '../../sql/sql.ts'
import { actorsOfEvents, type FindActors } from '../actors.ts'
import { eventsOf, excludeCookieless } from '../event-sql.ts'
import { invalidPoint, itemAt } from '../points.ts'
import { usersActive } from './compile.ts'

/** The users who were active in a number of buckets, and all their events in the range. */
export const findStickinessActors: FindActors<StickinessQuery, StickinessPoint> = async (input) => {
  const { query, point, context } = input
  const { starts } = query
  const event = itemAt(query.series, point.series, 'stickiness.series')
  if (point.buckets < 1 || point.buckets > starts.length) {
    throw invalidPoint('stickiness.buckets', `must be 1 to ${starts.length} for this answer`)
  }
  const wanted = param(int64Codec, point.buckets)
  const condition = point.cumulative ? sql`buckets >= ${wanted}` : sql`buckets = ${wanted}`
  const { eventsOf: counted } = actorsOfEvents(
    context,
    (of) => sql`${eventsOf([event], of)}${excludeCookieless(of)}`,
  )
  return { users: usersActive({ event, starts, condition }, context), eventsOf: counted }
}
