import { timestampMs } from '@bufbuild/protobuf/wkt'
import type { Visit, Visitor } from '@contract/millrace/web/v1/visits_service_pb.js'
import { formatCountry, formatSeconds } from '../../format/values.ts'
import { namePerson, type PersonName, personHref } from '../../people/person-name.ts'

/** The name of a session's visitor, and the address of their page. */
export interface SessionPerson {
  readonly id: string
  readonly name: PersonName
  /** Absent for a visitor without cookies, who has no page. */
  readonly href: string | undefined
}

/** The person of a session. */
export function personOf(visitor: Visitor | undefined, projectId: string): SessionPerson {
  const { id = '', profileId = '', isCookieless = false, traits } = visitor ?? {}
  const externalId = profileId === '' ? '' : id
  return {
    id,
    name: namePerson({ id, externalId, properties: traits }),
    href: isCookieless ? undefined : personHref(projectId, { id, externalId }),
  }
}

/** The time of a session's first event. */
export function startOf({ startTime }: Pick<Visit, 'startTime'>): number {
  return startTime ? timestampMs(startTime) : 0
}

/** The duration of a session; empty where the reader sees that it bounced. */
export function lengthOf({ startTime, endTime, bounced }: Visit): string {
  if (bounced || !startTime || !endTime) return ''
  return formatSeconds((timestampMs(endTime) - timestampMs(startTime)) / 1000)
}

/** The city of a session, else its country. */
export function placeOf({ city, country }: Pick<Visit, 'city' | 'country'>): string {
  return city || formatCountry(country)
}

/** The source of a session: its campaign, else its referrer, else its channel. */
export function sourceOf({
  utmSource,
  referrer,
  channel,
}: Pick<Visit, 'utmSource' | 'referrer' | 'channel'>): string {
  return utmSource || referrer || channel
}

/** The session after or before another one in a list. */
export function neighbourOf(
  ids: readonly string[],
  { id, by }: { readonly id: string; readonly by: 1 | -1 },
): string | undefined {
  const at = ids.indexOf(id)
  if (at < 0) return by === 1 ? ids[0] : undefined
  return ids[at + by]
}
