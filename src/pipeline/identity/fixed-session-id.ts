import { uuidV5 } from '../uuid-v5.ts'

/** Width of the windows that late events fall into, in milliseconds. */
const WINDOW_MS = 30 * 60 * 1000

/** The session of an event that is too late for the visitor's sessions: one per visitor and 30-minute window of UTC. */
export function lateSessionId(distinctId: string, timeMs: number): string {
  return uuidV5(`${distinctId}/window/${Math.floor(timeMs / WINDOW_MS)}`)
}

/** The session of a visitor while sessions cannot be shared: one per visitor and day (days since 1970-01-01). */
export function daySessionId(distinctId: string, day: number): string {
  return uuidV5(`${distinctId}/day/${day}`)
}
