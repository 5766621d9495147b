import type { ActivityEvent } from '@contract/shared/activity/v1/activity_pb.js'
import { ActivityService } from '@contract/shared/activity/v1/activity_service_pb.js'
import { useInfiniteQuery } from '@tanstack/solid-query'
import { createMemo } from 'solid-js'
import { useWorkspace } from '../context/workspace.ts'
import { clientOf } from '../rpc/client.ts'

const activityClient = clientOf(ActivityService)

const EVENTS_PER_PAGE = 100

/** The content of a feed. */
export type FeedContent = 'everything' | 'page views'

/** The events of a person as far as they are loaded, newest first. */
export interface ActivityFeed {
  /** `undefined` before the first answer. */
  readonly events: () => readonly ActivityEvent[] | undefined
  readonly pageCount: () => number
  readonly hasMore: () => boolean
  readonly isLoading: () => boolean
  readonly failure: () => unknown
  readonly loadMore: () => void
  readonly retry: () => void
}

/** Reads the events of a person, a page at a time. */
export function createActivityFeed(
  asked: () => { readonly distinctId: string; readonly content: FeedContent },
): ActivityFeed {
  const workspace = useWorkspace()
  const feed = useInfiniteQuery(() => ({
    queryKey: ['person-activity', workspace().project.id, asked().distinctId, asked().content],
    queryFn: async ({ pageParam }: { readonly pageParam: string }) =>
      await activityClient.getActivityFeed({
        distinctId: asked().distinctId,
        pageSize: EVENTS_PER_PAGE,
        pageToken: pageParam,
        ...(asked().content === 'page views' && { events: [{ kind: 'page_view' }] }),
      }),
    initialPageParam: '',
    getNextPageParam: ({ nextPageToken }: { readonly nextPageToken: string }) => nextPageToken || undefined,
  }))
  const pages = () => (feed.isSuccess ? feed.data.pages : undefined)
  const events = createMemo(() => pages()?.flatMap((page) => page.events))
  return {
    events,
    pageCount: () => pages()?.length ?? 0,
    hasMore: () => feed.isSuccess && feed.hasNextPage,
    isLoading: () => feed.isFetchingNextPage,
    failure: () => (feed.isError ? feed.error : undefined),
    loadMore: () => {
      if (!feed.isFetchingNextPage) void feed.fetchNextPage()
    },
    retry: () => void feed.refetch(),
  }
}
