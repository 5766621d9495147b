import { timestampMs } from '@bufbuild/protobuf/wkt'
import type {
  Report,
  ReportDelivery,
  ReportsServiceListDeliveriesResponse,
} from '@contract/millrace/reports/v1/reports_service_pb.js'
import { useInfiniteQuery } from '@tanstack/solid-query'
import { createMemo, For, type JSX, Show } from 'solid-js'
import { unwrap } from 'solid-js/store'
import { useWorkspace } from '../../context/workspace.ts'
import { formatRange } from '../../format/values.ts'
import { t } from '../../i18n/translate.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { ErrorState, SkeletonLines } from '../../ui/states.tsx'
import { describeError } from '../channels/channel-words.ts'
import { reportsClient, reportsKey } from './report-list.ts'
import { DELIVERY_STATES } from './report-words.ts'
import './messages.ts'

const PAGE_SIZE = 20

/** The mails of a report, newest first. */
export function ReportDeliveries(props: { readonly report: Report }): JSX.Element {
  const workspace = useWorkspace()
  const log = useInfiniteQuery(() => ({
    queryKey: [...reportsKey(workspace().project.id), 'deliveries', props.report.id],
    queryFn: async ({ pageParam, signal }): Promise<ReportsServiceListDeliveriesResponse> =>
      await reportsClient.listDeliveries(
        { reportId: props.report.id, pageSize: PAGE_SIZE, pageToken: pageParam },
        { signal },
      ),
    initialPageParam: '',
    getNextPageParam: (page: ReportsServiceListDeliveriesResponse) => page.nextPageToken || undefined,
    structuralSharing: false,
  }))
  const deliveries = createMemo((): readonly ReportDelivery[] =>
    log.isSuccess ? unwrap(log.data).pages.flatMap((page) => page.deliveries) : [],
  )
  const timeZone = (): string => props.report.schedule?.timezone || workspace().timeZone
  const periodOf = ({ period }: ReportDelivery): string =>
    period?.from && period.to
      ? formatRange({ fromMs: timestampMs(period.from), toMs: timestampMs(period.to) }, timeZone())
      : ''
  return (
    <Card title={t('channels.deliveries')}>
      <Show when={log.isError && log.error}>
        {(failure) => (
          <ErrorState title={t('common.error')} error={failure()} onRetry={() => void log.refetch()} />
        )}
      </Show>
      <Show when={!log.isPending} fallback={<SkeletonLines count={3} />}>
        <Show
          when={deliveries().length > 0}
          fallback={
            <Show when={log.isSuccess}>
              <p class="reports-text">{t('channels.deliveriesNone')}</p>
            </Show>
          }
        >
          <ol class="reports-recipients">
            <For each={deliveries()}>
              {(delivery) => (
                <li>
                  <span class="reports-address">{delivery.address}</span>
                  <Badge tone={DELIVERY_STATES[delivery.state].tone}>
                    {t(DELIVERY_STATES[delivery.state].label)}
                  </Badge>
                  <span class="reports-quiet">{periodOf(delivery)}</span>
                  <Show when={delivery.error}>
                    {(error) => <p class="reports-error">{describeError({ error: error(), status: 0 })}</p>}
                  </Show>
                </li>
              )}
            </For>
          </ol>
        </Show>
        <Show when={log.hasNextPage}>
          <Button size="small" isLoading={log.isFetchingNextPage} onClick={() => void log.fetchNextPage()}>
            {t('channels.more')}
          </Button>
        </Show>
      </Show>
    </Card>
  )
}
