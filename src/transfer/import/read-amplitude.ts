import { readAmplitudeEvent } from '../../pipeline/dialects/amplitude/read-event.ts'
import { fieldOf, type SourceObject, textOf } from '../../pipeline/dialects/foreign/foreign-value.ts'
import { importItem } from './from-dialect.ts'
import { type Imported, RejectedRecord } from './imported.ts'
import type { MapContext } from './map-record.ts'
import { readTime } from './to-wire.ts'

/** Libraries that Amplitude names where the sender has named none. */
const NAMED_BY_AMPLITUDE = /^http\//

/** Converts an event of an Amplitude export. Throws {@link RejectedRecord}. */
export function readAmplitude(record: SourceObject, { sessions, snapshots }: MapContext): Imported {
  const item = readAmplitudeEvent(toSent(record), { receivedMs: 0, skewMs: undefined })
  if (item.dropped === 'no_name') throw new RejectedRecord('the record has no event_type')
  if (item.dropped === 'no_distinct_id') throw new RejectedRecord('the event has no user_id and no device_id')
  const { identification } = item
  const told = identification && { identification: snapshots.compare(identification) }
  return importItem({ id: undefined, ...item, ...told }, sessions)
}

/**
 * The event as it was sent. Amplitude corrects `event_time` by the clock of its servers, and adds ids and what it has found out about the
 * device and the place of the user.
 */
function toSent(record: SourceObject): SourceObject {
  const { client_event_time, event_time, device_family, device_model, ...others } = record
  const library = textOf(record.library) ?? ''
  const sent = {
    ...others,
    insert_id: fieldOf(record, '$insert_id') ?? record.insert_id ?? record.uuid,
    device_id: textOf(record.device_id) ?? (textOf(record.user_id) ? undefined : record.amplitude_id),
    device_model: textOf(device_model) ?? device_family,
    library: NAMED_BY_AMPLITUDE.test(library) ? undefined : library,
  }
  const isEvent = record.event_type !== '$identify' && record.event_type !== '$groupidentify'
  return isEvent ? { ...sent, time: readTime(client_event_time ?? event_time) } : sent
}
