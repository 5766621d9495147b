import { createClient } from '@connectrpc/connect'
import { InsightsService } from '@contract/shared/insights/v1/insights_service_pb.js'
import { transport } from '../transport.ts'

/** Questions about events. */
export const insightsClient = createClient(InsightsService, transport)
