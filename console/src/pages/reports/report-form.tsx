import { toJsonString } from '@bufbuild/protobuf'
import {
  type Report,
  ReportInputSchema,
  ReportsService,
} from '@contract/millrace/reports/v1/reports_service_pb.js'
import ChevronRight from 'lucide-solid/icons/chevron-right'
import { createSignal, type JSX, Show } from 'solid-js'
import { useKeys } from '../../context/keys.ts'
import { reportsHref } from '../../context/report-address.ts'
import { guardChanges, navigate } from '../../context/router.ts'
import { useMay, useWorkspace } from '../../context/workspace.ts'
import { t } from '../../i18n/translate.ts'
import { textOfField } from '../../rpc/failure-text.ts'
import { createAction } from '../../ui/action.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { PageBar } from '../../ui/page-bar.tsx'
import { ErrorState } from '../../ui/states.tsx'
import { showToast } from '../../ui/toast.tsx'
import { keepVersion, type StoredVersion } from '../stored-version.ts'
import { ContentCard } from './content-card.tsx'
import { RecipientsCard } from './recipients-card.tsx'
import { ReportDeliveries } from './report-deliveries.tsx'
import { encodeReport, newReport, type ReportDraft, readReport } from './report-draft.ts'
import { refreshReports, reportsClient } from './report-list.ts'
import { ReportMenu } from './report-menu.tsx'
import { ReportPreview } from './report-preview.tsx'
import { ReportBadge } from './report-table.tsx'
import { ScheduleCard } from './schedule-card.tsx'
import './messages.ts'

interface FormProps {
  /** Absent for a new one. */
  readonly report?: Report
  /** The draft that a new one begins with. */
  readonly start?: ReportDraft
}

/** The fields of a report beside its mail and its deliveries. */
export function ReportForm(props: FormProps): JSX.Element {
  const workspace = useWorkspace()
  const form = createForm(props)
  const projectId = (): string => workspace().project.id
  return (
    <>
      <PageBar class="reports-bar">
        <nav class="reports-crumbs" aria-label={t('reports.title')}>
          <a href={reportsHref(projectId())}>{t('reports.title')}</a>
          <ChevronRight />
          <h1 class="ui-ellipsis">{form.draft().name || t('reports.new')}</h1>
          <Show when={props.report}>{(report) => <ReportBadge report={report()} />}</Show>
          <Show when={props.report && form.isChanged()}>
            <Badge>{t('reports.unsaved')}</Badge>
          </Show>
        </nav>
        <Show when={form.isEditor}>
          <Show when={props.report}>
            {(report) => (
              <ReportMenu
                report={report()}
                onDeleted={() => {
                  form.discard()
                  navigate(reportsHref(projectId()))
                }}
              />
            )}
          </Show>
          <Button
            tone="primary"
            isDisabled={!form.canSave()}
            isLoading={form.action.isRunning()}
            onClick={form.save}
          >
            {t('common.save')}
          </Button>
        </Show>
      </PageBar>
      <Show when={form.action.failure()}>
        {(failure) => <ErrorState title={t('ui.failed')} error={failure()} />}
      </Show>
      <div class="reports-columns">
        <fieldset class="reports-main" disabled={!form.isEditor}>
          <ContentCard draft={form.draft()} problem={form.problem} onChange={form.change} />
          <ScheduleCard draft={form.draft()} problem={form.problem} onChange={form.change} />
          <RecipientsCard
            draft={form.draft()}
            report={props.report}
            problem={form.problem}
            onChange={form.change}
          />
        </fieldset>
        <div class="reports-main">
          <ReportPreview report={props.report} isChanged={form.isChanged()} />
          <Show when={props.report}>{(report) => <ReportDeliveries report={report()} />}</Show>
        </div>
      </div>
    </>
  )
}

function createForm(props: FormProps) {
  const workspace = useWorkspace()
  const may = useMay()
  const action = createAction()
  const { report, start } = props
  const empty = newReport({ name: '', dashboardId: '', filters: [], cohorts: [], addresses: '' })
  const [draft, setDraft] = createSignal(report ? readReport(report) : (start ?? empty))
  const [isChanged, setChanged] = createSignal(false)
  const isEditor = may(report ? ReportsService.method.update : ReportsService.method.create)
  const canSave = (): boolean => {
    const isComplete = draft().name.trim() !== '' && draft().addresses.trim() !== ''
    return isComplete && (report === undefined || isChanged())
  }
  const version = report && versionOf(report)
  guardChanges(() => isChanged() && !action.isRunning())
  const save = (): void => {
    if (!canSave()) return
    const projectId = workspace().project.id
    // The menu may have paused it since it was read.
    const input = encodeReport(draft(), { paused: props.report?.enabled === false })
    action.run(async () => {
      await version?.check()
      const stored = report
        ? await reportsClient.update({ id: report.id, report: input })
        : await reportsClient.create({ report: input })
      if (stored.report) version?.accept(stored.report)
      setChanged(false)
      showToast({ text: t('reports.saved', { name: input.name }), tone: 'good' })
      void refreshReports(projectId)
      if (!report && stored.report) navigate(reportsHref(projectId, stored.report.id), 'replace')
    })
  }
  if (isEditor) useKeys([{ keys: 'mod+s', label: t('common.save'), run: save }])
  return {
    draft,
    change: (part: Partial<ReportDraft>): void => {
      setChanged(true)
      setDraft({ ...draft(), ...part })
    },
    problem: (path: string): string | undefined => {
      const failure = action.failure()
      return failure && textOfField(failure, path)
    },
    isChanged,
    discard: (): void => void setChanged(false),
    isEditor,
    canSave,
    save,
    action,
  }
}

function versionOf(report: Report): StoredVersion<Report> {
  return keepVersion(report, {
    read: async () => (await reportsClient.get({ id: report.id })).report,
    textOf: (stored) => toJsonString(ReportInputSchema, encodeReport(readReport(stored), { paused: false })),
  })
}
