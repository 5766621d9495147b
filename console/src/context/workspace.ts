import type { DescMethod } from '@bufbuild/protobuf'
import { CustomersService } from '@contract/dashboard/customers/v1/customers_service_pb.js'
import type { Org } from '@contract/dashboard/orgs/v1/org_pb.js'
import { OrgsService } from '@contract/dashboard/orgs/v1/orgs_service_pb.js'
import type { Project } from '@contract/dashboard/projects/v1/project_pb.js'
import { ProjectsService } from '@contract/dashboard/projects/v1/projects_service_pb.js'
import { createContext, useContext } from 'solid-js'
import { clientOf } from '../rpc/client.ts'
import { Failure } from '../rpc/failure.ts'
import { mayCall, rolesIn } from './access.ts'

const customersClient = clientOf(CustomersService)
const orgsClient = clientOf(OrgsService)
const projectsClient = clientOf(ProjectsService)

/** An organisation and its projects. */
export interface Organisation {
  readonly org: Org
  readonly projects: readonly Project[]
  /** It requires a second factor, which the session has not proved: its projects are unknown. */
  readonly isLocked: boolean
  /** The number of dashboards of its other projects that are shared with the account. */
  readonly sharedCount: number
}

/** Whether dashboards of an organisation are shared with the account. */
export function isSharing({ sharedCount }: Organisation): boolean {
  return sharedCount > 0
}

/** The account of the signed-in user. */
export interface Account {
  readonly customerId: string
  readonly email: string
  readonly isEmailVerified: boolean
  readonly hasPassword: boolean
  readonly organisations: readonly Organisation[]
}

/** What pages about the account need. It may have no project. */
export interface AccountPlace {
  readonly account: Account
  /** IANA name of the zone in which times are shown. */
  readonly timeZone: string
  /** Reads the account again. */
  readonly reload: () => Promise<void>
}

/** The current project. Times are in the zone that it reports in. */
export interface Workspace extends AccountPlace {
  readonly org: Org
  readonly project: Project
}

const AccountContext = createContext<() => AccountPlace>()

/** Provides the account to pages outside of a project. */
export const AccountProvider = AccountContext.Provider

/** The account of the signed-in user, inside and outside of a project. */
export function useAccount(): () => AccountPlace {
  return useContext(AccountContext) ?? useWorkspace()
}

const WorkspaceContext = createContext<() => Workspace>()

/** Provides the current project to pages. */
export const WorkspaceProvider = WorkspaceContext.Provider

/** The current project. */
export function useWorkspace(): () => Workspace {
  const workspace = useContext(WorkspaceContext)
  if (!workspace) throw new Error('this page has no project')
  return workspace
}

/** Reads the account with all of its projects. Throws the errors of the calls. */
export async function loadAccount(): Promise<Account> {
  const [me, { orgs }] = await Promise.all([customersClient.getMe({}), orgsClient.list({})])
  const organisations = await Promise.all(orgs.map(readOrganisation))
  const { customerId, email, emailVerified: isEmailVerified, hasPassword } = me
  return { customerId, email, isEmailVerified, hasPassword, organisations }
}

async function readOrganisation(org: Org): Promise<Organisation> {
  try {
    const { projects, sharedDashboardCount } = await projectsClient.batchGet({ orgId: org.id })
    return { org, projects, isLocked: false, sharedCount: sharedDashboardCount }
  } catch (thrown) {
    if (Failure.from(thrown).reason !== 'SECOND_FACTOR_REQUIRED') throw thrown
    return { org, projects: [], isLocked: true, sharedCount: 0 }
  }
}

/** Whether the signed-in user may call a method in the current project. */
export function useMay(): (method: DescMethod) => boolean {
  const workspace = useWorkspace()
  return (method) => mayCall(rolesIn(workspace()), method)
}
