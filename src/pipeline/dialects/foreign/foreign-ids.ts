import { isUuid, NO_SESSION } from '../../../contract/ids.ts'
import { uuidV5 } from '../../identity/derived-ids.ts'
import type { ForeignRequest } from './foreign-batch.ts'
import type { ForeignSource } from './foreign-names.ts'
import { isObject } from './foreign-value.ts'

/** Whose ids they are: a product that sends, or one whose exports are imported. */
export type Vendor = ForeignSource | ForeignRequest['dialect']

/** The event id of an id of the vendor: itself when it is a UUID, else derived from it, so that a retry has the same one. */
export function eventIdOf(source: Vendor, id: string): string {
  return isUuid(id) ? id.toLowerCase() : uuidV5(`event\0${source}\0${id}`)
}

/** The event id of an event without one: derived from all that it says. */
export function eventIdOfContent(source: Vendor, event: unknown): string {
  return uuidV5(`content\0${source}\0${canonicalJson(event)}`)
}

/** The session of an id of the vendor; the nil UUID without one. It must not depend on the distinct id, which a sign-in changes. */
export function sessionIdOf(source: Vendor, session: string | undefined, device: string | undefined): string {
  if (session === undefined) return NO_SESSION
  return isUuid(session) ? session.toLowerCase() : uuidV5(`session\0${source}\0${device ?? ''}\0${session}`)
}

/** JSON text that does not depend on the order of names. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (!isObject(value)) return JSON.stringify(value ?? null)
  const members = Object.keys(value)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${canonicalJson(value[name])}`)
  return `{${members.join(',')}}`
}
