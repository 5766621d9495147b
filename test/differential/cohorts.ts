import { timestampMs } from '@bufbuild/protobuf/wkt'
import { LogicalOperator } from '../../src/contract/gen/common/v1/filter_pb.js'
import { PropertySource } from '../../src/contract/gen/common/v1/property_pb.js'
import {
  type CohortCondition,
  type CohortDefinition,
  type CountRule,
  CountRule_Operator,
  type Window,
} from '../../src/contract/gen/millrace/cohorts/v1/cohort_pb.js'
import type { CohortFilter } from '../../src/contract/gen/millrace/insights/v1/cohort_filter_pb.js'
import type { EventQuery } from '../../src/contract/gen/shared/insights/v1/event_query_pb.js'
import { matchesEventFilter, matchesFilter, type Subject } from './filters.ts'
import type { ReferenceEvent } from './model.ts'
import { canonicalUser, shownUser } from './users.ts'

type World = Subject['world']

/** A user of a world: one of their ids, and their events that are not cookieless. */
interface User {
  readonly distinctId: string
  readonly events: readonly ReferenceEvent[]
}

/** Whether an event has the kind, the filters and the cohorts of an entry of a query. */
export function matchesEntry(
  subject: Subject,
  entry: (Partial<Pick<EventQuery, 'event'>> & { readonly cohorts?: readonly CohortFilter[] }) | undefined,
): boolean {
  return matchesEventFilter(subject, entry?.event) && matchesCohorts(subject, entry?.cohorts ?? [])
}

/** Whether an event meets all filters by cohort; none means every event, any leaves out cookieless ones. */
export function matchesCohorts({ event, world }: Subject, filters: readonly CohortFilter[]): boolean {
  if (filters.length === 0) return true
  if (event.cookieless) return false
  const user = canonicalUser(world.people, event.distinctId)
  return filters.every(({ cohortId, negate }) => membersOf(world, cohortId).has(user) !== negate)
}

const cache = new WeakMap<World, Map<string, ReadonlySet<string>>>()

/** The canonical users of a cohort. */
export function membersOf(world: World, cohortId: string): ReadonlySet<string> {
  const known = cache.get(world) ?? new Map<string, ReadonlySet<string>>()
  cache.set(world, known)
  const found = known.get(cohortId)
  if (found) return found
  const cohort = world.cohorts?.find(({ id }) => id === cohortId)
  if (!cohort) throw new RangeError('a world without the cohort')
  const users = [...usersOf(world)]
  const listed = new Set(cohort.ids?.map((id) => canonicalUser(world.people, id)))
  const members = users.filter(([key, user]) =>
    cohort.definition ? holds(cohort.definition, { world, key, user }) : listed.has(key),
  )
  const keys = new Set(members.map(([key]) => key))
  known.set(cohortId, keys)
  return keys
}

/** The users that a definition selects, as they are shown, in no order. */
export function selectUsers(world: World, definition: CohortDefinition): readonly string[] {
  return [...usersOf(world)].flatMap(([key, user]) =>
    holds(definition, { world, key, user }) ? [shownUser(world.people, user.distinctId)] : [],
  )
}

/** The users of a cohort, as they are shown, in no order. */
export function shownMembers(world: World, cohortId: string): readonly string[] {
  const members = membersOf(world, cohortId)
  return [...usersOf(world)].flatMap(([key, user]) =>
    members.has(key) ? [shownUser(world.people, user.distinctId)] : [],
  )
}

/** Everyone with an event that is not cookieless or a profile, by canonical user. */
export function usersOf({ events, people }: World): ReadonlyMap<string, User> {
  const persons = events.filter(({ cookieless }) => !cookieless)
  const byUser = Map.groupBy(persons, ({ distinctId }) => canonicalUser(people, distinctId))
  const users = new Map<string, User>()
  for (const { externalId } of people.profiles)
    users.set(canonicalUser(people, externalId), { distinctId: externalId, events: [] })
  for (const [key, list] of byUser) users.set(key, { distinctId: list[0]?.distinctId ?? '', events: list })
  return users
}

interface Candidate {
  readonly world: World
  /** The canonical user. */
  readonly key: string
  readonly user: User
}

function holds({ node }: CohortDefinition, candidate: Candidate): boolean {
  if (node.case === 'group') {
    const results = node.value.members.map((member) => holds(member, candidate))
    const isMet =
      node.value.operator === LogicalOperator.OR ? results.includes(true) : !results.includes(false)
    return isMet !== node.value.negate
  }
  if (node.case === 'condition') return holdsAlone(node.value, candidate) !== node.value.negate
  throw new RangeError('a definition without a node')
}

function holdsAlone({ kind }: CohortCondition, { world, key, user }: Candidate): boolean {
  switch (kind.case) {
    case 'performed': {
      const { event: filter, count, window } = kind.value
      const found = user.events.filter(
        (event) => matchesEventFilter({ event, world }, filter) && isWithin(event.occurMs, window, world),
      )
      return isCount(found.length, count)
    }
    case 'firstPerformed': {
      const matching = user.events.filter((event) => matchesEventFilter({ event, world }, kind.value.event))
      const firstMs = Math.min(...matching.map(({ occurMs }) => occurMs))
      return matching.length > 0 && isWithin(firstMs, kind.value.window, world)
    }
    case 'trait': {
      const { filter } = kind.value
      if (!filter) throw new RangeError('a trait condition without a filter')
      const event = { ...NO_EVENT, distinctId: user.distinctId }
      return matchesFilter({ event, world }, { ...filter, source: PropertySource.PROFILE })
    }
    case 'cohort':
      return membersOf(world, kind.value.cohortId).has(key)
    default:
      throw new RangeError('a condition without a kind')
  }
}

const NO_EVENT: ReferenceEvent = {
  eventId: '',
  kind: '',
  occurMs: 0,
  distinctId: '',
  sessionId: '',
  cookieless: false,
  properties: new Map(),
}

function isCount(count: number, rule: CountRule | undefined): boolean {
  if (!rule) return count >= 1
  const value = Number(rule.value)
  if (rule.operator === CountRule_Operator.AT_LEAST) return count >= value
  return rule.operator === CountRule_Operator.AT_MOST ? count <= value : count === value
}

function isWithin(ms: number, window: Window | undefined, { nowMs = 0, timeZone }: World): boolean {
  const kind = window?.kind
  if (kind?.case === 'range') {
    const { from, to } = kind.value
    return from !== undefined && to !== undefined && ms >= timestampMs(from) && ms < timestampMs(to)
  }
  if (kind?.case !== 'lastDays') return true
  const daysAgo = dayNumber(nowMs, timeZone) - dayNumber(ms, timeZone)
  return ms < nowMs && daysAgo < kind.value
}

/** Counts the days of a calendar; the date of an instant in a zone is printed and read as one of UTC. */
function dayNumber(ms: number, timeZone: string | undefined): number {
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone: timeZone || 'UTC',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  })
  return Date.parse(`${format.format(ms)}T00:00:00Z`) / 86_400_000
}
