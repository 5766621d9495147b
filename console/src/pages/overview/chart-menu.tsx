import ArrowUpRight from 'lucide-solid/icons/arrow-up-right'
import Download from 'lucide-solid/icons/download'
import Ellipsis from 'lucide-solid/icons/ellipsis'
import ImageDown from 'lucide-solid/icons/image-down'
import Mail from 'lucide-solid/icons/mail'
import type { JSX } from 'solid-js'
import { mayCreateReports, overviewReportHref } from '../../context/report-address.ts'
import { currentLocation } from '../../context/router.ts'
import { useWorkspace } from '../../context/workspace.ts'
import { t } from '../../i18n/translate.ts'
import { IconButton } from '../../ui/button.tsx'
import { Menu, type MenuEntry } from '../../ui/menu.tsx'
import { showToast } from '../../ui/toast.tsx'
import { insightOfMetric } from './open-insight.ts'
import { type OverviewView, useOverview, useView } from './overview-view.ts'

/** More actions for the measures of the page. */
export function ChartMenu(): JSX.Element {
  const view = useView()
  const workspace = useWorkspace()
  const overview = useOverview(view)
  const exportFile = async (kind: 'csv' | 'png'): Promise<void> => {
    const answer = overview.answer()
    const chart = document.querySelector<HTMLElement>('.overview-plot')
    try {
      const { savePicture, savePoints } = await import('./save-overview.ts')
      if (kind === 'csv' && answer) savePoints(view, answer)
      if (kind === 'png' && chart) await savePicture(view, chart)
    } catch {
      showToast({ text: t('overview.exportFailed'), tone: 'bad' })
    }
  }
  const entries = (): readonly MenuEntry[] => {
    const href = insightAt(view)
    return [
      { label: t('overview.exportPng'), icon: () => <ImageDown />, onSelect: () => void exportFile('png') },
      { label: t('overview.exportCsv'), icon: () => <Download />, onSelect: () => void exportFile('csv') },
      ...(href === undefined
        ? []
        : [{ label: t('overview.openInsight'), icon: () => <ArrowUpRight />, href }]),
      ...(mayCreateReports(workspace().project)
        ? [
            {
              label: t('common.sendByMail'),
              icon: () => <Mail />,
              href: overviewReportHref(view.projectId(), currentLocation().query),
            },
          ]
        : []),
    ]
  }
  return (
    <Menu
      trigger={(attributes) => (
        <IconButton {...attributes} name={t('common.moreActions')}>
          <Ellipsis />
        </IconButton>
      )}
      entries={entries()}
    />
  )
}

function insightAt(view: OverviewView): string | undefined {
  if (view.state().filters.length > 0) return undefined
  const { days, interval } = view.asked()
  return insightOfMetric(view.state().metric, {
    projectId: view.projectId(),
    days,
    interval,
    cohorts: view.state().cohorts,
  })
}
