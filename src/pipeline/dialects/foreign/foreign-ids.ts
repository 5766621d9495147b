import { LRUCache } from 'lru-cache'
import { isUuid, NO_SESSION } from '../../../contract/ids.ts'
import { uuidV5 } from '../../identity/derived-ids.ts'
import type { ForeignRequest } from './foreign-batch.ts'
import type { ForeignSource } from './foreign-names.ts'
import { isObject, type SourceObject } from './foreign-value.ts'

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

/** Kept ids of sessions, which many events have: an entry is mostly below 300 bytes, and below 5 KiB. */
const SESSIONS = new LRUCache<string, string>({
  max: 4096,
  maxSize: 4_000_000,
  sizeCalculation: (id, name) => id.length + name.length,
})

/** The session of an id of the vendor; the nil UUID without one. It must not depend on the distinct id, which a sign-in changes. */
export function sessionIdOf(source: Vendor, session: string | undefined, device: string | undefined): string {
  if (session === undefined) return NO_SESSION
  if (isUuid(session)) return session.toLowerCase()
  const name = `session\0${source}\0${device ?? ''}\0${session}`
  const known = SESSIONS.get(name)
  if (known !== undefined) return known
  const id = uuidV5(name)
  SESSIONS.set(name, id)
  return id
}

/** JSON text that does not depend on the order of names. Speed: `dialect/ga4-25`. */
export function canonicalJson(value: unknown): string {
  if (typeof value === 'string') return UNESCAPED.test(value) ? `"${value}"` : JSON.stringify(value)
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : 'null'
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (!isObject(value)) return JSON.stringify(value ?? null)
  let members = ''
  for (const name of sortedNames(value)) {
    const member = `${quoteName(name)}${canonicalJson(value[name])}`
    members = members === '' ? member : `${members},${member}`
  }
  return `{${members}}`
}

/** Kept orders, by the number of names: many events have the names of one before. An entry is below 10 KB. */
const ORDERS: { readonly names: readonly string[]; readonly sorted: readonly string[] }[] = []
const ORDERED_MAX = 64
const ORDERED_LENGTH_MAX = 4096

/** The names of an object in ascending order. */
function sortedNames(value: SourceObject): readonly string[] {
  const names = Object.keys(value)
  const known = ORDERS[names.length]
  if (known !== undefined && isEqual(known.names, names)) return known.sorted
  const sorted = [...names].sort()
  if (names.length <= ORDERED_MAX && names.join('').length <= ORDERED_LENGTH_MAX)
    ORDERS[names.length] = { names, sorted }
  return sorted
}

function isEqual(these: readonly string[], those: readonly string[]): boolean {
  for (let index = 0; index < these.length; index++) if (these[index] !== those[index]) return false
  return true
}

/** Texts without a character that JSON escapes, and without surrogates. */
const UNESCAPED = /^[ !#-[\]-\ud7ff\ue000-\uffff]*$/

/** Kept names with their quotes: most events have the same ones. An entry is below 300 bytes. */
const QUOTED = new Map<string, string>()
const QUOTED_MAX = 1024
const QUOTED_LENGTH_MAX = 64

function quoteName(name: string): string {
  const known = QUOTED.get(name)
  if (known !== undefined) return known
  const quoted = `${JSON.stringify(name)}:`
  if (QUOTED.size >= QUOTED_MAX) QUOTED.clear()
  if (name.length <= QUOTED_LENGTH_MAX) QUOTED.set(name, quoted)
  return quoted
}
