import { NO_SESSION } from '../../../contract/ids.ts'
import { canonicalAddress } from '../../identity/client-address.ts'
import type { ForeignChange, ForeignClient, ForeignItem, ForeignRequest } from '../foreign/foreign-batch.ts'
import { readInstant } from '../foreign/foreign-instant.ts'
import { type ForeignKind, NAME_PROPERTY, readKind } from '../foreign/foreign-kind.ts'
import type { ForeignNames } from '../foreign/foreign-names.ts'
import { ForeignProperties } from '../foreign/foreign-properties.ts'
import { fieldOf, type SourceObject, textOf } from '../foreign/foreign-value.ts'

/** Views of pages and of screens have one name. */
const VIEW = 'screen_view'

/** Names of OpenPanel and their equivalents here. */
const OPENPANEL_NAMES: ForeignNames = {
  kinds: { link_out: 'outbound_link_click' },
  properties: {
    __title: '$title',
    __referrer: '$referrer',
    __version: '$appVersion',
    __buildNumber: '$appBuild',
    __os: '$os',
    __osVersion: '$osVersion',
    __browser: '$browser',
    __browserVersion: '$browserVersion',
    __device: '$deviceType',
    __model: '$device',
  },
  // What has its own place, and internal state of the SDKs.
  omitted: new Set([
    'profileId',
    '__path',
    '__query',
    '__revenue',
    '__timestamp',
    '__deviceId',
    '__identify',
    '__ip',
    '__userAgent',
    '__duration',
  ]),
}

/** The parts of an event that are known before it is read. */
export interface OpenpanelFacts {
  readonly properties: SourceObject
  /** Undefined for a visitor, who is recognised by the client. */
  readonly distinctId: string | undefined
  readonly device: string | undefined
  readonly request: ForeignRequest
}

/** Whether a property is the SDK's own. */
export function isInternal(name: string): boolean {
  return OPENPANEL_NAMES.omitted.has(name) || Object.hasOwn(OPENPANEL_NAMES.properties, name)
}

/** Reads an event as OpenPanel's SDKs send it. It has no id, and a time only where the caller sets one. */
export function readOpenpanelEvent(payload: SourceObject, facts: OpenpanelFacts): Omit<ForeignItem, 'id'> {
  const { properties: sent, distinctId, device, request } = facts
  const name = textOf(fieldOf(payload, 'name'))
  if (name === undefined) return { dropped: 'no_name' }
  const path = textOf(fieldOf(sent, '__path'))
  const url = path === undefined ? undefined : findUrl(path, request.sender?.origin)
  const { kind, isRenamed } = kindOf(name, url)
  const changes: ForeignChange[] = []
  const { eventId, timeMs, isReplaced } = readInstant({
    source: 'openpanel',
    record: payload,
    id: undefined,
    sent: fieldOf(sent, '__timestamp'),
    otherMs: () => Math.trunc(request.receivedMicros / 1000),
  })
  if (isReplaced) changes.push('time_replaced')
  const properties = new ForeignProperties(OPENPANEL_NAMES)
  if (isRenamed) properties.add(NAME_PROPERTY, name)
  addLibrary(properties, request)
  addSent(properties, sent)
  if (url !== undefined) properties.add('$url', url)
  else if (name === VIEW && path !== undefined) properties.add('screen_name', path)
  const groups = fieldOf(payload, 'groups')
  if (groups !== undefined) properties.add('groups', groups)
  const identity =
    distinctId === undefined
      ? { cookieless: true, distinctId: '', sessionId: '' }
      : { cookieless: false, distinctId, sessionId: NO_SESSION }
  const event = { eventId, kind, timeMs, ...identity, properties: properties.fit(changes) }
  const hasSession = distinctId !== undefined && request.sender?.isOnDevice === true
  return {
    event,
    client: readClient(sent, request),
    device: hasSession ? (device ?? distinctId) : undefined,
    changes,
  }
}

/** A view of something without an address is that of an app's screen. */
function kindOf(name: string, url: string | undefined): ForeignKind {
  if (name !== VIEW) return readKind(name, OPENPANEL_NAMES.kinds)
  return { kind: url === undefined ? 'screen_view' : 'page_view', isRenamed: false }
}

/** The address of a page, which callers may name by its path alone. */
function findUrl(path: string, origin: string | undefined): string | undefined {
  if (/^https?:\/\//i.test(path)) return path
  const isOfSite = path.startsWith('/') && /^https?:\/\//.test(origin ?? '')
  return isOfSite ? URL.parse(path, origin)?.href : undefined
}

function addLibrary(properties: ForeignProperties, { sender }: ForeignRequest): void {
  if (sender === undefined || sender.library === '') return
  properties.add('$lib', `openpanel-${sender.library}`)
  if (sender.libraryVersion !== '') properties.add('$lib_version', sender.libraryVersion)
}

/** Names of automatic properties are not the sender's to set. */
function addSent(properties: ForeignProperties, sent: SourceObject): void {
  for (const name in sent) {
    const value = sent[name]
    const isNothing = value === '' && isInternal(name)
    if (!isNothing && !name.startsWith('$')) properties.add(name, value)
  }
  const revenue = fieldOf(sent, '__revenue')
  if (typeof revenue === 'number') properties.add('revenue', revenue)
}

/** An event of a server may name the address of its user itself. */
function readClient(sent: SourceObject, { sender }: ForeignRequest): ForeignClient {
  const { place = 'request', agent = 'request' } = sender?.client ?? {}
  const ip = textOf(fieldOf(sent, '__ip'))
  return { place: ip === undefined ? place : { address: canonicalAddress(ip) }, agent }
}
