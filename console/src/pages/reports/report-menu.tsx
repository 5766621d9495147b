import type { Report } from '@contract/millrace/reports/v1/reports_service_pb.js'
import Ellipsis from 'lucide-solid/icons/ellipsis'
import Pause from 'lucide-solid/icons/pause'
import Play from 'lucide-solid/icons/play'
import Send from 'lucide-solid/icons/send'
import Trash from 'lucide-solid/icons/trash'
import { createSignal, type JSX } from 'solid-js'
import { useWorkspace } from '../../context/workspace.ts'
import { t } from '../../i18n/translate.ts'
import { writeFailure } from '../../rpc/failure-text.ts'
import { IconButton } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { Menu } from '../../ui/menu.tsx'
import { showToast } from '../../ui/toast.tsx'
import { describeError } from '../channels/channel-words.ts'
import { encodeReport, readReport } from './report-draft.ts'
import { refreshReports, reportsClient } from './report-list.ts'
import './messages.ts'

/** What may be done with a stored report. */
export function ReportMenu(props: { readonly report: Report; readonly onDeleted?: () => void }): JSX.Element {
  const workspace = useWorkspace()
  const [isAsked, setAsked] = createSignal(false)
  const togglePause = async (): Promise<void> => {
    const { report } = props
    try {
      const input = encodeReport(readReport(report), { paused: report.enabled })
      await reportsClient.update({ id: report.id, report: input })
      await refreshReports(workspace().project.id)
    } catch (thrown) {
      showToast({ tone: 'bad', text: `${t('ui.failed')}: ${await writeFailure(thrown)}` })
    }
  }
  const remove = async (): Promise<void> => {
    const { report, onDeleted } = props
    await reportsClient.delete({ id: report.id })
    showToast({ text: t('reports.deleted', { name: report.name }), tone: 'neutral' })
    onDeleted?.()
    void refreshReports(workspace().project.id)
  }
  return (
    <>
      <Menu
        placement="bottom-end"
        trigger={(attributes) => (
          <IconButton
            {...attributes}
            tone="ghost"
            size="small"
            name={t('reports.actions', { name: props.report.name })}
          >
            <Ellipsis />
          </IconButton>
        )}
        entries={[
          {
            label: t('reports.test'),
            icon: () => <Send />,
            onSelect: () => void sendTest(props.report),
          },
          {
            label: t(props.report.enabled ? 'reports.pause' : 'reports.resume'),
            icon: () => (props.report.enabled ? <Pause /> : <Play />),
            onSelect: () => void togglePause(),
          },
          'line',
          {
            label: t('reports.delete'),
            icon: () => <Trash />,
            tone: 'danger',
            onSelect: () => setAsked(true),
          },
        ]}
      />
      <ConfirmDialog
        title={t('reports.deleteAsk', { name: props.report.name })}
        text={t('reports.deleteText')}
        verb={t('reports.deleteVerb')}
        isOpen={isAsked()}
        onClose={() => setAsked(false)}
        onConfirm={remove}
      />
    </>
  )
}

/** Sends the newest mail of a report to the reader, and shows whether the mail server took it. */
export async function sendTest({ id }: Pick<Report, 'id'>): Promise<void> {
  try {
    const { address, error } = await reportsClient.sendTest({ id })
    if (error === '') showToast({ tone: 'good', text: t('reports.testSent', { address }) })
    else showToast({ tone: 'bad', text: `${t('ui.failed')}: ${describeError({ error, status: 0 })}` })
  } catch (thrown) {
    showToast({ tone: 'bad', text: `${t('ui.failed')}: ${await writeFailure(thrown)}` })
  }
}
