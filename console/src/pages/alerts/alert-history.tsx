import { type Timestamp, timestampMs } from '@bufbuild/protobuf/wkt'
import type { Alert, AlertCheck } from '@contract/millrace/alerts/v1/alert_pb.js'
import type { AlertsServiceListChecksResponse } from '@contract/millrace/alerts/v1/alerts_service_pb.js'
import { useInfiniteQuery } from '@tanstack/solid-query'
import { createMemo, For, type JSX, Show } from 'solid-js'
import { unwrap } from 'solid-js/store'
import { createClock } from '../../context/clock.ts'
import { useWorkspace } from '../../context/workspace.ts'
import { formatAgo } from '../../format/ago.ts'
import { t } from '../../i18n/translate.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { ErrorState, SkeletonLines } from '../../ui/states.tsx'
import { alertsClient, alertsKey } from './alert-list.ts'
import { OUTCOMES, writeNumberOf } from './alert-words.ts'
import './messages.ts'

const PAGE_SIZE = 20

/** The checks of an alert, newest first. */
export function AlertHistory(props: { readonly alert: Alert }): JSX.Element {
  const workspace = useWorkspace()
  const log = useInfiniteQuery(() => ({
    queryKey: [...alertsKey(workspace().project.id), 'checks', props.alert.id],
    queryFn: async ({ pageParam, signal }): Promise<AlertsServiceListChecksResponse> => {
      const request = { alertId: props.alert.id, pageSize: PAGE_SIZE, pageToken: pageParam }
      return await alertsClient.listChecks(request, { signal })
    },
    initialPageParam: '',
    getNextPageParam: ({ nextPageToken }: AlertsServiceListChecksResponse) => nextPageToken || undefined,
    structuralSharing: false,
  }))
  const checks = createMemo((): readonly AlertCheck[] =>
    log.isSuccess ? unwrap(log.data).pages.flatMap((page) => page.checks) : [],
  )
  const nowMs = createClock()
  const moment = (time: Timestamp | undefined): string =>
    time ? formatAgo(timestampMs(time), { nowMs: nowMs(), timeZone: workspace().timeZone }) : ''
  const none = (): string => {
    const { nextCheckTime } = props.alert
    return nextCheckTime ? t('alerts.historyNone', { time: moment(nextCheckTime) }) : t('alerts.historyNever')
  }
  return (
    <Card title={t('alerts.history')}>
      <Show when={log.isError && log.error}>
        {(failure) => (
          <ErrorState title={t('common.error')} error={failure()} onRetry={() => void log.refetch()} />
        )}
      </Show>
      <Show when={log.isSuccess} fallback={<SkeletonLines count={3} />}>
        <Show when={checks().length > 0} fallback={<p class="alerts-text">{none()}</p>}>
          <ol class="alerts-checks">
            <For each={checks()}>
              {(check) => (
                <li>
                  <time>{moment(check.time)}</time>
                  <Badge tone={OUTCOMES[check.outcome].tone}>{t(OUTCOMES[check.outcome].label)}</Badge>
                  <Show when={check.notificationId}>
                    <span class="alerts-quiet">{t('alerts.notified')}</span>
                  </Show>
                  <b>{writeNumberOf(props.alert, check)}</b>
                  <Show when={check.error}>{(error) => <p class="alerts-error">{error()}</p>}</Show>
                </li>
              )}
            </For>
          </ol>
        </Show>
        <Show when={log.hasNextPage}>
          <Button size="small" isLoading={log.isFetchingNextPage} onClick={() => void log.fetchNextPage()}>
            {t('alerts.more')}
          </Button>
        </Show>
      </Show>
    </Card>
  )
}
