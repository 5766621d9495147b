import type { ConnectRouter } from '@connectrpc/connect'
import { UsageService } from '../contract/gen/dashboard/usage/v1/usage_service_pb.js'
import { CohortsService } from '../contract/gen/millrace/cohorts/v1/cohorts_service_pb.js'
import { DictionaryService } from '../contract/gen/millrace/dictionary/v1/dictionary_service_pb.js'
import { WarningsService } from '../contract/gen/millrace/ingest/v1/warnings_service_pb.js'
import { ActorsService } from '../contract/gen/millrace/people/v1/actors_service_pb.js'
import { PersonExportService } from '../contract/gen/millrace/people/v1/person_export_service_pb.js'
import { GoalsService } from '../contract/gen/millrace/web/v1/goals_service_pb.js'
import { ImportsService } from '../contract/gen/millrace/web/v1/imports_service_pb.js'
import { VisitsService } from '../contract/gen/millrace/web/v1/visits_service_pb.js'
import { WebAnalyticsService } from '../contract/gen/millrace/web/v1/web_analytics_service_pb.js'
import { ActivityService } from '../contract/gen/shared/activity/v1/activity_service_pb.js'
import { InsightsService } from '../contract/gen/shared/insights/v1/insights_service_pb.js'
import { ProfilesService } from '../contract/gen/shared/profiles/v1/profiles_service_pb.js'
import { createActivityService } from './activity/activity-service.ts'
import { createActorsService } from './actors/actors-service.ts'
import { type CohortsPorts, createCohortsService } from './cohort-calls/cohorts-service.ts'
import { createDictionaryService } from './dictionary/dictionary-service.ts'
import type { GoalStore } from './goals/goal-store.ts'
import { createGoalsService } from './goals/goals-service.ts'
import { createImportsService, type ImportsPorts } from './imported/imports-service.ts'
import { createInsightsService } from './insights-service.ts'
import { createProfilesService, type ProfilesPorts } from './people/profiles-service.ts'
import { createPersonExportService, type PersonExportPorts } from './person-export/person-export-service.ts'
import { createUsageService } from './usage/usage-service.ts'
import { createVisitsService } from './visits/visits-service.ts'
import { createWarningsService } from './warnings/warnings-service.ts'
import { createWebAnalyticsService } from './web/web-analytics-service.ts'

/**
 * Registers the services that read events and profiles. The edge serves the two methods of ingestion; a query process
 * answers them like unknown methods.
 */
export function registerServices(
  router: ConnectRouter,
  ports: ProfilesPorts & GoalStore & CohortsPorts & ImportsPorts & PersonExportPorts,
): void {
  router.service(InsightsService, createInsightsService(ports))
  router.service(ProfilesService, createProfilesService(ports))
  router.service(ActivityService, createActivityService(ports))
  router.service(GoalsService, createGoalsService(ports))
  router.service(ImportsService, createImportsService(ports))
  router.service(ActorsService, createActorsService(ports))
  router.service(PersonExportService, createPersonExportService(ports))
  router.service(WebAnalyticsService, createWebAnalyticsService(ports))
  router.service(VisitsService, createVisitsService(ports))
  router.service(CohortsService, createCohortsService(ports))
  router.service(DictionaryService, createDictionaryService(ports))
  router.service(WarningsService, createWarningsService(ports))
  router.service(UsageService, createUsageService(ports))
}
