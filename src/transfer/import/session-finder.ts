import { LRUCache } from 'lru-cache'
import { uuidV5 } from '../../pipeline/identity/derived-ids.ts'

/** A session, as far as its events are known. */
interface Session {
  readonly id: string
  firstMs: number
  lastMs: number
  /** The user who signed in during the session, if known. */
  user: string | undefined
}

/** The user and time of an event without a session. */
export interface Sighting {
  readonly distinctId: string
  /** The anonymous id of the device, which does not change at a sign-in. */
  readonly device?: string | undefined
  readonly timeMs: number
}

/** Maximum gap between two events of a session, as in the service. */
const GAP_MS = 30 * 60_000

/** Ids whose last session is remembered: exports are roughly in order of time. */
const IDS_MAX = 200_000

/**
 * Assigns sessions to events without one: events of one user at most half an hour apart share a session, also across a
 * sign-in, which changes the distinct id. Session ids depend only on user and time, so equal files yield equal sessions.
 */
export class SessionFinder {
  readonly #sessions = new LRUCache<string, Session>({ max: IDS_MAX })

  /** The session of an event. The device takes precedence: a user with two devices has a session on each. */
  find({ distinctId, device, timeMs }: Sighting): string {
    const ids = device === undefined || device === distinctId ? [distinctId] : [device, distinctId]
    const user = device === distinctId || device === undefined ? undefined : distinctId
    const session =
      ids
        .map((id) => this.#sessions.get(id))
        .find((one) => one && isNear(one, timeMs) && mayBeOf(one, user)) ?? startSession(distinctId, timeMs)
    session.firstMs = Math.min(session.firstMs, timeMs)
    session.lastMs = Math.max(session.lastMs, timeMs)
    session.user ??= user
    for (const id of ids) this.#sessions.set(id, session)
    return session.id
  }

  /** Records that an anonymous id belongs to a user: the session of the id continues under the user. */
  link(anonymousId: string, user: string): void {
    const session = this.#sessions.get(anonymousId)
    if (!session || !mayBeOf(session, user)) return
    session.user = user
    const known = this.#sessions.get(user)
    if (!known || known.lastMs < session.lastMs) this.#sessions.set(user, session)
  }
}

function startSession(distinctId: string, timeMs: number): Session {
  const id = uuidV5(`session\0${distinctId}\0${timeMs}`)
  return { id, firstMs: timeMs, lastMs: timeMs, user: undefined }
}

function isNear({ firstMs, lastMs }: Session, timeMs: number): boolean {
  return timeMs >= firstMs - GAP_MS && timeMs <= lastMs + GAP_MS
}

/** Two users of one device in turn have a session each. */
function mayBeOf(session: Session, user: string | undefined): boolean {
  return session.user === undefined || user === undefined || session.user === user
}
