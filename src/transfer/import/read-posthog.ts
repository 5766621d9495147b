import {
  isObject,
  objectOf,
  type SourceObject,
  textOf,
} from '../../pipeline/dialects/foreign/foreign-value.ts'
import { anonymousIdOf, linkSessions, readTime, sessionless, toImported } from './foreign-event.ts'
import { type Imported, RejectedRecord, type WireIdentify } from './imported.ts'
import type { SessionFinder } from './session-finder.ts'

/** Events that only identify a user. */
const IDENTIFY_EVENTS: ReadonlySet<string> = new Set([
  '$identify',
  '$create_alias',
  '$merge_dangerously',
  '$set',
  '$groupidentify',
])

/** Converts an event as PostHog's API and batch exports print it. Throws {@link RejectedRecord}. */
export function readPosthog(record: SourceObject, sessions: SessionFinder): Imported {
  const properties = readProperties(record.properties)
  const name = textOf(record.event)
  const id = textOf(record.distinct_id) ?? textOf(properties.distinct_id)
  if (name === undefined) throw new RejectedRecord('the record has no event')
  if (id === undefined) throw new RejectedRecord('the event has no distinct_id')
  const identify = readIdentify({ name, id, properties, record })
  if (IDENTIFY_EVENTS.has(name)) {
    linkSessions(identify, sessions)
    return { event: undefined, identify, propertiesDropped: 0 }
  }
  const timeMs = readTime(record.timestamp)
  return toImported(
    {
      source: 'posthog',
      name,
      identity:
        textOf(record.uuid) ?? textOf(record.id) ?? textOf(properties.$insert_id) ?? JSON.stringify(record),
      timeMs,
      distinctId: isAnonymous(id, properties) ? anonymousIdOf(id) : id,
      device: deviceOf(properties),
      session: textOf(properties.$session_id) ?? sessionless(properties.$lib),
      properties,
      identify,
    },
    sessions,
  )
}

/** A dump of PostHog's events table contains the properties as JSON text. */
function readProperties(properties: unknown): SourceObject {
  if (typeof properties !== 'string') return objectOf(properties)
  try {
    return objectOf(JSON.parse(properties))
  } catch {
    throw new RejectedRecord('the properties are not valid JSON')
  }
}

/** PostHog's libraries send the device id as the distinct id until a user is identified. */
function isAnonymous(id: string, properties: SourceObject): boolean {
  return properties.$is_identified === false || id === properties.$device_id
}

function deviceOf({ $device_id: id }: SourceObject): string | undefined {
  const device = textOf(id)
  return device === undefined ? undefined : anonymousIdOf(device)
}

function readIdentify(of: {
  readonly name: string
  readonly id: string
  readonly properties: SourceObject
  readonly record: SourceObject
}): WireIdentify | undefined {
  const { name, id, properties } = of
  const traits = readTraits(of)
  const other = name === '$identify' ? properties.$anon_distinct_id : properties.alias
  const anonymous = name === '$identify' || name === '$create_alias' || name === '$merge_dangerously'
  const anonymousId = anonymous ? textOf(other) : undefined
  const isKnown = name === '$set' || properties.$is_identified === true
  if (
    name === '$groupidentify' ||
    (anonymousId === undefined && name !== '$identify' && !(isKnown && traits))
  )
    return undefined
  return {
    externalId: id,
    ...(anonymousId === undefined || anonymousId === id ? {} : { anonymousId: anonymousIdOf(anonymousId) }),
    ...(traits ? { traits } : {}),
  }
}

function readTraits({
  properties,
  record,
}: {
  readonly properties: SourceObject
  readonly record: SourceObject
}) {
  const set = isObject(properties.$set) ? properties.$set : objectOf(record.$set)
  const once = isObject(properties.$set_once) ? properties.$set_once : objectOf(record.$set_once)
  const traits = { ...once, ...set }
  return Object.keys(traits).length === 0 ? undefined : traits
}
