import { PropertyValueType } from '@contract/common/v1/property_pb.js'
import { InsightsService } from '@contract/shared/insights/v1/insights_service_pb.js'
import { useQuery } from '@tanstack/solid-query'
import type { Accessor } from 'solid-js'
import { useWorkspace } from '../context/workspace.ts'
import { clientOf } from '../rpc/client.ts'
import type { ProjectEvents } from './tile-kit.ts'

const insightsClient = clientOf(InsightsService)

/** Property types that can be added up. */
const NUMBERS: readonly PropertyValueType[] = [PropertyValueType.INTEGER, PropertyValueType.FLOAT]

/** The events of the project and its properties that hold numbers; `undefined` until they are known. */
export function useProjectEvents(): Accessor<ProjectEvents | undefined> {
  const workspace = useWorkspace()
  const asked = useQuery(() => ({
    queryKey: ['project-events', workspace().project.id],
    queryFn: async (): Promise<Omit<ProjectEvents, 'excludeBots'>> => {
      const { events, customPropertyKeys } = await insightsClient.getFilterSchema({})
      const byCount = [...events].sort((a, b) => Number(b.count - a.count))
      return {
        kinds: byCount.map(({ name }) => name),
        numbers: customPropertyKeys
          .filter(({ valueType }) => NUMBERS.includes(valueType))
          .map(({ name }) => name),
      }
    },
  }))
  return () => (asked.isSuccess ? { ...asked.data, excludeBots: workspace().project.excludeBots } : undefined)
}
