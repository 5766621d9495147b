import type { ServiceImpl } from '@connectrpc/connect'
import type { ProfilesService } from '../../contract/gen/shared/profiles/v1/profiles_service_pb.js'
import type { ProfileDeletion } from '../../store/clickhouse/user-rows.ts'
import { openCall, type QueryPorts } from '../calls/query-call.ts'
import { deleteDataSubject, type ErasurePorts, getDeletionRequest } from './data-subject.ts'
import { listProfiles } from './list-profiles.ts'
import { findByExternalId, findPerson } from './person.ts'
import { profileNotFound, toProfile } from './profiles.ts'

/** Dependencies of the methods of profiles besides reading. */
export interface ProfilesPorts extends QueryPorts {
  /** Hides a profile, durably. */
  readonly hideProfile: (deletion: ProfileDeletion) => Promise<void>
  readonly erasures: ErasurePorts
}

/** `shared.profiles.v1.ProfilesService`: user profiles. Never cached. */
export function createProfilesService(ports: ProfilesPorts): Partial<ServiceImpl<typeof ProfilesService>> {
  return {
    get: async ({ id }, context) => {
      const { projectId, run } = await openCall(ports, context)
      const person = await findPerson({ projectId, id }, run)
      return { profile: await toProfile({ projectId, person }, run) }
    },
    getByExternalId: async ({ externalId }, context) => {
      const { projectId, run } = await openCall(ports, context)
      const person = await findByExternalId({ projectId, externalId }, run)
      return { profile: await toProfile({ projectId, person }, run) }
    },
    list: async function* (request, context) {
      const { projectId, run } = await openCall(ports, context)
      yield* listProfiles({ request, projectId, run })
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
