import { createHash } from 'node:crypto'
import { UUID_BYTES, uuidText } from '../../store/state/touch-chains.ts'

/** Namespace of the service's session ids (RFC 9562, section 5.5); part of the data: never change it. */
const NAMESPACE = Buffer.from('0f5d8a1e6c3b4e7f9a2d51c7e84b3f60', 'hex')

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

/** The lower-case UUIDv5 of a name in the service's namespace. */
function uuidV5(name: string): string {
  const bytes = createHash('sha1').update(NAMESPACE).update(name).digest().subarray(0, UUID_BYTES)
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x50
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  return uuidText(bytes)
}
