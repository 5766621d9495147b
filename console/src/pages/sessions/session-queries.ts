import type { Visit } from '@contract/millrace/web/v1/visits_service_pb.js'
import { VisitsService, type VisitsServiceListResponse } from '@contract/millrace/web/v1/visits_service_pb.js'
import {
  type QueryOverviewResponse,
  WebAnalyticsService,
} from '@contract/millrace/web/v1/web_analytics_service_pb.js'
import type { ActivityEvent } from '@contract/shared/activity/v1/activity_pb.js'
import { useInfiniteQuery, useQuery } from '@tanstack/solid-query'
import { createMemo } from 'solid-js'
import { useWorkspace } from '../../context/workspace.ts'
import type { Paging } from '../../people/paged-list.tsx'
import { clientOf } from '../../rpc/client.ts'
import { type OverviewView, type Shown, shownOf } from '../overview/overview-view.ts'
import { INTERVAL_NUMBERS, visitsOf } from '../overview/requests.ts'
import type { SessionConditions } from './session-conditions.ts'

const visitsClient = clientOf(VisitsService)
const webClient = clientOf(WebAnalyticsService)

/** Sessions of a page. */
export const PAGE_SESSIONS = 50
const EVENTS_PER_PAGE = 100

/** A list of sessions: the conditions of the address. */
export interface SessionQuery {
  readonly view: OverviewView
  readonly conditions: SessionConditions
}

/** The inputs of the list, as text. */
export function keyOfList({ view, conditions }: SessionQuery): string {
  const { personId, propertyFilters } = conditions
  const { filters, cohorts } = view.state()
  return JSON.stringify([view.asked().range, filters, cohorts, personId(), propertyFilters()])
}

/** A page of the sessions of the address. */
export function useSessions(query: SessionQuery, paging: Paging): Shown<VisitsServiceListResponse> {
  const { view, conditions } = query
  return shownOf(
    useQuery(() => ({
      queryKey: ['sessions', view.projectId(), keyOfList(query), paging.token()],
      queryFn: async ({ signal }: { readonly signal: AbortSignal }) =>
        await visitsClient.list(
          {
            ...visitsOf(view.state(), view.asked()),
            distinctId: conditions.personId(),
            propertyFilters: conditions.propertyFilters(),
            pageSize: PAGE_SESSIONS,
            pageToken: paging.token(),
          },
          { signal },
        ),
      enabled: !view.isWaiting(),
      placeholderData: (before: VisitsServiceListResponse | undefined) => before,
    })),
  )
}

/** The number of sessions on all pages; `undefined` while it is unknown, and under conditions that the overview does not have. */
export function useSessionCount(query: SessionQuery): () => number | undefined {
  const { view, conditions } = query
  const count = useQuery(() => ({
    queryKey: ['session-count', view.projectId(), keyOfList(query)],
    queryFn: async ({ signal }: { readonly signal: AbortSignal }) =>
      await webClient.queryOverview(
        {
          ...visitsOf(view.state(), view.asked()),
          granularity: INTERVAL_NUMBERS[view.asked().interval],
        },
        { signal },
      ),
    enabled: !view.isWaiting() && !conditions.isNarrow(),
  }))
  const answer = (): QueryOverviewResponse | undefined => (count.isSuccess ? count.data : undefined)
  return () => {
    const totals = answer()?.totals
    return totals && Number(totals.visits)
  }
}

/** One session with its events as far as they are loaded, the first event first. */
export interface OpenSession {
  /** `undefined` before the first answer. */
  readonly visit: () => Visit | undefined
  readonly events: () => readonly ActivityEvent[]
  readonly hasMore: () => boolean
  readonly isLoading: () => boolean
  readonly failure: () => unknown
  readonly loadMore: () => void
  readonly retry: () => void
}

/** Reads a session, its events a page at a time. */
export function useSession(sessionId: () => string): OpenSession {
  const workspace = useWorkspace()
  const session = useInfiniteQuery(() => ({
    queryKey: ['session', workspace().project.id, sessionId()],
    queryFn: async ({ pageParam }: { readonly pageParam: string }) =>
      await visitsClient.get({ sessionId: sessionId(), pageSize: EVENTS_PER_PAGE, pageToken: pageParam }),
    initialPageParam: '',
    getNextPageParam: ({ nextPageToken }: { readonly nextPageToken: string }) => nextPageToken || undefined,
  }))
  const pages = () => (session.isSuccess ? session.data.pages : [])
  return {
    // The last page was read last, so that its measures are the newest.
    visit: () => pages().at(-1)?.visit,
    events: createMemo(() => pages().flatMap((page) => page.events)),
    hasMore: () => session.isSuccess && session.hasNextPage,
    isLoading: () => session.isFetchingNextPage,
    failure: () => (session.isError ? session.error : undefined),
    loadMore: () => {
      if (!session.isFetchingNextPage) void session.fetchNextPage()
    },
    retry: () => void session.refetch(),
  }
}
