import { type Timestamp, timestampMs } from '@bufbuild/protobuf/wkt'
import { type Alert, AlertSchema } from '@contract/millrace/alerts/v1/alert_pb.js'
import {
  AlertsService,
  type AlertsServiceListResponse,
} from '@contract/millrace/alerts/v1/alerts_service_pb.js'
import { useInfiniteQuery } from '@tanstack/solid-query'
import Bell from 'lucide-solid/icons/bell'
import Plus from 'lucide-solid/icons/plus'
import { For, type JSX, Show } from 'solid-js'
import { unwrap } from 'solid-js/store'
import { createClock } from '../../context/clock.ts'
import { useKeys } from '../../context/keys.ts'
import { navigate } from '../../context/router.ts'
import { useRowKeys } from '../../context/row-keys.ts'
import { useMay, useWorkspace } from '../../context/workspace.ts'
import { formatAgo } from '../../format/ago.ts'
import { NO_VALUE } from '../../format/values.ts'
import { t } from '../../i18n/translate.ts'
import { keepRows } from '../../rpc/kept-rows.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { PageBar } from '../../ui/page-bar.tsx'
import { EmptyState, ErrorState, SkeletonLines } from '../../ui/states.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { alertsClient, alertsHref, alertsKey, NEW_ALERT } from './alert-list.ts'
import { AlertMenu } from './alert-menu.tsx'
import { describeAlert, STATES, snoozedUntil, statesOf, writeNumberOf } from './alert-words.ts'
import './messages.ts'

/** States change without the reader, so the list is read again after this time. */
const REREAD_MS = 60_000

/** The alerts of the project, firing ones first. */
export function AlertTable(): JSX.Element {
  const workspace = useWorkspace()
  const may = useMay()
  const list = useInfiniteQuery(() => ({
    queryKey: [...alertsKey(workspace().project.id), 'list'],
    queryFn: async ({ pageParam, signal }): Promise<AlertsServiceListResponse> =>
      await alertsClient.list({ pageToken: pageParam }, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ nextPageToken }: AlertsServiceListResponse) => nextPageToken || undefined,
    refetchInterval: REREAD_MS,
    structuralSharing: false,
  }))
  const rows = keepRows(AlertSchema, () =>
    list.isSuccess || list.isRefetchError ? unwrap(list.data).pages.flatMap(({ alerts }) => alerts) : [],
  )
  const newHref = (): string => alertsHref(workspace().project.id, NEW_ALERT)
  const isEditor = (): boolean => may(AlertsService.method.create)
  const newLink = (): JSX.Element => (
    <Show when={isEditor()}>
      <ButtonLink tone="primary" icon={<Plus />} href={newHref()}>
        {t('alerts.new')}
      </ButtonLink>
    </Show>
  )
  if (isEditor()) useKeys([{ keys: 'n', label: t('alerts.new'), run: () => void navigate(newHref()) }])
  useRowKeys()
  return (
    <>
      <PageBar>
        <h1>{t('alerts.title')}</h1>
        <Show when={rows().length > 0}>{newLink()}</Show>
      </PageBar>
      <Show when={list.isError && list.error}>
        {(failure) => (
          <ErrorState
            title={t('common.error')}
            error={failure()}
            onRetry={() => void list.refetch()}
            isRetrying={list.isFetching}
          />
        )}
      </Show>
      <Show when={list.isSuccess || list.isRefetchError} fallback={<SkeletonLines count={5} heightPx={36} />}>
        <div class="ui-card" data-padding="none">
          <Show
            when={rows().length > 0}
            fallback={
              <EmptyState
                icon={<Bell />}
                title={t('alerts.none')}
                text={t('alerts.noneText')}
                actions={newLink()}
              />
            }
          >
            <Table
              label={t('alerts.title')}
              rows={rows()}
              columns={alertColumns()}
              onOpen={({ id }) => void navigate(alertsHref(workspace().project.id, id))}
            />
          </Show>
        </div>
        <Show when={list.hasNextPage}>
          <Button
            class="alerts-more"
            isLoading={list.isFetchingNextPage}
            onClick={() => void list.fetchNextPage()}
          >
            {t('alerts.more')}
          </Button>
        </Show>
      </Show>
    </>
  )
}

function alertColumns(): readonly Column<Alert>[] {
  const workspace = useWorkspace()
  const may = useMay()
  const nowMs = createClock()
  const moment = (time: Timestamp | undefined): string => {
    const { timeZone } = workspace()
    return time ? formatAgo(timestampMs(time), { nowMs: nowMs(), timeZone }) : NO_VALUE
  }
  return [
    {
      key: 'name',
      title: t('common.name'),
      kind: 'wide',
      cell: (alert) => (
        <span class="alerts-name">
          <a class="ui-ellipsis" href={alertsHref(workspace().project.id, alert.id)}>
            {alert.content?.name}
          </a>
          <span class="alerts-quiet ui-ellipsis">{describeAlert(alert)}</span>
        </span>
      ),
    },
    { key: 'state', title: t('alerts.state'), cell: (alert) => <AlertBadges alert={alert} /> },
    {
      key: 'value',
      title: t('alerts.lastValue'),
      kind: 'number',
      cell: (alert) => writeNumberOf(alert, alert.lastCheck),
    },
    { key: 'next', title: t('alerts.nextCheck'), cell: ({ nextCheckTime }) => moment(nextCheckTime) },
    {
      key: 'actions',
      title: '',
      cell: (alert) => (
        <Show when={may(AlertsService.method.update)}>
          <AlertMenu alert={alert} />
        </Show>
      ),
    },
  ]
}

/** The state of an alert, and why it may be silent. */
export function AlertBadges(props: { readonly alert: Alert }): JSX.Element {
  const workspace = useWorkspace()
  const nowMs = createClock()
  const snoozed = (): string => {
    const ms = snoozedUntil(props.alert, nowMs())
    return ms === undefined
      ? ''
      : t('alerts.until', { time: formatAgo(ms, { nowMs: nowMs(), timeZone: workspace().timeZone }) })
  }
  return (
    <span class="alerts-badges">
      <For each={statesOf(props.alert, nowMs())}>
        {(state) => <Badge tone={STATES[state].tone}>{t(STATES[state].label)}</Badge>}
      </For>
      <Show when={snoozed()}>{(until) => <span class="alerts-quiet">{until()}</span>}</Show>
    </span>
  )
}
