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
import {
  InsightsService,
  QueryRequestSchema,
  QueryResponseSchema,
} from '../contract/gen/shared/insights/v1/insights_service_pb.js'
import { ProfilesService } from '../contract/gen/shared/profiles/v1/profiles_service_pb.js'
import { createActivityService } from './activity/activity-service.ts'
import { prepareInsight } from './insights/query-insight.ts'
import { createProfilesService } from './people/profiles-service.ts'
import { answerQuestion, type QueryPorts } from './question-call.ts'

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
  ProjectsService,
  SharedDashboardsService,
]

/** Registers every service of the query process; a method that is left out answers `unimplemented`. */
export function registerServices(router: ConnectRouter, ports: QueryPorts): void {
  router.service(InsightsService, {
    query: async (request, context) =>
      await answerQuestion(ports, {
        input: QueryRequestSchema,
        output: QueryResponseSchema,
        request,
        context,
        answer: async (ask, project) => await prepareInsight(request, project).answer(ask),
      }),
  })
  router.service(ProfilesService, createProfilesService(ports))
  router.service(ActivityService, createActivityService(ports))
  for (const service of WITHOUT_METHODS) router.service(service, {})
}
