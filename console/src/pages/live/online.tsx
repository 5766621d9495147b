import type { QueryRealtimeResponse } from '@contract/millrace/web/v1/realtime_pb.js'
import { WebAnalyticsService } from '@contract/millrace/web/v1/web_analytics_service_pb.js'
import { type UseQueryResult, useQuery } from '@tanstack/solid-query'
import { type JSX, Show } from 'solid-js'
import type { CohortFilterDraft } from '../../cohorts/cohort-filters.ts'
import { formatNumber } from '../../format/values.ts'
import { t } from '../../i18n/translate.ts'
import { clientOf } from '../../rpc/client.ts'
import { Pill } from '../../ui/badge.tsx'
import { LiveDot } from '../../ui/spinner.tsx'

const webClient = clientOf(WebAnalyticsService)

const REFRESH_MS = 15_000

/**
 * The traffic of the last 30 minutes, of everyone or of cohorts: one query for all parts of the page with the same cohorts,
 * which rests while the page is hidden.
 */
export function useRealtime(
  projectId: () => string,
  cohorts: () => readonly CohortFilterDraft[] = () => [],
): UseQueryResult<QueryRealtimeResponse> {
  return useQuery(() => ({
    queryKey: ['realtime', projectId(), cohorts()],
    queryFn: async ({ signal }: { readonly signal: AbortSignal }) =>
      await webClient.queryRealtime({ limit: 1, cohorts: [...cohorts()] }, { signal }),
    refetchInterval: REFRESH_MS,
    enabled: projectId() !== '',
  }))
}

/** The people online as a link to Live, in few words on phones; nothing before the first answer. */
export function OnlinePill(props: { readonly projectId: string }): JSX.Element {
  const isNarrow = matchMedia('(max-width: 767px)').matches
  const realtime = useRealtime(() => props.projectId)
  return (
    <Show when={realtime.isSuccess && realtime.data}>
      {(answer) => (
        <Pill href={`/p/${props.projectId}/live`}>
          <LiveDot />
          {t(isNarrow ? 'shell.onlineShort' : 'shell.online', { count: Number(answer().visitors) })}
        </Pill>
      )}
    </Show>
  )
}

/** The number of people online, beside Live in the side bar, which keeps its name; nothing at zero. */
export function OnlineCount(props: { readonly projectId: string }): JSX.Element {
  const realtime = useRealtime(() => props.projectId)
  const count = (): number => (realtime.isSuccess ? Number(realtime.data.visitors) : 0)
  return (
    <Show when={count() > 0}>
      <span class="side-count" aria-hidden="true" data-tip={t('shell.online', { count: count() })}>
        <LiveDot />
        {formatNumber(count())}
      </span>
    </Show>
  )
}
