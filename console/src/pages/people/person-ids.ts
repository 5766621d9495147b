import { type Timestamp, timestampMs } from '@bufbuild/protobuf/wkt'
import type { KnownPerson } from '../../people/read-person.ts'

/** An ID of a person. */
export interface PersonId {
  readonly id: string
  readonly kind: 'people.anonymousId' | 'people.personId' | 'people.userId'
  /** Absent for an ID that the person always had. */
  readonly merge?: IdMerge
}

/** When an anonymous ID became one of the person's, and its events. */
export interface IdMerge {
  readonly mergedMs: number
  /** Absent without events. */
  readonly events?: { readonly firstMs: number; readonly lastMs: number }
}

/** The person's own IDs, then the merged ones, the latest first. */
export function listIds({ profile, mergedIds }: KnownPerson): readonly PersonId[] {
  if (profile.externalId === '') return [{ id: profile.id, kind: 'people.anonymousId' }]
  return [
    { id: profile.externalId, kind: 'people.userId' },
    { id: profile.id, kind: 'people.personId' },
    ...mergedIds.map(
      ({ id, mergeTime, firstEventTime, lastEventTime }): PersonId => ({
        id,
        kind: 'people.anonymousId',
        merge: { mergedMs: msOf(mergeTime), ...eventsBetween(firstEventTime, lastEventTime) },
      }),
    ),
  ]
}

/** Number of all IDs of a person, with those that the list leaves out. */
export function countIds(person: KnownPerson): number {
  return listIds(person).length + person.totalMergedIds - person.mergedIds.length
}

function eventsBetween(first: Timestamp | undefined, last: Timestamp | undefined): Pick<IdMerge, 'events'> {
  return first && last ? { events: { firstMs: timestampMs(first), lastMs: timestampMs(last) } } : {}
}

function msOf(time: Timestamp | undefined): number {
  return time ? timestampMs(time) : 0
}
