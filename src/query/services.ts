import type { DescService } from '@bufbuild/protobuf'
import type { ConnectRouter } from '@connectrpc/connect'
import { CustomersService } from '../contract/gen/dashboard/customers/v1/customers_service_pb.js'
import { DashboardsService } from '../contract/gen/dashboard/dashboards/v1/dashboards_service_pb.js'
import { OrgEmailProvidersService } from '../contract/gen/dashboard/orgemailproviders/v1/org_email_providers_service_pb.js'
import { OrgsService } from '../contract/gen/dashboard/orgs/v1/orgs_service_pb.js'
import { ProjectsService } from '../contract/gen/dashboard/projects/v1/projects_service_pb.js'
import { AuthService } from '../contract/gen/public/auth/v1/auth_service_pb.js'
import { SharedDashboardsService } from '../contract/gen/public/dashboards/v1/shared_dashboards_service_pb.js'
import { DevicesService } from '../contract/gen/sdk/devices/v1/devices_service_pb.js'
import { ProfilesSDKService } from '../contract/gen/sdk/profiles/v1/profiles_sdk_service_pb.js'
import { ActivityService } from '../contract/gen/shared/activity/v1/activity_service_pb.js'
import { CampaignService } from '../contract/gen/shared/campaigns/v1/campaign_service_pb.js'
import { DeliveryService } from '../contract/gen/shared/delivery/v1/delivery_service_pb.js'
import { InsightsService } from '../contract/gen/shared/insights/v1/insights_service_pb.js'
import { ProfilesService } from '../contract/gen/shared/profiles/v1/profiles_service_pb.js'
import type { ProjectReader } from '../store/catalog/project-reader.ts'
import { exploreEvents } from './activity/event-explorer.ts'
import { grantOf } from './call.ts'

import { prepareInsight } from './insights/query-insight.ts'
import type { RunQuery } from './sql/run.ts'

/** Services none of whose methods exist yet: each answers `unimplemented`. */
const WITHOUT_METHODS: readonly DescService[] = [
  AuthService,
  CampaignService,
  CustomersService,
  DashboardsService,
  DeliveryService,
  DevicesService,
  OrgEmailProvidersService,
  OrgsService,
  ProfilesSDKService,
  ProfilesService,
  ProjectsService,
  SharedDashboardsService,
]

/** What the services answer from. */
export interface QueryPorts {
  readonly run: RunQuery
  readonly projects: ProjectReader
}

/** Registers every service of the query process; a method that is left out answers `unimplemented`. */
export function registerServices(router: ConnectRouter, { run, projects }: QueryPorts): void {
  router.service(InsightsService, {
    query: async (request, context) => {
      const { projectId } = grantOf(context)
      const { reportingTimezone: projectTimeZone } = await projects.read(projectId)
      const insight = prepareInsight(request, { projectId, projectTimeZone })
      return await insight.answer(async (query) => await run(query, context.signal))
    },
  })
  router.service(ActivityService, {
    getEventExplorer: async (request, context) =>
      await exploreEvents({ request, projectId: grantOf(context).projectId, run, signal: context.signal }),
  })
  for (const service of WITHOUT_METHODS) router.service(service, {})
}
