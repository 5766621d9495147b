import { compareBytewise } from './bytewise.ts'
import { hasSession, type ReferenceEvent, type ReferenceWorld } from './model.ts'
import { canonicalUser } from './users.ts'

type World = Pick<ReferenceWorld, 'events' | 'people'>

/** The first events of a world, by session or by canonical user. */
type Firsts = ReadonlyMap<string, ReferenceEvent>

/** Worlds are read thousands of times and never change. */
const bySession = new WeakMap<ReferenceWorld['events'], Firsts>()
const byUser = new WeakMap<ReferenceWorld['events'], WeakMap<ReferenceWorld['people'], Firsts>>()

/** The first of all events with the session of an event of the world, if it has one. */
export function firstOfSession({ events }: World, event: ReferenceEvent): ReferenceEvent | undefined {
  if (!hasSession(event)) return undefined
  const firsts = bySession.get(events) ?? listFirsts(events, ({ sessionId }) => sessionId)
  bySession.set(events, firsts)
  return firstOf(firsts, event.sessionId)
}

/** The first of all events with the canonical user of an event of the world. */
export function firstOfUser({ events, people }: World, { distinctId }: ReferenceEvent): ReferenceEvent {
  const ofEvents = byUser.get(events) ?? new WeakMap<ReferenceWorld['people'], Firsts>()
  byUser.set(events, ofEvents)
  const firsts =
    ofEvents.get(people) ?? listFirsts(events, (event) => canonicalUser(people, event.distinctId))
  ofEvents.set(people, firsts)
  return firstOf(firsts, canonicalUser(people, distinctId))
}

function firstOf(firsts: Firsts, key: string): ReferenceEvent {
  const first = firsts.get(key)
  if (first === undefined) throw new RangeError('an event that is not of the world')
  return first
}

/** The event with the lowest time, of several the one with the lowest id, by key. */
function listFirsts(events: readonly ReferenceEvent[], keyOf: (event: ReferenceEvent) => string): Firsts {
  const firsts = new Map<string, ReferenceEvent>()
  for (const event of events) {
    const least = firsts.get(keyOf(event))
    if (least === undefined || isBefore(event, least)) firsts.set(keyOf(event), event)
  }
  return firsts
}

function isBefore(event: ReferenceEvent, other: ReferenceEvent): boolean {
  if (event.occurMs !== other.occurMs) return event.occurMs < other.occurMs
  return compareBytewise(event.eventId, other.eventId) < 0
}
