import type { ServiceImpl } from '@connectrpc/connect'
import {
  type VisitsService,
  VisitsServiceListRequestSchema,
  VisitsServiceListResponseSchema,
} from '../../contract/gen/millrace/web/v1/visits_service_pb.js'
import { answerQuery, openCall } from '../calls/query-call.ts'
import { idsOfCohorts, readGoals, versionOf, type WebPorts } from '../web/web-analytics-service.ts'
import { listVisits } from './list-visits.ts'
import { readVisit } from './read-visit.ts'

/** `millrace.web.v1.VisitsService`: visits one by one. */
export function createVisitsService(ports: WebPorts): ServiceImpl<typeof VisitsService> {
  return {
    list: async (request, context) => {
      const goals = await readGoals(ports, context, request.filters)
      return await answerQuery(ports, {
        input: VisitsServiceListRequestSchema,
        output: VisitsServiceListResponseSchema,
        request,
        context,
        basis: versionOf(goals),
        cohortIds: idsOfCohorts(request),
        answer: async (run, project) =>
          await listVisits({ request, project, goals, nowMs: ports.clock.nowMs(), run }),
      })
    },
    // Never cached: a visit that is still running gains events.
    get: async (request, context) => await readVisit({ request, ...(await openCall(ports, context)) }),
  }
}
