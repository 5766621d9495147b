import { type Channel, ChannelsService } from '@contract/millrace/alerts/v1/channels_service_pb.js'
import { useQuery } from '@tanstack/solid-query'
import { useWorkspace } from '../../context/workspace.ts'
import { clientOf } from '../../rpc/client.ts'
import { queryClient } from '../../rpc/query-client.ts'

/** Calls of the service of channels. */
export const channelsClient = clientOf(ChannelsService)

/** The key of everything that is cached about the channels of a project. */
export function channelsKey(projectId: string): readonly string[] {
  return ['channels', projectId]
}

/** The channels of the project, by name. */
export function useChannels() {
  const workspace = useWorkspace()
  return useQuery(() => ({
    queryKey: [...channelsKey(workspace().project.id), 'list'],
    queryFn: async (): Promise<readonly Channel[]> => (await channelsClient.list({})).channels,
    structuralSharing: false,
  }))
}

/** Reads channels and their deliveries again after a change. */
export async function refreshChannels(projectId: string): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: channelsKey(projectId) })
}
