import type { People, Profile, ReferenceEvent } from './model.ts'

/** The profile whose id, external id or merged anonymous id is this distinct id. */
export function findProfile({ profiles }: People, distinctId: string): Profile | undefined {
  return profiles.find(
    ({ profileId, externalId, anonymousIds }) =>
      profileId === distinctId || externalId === distinctId || anonymousIds.includes(distinctId),
  )
}

/** The canonical user: equal for all ids of one user. */
export function canonicalUser(people: People, distinctId: string): string {
  const profile = findProfile(people, distinctId)
  return profile === undefined ? `distinct ${distinctId}` : `profile ${profile.profileId}`
}

/** The id by which a user is shown: the external id when identified, else the distinct id. */
export function shownUser(people: People, distinctId: string): string {
  return findProfile(people, distinctId)?.externalId ?? distinctId
}

/** The events that take part where users count; cookieless ids are excluded unless the spec includes them. */
export function eventsOfPersons(
  events: readonly ReferenceEvent[],
  { includeCookieless }: { readonly includeCookieless: boolean },
): readonly ReferenceEvent[] {
  return includeCookieless ? events : events.filter(({ cookieless }) => !cookieless)
}
