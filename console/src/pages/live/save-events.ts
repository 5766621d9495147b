import type { ActivityEvent } from '@contract/shared/activity/v1/activity_pb.js'
import { plain, toCsv } from '../../format/table.ts'
import { isoOf } from '../../format/values.ts'
import { type NamedPerson, namePerson } from '../../people/person-name.ts'
import { hasSession } from '../../people/visits.ts'
import { saveCsvFile } from '../../ui/save-file.ts'

const COLUMNS = [
  'time',
  'arrived',
  'event',
  'person',
  'user_id',
  'session_id',
  'event_id',
  'properties',
  'page_and_visit',
].map(plain)

/** Saves the listed events as CSV. */
export function saveEvents(
  events: readonly ActivityEvent[],
  personOf: (distinctId: string) => NamedPerson,
): void {
  const rows = events.map((event) => [
    isoOf(event.occurTime),
    isoOf(event.arrivalTime),
    event.kind,
    namePerson(personOf(event.distinctId)).name,
    event.distinctId,
    hasSession(event) ? event.sessionId : '',
    event.eventId,
    JSON.stringify(event.customProperties ?? {}),
    JSON.stringify(event.autoProperties ?? {}),
  ])
  saveCsvFile([toCsv({ columns: COLUMNS, rows })], 'events.csv')
}
