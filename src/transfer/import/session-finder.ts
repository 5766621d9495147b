import { LRUCache } from 'lru-cache'
import { uuidV5 } from '../../pipeline/identity/derived-ids.ts'

/** A visit as far as it was seen. */
interface Visit {
  readonly id: string
  firstMs: number
  lastMs: number
  /** Who signed in during it, as soon as that is known. */
  user: string | undefined
}

/** By whom and when an event without a session was caused. */
export interface Sighting {
  readonly distinctId: string
  /** The anonymous id of the device, which stays when somebody signs in. */
  readonly device?: string | undefined
  readonly timeMs: number
}

/** As long as a session of the service may pause. */
const GAP_MS = 30 * 60_000

/** Ids whose last visit is remembered: exports are about in the order of time. */
const IDS_MAX = 200_000

/**
 * Gives events without a session one: events of one person at most half an hour apart are one visit, also across a sign-in,
 * which changes their distinct id. Session ids come from who and when only, so that the same file gives the same sessions.
 */
export class SessionFinder {
  readonly #visits = new LRUCache<string, Visit>({ max: IDS_MAX })

  /** The session of an event. The device comes first: somebody with two of them has a visit on each. */
  find({ distinctId, device, timeMs }: Sighting): string {
    const ids = device === undefined || device === distinctId ? [distinctId] : [device, distinctId]
    const user = device === distinctId || device === undefined ? undefined : distinctId
    const visit =
      ids.map((id) => this.#visits.get(id)).find((one) => one && isNear(one, timeMs) && mayBeOf(one, user)) ??
      startVisit(distinctId, timeMs)
    visit.firstMs = Math.min(visit.firstMs, timeMs)
    visit.lastMs = Math.max(visit.lastMs, timeMs)
    visit.user ??= user
    for (const id of ids) this.#visits.set(id, visit)
    return visit.id
  }

  /** Takes note that an anonymous id and a user are the same person: the visit of the one goes on under the other. */
  link(anonymousId: string, user: string): void {
    const visit = this.#visits.get(anonymousId)
    if (!visit || !mayBeOf(visit, user)) return
    visit.user = user
    const known = this.#visits.get(user)
    if (!known || known.lastMs < visit.lastMs) this.#visits.set(user, visit)
  }
}

function startVisit(distinctId: string, timeMs: number): Visit {
  const id = uuidV5(`session\0${distinctId}\0${timeMs}`)
  return { id, firstMs: timeMs, lastMs: timeMs, user: undefined }
}

function isNear({ firstMs, lastMs }: Visit, timeMs: number): boolean {
  return timeMs >= firstMs - GAP_MS && timeMs <= lastMs + GAP_MS
}

/** Two people who use one device after each other have a visit each. */
function mayBeOf(visit: Visit, user: string | undefined): boolean {
  return visit.user === undefined || user === undefined || visit.user === user
}
