import type { Clock } from '../../kernel/clock.ts'
import type { SaltOutcome, StateStore } from '../../store/state/state-store.ts'
import { utcDayOf } from '../../store/state/utc-day.ts'
import { deriveDistinctId, type Visitor } from './derived-ids.ts'
import { SaltCache } from './salt-cache.ts'
import { touchGroups, type VisitorGroup } from './touch-groups.ts'

/** A cookieless event. Its time is milliseconds since the Unix epoch. */
export interface CookielessEvent extends Visitor {
  readonly timeMs: number
}

/** The reason why a cookieless event is dropped. */
export type CookielessDropReason = 'day_out_of_range' | 'salt_unavailable' | 'salt_corrupt'

/** The identity of an event, or why it is dropped. */
export type CookielessOutcome =
  /** The session is lower-case UUID text. */
  { readonly distinctId: string; readonly sessionId: string } | { readonly dropped: CookielessDropReason }

/** Events of one visitor and day, by their indexes in the call; their id is the distinct id. */
interface Group extends VisitorGroup {
  readonly events: { readonly index: number; readonly timeMs: number }[]
}

const DROPS = {
  expired: 'day_out_of_range',
  unavailable: 'salt_unavailable',
  corrupt: 'salt_corrupt',
} as const satisfies Record<Exclude<SaltOutcome['status'], 'ok'>, CookielessDropReason>

/** Derives the identities of cookieless events (docs/adr/0010). */
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

  /** Wipes the salts from memory. The store belongs to the caller and stays open. */
  close(): void {
    this.#salts.close()
  }

  /** Drops the events of days without a salt, and groups the others by visitor. */
  async #groupByVisitor(events: readonly CookielessEvent[], outcomes: CookielessOutcome[]): Promise<Group[]> {
    const today = utcDayOf(this.#clock.nowMs())
    const days = new Set(events.map(({ timeMs }) => utcDayOf(timeMs)))
    const coveredDays = [...days].filter((day) => day === today || day === today - 1)
    const salts = new Map(
      await Promise.all(coveredDays.map(async (day) => [day, await this.#salts.salt(day)] as const)),
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
    await touchGroups(this.#store, groups, (index, sessionId, { id }) => {
      outcomes[index] = { distinctId: id, sessionId }
    })
  }
}

/** Groups events by visitor and day; consecutive events of one visitor, as in one request, need one look-up. */
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
      group = { id: deriveDistinctId(salt, event), day, events: [] }
      this.#groups.set(key, group)
    }
    return group
  }
}

function isSameVisitor(a: Visitor | undefined, b: Visitor): boolean {
  return a?.projectId === b.projectId && a.ip === b.ip && a.userAgent === b.userAgent
}
