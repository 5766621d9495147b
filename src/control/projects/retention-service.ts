import type { MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromMs } from '@bufbuild/protobuf/wkt'
import type { ServiceImpl } from '@connectrpc/connect'
import { customerOf, projectAccessOf } from '../../access/caller.ts'
import type {
  RetentionSchema,
  RetentionService,
} from '../../contract/gen/millrace/projects/v1/retention_service_pb.js'
import { readRetentionDays } from '../../store/catalog/project-retention.ts'
import { requireRecentProof } from '../factors/second-factor.ts'
import { changeRetention, previewRetention, type RetentionPorts } from './retention.ts'

/** `millrace.projects.v1.RetentionService`: how long a project keeps its events. */
export function createRetentionService(ports: RetentionPorts): ServiceImpl<typeof RetentionService> {
  const toMessage = (days: number): MessageInitShape<typeof RetentionSchema> => ({
    days,
    serviceDays: ports.serviceRetentionDays,
  })
  return {
    get: async (_, context) => ({
      retention: toMessage(await readRetentionDays(ports.catalog, projectAccessOf(context).projectId)),
    }),
    preview: async ({ days }, context) => {
      const { projectId } = projectAccessOf(context)
      const { count, fromMs } = await previewRetention(ports, { projectId, days }, context.signal)
      return { expiredEvents: BigInt(count), keptFrom: timestampFromMs(fromMs) }
    },
    set: async ({ days, expiredEvents }, context) => {
      const { projectId } = projectAccessOf(context)
      await requireRecentProof(ports, customerOf(context))
      const change = { projectId, days, confirmedCount: Number(expiredEvents) }
      await changeRetention(ports, change, context.signal)
      return { retention: toMessage(days) }
    },
  }
}
