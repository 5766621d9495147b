import type { HandlerContext } from '@connectrpc/connect'
import {
  type GetFilterSchemaRequest,
  GetFilterSchemaRequestSchema,
  GetFilterSchemaResponseSchema,
} from '../../contract/gen/common/v1/filter_schema_pb.js'
import { answerQuery, type QueryPorts } from '../calls/query-call.ts'
import { describeFilterSchema } from './filter-schema.ts'

/** A call of `GetFilterSchema` of any service: the answer is the same. */
interface SchemaCall {
  readonly request: GetFilterSchemaRequest
  readonly context: HandlerContext
}

/** Answers `GetFilterSchema` with the names that people see. Throws `ServiceError`. */
export async function answerFilterSchema(ports: QueryPorts, call: SchemaCall) {
  return await answerQuery(ports, {
    input: GetFilterSchemaRequestSchema,
    output: GetFilterSchemaResponseSchema,
    ...call,
    answer: async (run, { projectId }) => {
      const { names } = await ports.projects.read(projectId)
      return await describeFilterSchema({ request: call.request, projectId, names, run })
    },
  })
}
