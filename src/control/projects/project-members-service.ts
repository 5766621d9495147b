import type { MessageInitShape } from '@bufbuild/protobuf'
import type { ServiceImpl } from '@connectrpc/connect'
import { customerIdOf, projectAccessOf } from '../../access/caller.ts'
import { OrgRole } from '../../contract/gen/dashboard/orgs/v1/org_pb.js'
import type {
  ProjectMemberSchema,
  ProjectMembersService,
} from '../../contract/gen/millrace/projects/v1/project_members_service_pb.js'
import { asCustomerId } from '../../contract/ids.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Catalog } from '../../store/catalog/catalog.ts'
import type { ProjectColleague } from '../../store/catalog/project-roles.ts'
import { parseMemberPage } from '../organisations/member-paging.ts'
import { encodeRole, parseRole } from '../organisations/roles.ts'
import { listProjectMembers, removeProjectRole, setProjectRole } from './project-members.ts'

/** `millrace.projects.v1.ProjectMembersService`: the roles that a project gives to members of its organisation. */
export function createProjectMembersService(ports: {
  readonly catalog: Catalog
  readonly clock: Clock
}): ServiceImpl<typeof ProjectMembersService> {
  return {
    list: async (request, context) => {
      const { projectId } = projectAccessOf(context)
      const asked = { projectId, callerId: customerIdOf(context) }
      const page = parseMemberPage(request)
      const { members, nextPageToken } = await listProjectMembers(ports.catalog, asked, page)
      return { members: members.map(toMember), nextPageToken }
    },
    setRole: async ({ customerId, role }, context) => {
      const { projectId } = projectAccessOf(context)
      const change = { projectId, memberId: asCustomerId(customerId), role: parseRole(role) }
      return { member: toMember(await setProjectRole(ports, change)) }
    },
    removeRole: async ({ customerId }, context) => {
      const { projectId } = projectAccessOf(context)
      const key = { projectId, memberId: asCustomerId(customerId) }
      return { member: toMember(await removeProjectRole(ports.catalog, key)) }
    },
  }
}

function toMember(member: ProjectColleague): MessageInitShape<typeof ProjectMemberSchema> {
  const { customerId, displayName, email, role, inOrganisation, ofProject } = member
  return {
    customerId,
    displayName,
    email,
    role: encodeRole(role),
    orgRole: encodeRole(inOrganisation),
    projectRole: ofProject === undefined ? OrgRole.UNSPECIFIED : encodeRole(ofProject),
  }
}
