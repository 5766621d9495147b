import type { ServiceImpl } from '@connectrpc/connect'
import type { PersonExportService } from '../../contract/gen/millrace/people/v1/person_export_service_pb.js'
import type { ProjectId } from '../../contract/ids.ts'
import { NO_COHORT } from '../../domain/insights/cohort-filters.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import { openCall, type QueryPorts } from '../calls/query-call.ts'
import { findCohortsOfUser } from '../cohort-calls/cohort-users.ts'
import { loadCohorts } from '../cohorts/cohort-store.ts'
import { findByExternalId, findPerson } from '../people/person.ts'
import { profileNotFound } from '../people/profiles.ts'
import { distinctIdOf, exportPart, type PersonDevices } from './export-part.ts'

/** Dependencies of the export of a person. */
export interface PersonExportPorts extends QueryPorts {
  readonly catalog: Catalog
  /** Reads the devices of a person, which may be none. */
  readonly readDevicesOf: (person: {
    readonly projectId: ProjectId
    readonly externalId: string
    /** Profile id, or the distinct id of an anonymous user. */
    readonly profileId: string
  }) => Promise<PersonDevices>
}

/** `millrace.people.v1.PersonExportService`: everything about one person. Never cached. */
export function createPersonExportService(ports: PersonExportPorts): ServiceImpl<typeof PersonExportService> {
  return {
    export: async ({ id, pageToken }, context) => {
      const { projectId, run } = await openCall(ports, context)
      const withHidden = true
      const named = await findByExternalId({ projectId, externalId: id, withHidden }, run)
      const person = named ?? (await findPerson({ projectId, id, withHidden }, run))
      if (!person) throw profileNotFound()
      return await exportPart(pageToken, {
        projectId,
        person,
        run,
        nowMs: ports.clock.nowMs(),
        readCohorts: async () => {
          const all = await loadCohorts(ports.catalog, projectId)
          const ids = all.map((cohort) => cohort.id)
          const { cohorts: lookup = NO_COHORT } = await openCall(ports, context, ids)
          const user = { projectId, distinctId: distinctIdOf(person) }
          const isIn = await findCohortsOfUser(ids.map(lookup), user, run)
          return all.filter((_, index) => isIn[index])
        },
        readDevices: async () =>
          await ports.readDevicesOf({ projectId, externalId: person.externalId, profileId: person.id }),
      })
    },
  }
}
