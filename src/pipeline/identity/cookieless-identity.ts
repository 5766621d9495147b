import type { Clock } from '../../kernel/clock.ts'
import type { SaltOutcome, SessionTouch, StateStore } from '../../store/state/state-store.ts'
import { utcDayOf } from '../../store/state/utc-day.ts'
import { daySessionId, deriveDistinctId, lateSessionId, type Visitor } from './derived-ids.ts'
import { SaltCache } from './salt-cache.ts'

/** An event that came without identity. Its time is milliseconds since the Unix epoch. */
export interface CookielessEvent extends Visitor {
  readonly timeMs: number
}

/** Why an event is dropped (spec.md "BatchCreate"). */
export type CookielessDropReason = 'day_out_of_range' | 'salt_unavailable' | 'salt_corrupt'

/** What became of one event. */
export type CookielessOutcome =
  /** The session is lower-case UUID text. */
  { readonly distinctId: string; readonly sessionId: string } | { readonly dropped: CookielessDropReason }

/** One visitor's events in a call: their places in the list, then sorted by time. */
interface Group {
  readonly distinctId: string
  readonly day: number
  readonly events: { readonly index: number; readonly timeMs: number }[]
}

const DROPS = {
  expired: 'day_out_of_range',
  unavailable: 'salt_unavailable',
  corrupt: 'salt_corrupt',
} as const satisfies Record<Exclude<SaltOutcome['status'], 'ok'>, CookielessDropReason>

/** Gives cookieless events their identity (semantics.md "Cookieless"). */
export class CookielessIdentity {
  readonly #store: StateStore
  readonly #clock: Clock
  readonly #salts: SaltCache

  constructor(options: { readonly store: StateStore; readonly clock: Clock }) {
    this.#store = options.store
    this.#clock = options.clock
    this.#salts = new SaltCache(options)
  }

  /**
   * The outcome of each event, in the order of `events`; never rejects. A visitor's events are applied by time, so the
   * result does not depend on their order. One round trip to the store, and one more for a day's first salt.
   */
  async resolve(events: readonly CookielessEvent[]): Promise<readonly CookielessOutcome[]> {
    const outcomes: CookielessOutcome[] = new Array(events.length)
    const groups = await this.#groupByVisitor(events, outcomes)
    if (groups.length > 0) await this.#addSessions(groups, outcomes)
    return outcomes
  }

  /** Wipes the salts from memory. The store stays open: it is not this object's. */
  close(): void {
    this.#salts.close()
  }

  /** Drops the events that cannot have an id, and groups the others by theirs. */
  async #groupByVisitor(events: readonly CookielessEvent[], outcomes: CookielessOutcome[]): Promise<Group[]> {
    const today = utcDayOf(this.#clock.nowMs())
    const days = new Set(events.map(({ timeMs }) => utcDayOf(timeMs)))
    const served = [...days].filter((day) => day === today || day === today - 1)
    const salts = new Map(
      await Promise.all(served.map(async (day) => [day, await this.#salts.salt(day)] as const)),
    )
    const groups = new VisitorGroups()
    for (const [index, event] of events.entries()) {
      const day = utcDayOf(event.timeMs)
      const salt = salts.get(day) ?? { status: 'expired' }
      if (salt.status === 'ok') groups.add({ event, index, day, salt: salt.salt })
      else outcomes[index] = { dropped: DROPS[salt.status] }
    }
    return groups.sorted()
  }

  async #addSessions(groups: readonly Group[], outcomes: CookielessOutcome[]): Promise<void> {
    const touched = await this.#store.touchSessions(groups.map(toTouch))
    for (const [place, { distinctId, day, events }] of groups.entries()) {
      const visitor = touched.status === 'ok' ? touched.visitors[place] : undefined
      const fallback = visitor?.status === 'ok' ? undefined : daySessionId(distinctId, day)
      for (const [order, { index, timeMs }] of events.entries()) {
        const kept = visitor?.status === 'ok' ? visitor.ids[order] : undefined
        outcomes[index] = { distinctId, sessionId: kept ?? fallback ?? lateSessionId(distinctId, timeMs) }
      }
    }
  }
}

function toTouch({ distinctId, day, events }: Group): SessionTouch {
  return { id: distinctId, day, timesMs: events.map(({ timeMs }) => timeMs) }
}

/** Collects events by visitor and day; neighbours of the same visitor, as in one request, cost no look-up. */
class VisitorGroups {
  readonly #groups = new Map<string, Group>()
  #lastEvent: CookielessEvent | undefined
  #lastGroup: Group | undefined

  add(item: {
    readonly event: CookielessEvent
    readonly index: number
    readonly day: number
    readonly salt: Uint8Array
  }): void {
    const { event, index, day } = item
    if (this.#lastGroup?.day !== day || !isSameVisitor(this.#lastEvent, event)) {
      this.#lastGroup = this.#find(item)
      this.#lastEvent = event
    }
    this.#lastGroup.events.push({ index, timeMs: event.timeMs })
  }

  sorted(): Group[] {
    const groups = [...this.#groups.values()]
    for (const { events } of groups) events.sort((a, b) => a.timeMs - b.timeMs)
    return groups
  }

  #find({
    event,
    day,
    salt,
  }: {
    readonly event: CookielessEvent
    readonly day: number
    readonly salt: Uint8Array
  }): Group {
    const key = `${day}\0${event.projectId}\0${event.ip}\0${event.userAgent}`
    let group = this.#groups.get(key)
    if (group === undefined) {
      group = { distinctId: deriveDistinctId(salt, event), day, events: [] }
      this.#groups.set(key, group)
    }
    return group
  }
}

function isSameVisitor(a: Visitor | undefined, b: Visitor): boolean {
  return a?.projectId === b.projectId && a.ip === b.ip && a.userAgent === b.userAgent
}
