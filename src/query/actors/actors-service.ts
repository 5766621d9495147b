import type { ServiceImpl } from '@connectrpc/connect'
import {
  type ActorsService,
  ListRequestSchema,
  ListResponseSchema,
} from '../../contract/gen/millrace/people/v1/actors_service_pb.js'
import { cohortIdsOfSpec } from '../../domain/insights/cohort-filters.ts'
import { answerQuery, type QueryPorts } from '../calls/query-call.ts'
import { listActors } from './list-actors.ts'

/** `millrace.people.v1.ActorsService`: the users behind the numbers of insights. */
export function createActorsService(ports: QueryPorts): ServiceImpl<typeof ActorsService> {
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
