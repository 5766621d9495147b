import { LRUCache } from 'lru-cache'
import { uuidV5 } from '../../pipeline/uuid-v5.ts'

/** A visit as far as it was seen. */
interface Visit {
  readonly id: string
  firstMs: number
  lastMs: number
}

/** As long as a session of the service may pause. */
const GAP_MS = 30 * 60_000

/** People whose last visit is remembered: exports are about in the order of time. */
const PEOPLE_MAX = 200_000

/**
 * Gives events without a session one: events of somebody at most half an hour apart are one visit. Ids come from who and when
 * only, so that the same file gives the same sessions.
 */
export class SessionFinder {
  readonly #visits = new LRUCache<string, Visit>({ max: PEOPLE_MAX })

  /** The session of an event. */
  find(distinctId: string, timeMs: number): string {
    const visit = this.#visits.get(distinctId)
    if (visit && timeMs >= visit.firstMs - GAP_MS && timeMs <= visit.lastMs + GAP_MS) {
      visit.firstMs = Math.min(visit.firstMs, timeMs)
      visit.lastMs = Math.max(visit.lastMs, timeMs)
      return visit.id
    }
    const id = uuidV5(`session\0${distinctId}\0${timeMs}`)
    this.#visits.set(distinctId, { id, firstMs: timeMs, lastMs: timeMs })
    return id
  }
}
