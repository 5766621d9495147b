import type { InsightContent, SavedInsight } from '@contract/millrace/library/v1/saved_insight_pb.js'
import { SavedInsightsService } from '@contract/millrace/library/v1/saved_insights_service_pb.js'
import { useQuery } from '@tanstack/solid-query'
import { unwrap } from 'solid-js/store'
import { useWorkspace } from '../context/workspace.ts'
import { clientOf } from '../rpc/client.ts'
import { isNotFound } from '../rpc/failure.ts'
import { answerOf, queryClient } from '../rpc/query-client.ts'

/** Calls of the service of saved insights. */
export const savedInsightsClient = clientOf(SavedInsightsService)

/** The key of everything that is cached about the saved insights of a project. */
export function savedInsightsKey(projectId: string): readonly string[] {
  return ['saved-insights', projectId]
}

/** The address of a saved insight. */
export function savedHref(projectId: string, id: string): string {
  return `/p/${projectId}/insights?saved=${id}`
}

/** One saved insight, as it is stored. */
export interface SavedInsightQuery {
  readonly insight: () => SavedInsight | undefined
  readonly failure: () => unknown
}

/** Reads a saved insight; nothing without an id. */
export function useSavedInsight(id: () => string | undefined): SavedInsightQuery {
  const workspace = useWorkspace()
  const query = useQuery(() => ({
    queryKey: [...savedInsightsKey(workspace().project.id), 'one', id()],
    queryFn: async () => (await savedInsightsClient.get({ id: id() ?? '' })).insight ?? null,
    enabled: id() !== undefined,
    structuralSharing: false,
  }))
  return {
    insight: () => unwrap(answerOf(query)) ?? undefined,
    failure: () => (query.isLoadingError || isNotFound(query.error) ? query.error : undefined),
  }
}

/** Stores the content of a saved insight, or of a new one without an id. */
export async function saveInsight(
  id: string | undefined,
  content: InsightContent,
): Promise<SavedInsight | undefined> {
  const { insight } =
    id === undefined
      ? await savedInsightsClient.create({ content })
      : await savedInsightsClient.update({ id, content })
  return insight
}

/** Reads saved insights again, also those of tiles, after a change. */
export async function refreshSaved(projectId: string): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: savedInsightsKey(projectId) })
}
