import type { ServiceImpl } from '@connectrpc/connect'
import {
  GetPropertyValuesRequestSchema,
  GetPropertyValuesResponseSchema,
  type InsightsService,
  QueryRequestSchema,
  QueryResponseSchema,
  SegmentUsersRequestSchema,
  SegmentUsersResponseSchema,
} from '../contract/gen/shared/insights/v1/insights_service_pb.js'
import { cohortIdsOfSegment, cohortIdsOfSpec } from '../domain/insights/cohort-filters.ts'
import { answerQuery, type QueryPorts } from './calls/query-call.ts'
import { answerFilterSchema } from './filter-schema/answer-filter-schema.ts'
import { listPropertyValues } from './filter-schema/property-values.ts'
import { prepareInsight } from './insight-types.ts'
import { listSegmentUsers } from './segment-users/segment-users.ts'

/** `shared.insights.v1.InsightsService`: analytics queries over events. */
export function createInsightsService(ports: QueryPorts): ServiceImpl<typeof InsightsService> {
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
    getFilterSchema: async (request, context) => await answerFilterSchema(ports, { request, context }),
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
