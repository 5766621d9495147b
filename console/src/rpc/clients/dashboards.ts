import { createClient } from '@connectrpc/connect'
import { DashboardsService } from '@contract/dashboard/dashboards/v1/dashboards_service_pb.js'
import { transport } from '../transport.ts'

/** Dashboards and their tiles. */
export const dashboardsClient = createClient(DashboardsService, transport)
