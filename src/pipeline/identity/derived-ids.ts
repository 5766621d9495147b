import { createHmac, hash } from 'node:crypto'
import type { ProjectId } from '../../contract/ids.ts'
import { COOKIELESS_PREFIX } from '../event/event-rules.ts'

/** Namespace of the service's derived ids (RFC 9562, section 5.5); part of the data: never change it. */
const NAMESPACE = Buffer.from('0f5d8a1e6c3b4e7f9a2d51c7e84b3f60', 'hex')

/** The lower-case UUIDv5 of a name in the service's namespace. */
export function uuidV5(name: string): string {
  const hex = digestOf(name)
  return formatUuid(hex.slice(0, TIME_DIGITS), '5', hex)
}

/** Hexadecimal digits before the version of a UUID: of a version 7 UUID they are its time. */
const TIME_DIGITS = 12

/** The SHA-1 of a name in the service's namespace, as hexadecimal digits. */
function digestOf(name: string): string {
  return hash('sha1', inNamespace(name), 'hex')
}

/** Lower-case UUID text of its first digits and its version, and of the digits of a digest in the places after them. */
function formatUuid(first: string, version: '5' | '7', digest: string): string {
  const variant = VARIANTS[Number.parseInt(digest.charAt(16), 16) & 3]
  return `${first.slice(0, 8)}-${first.slice(8)}-${version}${digest.slice(13, 16)}-${variant}${digest.slice(17, 20)}-${digest.slice(20, 32)}`
}

const VARIANTS = '89ab'

/** The namespace, and room for a name of common length after it. */
const NAMED = Buffer.alloc(4096)
NAMESPACE.copy(NAMED)

/** The bytes of a name in the namespace; valid until the next call. Speed: `dialect/segment-15`. */
function inNamespace(name: string): Buffer {
  // A code unit has at most three bytes.
  if (NAMESPACE.length + name.length * 3 > NAMED.length) return Buffer.concat([NAMESPACE, Buffer.from(name)])
  const written = NAMED.write(name, NAMESPACE.length)
  return NAMED.subarray(0, NAMESPACE.length + written)
}

/** The facts that the events of one visitor share. */
export interface Visitor {
  readonly projectId: ProjectId
  /** Canonical text; see `canonicalAddress`. */
  readonly ip: string
  readonly userAgent: string
}

const ID_BYTES = 16

/** The visitor's distinct id under the salt of a day (docs/adr/0010); the project counts as its decimal number. */
export function deriveDistinctId(salt: Uint8Array, { projectId, ip, userAgent }: Visitor): string {
  const digest = createHmac('sha256', salt).update(`${projectId}\0${ip}\0${userAgent}`).digest()
  return COOKIELESS_PREFIX + digest.toString('base64url', 0, ID_BYTES)
}

/** Width of the windows that late events fall into, in milliseconds. */
const WINDOW_MS = 30 * 60 * 1000

/** The session of an event that is too late for the visitor's sessions: one per visitor and 30-minute window of UTC. */
export function lateSessionId(distinctId: string, timeMs: number): string {
  return uuidV5(`${distinctId}/window/${windowOf(timeMs)}`)
}

/** The half hour in UTC that a time is in: sessions of one device that begin in it have one id. */
export function windowOf(timeMs: number): number {
  return Math.floor(timeMs / WINDOW_MS)
}

/**
 * The session of a device that begins at a time, as lower-case UUID text: a UUIDv7 of the half hour in UTC, whose other bits are of the
 * device. Two sessions of a device begin more than half an hour apart, so that no two have one id. It depends on nothing but the device and
 * the time: what was sent and what is imported of the same device is in the same sessions. Speed: `dialect/mixpanel-50`.
 */
export function deviceSessionId(device: string, timeMs: number): string {
  const window = windowOf(timeMs)
  const time = (window * WINDOW_MS).toString(16).padStart(TIME_DIGITS, '0')
  return formatUuid(time, '7', digestOf(`device\0${device}\0${window}`))
}

/** {@link deviceSessionId} as 16 bytes. */
export function deviceSessionBytes(device: string, timeMs: number): Uint8Array {
  return Buffer.from(deviceSessionId(device, timeMs).replaceAll('-', ''), 'hex')
}

/** The session of a visitor while the state store is unavailable: one per visitor and day (days since 1970-01-01). */
export function daySessionId(distinctId: string, day: number): string {
  return uuidV5(`${distinctId}/day/${day}`)
}
