import type { DescService } from '@bufbuild/protobuf'
import type { ConnectRouter } from '@connectrpc/connect'
import { ProfilesSDKService } from '../contract/gen/sdk/profiles/v1/profiles_sdk_service_pb.js'
import { ActivityService } from '../contract/gen/shared/activity/v1/activity_service_pb.js'
import { InsightsService } from '../contract/gen/shared/insights/v1/insights_service_pb.js'
import { ProfilesService } from '../contract/gen/shared/profiles/v1/profiles_service_pb.js'
import { createActivityService } from './activity/activity-service.ts'
import { createInsightsService } from './insights/insights-service.ts'
import { createProfilesService } from './people/profiles-service.ts'
import type { QueryPorts } from './question-call.ts'

/** Services none of whose methods exist yet: each answers `unimplemented`. */
const WITHOUT_METHODS: readonly DescService[] = [ProfilesSDKService]

/** Registers every service of the query process; a method that is left out answers `unimplemented`. */
export function registerServices(router: ConnectRouter, ports: QueryPorts): void {
  router.service(InsightsService, createInsightsService(ports))
  router.service(ProfilesService, createProfilesService(ports))
  router.service(ActivityService, createActivityService(ports))
  for (const service of WITHOUT_METHODS) router.service(service, {})
}
