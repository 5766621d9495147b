import type { ConnectRouter } from '@connectrpc/connect'
import { ActivityService } from '../contract/gen/shared/activity/v1/activity_service_pb.js'
import { InsightsService } from '../contract/gen/shared/insights/v1/insights_service_pb.js'
import { ProfilesService } from '../contract/gen/shared/profiles/v1/profiles_service_pb.js'
import { createActivityService } from './activity/activity-service.ts'
import { createInsightsService } from './insights/insights-service.ts'
import { createProfilesService } from './people/profiles-service.ts'
import type { QueryPorts } from './query-call.ts'

/**
 * Registers the services that answer questions. Both methods of ingestion are the edge's: one that a proxy sends to a query
 * process is a method that is not there.
 */
export function registerServices(router: ConnectRouter, ports: QueryPorts): void {
  router.service(InsightsService, createInsightsService(ports))
  router.service(ProfilesService, createProfilesService(ports))
  router.service(ActivityService, createActivityService(ports))
}
