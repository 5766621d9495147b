import { CUSTOM_KEY, encodeValue, isKind, type PropertyValue } from '../../browser/src/property-values.ts'
import type { IdentifiedUser, Properties, TrackedEvent } from './api.ts'
import { createUuid } from './uuid.ts'

/** Something to send: its text on the wire, and its name in messages, which holds no personal data. */
export interface Item {
  readonly text: string
  readonly bytes: number
  readonly name: string
  /** Items of one subject are sent one after the other. */
  readonly subject: string
}

/** Events of servers have no visit: session metrics leave them out. */
const NO_SESSION = '00000000-0000-0000-0000-000000000000'

/** The service takes 256 keys of an event. */
const KEYS_MAX = 256
const TRAITS_MAX = 256
const TRAIT_BYTES_MAX = 256 * 1024
/** The end of 2105, where the times of the service end. */
const TIME_MS_END = 4_291_747_200_000
const AUTO_KEY = /^\$\P{Cs}{1,199}$/u
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
/** Ids that the service accepts: 1024 code points that are no halves of pairs. */
const USER_ID = /^(?!cookieless-)\P{Cs}{1,1024}$/su
const ANONYMOUS_ID = /^anon-\P{Cs}{1,250}$/su

/** An event as it is sent. Throws for one that the service would refuse. */
export function encodeEvent(event: TrackedEvent): Item {
  const { kind, distinctId, properties = {}, time = Date.now(), sessionId = NO_SESSION } = event
  const { eventId = createUuid() } = event
  const timeMs = Number(time)
  assertValid(typeof kind === 'string' && isKind(kind), 'kind', 'use letters, digits, "_", "." and "-"')
  assertValid(isText(distinctId, USER_ID), 'distinctId', 'use 1 to 1024 characters')
  assertValid(isText(sessionId, UUID), 'sessionId', 'use a UUID')
  assertValid(isText(eventId, UUID), 'eventId', 'use a UUID')
  assertValid(timeMs >= 0 && timeMs < TIME_MS_END, 'time', 'use a time between 1970 and 2105')
  const { autoProperties, customProperties } = encodeProperties(properties)
  const occurTime = new Date(timeMs).toISOString()
  const ids = { eventId, kind, distinctId, sessionId, occurTime }
  const text = JSON.stringify({ ...ids, autoProperties, customProperties })
  return { text, bytes: Buffer.byteLength(text), name: `event ${eventId} of kind ${kind}`, subject: '' }
}

/** A profile as it is sent. Throws for one that the service would refuse. */
export function encodeUser({ externalId, traits = {}, anonymousId }: IdentifiedUser): Item {
  assertValid(isText(externalId, USER_ID), 'externalId', 'use 1 to 1024 characters')
  const isAnonymous = anonymousId === undefined || isText(anonymousId, ANONYMOUS_ID)
  assertValid(isAnonymous, 'anonymousId', 'use an id that starts with "anon-"')
  const known = JSON.stringify(traits)
  const hasRoom = Object.keys(traits).length <= TRAITS_MAX && Buffer.byteLength(known) <= TRAIT_BYTES_MAX
  assertValid(hasRoom, 'traits', `use at most ${TRAITS_MAX} traits and 256 KiB`)
  const text = JSON.stringify({ externalId, anonymousId, traits: JSON.parse(known) })
  return { text, bytes: Buffer.byteLength(text), name: 'call of identify', subject: externalId }
}

/** Leaves out what the service would refuse, as the browser snippet does. */
function encodeProperties(properties: Properties) {
  const autoProperties: Record<string, PropertyValue> = Object.create(null)
  const customProperties: Record<string, PropertyValue> = Object.create(null)
  let keyCount = 0
  for (const [key, value] of Object.entries(properties)) {
    const target = AUTO_KEY.test(key) ? autoProperties : CUSTOM_KEY.test(key) ? customProperties : undefined
    const wire = typeof value === 'bigint' ? encodeBigInt(value) : encodeValue(value)
    if (target && wire && keyCount++ < KEYS_MAX) target[key] = wire
  }
  return { autoProperties, customProperties }
}

function encodeBigInt(value: bigint): PropertyValue | undefined {
  return BigInt.asIntN(64, value) === value ? { intValue: `${value}` } : undefined
}

function isText(value: unknown, pattern: RegExp): boolean {
  return typeof value === 'string' && pattern.test(value)
}

function assertValid(isValid: boolean, field: string, remedy: string): void {
  if (!isValid) throw new TypeError(`${field} is not valid: ${remedy}`)
}
