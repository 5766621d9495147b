import type { DescMethod } from '@bufbuild/protobuf'
import { CustomersService } from '@contract/dashboard/customers/v1/customers_service_pb.js'
import type { Org } from '@contract/dashboard/orgs/v1/org_pb.js'
import { OrgsService } from '@contract/dashboard/orgs/v1/orgs_service_pb.js'
import type { Project } from '@contract/dashboard/projects/v1/project_pb.js'
import { ProjectsService } from '@contract/dashboard/projects/v1/projects_service_pb.js'
import { createContext, useContext } from 'solid-js'
import { clientOf } from '../rpc/client.ts'
import { mayCall } from './access.ts'

const customersClient = clientOf(CustomersService)
const orgsClient = clientOf(OrgsService)
const projectsClient = clientOf(ProjectsService)

/** An organisation and its projects. */
export interface Organisation {
  readonly org: Org
  readonly projects: readonly Project[]
}

/** What whoever is signed in can see. */
export interface Account {
  readonly customerId: string
  readonly email: string
  readonly isEmailVerified: boolean
  readonly organisations: readonly Organisation[]
}

/** The project that is looked at. */
export interface Workspace {
  readonly account: Account
  readonly org: Org
  readonly project: Project
  /** IANA name of the zone that the project reports in. */
  readonly timeZone: string
  /** Reads the account again. */
  readonly reload: () => Promise<void>
}

const WorkspaceContext = createContext<() => Workspace>()

/** Gives pages the project that they are about. */
export const WorkspaceProvider = WorkspaceContext.Provider

/** The project that is looked at. */
export function useWorkspace(): () => Workspace {
  const workspace = useContext(WorkspaceContext)
  if (!workspace) throw new Error('this page is about no project')
  return workspace
}

/** Reads the account with all of its projects. Throws what the calls throw. */
export async function loadAccount(): Promise<Account> {
  const [me, { orgs }] = await Promise.all([customersClient.getMe({}), orgsClient.list({})])
  const organisations = await Promise.all(
    orgs.map(async (org) => ({ org, projects: (await projectsClient.batchGet({ orgId: org.id })).projects })),
  )
  const { customerId, email, emailVerified: isEmailVerified } = me
  return { customerId, email, isEmailVerified, organisations }
}

/** Tells which methods whoever is signed in may call in the project that is looked at. */
export function useMay(): (method: DescMethod) => boolean {
  const workspace = useWorkspace()
  return (method) => mayCall(workspace().org, method)
}
