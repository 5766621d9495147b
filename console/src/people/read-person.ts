import type { MergedId, Profile } from '@contract/shared/profiles/v1/profile_pb.js'
import { ProfilesService } from '@contract/shared/profiles/v1/profiles_service_pb.js'
import { clientOf } from '../rpc/client.ts'

const profilesClient = clientOf(ProfilesService)

/** A person with the anonymous IDs that were merged into them. */
export interface KnownPerson {
  readonly profile: Profile
  /** The latest merge first; of many, only the latest ones. */
  readonly mergedIds: readonly MergedId[]
  readonly totalMergedIds: number
}

/**
 * Reads a person by `id:` and the ID of a profile, or by `user:` and the ID of an event; a text without either is the ID of an
 * event. Throws the errors of the call.
 */
export async function readPerson(reference: string): Promise<KnownPerson | undefined> {
  const [, kind = 'user', id = reference] = /^(id|user):(.*)$/s.exec(reference) ?? []
  const request = { id, orExternalId: kind === 'user', withMergedIds: true }
  const { profile, mergedIds, totalMergedIds } = await profilesClient.get(request)
  return profile && { profile, mergedIds, totalMergedIds: Number(totalMergedIds) }
}

/** The ID that the events of a person are found by. */
export function eventIdOf({ externalId, id }: Pick<Profile, 'externalId' | 'id'>): string {
  return externalId === '' ? id : externalId
}
