import { ActivityService } from '@contract/shared/activity/v1/activity_service_pb.js'
import { clientOf } from '../../rpc/client.ts'

const activityClient = clientOf(ActivityService)

/** Whether a project has events: polled until there is one, and then kept. */
export function hasEventsQuery(projectId: string) {
  return {
    queryKey: ['has-events', projectId],
    queryFn: async (): Promise<boolean> =>
      (await activityClient.getEventExplorer({ pageSize: 1 })).events.length > 0,
    staleTime: ({ state }: { readonly state: { readonly data?: boolean | undefined } }) =>
      state.data === true ? Number.POSITIVE_INFINITY : 0,
  }
}
