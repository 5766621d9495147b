import { randomUUID } from 'node:crypto'
import { NO_SESSION } from '../../../contract/ids.ts'
import { checkDistinctId, checkOccurTime } from '../../event/event-rules.ts'
import { canonicalAddress } from '../../identity/client-address.ts'
import type { ForeignChange, ForeignClient, ForeignItem } from '../foreign/foreign-batch.ts'
import { NAME_PROPERTY, readKind } from '../foreign/foreign-kind.ts'
import type { ForeignNames } from '../foreign/foreign-names.ts'
import { ForeignProperties } from '../foreign/foreign-properties.ts'
import { readTraits } from '../foreign/foreign-traits.ts'
import { fieldOf, isObject, objectOf, type SourceObject, textOf } from '../foreign/foreign-value.ts'

/** Umami has no names of its own. */
export const UMAMI_NAMES: ForeignNames = { kinds: {}, properties: {}, omitted: new Set() }

/** The measurements of a performance item. */
const VITALS = ['lcp', 'inp', 'cls', 'fcp', 'ttfb'] as const

/** Reads an item as Umami's tracker sends it: an event, what is known of a visitor, or the speed of a page. */
export function readUmamiItem(record: unknown, receivedMs: number): Omit<ForeignItem, 'id'> {
  if (!isObject(record)) return { dropped: 'not_an_object' }
  const payload = fieldOf(record, 'payload')
  if (!isObject(payload)) return { dropped: 'not_an_object' }
  const type = textOf(fieldOf(record, 'type')) ?? 'event'
  const distinctId = textOf(fieldOf(payload, 'id'))
  if (distinctId !== undefined && checkDistinctId(distinctId) !== undefined)
    return { dropped: 'invalid_distinct_id' }
  if (type === 'identify') return readIdentify(payload, distinctId)
  if (type !== 'event' && type !== 'performance') return { dropped: 'unknown_type' }
  return readEvent({ payload, distinctId, receivedMs, isPerformance: type === 'performance' })
}

/** Only a visitor with an id has traits: the others are strangers again tomorrow. */
function readIdentify(payload: SourceObject, externalId: string | undefined): Omit<ForeignItem, 'id'> {
  const sent = objectOf(fieldOf(payload, 'data'))
  if (externalId === undefined) return { changes: Object.keys(sent).length > 0 ? ['trait_left_out'] : [] }
  const { traits, leftOut } = readTraits(sent)
  return {
    identification: { externalId, anonymousId: '', traits, traitsOnce: new Map(), removedTraits: [] },
    changes: leftOut > 0 ? ['trait_left_out'] : [],
  }
}

interface EventParts {
  readonly payload: SourceObject
  readonly distinctId: string | undefined
  readonly receivedMs: number
  readonly isPerformance: boolean
}

/** Umami's events have no id and are never sent again. */
function readEvent({ payload, distinctId, receivedMs, isPerformance }: EventParts): Omit<ForeignItem, 'id'> {
  const name = textOf(fieldOf(payload, 'name'))
  const { kind, isRenamed } = isPerformance
    ? { kind: 'web_vitals', isRenamed: false }
    : name === undefined
      ? { kind: 'page_view', isRenamed: false }
      : readKind(name, UMAMI_NAMES.kinds)
  const changes: ForeignChange[] = []
  const properties = new ForeignProperties(UMAMI_NAMES)
  if (isRenamed) properties.add(NAME_PROPERTY, name)
  addData(properties, payload)
  if (isPerformance) addVitals(properties, payload)
  addPage(properties, payload)
  const identity =
    distinctId === undefined
      ? { cookieless: true, distinctId: '', sessionId: '' }
      : { cookieless: false, distinctId, sessionId: NO_SESSION }
  const event = {
    eventId: randomUUID(),
    kind,
    timeMs: readTime(payload, receivedMs, changes),
    ...identity,
    properties: properties.fit(changes),
  }
  const device = distinctId === undefined ? {} : { device: distinctId }
  return { event, ...device, client: readClient(payload), changes }
}

/** Names of automatic properties are not the sender's to set. */
function addData(properties: ForeignProperties, payload: SourceObject): void {
  const data = objectOf(fieldOf(payload, 'data'))
  for (const name in data) if (!name.startsWith('$')) properties.add(name, data[name])
}

function addVitals(properties: ForeignProperties, payload: SourceObject): void {
  for (const name of VITALS) {
    const value = fieldOf(payload, name)
    if (typeof value === 'number') properties.add(name, value)
  }
}

function addPage(properties: ForeignProperties, payload: SourceObject): void {
  const hostname = textOf(fieldOf(payload, 'hostname'))
  const [, width, height] = /^(\d{1,5})x(\d{1,5})$/.exec(textOf(fieldOf(payload, 'screen')) ?? '') ?? []
  const fields: readonly (readonly [string, unknown])[] = [
    ['$lib', 'umami'],
    ['$hostname', hostname],
    ['$url', absolute(textOf(fieldOf(payload, 'url')), hostname)],
    ['$referrer', absolute(textOf(fieldOf(payload, 'referrer')), hostname)],
    ['$title', textOf(fieldOf(payload, 'title'))],
    ['$language', textOf(fieldOf(payload, 'language'))],
    ['$screenWidth', width === undefined ? undefined : Number(width)],
    ['$screenHeight', height === undefined ? undefined : Number(height)],
    ['tag', textOf(fieldOf(payload, 'tag'))],
  ]
  for (const [name, value] of fields) if (value !== undefined) properties.add(name, value)
}

/** Older trackers send the path of a page of the site, without its host. */
function absolute(url: string | undefined, hostname: string | undefined): string | undefined {
  const isPath = url?.startsWith('/') && !url.startsWith('//')
  return isPath && hostname !== undefined ? `https://${hostname}${url}` : url
}

/** Whole seconds, where a server sends what happened before. */
function readTime(payload: SourceObject, receivedMs: number, changes: ForeignChange[]): number {
  const sent = fieldOf(payload, 'timestamp')
  if (sent === undefined || sent === null) return receivedMs
  const timeMs = typeof sent === 'number' ? Math.trunc(sent * 1000) : Number.NaN
  if (checkOccurTime(timeMs) === undefined) return timeMs
  changes.push('time_replaced')
  return receivedMs
}

/** A server names the client of its user; without that, the client is who sends. */
function readClient(payload: SourceObject): ForeignClient {
  const ip = textOf(fieldOf(payload, 'ip'))
  const userAgent = textOf(fieldOf(payload, 'userAgent'))
  return {
    place: ip === undefined ? 'request' : { address: canonicalAddress(ip) },
    agent: userAgent === undefined ? 'request' : { userAgent },
  }
}
