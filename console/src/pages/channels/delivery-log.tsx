import { type Timestamp, timestampMs } from '@bufbuild/protobuf/wkt'
import {
  type Channel,
  type ChannelDelivery,
  type ChannelsServiceListDeliveriesResponse,
  DeliveryState,
} from '@contract/millrace/alerts/v1/channels_service_pb.js'
import { useInfiniteQuery } from '@tanstack/solid-query'
import { createMemo, For, type JSX, Show } from 'solid-js'
import { unwrap } from 'solid-js/store'
import { useWorkspace } from '../../context/workspace.ts'
import { formatShortMoment } from '../../format/values.ts'
import { t } from '../../i18n/translate.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { ErrorState, SkeletonLines } from '../../ui/states.tsx'
import { channelsClient, channelsKey } from './channel-list.ts'
import { DELIVERY_STATES, describeError, nameOfType } from './channel-words.ts'
import './channels.css'
import './messages.ts'

/** While a delivery waits, the log is read again after this time. */
const POLL_MS = 5000

const PAGE_SIZE = 25

type Pages = { readonly pages: readonly ChannelsServiceListDeliveriesResponse[] }

function isWaiting({ deliveries }: ChannelsServiceListDeliveriesResponse): boolean {
  return deliveries.some(({ state }) => state === DeliveryState.PENDING)
}

/** The deliveries of a channel, newest first. */
export function DeliveryLog(props: { readonly channel: Channel }): JSX.Element {
  const workspace = useWorkspace()
  const log = useInfiniteQuery(() => ({
    queryKey: [...channelsKey(workspace().project.id), 'deliveries', props.channel.id],
    queryFn: async ({ pageParam, signal }): Promise<ChannelsServiceListDeliveriesResponse> => {
      const request = { channelId: props.channel.id, pageSize: PAGE_SIZE, pageToken: pageParam }
      return await channelsClient.listDeliveries(request, { signal })
    },
    initialPageParam: '',
    getNextPageParam: ({ nextPageToken }: ChannelsServiceListDeliveriesResponse) =>
      nextPageToken || undefined,
    refetchInterval: ({ state }: { readonly state: { readonly data: Pages | undefined } }) =>
      state.data?.pages.some(isWaiting) ? POLL_MS : (false as const),
    structuralSharing: false,
  }))
  const deliveries = createMemo((): readonly ChannelDelivery[] =>
    log.isSuccess ? unwrap(log.data).pages.flatMap((page) => page.deliveries) : [],
  )
  return (
    <section class="channels-log" aria-label={t('channels.deliveries')}>
      <h3>{t('channels.deliveries')}</h3>
      <Show when={log.isError && log.error}>
        {(failure) => (
          <ErrorState
            title={t('common.error')}
            error={failure()}
            onRetry={() => void log.refetch()}
            isRetrying={log.isFetching}
          />
        )}
      </Show>
      <Show when={log.isSuccess} fallback={<SkeletonLines count={4} heightPx={32} />}>
        <Show
          when={deliveries().length > 0}
          fallback={<p class="settings-text">{t('channels.deliveriesNone')}</p>}
        >
          <ol class="channels-deliveries">
            <For each={deliveries()}>{(delivery) => <DeliveryRow delivery={delivery} />}</For>
          </ol>
        </Show>
        <Show when={log.hasNextPage}>
          <Button
            size="small"
            class="settings-start"
            isLoading={log.isFetchingNextPage}
            onClick={() => void log.fetchNextPage()}
          >
            {t('channels.more')}
          </Button>
        </Show>
      </Show>
    </section>
  )
}

function DeliveryRow(props: { readonly delivery: ChannelDelivery }): JSX.Element {
  const workspace = useWorkspace()
  const momentOf = (time: Timestamp | undefined): string =>
    time ? formatShortMoment(timestampMs(time), workspace().timeZone) : ''
  const state = () => DELIVERY_STATES[props.delivery.state]
  /** Attempts are worth a word when there is more than one, or another to come. */
  const attempts = (): string =>
    props.delivery.attempts > 1 || props.delivery.nextAttemptTime
      ? [
          t('channels.attempts', { count: props.delivery.attempts }),
          props.delivery.nextAttemptTime &&
            t('channels.nextAttempt', { time: momentOf(props.delivery.nextAttemptTime) }),
        ]
          .filter((part) => part !== undefined)
          .join(', ')
      : ''
  return (
    <li>
      <div class="channels-delivery-head">
        <strong class="ui-ellipsis">{nameOfType(props.delivery.type)}</strong>
        <Badge tone={state().tone}>{t(state().label)}</Badge>
        <time class="settings-quiet">{momentOf(props.delivery.createTime)}</time>
      </div>
      <Show when={props.delivery.recipient}>
        {(recipient) => <span class="settings-quiet ui-ellipsis">{recipient()}</span>}
      </Show>
      <Show when={attempts()}>{(text) => <span class="settings-quiet">{text()}</span>}</Show>
      <Show when={props.delivery.error}>
        <span class="channels-error">{describeError(props.delivery)}</span>
      </Show>
    </li>
  )
}
