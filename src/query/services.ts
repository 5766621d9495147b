import type { ConnectRouter, ServiceImpl } from '@connectrpc/connect'
import {
  GetFilterSchemaRequestSchema,
  GetFilterSchemaResponseSchema,
} from '../contract/gen/common/v1/filter_schema_pb.js'
import { UsageService } from '../contract/gen/dashboard/usage/v1/usage_service_pb.js'
import { CohortsService } from '../contract/gen/millrace/cohorts/v1/cohorts_service_pb.js'
import { DictionaryService } from '../contract/gen/millrace/dictionary/v1/dictionary_service_pb.js'
import { WarningsService } from '../contract/gen/millrace/ingest/v1/warnings_service_pb.js'
import {
  ActorsService,
  ListRequestSchema,
  ListResponseSchema,
} from '../contract/gen/millrace/people/v1/actors_service_pb.js'
import { PersonExportService } from '../contract/gen/millrace/people/v1/person_export_service_pb.js'
import { GoalsService } from '../contract/gen/millrace/web/v1/goals_service_pb.js'
import { ImportsService } from '../contract/gen/millrace/web/v1/imports_service_pb.js'
import { VisitsService } from '../contract/gen/millrace/web/v1/visits_service_pb.js'
import { WebAnalyticsService } from '../contract/gen/millrace/web/v1/web_analytics_service_pb.js'
import { ActivityService } from '../contract/gen/shared/activity/v1/activity_service_pb.js'
import {
  GetPropertyValuesRequestSchema,
  GetPropertyValuesResponseSchema,
  InsightsService,
  QueryRequestSchema,
  QueryResponseSchema,
  SegmentUsersRequestSchema,
  SegmentUsersResponseSchema,
} from '../contract/gen/shared/insights/v1/insights_service_pb.js'
import { ProfilesService } from '../contract/gen/shared/profiles/v1/profiles_service_pb.js'
import { cohortIdsOfSegment, cohortIdsOfSpec } from '../domain/insights/cohort-filters.ts'
import { createActivityService } from './activity/activity-service.ts'
import { listActors } from './actors/list-actors.ts'
import { answerQuery, type QueryPorts } from './calls/query-call.ts'
import { type CohortsPorts, createCohortsService } from './cohort-calls/cohorts-service.ts'
import { createDictionaryService } from './dictionary/dictionary-service.ts'
import { describeFilterSchema } from './filter-schema/filter-schema.ts'
import { listPropertyValues } from './filter-schema/property-values.ts'
import type { GoalStore } from './goals/goal-store.ts'
import { createGoalsService } from './goals/goals-service.ts'
import { createImportsService, type ImportsPorts } from './imported/imports-service.ts'
import { prepareInsight } from './insight-types.ts'
import { createProfilesService, type ProfilesPorts } from './people/profiles-service.ts'
import { createPersonExportService, type PersonExportPorts } from './person-export/person-export-service.ts'
import { listSegmentUsers } from './segment-users/segment-users.ts'
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

/** `shared.insights.v1.InsightsService`: analytics queries over events. */
function createInsightsService(ports: QueryPorts): ServiceImpl<typeof InsightsService> {
  return {
    query: async (request, context) =>
      await answerQuery(ports, {
        input: QueryRequestSchema,
        output: QueryResponseSchema,
        request,
        context,
        cohortIds: cohortIdsOfSpec(request.spec),
        answer: async (run, project) => await prepareInsight(request, project).answer(run),
      }),
    segmentUsers: async (request, context) =>
      await answerQuery(ports, {
        input: SegmentUsersRequestSchema,
        output: SegmentUsersResponseSchema,
        request,
        context,
        cohortIds: cohortIdsOfSegment(request),
        answer: async (run, { projectId, cohorts, mergedKinds }) =>
          await listSegmentUsers({ request, projectId, cohorts, mergedKinds, run }),
      }),
    getFilterSchema: async (request, context) =>
      await answerQuery(ports, {
        input: GetFilterSchemaRequestSchema,
        output: GetFilterSchemaResponseSchema,
        request,
        context,
        answer: async (run, { projectId }) => {
          const { names } = await ports.projects.read(projectId)
          return await describeFilterSchema({ request, projectId, names, run })
        },
      }),
    getPropertyValues: async (request, context) =>
      await answerQuery(ports, {
        input: GetPropertyValuesRequestSchema,
        output: GetPropertyValuesResponseSchema,
        request,
        context,
        answer: async (run, project) =>
          await listPropertyValues({ ...project, request, reason: 'INVALID_INSIGHT_QUERY', run }),
      }),
  }
}

/** `millrace.people.v1.ActorsService`: the users behind the numbers of insights. */
function createActorsService(ports: QueryPorts): ServiceImpl<typeof ActorsService> {
  return {
    list: async (request, context) =>
      await answerQuery(ports, {
        input: ListRequestSchema,
        output: ListResponseSchema,
        request,
        context,
        cohortIds: cohortIdsOfSpec(request.query?.spec),
        answer: async (run, project) => await listActors({ request, project, run }),
      }),
  }
}
