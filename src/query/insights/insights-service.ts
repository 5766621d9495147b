import type { ServiceImpl } from '@connectrpc/connect'
import {
  GetFilterSchemaRequestSchema,
  GetFilterSchemaResponseSchema,
} from '../../contract/gen/common/v1/filter_schema_pb.js'
import {
  GetPropertyValuesRequestSchema,
  GetPropertyValuesResponseSchema,
  type InsightsService,
  QueryRequestSchema,
  QueryResponseSchema,
  SegmentUsersRequestSchema,
  SegmentUsersResponseSchema,
} from '../../contract/gen/shared/insights/v1/insights_service_pb.js'
import { answerQuery, type QueryPorts } from '../query-call.ts'
import { describeFilterSchema } from '../schema/filter-schema.ts'
import { listPropertyValues } from '../schema/property-values.ts'
import { listSegmentUsers } from '../segment-users/segment-users.ts'
import { prepareInsight } from './query-insight.ts'

/** `shared.insights.v1.InsightsService`: analytics queries over events. */
export function createInsightsService(ports: QueryPorts): ServiceImpl<typeof InsightsService> {
  return {
    query: async (request, context) =>
      await answerQuery(ports, {
        input: QueryRequestSchema,
        output: QueryResponseSchema,
        request,
        context,
        answer: async (run, project) => await prepareInsight(request, project).answer(run),
      }),
    segmentUsers: async (request, context) =>
      await answerQuery(ports, {
        input: SegmentUsersRequestSchema,
        output: SegmentUsersResponseSchema,
        request,
        context,
        answer: async (run, { projectId }) => await listSegmentUsers({ request, projectId, run }),
      }),
    getFilterSchema: async (request, context) =>
      await answerQuery(ports, {
        input: GetFilterSchemaRequestSchema,
        output: GetFilterSchemaResponseSchema,
        request,
        context,
        answer: async (run, { projectId }) => await describeFilterSchema({ request, projectId, run }),
      }),
    getPropertyValues: async (request, context) =>
      await answerQuery(ports, {
        input: GetPropertyValuesRequestSchema,
        output: GetPropertyValuesResponseSchema,
        request,
        context,
        answer: async (run, { projectId }) =>
          await listPropertyValues({ request, projectId, reason: 'INVALID_INSIGHT_QUERY', run }),
      }),
  }
}
