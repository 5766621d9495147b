import { LRUCache } from 'lru-cache'
import { deviceSessionId, uuidV5 } from '../../pipeline/identity/derived-ids.ts'
import { SESSION_IDLE_MS } from '../../store/state/session-history.ts'
import { utcDayOf } from '../../store/state/utc-day.ts'

/** A session of a user, as far as its events are known. */
interface UserSession {
  readonly id: string
  firstMs: number
  lastMs: number
}

/** The newest session of a device on a day. */
interface DeviceSession {
  readonly id: string
  newestMs: number
}

/** Users and devices whose last session is remembered: exports are roughly in order of time. */
const IDS_MAX = 200_000

/**
 * Assigns sessions to events without one. Session ids depend only on whose they are and on the time, so equal files yield equal
 * sessions.
 */
export class SessionFinder {
  readonly #ofUsers = new LRUCache<string, UserSession>({ max: IDS_MAX })
  readonly #ofDevices = new LRUCache<string, DeviceSession>({ max: IDS_MAX })

  /** The session of an event in a format of this service: events of a user at most half an hour apart share one. */
  findOfUser(distinctId: string, timeMs: number): string {
    const known = this.#ofUsers.get(distinctId)
    const session =
      known && isNear(known, timeMs)
        ? known
        : { id: uuidV5(`session\0${distinctId}\0${timeMs}`), firstMs: timeMs, lastMs: timeMs }
    session.firstMs = Math.min(session.firstMs, timeMs)
    session.lastMs = Math.max(session.lastMs, timeMs)
    this.#ofUsers.set(distinctId, session)
    return session.id
  }

  /**
   * The session of an event of a browser or an app, by the rules that hold for live events (`DeviceSessions`): half an hour without an
   * event, or midnight in UTC, ends it, and a sign-in does not.
   */
  findOfDevice(device: string, timeMs: number): string {
    const key = `${utcDayOf(timeMs)}/${device}`
    const newest = this.#ofDevices.get(key)
    if (newest && timeMs < newest.newestMs - SESSION_IDLE_MS) return deviceSessionId(device, timeMs)
    if (newest && timeMs <= newest.newestMs + SESSION_IDLE_MS) {
      newest.newestMs = Math.max(newest.newestMs, timeMs)
      return newest.id
    }
    const id = deviceSessionId(device, timeMs)
    this.#ofDevices.set(key, { id, newestMs: timeMs })
    return id
  }
}

function isNear({ firstMs, lastMs }: UserSession, timeMs: number): boolean {
  return timeMs >= firstMs - SESSION_IDLE_MS && timeMs <= lastMs + SESSION_IDLE_MS
}
