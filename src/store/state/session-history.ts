/** Inactivity that closes a session, in milliseconds; a gap of exactly this stays inside. */
export const SESSION_IDLE_MS = 30 * 60 * 1000

/**
 * Maximum times that a session stores individually. Further ones are merged into a range: the memory of a session is
 * bounded by about 350 bytes, and a visitor who is a single user stays below.
 */
export const TIMES_REMEMBERED_MAX = 64

/**
 * A stored session of a visitor: its id (16 bytes), its newest event, the range `[from, to]` within which all times
 * count as known, and further known times, unordered. Times are milliseconds since the start of the visitor's day.
 */
export type StoredSession = [id: Uint8Array, newest: number, from: number, to: number, times: number[]]

/** All sessions of a visitor, oldest first. A visitor exists for one UTC day, so there are at most 48. */
export type SessionHistory = StoredSession[]

/** Events of one visitor with no gap above {@link SESSION_IDLE_MS}; only the first of them can start a session. */
export interface TouchChain {
  /** The id (16 bytes) of a session that these events start. */
  readonly candidate: Uint8Array
  /** Milliseconds since the start of the visitor's day, ascending. */
  readonly times: readonly number[]
}

/**
 * Adds one event to the history (in place) and returns the id of its session; `undefined` when it is more than 30
 * minutes older than the newest event of the visitor's session.
 *
 * An event with a known time keeps the session that it was first assigned to, however late it arrives again: a retried
 * batch gets the same sessions. {@link TOUCH_SESSIONS_SCRIPT} is the same algorithm in Lua.
 */
export function assignSession(
  history: SessionHistory,
  candidate: Uint8Array,
  time: number,
): Uint8Array | undefined {
  const current = history.at(-1)
  if (current === undefined || time > current[1] + SESSION_IDLE_MS) {
    history.push([candidate, time, time, time, []])
    return candidate
  }
  if (time < current[1] - SESSION_IDLE_MS) return history.find((session) => isKnown(session, time))?.[0]
  remember(current, time)
  return current[0]
}

function isKnown([, , from, to, times]: StoredSession, time: number): boolean {
  return (time >= from && time <= to) || times.includes(time)
}

function remember(session: StoredSession, time: number): void {
  if (time > session[1]) session[1] = time
  else if (isKnown(session, time)) return
  const times = session[4]
  times.push(time)
  if (times.length > TIMES_REMEMBERED_MAX) fold(session)
}

/** Merges the older half of the times into the range. */
function fold(session: StoredSession): void {
  const times = session[4].sort((a, b) => a - b)
  const half = times.splice(0, TIMES_REMEMBERED_MAX / 2)
  session[2] = Math.min(session[2], half[0] ?? session[2])
  session[3] = Math.max(session[3], half.at(-1) ?? session[3])
  session[4] = times.filter((time) => time > session[3])
}
