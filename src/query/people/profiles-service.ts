import type { ServiceImpl } from '@connectrpc/connect'
import type { ProfilesService } from '../../contract/gen/shared/profiles/v1/profiles_service_pb.js'
import type { ProjectId } from '../../contract/ids.ts'
import type { ProfileDeletion } from '../../store/clickhouse/user-rows.ts'
import { openCall, type QueryPorts } from '../calls/query-call.ts'
import type { QueryRunner } from '../sql/select.ts'
import { deleteDataSubject, type ErasurePorts, getDeletionRequest } from './data-subject.ts'
import { listProfiles } from './list-profiles.ts'
import { type Merges, readMerges } from './merged-ids.ts'
import { findByExternalId, findPerson, type Person } from './person.ts'
import { type Profile, profileNotFound, toProfile } from './profiles.ts'

/** Dependencies of the methods of profiles besides reading. */
export interface ProfilesPorts extends QueryPorts {
  /** Hides a profile, durably. */
  readonly hideProfile: (deletion: ProfileDeletion) => Promise<void>
  readonly erasures: ErasurePorts
}

/** `shared.profiles.v1.ProfilesService`: user profiles. Never cached. */
export function createProfilesService(ports: ProfilesPorts): Partial<ServiceImpl<typeof ProfilesService>> {
  return {
    get: async ({ id, withMergedIds, orExternalId }, context) => {
      const { projectId, run } = await openCall(ports, context)
      const named = orExternalId ? await findByExternalId({ projectId, externalId: id }, run) : undefined
      const person = named ?? (await findPerson({ projectId, id }, run))
      return await describePerson({ projectId, person, withMergedIds }, run)
    },
    getByExternalId: async ({ externalId, withMergedIds }, context) => {
      const { projectId, run } = await openCall(ports, context)
      const person = await findByExternalId({ projectId, externalId }, run)
      return await describePerson({ projectId, person, withMergedIds }, run)
    },
    list: async function* (request, context) {
      const named = request.cohorts.map(({ cohortId }) => cohortId)
      const { projectId, cohorts, run } = await openCall(ports, context, named)
      yield* listProfiles({ request, projectId, cohorts, run })
    },
    delete: async ({ id }, context) => {
      const { projectId, run } = await openCall(ports, context)
      const person = await findPerson({ projectId, id }, run)
      if (!person) throw profileNotFound()
      await ports.hideProfile({ projectId, user: person.user, deletedMs: ports.clock.nowMs() })
      return {}
    },
    deleteDataSubject: async ({ externalId }, context) => {
      const { projectId, run } = await openCall(ports, context)
      return await deleteDataSubject({ projectId, externalId }, ports.erasures, run)
    },
    getDeletionRequest: async ({ requestId }, context) => {
      const { projectId } = await openCall(ports, context)
      return await getDeletionRequest({ projectId, id: requestId }, ports.erasures)
    },
  }
}

/** A user who was looked up. */
interface FoundPerson {
  readonly projectId: ProjectId
  readonly person: Person | undefined
  readonly withMergedIds: boolean
}

/** The profile of a user, with their merges where the request wants them. Throws `not_found`. */
async function describePerson(
  { projectId, person, withMergedIds }: FoundPerson,
  run: QueryRunner,
): Promise<{ readonly profile: Profile } & Partial<Merges>> {
  const [profile, merges] = await Promise.all([
    toProfile({ projectId, person }, run),
    person && withMergedIds ? readMerges({ projectId, person }, run) : undefined,
  ])
  return { profile, ...merges }
}
