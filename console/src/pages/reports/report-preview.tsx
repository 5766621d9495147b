import { type Report, ReportsService } from '@contract/millrace/reports/v1/reports_service_pb.js'
import { useQuery } from '@tanstack/solid-query'
import Send from 'lucide-solid/icons/send'
import { createSignal, type JSX, onMount, Show } from 'solid-js'
import { useMay, useWorkspace } from '../../context/workspace.ts'
import { t } from '../../i18n/translate.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { ErrorState, SkeletonLines } from '../../ui/states.tsx'
import { drawMail } from './draw-mail.ts'
import { reportsClient, reportsKey } from './report-list.ts'
import { sendTest } from './report-menu.tsx'
import './messages.ts'

interface PreviewProps {
  /** Absent for one that is not stored yet. */
  readonly report: Report | undefined
  /** Whether there are changes that the mail does not have yet. */
  readonly isChanged: boolean
}

/** The mail of the newest complete period, and a button that sends it to the reader. */
export function ReportPreview(props: PreviewProps): JSX.Element {
  const may = useMay()
  const [isSending, setSending] = createSignal(false)
  const send = async (report: Report): Promise<void> => {
    setSending(true)
    await sendTest(report)
    setSending(false)
  }
  return (
    <Card
      title={t('reports.preview')}
      actions={
        <Show when={may(ReportsService.method.sendTest) && props.report}>
          {(report) => (
            <Button
              size="small"
              icon={<Send />}
              isDisabled={props.isChanged}
              isLoading={isSending()}
              onClick={() => void send(report())}
            >
              {t('reports.test')}
            </Button>
          )}
        </Show>
      }
    >
      <Show when={props.report} fallback={<p class="reports-text">{t('reports.previewNone')}</p>}>
        {(report) => (
          <>
            <Show when={props.isChanged}>
              <p class="reports-quiet">{t('reports.previewOld')}</p>
            </Show>
            <NewestMail report={report()} />
          </>
        )}
      </Show>
    </Card>
  )
}

function NewestMail(props: { readonly report: Report }): JSX.Element {
  const workspace = useWorkspace()
  const mail = useQuery(() => ({
    queryKey: [...reportsKey(workspace().project.id), 'preview', props.report.id],
    queryFn: async ({ signal }) => await reportsClient.preview({ id: props.report.id }, { signal }),
    structuralSharing: false,
  }))
  return (
    <>
      <Show when={mail.isError && mail.error}>
        {(failure) => (
          <ErrorState
            title={t('reports.previewFailed')}
            error={failure()}
            onRetry={() => void mail.refetch()}
            isRetrying={mail.isFetching}
          />
        )}
      </Show>
      <Show when={!mail.isPending} fallback={<SkeletonLines count={8} heightPx={28} />}>
        <Show when={mail.isSuccess && mail.data}>
          {(content) => (
            <>
              <p class="reports-subject">{t('reports.subject', { subject: content().subject })}</p>
              <Show when={content().html} keyed>
                {(html) => <DrawnMail html={html} />}
              </Show>
            </>
          )}
        </Show>
      </Show>
    </>
  )
}

function DrawnMail(props: { readonly html: string }): JSX.Element {
  let host: HTMLDivElement | undefined
  // Before it is mounted, an element belongs to the document of its template, which accepts no style sheet of this one.
  onMount(() => host && drawMail(host, props.html))
  return (
    <section class="reports-mail" tabindex="0" aria-label={t('reports.preview')}>
      <div ref={host} />
    </section>
  )
}
