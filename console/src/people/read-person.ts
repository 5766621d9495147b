import { Code, ConnectError } from '@connectrpc/connect'
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
 * event. Throws the errors of the calls.
 */
export async function readPerson(reference: string): Promise<KnownPerson | undefined> {
  const [, kind = 'user', id = reference] = /^(id|user):(.*)$/s.exec(reference) ?? []
  if (kind === 'id') return toPerson(await profilesClient.get({ id, withMergedIds: true }))
  try {
    return toPerson(await profilesClient.getByExternalId({ externalId: id, withMergedIds: true }))
  } catch (thrown) {
    if (ConnectError.from(thrown).code !== Code.NotFound) throw thrown
    return toPerson(await profilesClient.get({ id, withMergedIds: true }))
  }
}

function toPerson(answer: {
  readonly profile?: Profile | undefined
  readonly mergedIds: readonly MergedId[]
  readonly totalMergedIds: bigint
}): KnownPerson | undefined {
  const { profile, mergedIds, totalMergedIds } = answer
  return profile && { profile, mergedIds, totalMergedIds: Number(totalMergedIds) }
}

/** The ID that the events of a person are found by. */
export function eventIdOf({ externalId, id }: Pick<Profile, 'externalId' | 'id'>): string {
  return externalId === '' ? id : externalId
}
