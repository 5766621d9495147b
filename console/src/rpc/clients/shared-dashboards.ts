import { createClient } from '@connectrpc/connect'
import { SharedDashboardsService } from '@contract/public/dashboards/v1/shared_dashboards_service_pb.js'
import { publicTransport } from '../transport.ts'

/** Dashboards for who has their link. */
export const sharedDashboardsClient = createClient(SharedDashboardsService, publicTransport)
