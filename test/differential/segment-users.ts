import type { SegmentUsersRequest } from '../../src/contract/gen/shared/insights/v1/insights_service_pb.js'
import { compareBytewise } from './bytewise.ts'
import { matchesEntry } from './cohorts.ts'
import type { ReferenceWorld } from './model.ts'
import { eventsMeeting, eventsWithin, parseRange } from './query.ts'
import { eventsOfPersons, shownUser } from './users.ts'

/** All users of a segment on one page, ascending. */
export function answerSegmentUsers(world: ReferenceWorld, request: SegmentUsersRequest): readonly string[] {
  const { people } = world
  const inRange = eventsWithin(eventsMeeting(world, request), parseRange(request.timeRange))
  const matching = eventsOfPersons(inRange, { includeCookieless: false }).filter((event) =>
    request.events.some((query) => matchesEntry({ event, world }, query)),
  )
  const users = new Set(matching.map(({ distinctId }) => shownUser(people, distinctId)))
  return [...users].sort(compareBytewise)
}
