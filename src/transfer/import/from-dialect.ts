import type {
  ForeignDropReason,
  ForeignIdentification,
  ForeignItem,
} from '../../pipeline/dialects/foreign/foreign-batch.ts'
import type { PlainEvent } from '../../pipeline/event/plain-properties.ts'
import { type Imported, RejectedRecord, type WireEvent, type WireIdentify } from './imported.ts'
import type { SessionFinder } from './session-finder.ts'
import { toWire } from './to-wire.ts'

/** Reasons for which an import rejects a record, in the terms of its operator. */
const REJECTIONS = {
  not_an_object: 'the record is not a JSON object',
  no_name: 'the record has no event',
  no_distinct_id: 'the event has no distinct id',
  invalid_distinct_id: 'the distinct id is longer than 1024 characters, or begins with cookieless-',
  other_key: 'the event has the key of another project',
  no_visitor: 'the event has no visitor',
  schema_violation: 'the event does not match its schema',
  groups_not_supported: undefined,
  recordings_not_supported: undefined,
  engagement_not_supported: undefined,
  unknown_type: 'the type of the record is unknown',
} as const satisfies Record<ForeignDropReason, string | undefined>

/**
 * Converts a record that a dialect has read, so that an import and an SDK make the same event. A record of groups or of a recording
 * has neither an event nor a person. Throws {@link RejectedRecord}.
 */
export function importItem(item: ForeignItem, sessions: SessionFinder): Imported {
  const { dropped, event, identification, changes = [] } = item
  const reason = dropped && REJECTIONS[dropped]
  if (reason !== undefined) throw new RejectedRecord(reason)
  if (changes.includes('time_replaced')) throw new RejectedRecord('the event has no valid time')
  if (event?.cookieless) throw new RejectedRecord('a cookieless event cannot be imported')
  return {
    event: event && JSON.stringify(toWireEvent(event, item.device, sessions)),
    identify: identification && toIdentify(identification),
    propertiesDropped: changes.filter((change) => change === 'property_left_out').length,
  }
}

function toWireEvent(event: PlainEvent, device: string | undefined, sessions: SessionFinder): WireEvent {
  const { eventId, kind, timeMs, distinctId } = event
  const properties = [...event.properties]
  return {
    eventId,
    kind,
    occurTime: new Date(timeMs).toISOString(),
    distinctId,
    sessionId: device === undefined ? event.sessionId : sessions.findOfDevice(device, timeMs),
    autoProperties: toWire(properties.filter(({ key }) => key.startsWith('$'))),
    customProperties: toWire(properties.filter(({ key }) => !key.startsWith('$'))),
  }
}

function toIdentify(identification: ForeignIdentification): WireIdentify {
  const { externalId, anonymousId, traits, traitsOnce, removedTraits } = identification
  return {
    externalId,
    ...(anonymousId === '' ? {} : { previousId: anonymousId }),
    ...(traits.size === 0 ? {} : { traits: parseTraits(traits) }),
    ...(traitsOnce.size === 0 ? {} : { traitsOnce: parseTraits(traitsOnce) }),
    ...(removedTraits.length === 0 ? {} : { removedTraits }),
  }
}

function parseTraits(traits: ReadonlyMap<string, string>): Record<string, unknown> {
  return Object.fromEntries(Array.from(traits, ([name, text]) => [name, JSON.parse(text)]))
}
