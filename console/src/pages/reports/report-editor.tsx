import { type Report, ReportsService } from '@contract/millrace/reports/v1/reports_service_pb.js'
import { useQuery } from '@tanstack/solid-query'
import { type JSX, Match, Show, Switch } from 'solid-js'
import { unwrap } from 'solid-js/store'
import { NEW_REPORT, reportsHref } from '../../context/report-address.ts'
import { currentLocation } from '../../context/router.ts'
import { useMay, useWorkspace } from '../../context/workspace.ts'
import { t } from '../../i18n/translate.ts'
import { isNotFound } from '../../rpc/failure.ts'
import { answerOf } from '../../rpc/query-client.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { EmptyState, ErrorState, SkeletonLines } from '../../ui/states.tsx'
import { encodeFilter } from '../overview/requests.ts'
import { readState } from '../overview/view-state.ts'
import { newReport } from './report-draft.ts'
import { ReportForm } from './report-form.tsx'
import { reportsClient, reportsKey } from './report-list.ts'
import './messages.ts'

/** The editor of a report: a stored one, or a new one on what the address names. */
export function ReportEditor(props: { readonly id: string }): JSX.Element {
  const may = useMay()
  const isNew = (): boolean => props.id === NEW_REPORT && may(ReportsService.method.create)
  return (
    <Show when={isNew()} fallback={<StoredReport id={props.id} />}>
      <NewReport />
    </Show>
  )
}

function StoredReport(props: { readonly id: string }): JSX.Element {
  const workspace = useWorkspace()
  const stored = useQuery(() => ({
    queryKey: [...reportsKey(workspace().project.id), 'one', props.id],
    queryFn: async (): Promise<Report | null> => (await reportsClient.get({ id: props.id })).report ?? null,
    structuralSharing: false,
    // Read anew whenever the editor opens, which copies it into its form.
    gcTime: 0,
    staleTime: 0,
  }))
  return (
    <Switch fallback={<SkeletonLines count={8} heightPx={28} />}>
      <Match when={isNotFound(stored.error)}>
        <EmptyState
          title={t('reports.notFound')}
          actions={
            <ButtonLink href={reportsHref(workspace().project.id)}>{t('reports.allReports')}</ButtonLink>
          }
        />
      </Match>
      <Match when={unwrap(answerOf(stored))}>{(report) => <ReportForm report={report()} />}</Match>
      <Match when={stored.isError}>
        <ErrorState title={t('common.error')} error={stored.error} onRetry={() => void stored.refetch()} />
      </Match>
    </Switch>
  )
}

function NewReport(): JSX.Element {
  const workspace = useWorkspace()
  const { query } = currentLocation()
  const { filters, cohorts } = readState(query)
  const start = newReport({
    name: query.get('name') ?? t('shell.overview'),
    dashboardId: query.get('dashboard') ?? '',
    filters: filters.map(encodeFilter),
    cohorts,
    addresses: workspace().account.email,
  })
  return <ReportForm start={start} />
}
