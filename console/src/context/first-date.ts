import { timestampMs } from '@bufbuild/protobuf/wkt'
import { InsightsService } from '@contract/shared/insights/v1/insights_service_pb.js'
import { dateOf } from '@domain/calendar.ts'
import { useQuery } from '@tanstack/solid-query'
import { clientOf } from '../rpc/client.ts'
import { useWorkspace } from './workspace.ts'

const insightsClient = clientOf(InsightsService)

/** An import can add earlier events. */
const FRESH_MS = 60_000

/** The date of the first event of the project, where all time begins. */
export interface FirstDate {
  /** `undefined` while it is unknown, and in a project without events. */
  readonly date: () => string | undefined
  /** Whether it is wanted and on its way: what depends on it waits. */
  readonly isPending: () => boolean
}

/** Reads the date of the first event while it is wanted: it costs a query. */
export function createFirstDate(isWanted: () => boolean): FirstDate {
  const workspace = useWorkspace()
  const first = useQuery(() => ({
    queryKey: ['first-event', workspace().project.id],
    queryFn: async ({ signal }: { readonly signal: AbortSignal }): Promise<number | null> => {
      const { events } = await insightsClient.getFilterSchema({}, { signal })
      const times = events.flatMap(({ firstSeenAt }) => (firstSeenAt ? [timestampMs(firstSeenAt)] : []))
      return times.length === 0 ? null : times.reduce((a, b) => Math.min(a, b))
    },
    enabled: isWanted(),
    staleTime: FRESH_MS,
  }))
  return {
    date: () => {
      const ms = first.isSuccess ? first.data : null
      return ms === null ? undefined : dateOf(ms, workspace().timeZone)
    },
    isPending: () => isWanted() && first.isPending,
  }
}
