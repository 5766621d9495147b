import { timestampMs } from '@bufbuild/protobuf/wkt'
import {
  RecipientState,
  type Report,
  ReportsService,
} from '@contract/millrace/reports/v1/reports_service_pb.js'
import { useQuery } from '@tanstack/solid-query'
import Mail from 'lucide-solid/icons/mail'
import Plus from 'lucide-solid/icons/plus'
import { type JSX, Show } from 'solid-js'
import { unwrap } from 'solid-js/store'
import { createClock } from '../../context/clock.ts'
import { useKeys } from '../../context/keys.ts'
import { NEW_REPORT, reportsHref } from '../../context/report-address.ts'
import { navigate } from '../../context/router.ts'
import { useRowKeys } from '../../context/row-keys.ts'
import { useMay, useWorkspace } from '../../context/workspace.ts'
import { formatAgo } from '../../format/ago.ts'
import { t } from '../../i18n/translate.ts'
import { Badge } from '../../ui/badge.tsx'
import { ButtonLink } from '../../ui/button.tsx'
import { PageBar } from '../../ui/page-bar.tsx'
import { EmptyState, ErrorState, SkeletonLines } from '../../ui/states.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { dashboardOf } from './report-draft.ts'
import { reportsClient, reportsKey, useContents } from './report-list.ts'
import { ReportMenu } from './report-menu.tsx'
import { describeSchedule, STATES, stateOf } from './report-words.ts'
import './messages.ts'

/** The reports of the project, by name. */
export function ReportTable(): JSX.Element {
  const workspace = useWorkspace()
  const may = useMay()
  const list = useQuery(() => ({
    queryKey: [...reportsKey(workspace().project.id), 'list'],
    queryFn: async (): Promise<readonly Report[]> => (await reportsClient.list({})).reports,
    // Recipients confirm and unsubscribe without the reader.
    staleTime: 0,
    structuralSharing: false,
  }))
  const rows = (): readonly Report[] => (list.isSuccess ? unwrap(list.data) : [])
  const newHref = (): string => reportsHref(workspace().project.id, NEW_REPORT)
  const isEditor = may(ReportsService.method.create)
  const newLink = (): JSX.Element => (
    <Show when={isEditor}>
      <ButtonLink tone="primary" icon={<Plus />} href={newHref()}>
        {t('reports.new')}
      </ButtonLink>
    </Show>
  )
  if (isEditor) useKeys([{ keys: 'n', label: t('reports.new'), run: () => void navigate(newHref()) }])
  useRowKeys()
  const columns = reportColumns()
  return (
    <>
      <PageBar>
        <h1>{t('reports.title')}</h1>
        <Show when={rows().length > 0}>{newLink()}</Show>
      </PageBar>
      <Show when={list.isError && list.error}>
        {(failure) => (
          <ErrorState title={t('common.error')} error={failure()} onRetry={() => void list.refetch()} />
        )}
      </Show>
      <Show when={!list.isPending} fallback={<SkeletonLines count={5} heightPx={36} />}>
        <Show when={list.isSuccess}>
          <div class="ui-card" data-padding="none">
            <Show
              when={rows().length > 0}
              fallback={
                <EmptyState
                  icon={<Mail />}
                  title={t('reports.none')}
                  text={t('reports.noneText')}
                  actions={newLink()}
                />
              }
            >
              <Table
                label={t('reports.title')}
                rows={rows()}
                columns={columns}
                onOpen={({ id }) => void navigate(reportsHref(workspace().project.id, id))}
              />
            </Show>
          </div>
        </Show>
      </Show>
    </>
  )
}

function reportColumns(): readonly Column<Report>[] {
  const workspace = useWorkspace()
  const may = useMay()
  const { isLoaded, labelOf } = useContents()
  const summary = (report: Report): string => {
    const schedule = describeSchedule(report, workspace().timeZone)
    const content = labelOf(dashboardOf(report)) ?? (isLoaded() ? t('reports.dashboardGone') : '')
    return content === '' ? schedule : `${content} · ${schedule}`
  }
  return [
    {
      key: 'name',
      title: t('common.name'),
      kind: 'wide',
      cell: (report) => (
        <span class="reports-name">
          <a class="ui-ellipsis" href={reportsHref(workspace().project.id, report.id)}>
            {report.name}
          </a>
          <span class="reports-quiet ui-ellipsis">{summary(report)}</span>
        </span>
      ),
    },
    { key: 'recipients', title: t('reports.recipients'), cell: countRecipients },
    { key: 'next', title: t('reports.next'), cell: (report) => <NextCell report={report} /> },
    {
      key: 'actions',
      title: '',
      cell: (report) => (
        <Show when={may(ReportsService.method.update)}>
          <ReportMenu report={report} />
        </Show>
      ),
    },
  ]
}

function countRecipients({ recipients }: Report): string {
  const waiting = recipients.filter(({ state }) => state === RecipientState.PENDING).length
  const all = t('reports.recipientCount', { count: recipients.length })
  return waiting === 0 ? all : `${all} · ${t('reports.waitingCount', { count: waiting })}`
}

function NextCell(props: { readonly report: Report }): JSX.Element {
  const workspace = useWorkspace()
  const nowMs = createClock()
  const time = (): string => {
    const { nextTime } = props.report
    const { timeZone } = workspace()
    return nextTime ? formatAgo(timestampMs(nextTime), { nowMs: nowMs(), timeZone }) : ''
  }
  return (
    <span class="reports-badges">
      <Show when={time()}>{(text) => <time>{text()}</time>}</Show>
      <Show when={stateOf(props.report) !== 'active'}>
        <StateBadge report={props.report} />
      </Show>
    </span>
  )
}

function StateBadge(props: { readonly report: Report }): JSX.Element {
  const state = () => STATES[stateOf(props.report)]
  return <Badge tone={state().tone}>{t(state().label)}</Badge>
}

/** The state of a report, and the reason if the service paused it. */
export function ReportBadge(props: { readonly report: Report }): JSX.Element {
  return (
    <span class="reports-badges">
      <StateBadge report={props.report} />
      <Show when={stateOf(props.report) === 'gone'}>
        <span class="reports-quiet">{t('reports.dashboardGone')}</span>
      </Show>
    </span>
  )
}
