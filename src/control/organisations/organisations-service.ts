import type { MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import type { ConnectRouter, HandlerContext, ServiceImpl } from '@connectrpc/connect'
import { customerIdOf, customerOf } from '../../access/caller.ts'
import {
  InvitationStatus,
  type OrgInvitationSchema,
  type OrgMemberSchema,
  OrgRole,
  type OrgSchema,
} from '../../contract/gen/dashboard/orgs/v1/org_pb.js'
import { OrgsService } from '../../contract/gen/dashboard/orgs/v1/orgs_service_pb.js'
import { InvitationsService } from '../../contract/gen/millrace/account/v1/invitations_service_pb.js'
import { asCustomerId, asOrganisationId } from '../../contract/ids.ts'
import { acceptByLink } from './accept-invitation.ts'
import {
  type Invitation,
  type InvitationPorts,
  inviteMember,
  listInvitations,
  resendInvitation,
  revokeInvitation,
  type SentInvitation,
} from './invitations.ts'
import { parseMemberPage } from './member-paging.ts'
import { changeRole, leaveOrganisation, listMembers, type Member, removeMember } from './members.ts'
import type { MembershipKey } from './membership.ts'
import {
  createOrganisation,
  listOrganisations,
  type Organisation,
  readOrganisation,
  renameOrganisation,
} from './organisations.ts'
import { encodeRole, parseRole } from './roles.ts'
import { changeSecondFactorRule, resetSecondFactor } from './second-factor-rule.ts'

/** Registers `dashboard.orgs.v1.OrgsService` and `millrace.account.v1.InvitationsService`. */
export function registerOrganisations(router: ConnectRouter, ports: InvitationPorts): void {
  router.service(OrgsService, createOrganisationsService(ports))
  router.service(InvitationsService, createInvitationsService(ports))
}

/** `millrace.account.v1.InvitationsService`: accepts invitations as the caller. */
export function createInvitationsService({
  catalog,
  clock,
}: Pick<InvitationPorts, 'catalog' | 'clock'>): ServiceImpl<typeof InvitationsService> {
  return {
    accept: async ({ token }, context) => {
      const customerId = customerIdOf(context)
      const organisationId = await acceptByLink({ catalog, clock }, { customerId, token })
      return { org: toOrg(await readOrganisation(catalog, { organisationId, customerId })) }
    },
  }
}

/** `dashboard.orgs.v1.OrgsService`: organisations, their members and invitations. */
export function createOrganisationsService(ports: InvitationPorts): ServiceImpl<typeof OrgsService> {
  return {
    ...organisationMethods(ports),
    ...memberMethods(ports),
    ...secondFactorMethods(ports),
    ...invitationMethods(ports),
  }
}

function organisationMethods({ catalog, clock }: InvitationPorts) {
  return {
    list: async (_, context) => ({
      orgs: (await listOrganisations(catalog, customerIdOf(context))).map(toOrg),
    }),
    get: async ({ orgId }, context) => ({
      org: toOrg(await readOrganisation(catalog, keyOf(orgId, context))),
    }),
    create: async ({ displayName }, context) => ({
      org: toOrg(
        await createOrganisation(catalog, clock, { customerId: customerIdOf(context), displayName }),
      ),
    }),
    updateDisplayName: async ({ orgId, displayName }, context) => ({
      org: toOrg(await renameOrganisation(catalog, { ...keyOf(orgId, context), displayName })),
    }),
  } satisfies Partial<ServiceImpl<typeof OrgsService>>
}

function memberMethods({ catalog }: InvitationPorts) {
  return {
    listMembers: async ({ orgId, role, customerIds, ...page }, context) => {
      const filter = {
        ...parseMemberPage(page),
        role: role === OrgRole.UNSPECIFIED ? undefined : parseRole(role),
        customerIds: customerIds.length === 0 ? undefined : customerIds,
      }
      const { members, nextPageToken } = await listMembers(catalog, keyOf(orgId, context), filter)
      return { members: members.map(toOrgMember), nextPageToken }
    },
    removeMember: async ({ orgId, customerId }, context) => {
      await removeMember(catalog, { ...keyOf(orgId, context), memberId: asCustomerId(customerId) })
      return {}
    },
    updateMemberRole: async ({ orgId, customerId, role }, context) => {
      const change = {
        ...keyOf(orgId, context),
        memberId: asCustomerId(customerId),
        role: parseRole(role),
      }
      return { member: toOrgMember(await changeRole(catalog, change)) }
    },
    leave: async ({ orgId }, context) => {
      await leaveOrganisation(catalog, keyOf(orgId, context))
      return {}
    },
  } satisfies Partial<ServiceImpl<typeof OrgsService>>
}

function secondFactorMethods(ports: InvitationPorts) {
  return {
    updateSecondFactor: async ({ orgId, required: isRequired }, context) => {
      const { sessionId } = customerOf(context)
      const change = { ...keyOf(orgId, context), sessionId, isRequired }
      return { org: toOrg(await changeSecondFactorRule(ports, change)) }
    },
    resetMemberSecondFactor: async ({ orgId, customerId }, context) => {
      const { sessionId } = customerOf(context)
      await resetSecondFactor(ports, {
        ...keyOf(orgId, context),
        sessionId,
        memberId: asCustomerId(customerId),
      })
      return {}
    },
  } satisfies Partial<ServiceImpl<typeof OrgsService>>
}

function invitationMethods(ports: InvitationPorts) {
  return {
    inviteMember: async ({ orgId, email, role, projectRoles }, context) => {
      const roles = projectRoles.map((one, index) => ({
        projectId: one.projectId,
        role: parseRole(one.role, `projectRoles[${index}].role`),
      }))
      const invited = { ...keyOf(orgId, context), email, role: parseRole(role), projectRoles: roles }
      return toSentInvitation(await inviteMember(ports, invited))
    },
    resendInvite: async ({ orgId, invitationId }, context) => {
      const key = { ...keyOf(orgId, context), invitationId }
      return toSentInvitation(await resendInvitation(ports, key))
    },
    revokeInvite: async ({ orgId, invitationId }, context) => {
      await revokeInvitation(ports.catalog, { ...keyOf(orgId, context), invitationId })
      return {}
    },
    listInvitations: async ({ orgId }, context) => ({
      invitations: (await listInvitations(ports.catalog, keyOf(orgId, context))).map(toOrgInvitation),
    }),
  } satisfies Partial<ServiceImpl<typeof OrgsService>>
}

function keyOf(orgId: string, context: HandlerContext): MembershipKey {
  return { organisationId: asOrganisationId(orgId), customerId: customerIdOf(context) }
}

function toOrg(organisation: Organisation): MessageInitShape<typeof OrgSchema> {
  const { id, displayName, role, isSecondFactorRequired } = organisation
  return { id, displayName, role: encodeRole(role), secondFactorRequired: isSecondFactorRequired }
}

function toOrgMember(member: Member): MessageInitShape<typeof OrgMemberSchema> {
  const { organisationId, customerId, displayName, email, role, lastActiveMs, hasSecondFactor } = member
  return {
    orgId: organisationId,
    customerId,
    displayName,
    email,
    role: encodeRole(role),
    hasSecondFactor,
    ...(lastActiveMs !== undefined && { lastActiveTime: timestampFromMs(lastActiveMs) }),
  }
}

function toSentInvitation(sent: SentInvitation) {
  return { invitation: toOrgInvitation(sent), link: sent.link }
}

/** An expired invitation is presented as pending with its past expiry, because it can be resent. */
function toOrgInvitation(invitation: Invitation): MessageInitShape<typeof OrgInvitationSchema> {
  const { id, organisationId, email, role, status, expiresMs, mailError, projectRoles } = invitation
  return {
    id,
    orgId: organisationId,
    email,
    role: encodeRole(role),
    status: status === 'accepted' ? InvitationStatus.ACCEPTED : InvitationStatus.PENDING,
    expiresAt: new Date(expiresMs).toISOString(),
    mailError,
    projectRoles: projectRoles.map((one) => ({
      projectId: String(one.projectId),
      role: encodeRole(one.role),
    })),
  }
}
