import { Code, ConnectError } from '@connectrpc/connect'
import type { Profile } from '@contract/shared/profiles/v1/profile_pb.js'
import { ProfilesService } from '@contract/shared/profiles/v1/profiles_service_pb.js'
import { clientOf } from '../rpc/client.ts'

const profilesClient = clientOf(ProfilesService)

/**
 * Reads a person by `id:` and the ID of a profile, or by `user:` and the ID of an event; a text without either is the ID of an
 * event. Throws the errors of the calls.
 */
export async function readProfile(reference: string): Promise<Profile | undefined> {
  const [, kind = 'user', id = reference] = /^(id|user):(.*)$/s.exec(reference) ?? []
  if (kind === 'id') return (await profilesClient.get({ id })).profile
  try {
    return (await profilesClient.getByExternalId({ externalId: id })).profile
  } catch (thrown) {
    if (ConnectError.from(thrown).code !== Code.NotFound) throw thrown
    return (await profilesClient.get({ id })).profile
  }
}

/** The ID that the events of a person are found by. */
export function eventIdOf({ externalId, id }: Pick<Profile, 'externalId' | 'id'>): string {
  return externalId === '' ? id : externalId
}
