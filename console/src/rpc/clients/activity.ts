import { createClient } from '@connectrpc/connect'
import { ActivityService } from '@contract/shared/activity/v1/activity_service_pb.js'
import { transport } from '../transport.ts'

/** Single events. */
export const activityClient = createClient(ActivityService, transport)
