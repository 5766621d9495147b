import type { MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import type { ProfileSchema } from '../../contract/gen/shared/profiles/v1/profile_pb.js'
import type { ProjectId } from '../../contract/ids.ts'
import { ServiceError } from '../../contract/service-error.ts'
import type { QueryRunner } from '../sql/select.ts'
import { readSummaries } from './activity-summary.ts'
import { type Person, readTraits } from './person.ts'

/** A profile as the API returns it. */
export type Profile = MessageInitShape<typeof ProfileSchema>

/** Completes users to profiles, in their order, with traits and an activity summary. */
export async function toProfiles(
  { projectId, people }: { readonly projectId: ProjectId; readonly people: readonly Person[] },
  run: QueryRunner,
): Promise<Profile[]> {
  if (people.length === 0) return []
  const users = people.map(({ user }) => user)
  const [traits, summaries] = await Promise.all([
    readTraits({ projectId, users }, run),
    readSummaries({ projectId, users }, run),
  ])
  return people.map(({ user, id, externalId, createdMs, updatedMs }) => ({
    id,
    externalId,
    projectId: String(projectId),
    createTime: timestampFromMs(createdMs),
    updateTime: timestampFromMs(Math.max(updatedMs, createdMs)),
    properties: traits.get(user) ?? {},
    activity: summaries.get(user) ?? {},
  }))
}

/** The profile of a user who was looked up. Throws `not_found`. */
export async function toProfile(
  { projectId, person }: { readonly projectId: ProjectId; readonly person: Person | undefined },
  run: QueryRunner,
): Promise<Profile> {
  const [profile] = await toProfiles({ projectId, people: person ? [person] : [] }, run)
  if (profile) return profile
  throw profileNotFound()
}

/** The error for an unknown id. */
export function profileNotFound(): ServiceError {
  return new ServiceError({
    code: 'not_found',
    reason: 'PROFILE_NOT_FOUND',
    message: 'there is no such profile',
  })
}
