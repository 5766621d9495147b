import { Code, ConnectError, createClient, type Interceptor } from '@connectrpc/connect'
import { createConnectTransport } from '@connectrpc/connect-web'
import { CustomersService } from '@contract/dashboard/customers/v1/customers_service_pb.js'
import { DashboardsService } from '@contract/dashboard/dashboards/v1/dashboards_service_pb.js'
import { OrgEmailProvidersService } from '@contract/dashboard/orgemailproviders/v1/org_email_providers_service_pb.js'
import { OrgsService } from '@contract/dashboard/orgs/v1/orgs_service_pb.js'
import { ProjectsService } from '@contract/dashboard/projects/v1/projects_service_pb.js'
import { AuthService } from '@contract/public/auth/v1/auth_service_pb.js'
import { SharedDashboardsService } from '@contract/public/dashboards/v1/shared_dashboards_service_pb.js'
import { ActivityService } from '@contract/shared/activity/v1/activity_service_pb.js'
import { CampaignService } from '@contract/shared/campaigns/v1/campaign_service_pb.js'
import { InsightsService } from '@contract/shared/insights/v1/insights_service_pb.js'
import { ProfilesService } from '@contract/shared/profiles/v1/profiles_service_pb.js'
import { keepCost } from './query-cost.ts'
import { currentToken, refreshSession } from './session.ts'

/** A call that hangs is worse than one that failed. */
const TIMEOUT_MS = 60_000

let projectId = ''

/** The project that calls from now on are about. */
export function useProject(id: string): void {
  projectId = id
}

/** Sends who calls and in which project; a token that is over is renewed once. */
const authorize: Interceptor = (next) => async (request) => {
  const sentToken = currentToken()
  setHeaders(request.header)
  try {
    return await next(request)
  } catch (thrown) {
    if (ConnectError.from(thrown).code !== Code.Unauthenticated || sentToken === undefined) throw thrown
    if (currentToken() === sentToken) await refreshSession()
    setHeaders(request.header)
    return await next(request)
  }
}

function setHeaders(header: Headers): void {
  const token = currentToken()
  if (token !== undefined) header.set('authorization', `Bearer ${token}`)
  if (projectId !== '') header.set('x-project-id', projectId)
}

/** In binary, because a dashboard's answer has tens of thousands of numbers, and JSON takes longer than a frame to read. */
const CALLS = { baseUrl: location.origin, defaultTimeoutMs: TIMEOUT_MS, useBinaryFormat: true } as const

const transport = createConnectTransport({ ...CALLS, interceptors: [authorize, keepCost] })
const publicTransport = createConnectTransport(CALLS)

/** The public RPCs that the console speaks: what it can do, every client can. */
export const rpc = {
  auth: createClient(AuthService, publicTransport),
  shared: createClient(SharedDashboardsService, publicTransport),
  customers: createClient(CustomersService, transport),
  orgs: createClient(OrgsService, transport),
  projects: createClient(ProjectsService, transport),
  emailProviders: createClient(OrgEmailProvidersService, transport),
  dashboards: createClient(DashboardsService, transport),
  insights: createClient(InsightsService, transport),
  activity: createClient(ActivityService, transport),
  profiles: createClient(ProfilesService, transport),
  campaigns: createClient(CampaignService, transport),
} as const
