import { randomUUID } from 'node:crypto'
import type { ServiceError } from '../../../contract/service-error.ts'
import { ok, type Result } from '../../../kernel/result.ts'
import type { PlainEvent } from '../../event/plain-properties.ts'
import type { ForeignBatch, ForeignChange, ForeignItem, ForeignRequest } from '../foreign/foreign-batch.ts'
import { NAME_PROPERTY, readKind } from '../foreign/foreign-kind.ts'
import type { ForeignNames } from '../foreign/foreign-names.ts'
import { ForeignProperties } from '../foreign/foreign-properties.ts'
import { fieldOf, isObject, objectOf, type SourceObject, textOf } from '../foreign/foreign-value.ts'
import { parseForeignJson } from '../foreign/unwrap-body.ts'

/** Kinds of Plausible's own events. */
export const PLAUSIBLE_KINDS = { pageview: 'page_view', 'Outbound Link: Click': 'outbound_link_click' }

/** How long a page was read: it is no event. */
export const ENGAGEMENT = 'engagement'

/** Names of Plausible and their equivalents here. */
const NAMES: ForeignNames = {
  kinds: PLAUSIBLE_KINDS,
  properties: {},
  omitted: new Set(),
}

/** The name under which an answer lists the event of its request. */
const ONLY = 'event'

/** Reads a request: one event, with long or short names of its fields. */
export function readPlausibleRequest(
  body: Uint8Array,
  request: ForeignRequest,
): Result<ForeignBatch, ServiceError> {
  const parsed = parseForeignJson(body)
  if (!parsed.ok) return parsed
  const receivedMs = Math.trunc(request.receivedMicros / 1000)
  const items = [{ id: ONLY, ...readPlausibleEvent(parsed.value, receivedMs) }]
  return ok({ key: undefined, items, records: [parsed.value] })
}

/** Reads an event. It has neither an id nor a time, and is never sent again. */
function readPlausibleEvent(record: unknown, receivedMs: number): Omit<ForeignItem, 'id'> {
  if (!isObject(record)) return { dropped: 'not_an_object' }
  const name = textOf(fieldOf(record, 'name') ?? fieldOf(record, 'n'))
  if (name === undefined) return { dropped: 'no_name' }
  // It says how long a page was read and is no event: counted as one, no visit would be a bounce.
  if (name === ENGAGEMENT) return { dropped: 'engagement_not_supported' }
  const { kind, isRenamed } = readKind(name, NAMES.kinds)
  const changes: ForeignChange[] = []
  const properties = new ForeignProperties(NAMES)
  if (isRenamed) properties.add(NAME_PROPERTY, name)
  addProps(properties, record)
  properties.addAll(readRevenue(record))
  properties.addAll(readPage(record))
  const event: PlainEvent = {
    eventId: randomUUID(),
    kind,
    timeMs: receivedMs,
    distinctId: '',
    sessionId: '',
    cookieless: true,
    properties: properties.fit(changes),
  }
  return { event, client: { place: 'request', agent: 'request' }, changes }
}

/** The sender's properties; older scripts send them as JSON text. */
function addProps(properties: ForeignProperties, record: SourceObject): void {
  const sent = ['props', 'p', 'm', 'meta'].map((name) => fieldOf(record, name)).find(Boolean)
  const props = typeof sent === 'string' ? parseObject(sent) : objectOf(sent)
  // Names of automatic properties are not the sender's to set.
  for (const name in props) if (!name.startsWith('$')) properties.add(name, props[name])
}

function parseObject(text: string): SourceObject {
  const parsed = parseForeignJson(Buffer.from(text))
  return parsed.ok ? objectOf(parsed.value) : {}
}

function readRevenue(record: SourceObject): SourceObject {
  const sent = fieldOf(record, 'revenue') ?? fieldOf(record, '$')
  const { amount, currency } = typeof sent === 'string' ? parseObject(sent) : objectOf(sent)
  const revenue = typeof amount === 'string' && amount.trim() !== '' ? Number(amount) : amount
  if (typeof revenue !== 'number' || !Number.isFinite(revenue)) return {}
  return { revenue, ...(typeof currency === 'string' ? { currency } : {}) }
}

function readPage(record: SourceObject): SourceObject {
  const url = textOf(fieldOf(record, 'url') ?? fieldOf(record, 'u'))
  const referrer = textOf(fieldOf(record, 'referrer') ?? fieldOf(record, 'r'))
  const width = fieldOf(record, 'screen_width') ?? fieldOf(record, 'w')
  const version = textOf(fieldOf(record, 'v'))
  const interactive = fieldOf(record, 'interactive') ?? fieldOf(record, 'i')
  return {
    $lib: 'plausible',
    ...(version === undefined ? {} : { $lib_version: version }),
    ...(url === undefined ? {} : { $url: url }),
    ...(referrer === undefined ? {} : { $referrer: referrer }),
    ...(typeof width === 'number' ? { $screenWidth: width } : {}),
    ...(interactive === false ? { interactive: false } : {}),
  }
}
