import { equals } from '@bufbuild/protobuf'
import { timestampMs } from '@bufbuild/protobuf/wkt'
import type { RealtimeMinute } from '@contract/millrace/web/v1/realtime_pb.js'
import {
  type ActivityEvent,
  type EventUser,
  EventUserSchema,
} from '@contract/shared/activity/v1/activity_pb.js'
import type { NamedPerson } from '../../people/person-name.ts'

/** Most events of the list; the oldest leave it. */
export const EVENTS_MAX = 500

/** Time by which the clock of a client may be ahead before an event is marked. */
const CLOCK_MS_MAX = 5 * 60_000

/** The time at which the service stored the event; its own time in a list that is not by arrival. */
export function arrivalOf(event: ActivityEvent): number {
  return event.arrivalTime ? timestampMs(event.arrivalTime) : occurrenceOf(event)
}

/** The event's own time. */
export function occurrenceOf({ occurTime }: ActivityEvent): number {
  return occurTime ? timestampMs(occurTime) : 0
}

/** The identity of an event: ids of different events may be equal. */
export function keyOf(event: ActivityEvent): string {
  return `${event.eventId} ${event.kind} ${event.distinctId} ${occurrenceOf(event)}`
}

/**
 * Adds an answer to the list, newest first. Known events keep their object, so that their rows keep the focus, and the
 * oldest leave. An answer without a known event follows a gap of unknown events: it replaces the list. Nothing new leaves
 * the list as it is.
 */
export function mergeEvents(
  known: readonly ActivityEvent[],
  fresh: readonly ActivityEvent[],
): readonly ActivityEvent[] {
  const objects = new Map(known.map((event) => [keyOf(event), event]))
  const arrived = fresh.map((event) => objects.get(keyOf(event)) ?? event)
  if (arrived.every((event) => !objects.has(keyOf(event)))) return arrived.slice(0, EVENTS_MAX)
  const keys = new Set(arrived.map(keyOf))
  const merged = [...arrived, ...known.filter((event) => !keys.has(keyOf(event)))].slice(0, EVENTS_MAX)
  const isSame = merged.length === known.length && merged.every((event, at) => event === known[at])
  return isSame ? known : merged
}

/** The number of events that a list has and another does not show. */
export function countNew(latest: readonly ActivityEvent[], shown: readonly ActivityEvent[]): number {
  const keys = new Set(shown.map(keyOf))
  return latest.filter((event) => !keys.has(keyOf(event))).length
}

/** Neighbours that have their head in common. */
export interface EventGroup {
  /** When the first of them arrived or happened. */
  readonly startMs: number
  readonly events: readonly ActivityEvent[]
}

/** Groups neighbours by the second of their arrival, or by another part of time. */
export function groupEvents(
  events: readonly ActivityEvent[],
  partOf: (ms: number) => number | string = (ms) => Math.floor(ms / 1000),
): readonly EventGroup[] {
  const groups: { readonly startMs: number; readonly events: ActivityEvent[] }[] = []
  let part: number | string | undefined
  for (const event of events) {
    const own = partOf(arrivalOf(event))
    const last = part === own ? groups.at(-1) : undefined
    if (last) last.events.push(event)
    else groups.push({ startMs: arrivalOf(event), events: [event] })
    part = own
  }
  return groups
}

/** By how many milliseconds an event is dated after its arrival; 0 for a usual difference between clocks. */
export function datedAheadMs(event: ActivityEvent): number {
  const aheadMs = occurrenceOf(event) - arrivalOf(event)
  return aheadMs > CLOCK_MS_MAX ? aheadMs : 0
}

/** Whether the event is marked as sent by a bot. */
export function isBot({ autoProperties }: ActivityEvent): boolean {
  return autoProperties?.$bot === true
}

/** Most identified users that are remembered: those of a full list, and of the events that left it last. */
const USERS_MAX = 2 * EVENTS_MAX

/** The identified users of events, by distinct id. */
export type EventUsers = ReadonlyMap<string, EventUser>

/** Adds the users of an answer; the first ones leave. Nothing new leaves the map as it is. */
export function rememberUsers(known: EventUsers, fresh: readonly EventUser[]): EventUsers {
  const isKnown = (user: EventUser): boolean => {
    const before = known.get(user.distinctId)
    return before !== undefined && equals(EventUserSchema, before, user)
  }
  if (fresh.every(isKnown)) return known
  const added = fresh.map((user) => [user.distinctId, user] as const)
  return new Map([...known, ...added].slice(-USERS_MAX))
}

/** The person of an event: an identified one, or an anonymous one by the id of the event. */
export function personOf(users: EventUsers, distinctId: string): NamedPerson {
  const user = users.get(distinctId)
  if (!user) return { id: distinctId, externalId: '' }
  return { id: user.profileId, externalId: user.externalId, properties: user.traits }
}

/** The complete minutes whose mean is the rate. */
const RATE_MINUTES = 5

/** The numbers of the last 30 minutes. */
export interface LiveNumbers {
  /** Events per minute: the mean of the last five complete minutes. */
  readonly eventsPerMinute: number
  readonly pageViews: number
}

/** Sums up the minutes of an answer. */
export function liveNumbers(minutes: readonly RealtimeMinute[]): LiveNumbers {
  const complete = minutes.slice(0, -1).slice(-RATE_MINUTES)
  const events = complete.reduce((sum, minute) => sum + Number(minute.events), 0)
  return {
    eventsPerMinute: complete.length === 0 ? 0 : Math.round(events / complete.length),
    pageViews: minutes.reduce((sum, { pageViews }) => sum + Number(pageViews), 0),
  }
}

/** The event before or after another in the list; undefined at its ends. */
export function neighbourOf(
  events: readonly ActivityEvent[],
  event: ActivityEvent,
  step: 1 | -1,
): ActivityEvent | undefined {
  const at = events.findIndex((one) => keyOf(one) === keyOf(event))
  return at < 0 ? undefined : events[at + step]
}
