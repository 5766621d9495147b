import { isFieldSet, type MessageInitShape } from '@bufbuild/protobuf'
import type { ConnectRouter, HandlerContext, ServiceImpl } from '@connectrpc/connect'
import { customerIdOf, customerOf, projectAccessOf } from '../../access/caller.ts'
import type { ProjectSchema } from '../../contract/gen/dashboard/projects/v1/project_pb.js'
import {
  ProjectsService,
  UpdateMetaRequestSchema,
} from '../../contract/gen/dashboard/projects/v1/projects_service_pb.js'
import { ApiKeysService } from '../../contract/gen/millrace/keys/v1/api_keys_service_pb.js'
import { ProjectMembersService } from '../../contract/gen/millrace/projects/v1/project_members_service_pb.js'
import { RetentionService } from '../../contract/gen/millrace/projects/v1/retention_service_pb.js'
import { asOrganisationId, type ProjectId } from '../../contract/ids.ts'
import type { Role } from '../../contract/role.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Sealer } from '../../kernel/sealer.ts'
import { listProjectKeys } from '../../store/catalog/api-keys.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import { listSharedWith } from '../../store/catalog/dashboard-guests.ts'
import { requireRecentProof } from '../factors/second-factor.ts'
import type { MembershipKey } from '../organisations/membership.ts'
import { encodeRole } from '../organisations/roles.ts'
import { parseKind, toApiKey } from './api-key-message.ts'
import { createApiKeysService } from './api-keys-service.ts'
import { deleteProject } from './delete-project.ts'
import { createDemoProject, type FillDemo } from './demo-project.ts'
import { storeFcmAccount } from './fcm-account.ts'
import { parseKeyLimits } from './parse-key-limits.ts'
import { createProjectKey, deleteProjectKey } from './project-keys.ts'
import { createProjectMembersService } from './project-members-service.ts'
import { createProject, listProjects, type OpenProject, readProject, updateProject } from './projects.ts'
import type { RetentionPorts } from './retention.ts'
import { createRetentionService } from './retention-service.ts'

/** Dependencies of the service. */
export interface ProjectsPorts {
  readonly catalog: Catalog
  readonly clock: Clock
  readonly sealer: Sealer
  readonly fillDemo: FillDemo
}

/** Registers the services of projects, of their keys, members and retention. */
export function registerProjects(router: ConnectRouter, ports: ProjectsPorts & RetentionPorts): void {
  router.service(ProjectsService, createProjectsService(ports))
  router.service(ApiKeysService, createApiKeysService(ports))
  router.service(ProjectMembersService, createProjectMembersService(ports))
  router.service(RetentionService, createRetentionService(ports))
}

/** `dashboard.projects.v1.ProjectsService`: projects and their keys. */
export function createProjectsService(ports: ProjectsPorts): ServiceImpl<typeof ProjectsService> {
  return { ...organisationMethods(ports), ...projectMethods(ports), ...keyMethods(ports) }
}

function organisationMethods({ catalog, clock, fillDemo }: ProjectsPorts) {
  return {
    batchGet: async ({ orgId }, context) => {
      const key = keyOf(orgId, context)
      const projects = (await listProjects(catalog, key)).map(toMessage)
      return { projects, sharedDashboardCount: (await listSharedWith(catalog, key)).length }
    },
    create: async ({ orgId, displayName, reportingTimezone, isDemo }, context) => {
      const project = { ...keyOf(orgId, context), displayName, reportingTimezone }
      const created = isDemo
        ? await createDemoProject({ catalog, clock, fillDemo }, project)
        : await createProject(catalog, clock, project)
      return { project: toMessage({ ...created, role: 'admin' }) }
    },
  } satisfies Partial<ServiceImpl<typeof ProjectsService>>
}

function projectMethods({ catalog, clock, sealer }: ProjectsPorts) {
  return {
    get: async (_, context) => ({
      project: toMessage({ ...(await readProject(catalog, projectOf(context))), role: roleOf(context) }),
    }),
    updateMeta: async (request, context) => {
      const { displayName, reportingTimezone } = request
      const isSet = isFieldSet(request, UpdateMetaRequestSchema.field.excludeBots)
      const excludeBots = isSet ? request.excludeBots : undefined
      const domains = request.domains?.names
      const change = { id: projectOf(context), displayName, reportingTimezone, excludeBots, domains }
      return { project: toMessage({ ...(await updateProject(catalog, change)), role: roleOf(context) }) }
    },
    updateFCMServiceJSON: async ({ fcmServiceJson }, context) => {
      const projectId = projectOf(context)
      await storeFcmAccount({ catalog, sealer }, { projectId, text: fcmServiceJson })
      return {}
    },
    delete: async (_, context) => {
      await requireRecentProof({ catalog, clock }, customerOf(context))
      await deleteProject(catalog, clock, projectOf(context))
      return {}
    },
  } satisfies Partial<ServiceImpl<typeof ProjectsService>>
}

function keyMethods({ catalog, clock }: ProjectsPorts) {
  return {
    listApiKeys: async (_, context) => {
      const { id } = await readProject(catalog, projectOf(context))
      return { apiKeys: (await listProjectKeys(catalog, id)).map(toApiKey) }
    },
    createApiKey: async ({ kind, displayName, ...limits }, context) => {
      const projectId = projectOf(context)
      const key = { projectId, kind: parseKind(kind), displayName, ...parseKeyLimits(clock, limits) }
      // A private key outlives the session, and needs no second factor.
      if (key.kind === 'private') await requireRecentProof({ catalog, clock }, customerOf(context))
      const { row, text } = await createProjectKey(catalog, clock, key)
      // The key is shown only once: no cache may store it.
      context.responseHeader.set('cache-control', 'no-store')
      return { apiKey: toApiKey(row), key: text }
    },
    deleteApiKey: async ({ id }, context) => {
      await deleteProjectKey(catalog, { projectId: projectOf(context), id })
      return {}
    },
  } satisfies Partial<ServiceImpl<typeof ProjectsService>>
}

/** The project of the header; the caller's role was checked before. */
function projectOf(context: HandlerContext): ProjectId {
  return projectAccessOf(context).projectId
}

function roleOf(context: HandlerContext): Role {
  return projectAccessOf(context).role
}

function keyOf(orgId: string, context: HandlerContext): MembershipKey {
  return { organisationId: asOrganisationId(orgId), customerId: customerIdOf(context) }
}

function toMessage(project: OpenProject): MessageInitShape<typeof ProjectSchema> {
  return {
    id: String(project.id),
    orgId: project.organisationId,
    displayName: project.displayName,
    reportingTimezone: project.reportingTimezone,
    fcmServiceJson: project.fcmRedacted,
    excludeBots: project.excludeBots,
    isDemo: project.isDemo,
    domains: [...project.domains],
    role: encodeRole(project.role),
  }
}
