import ArrowUpRight from 'lucide-solid/icons/arrow-up-right'
import Download from 'lucide-solid/icons/download'
import Ellipsis from 'lucide-solid/icons/ellipsis'
import type { JSX } from 'solid-js'
import { t } from '../../i18n/translate.ts'
import { IconButton } from '../../ui/button.tsx'
import { Menu, type MenuEntry } from '../../ui/menu.tsx'
import { showToast } from '../../ui/toast.tsx'
import type { DimensionName } from './dimensions.ts'
import { insightOfDimension } from './open-insight.ts'
import { type OverviewView, useView } from './overview-view.ts'

/** More actions for the rows of a panel. */
export function PanelMenu(props: { readonly title: string; readonly dimension: DimensionName }): JSX.Element {
  const view = useView()
  const insight = (): string | undefined => insightAt(view, props.dimension)
  const entries = (): readonly MenuEntry[] => {
    const href = insight()
    return [
      {
        label: t('overview.exportCsv'),
        icon: () => <Download />,
        onSelect: () => void exportRows(view, props.dimension),
      },
      ...(href === undefined
        ? []
        : [{ label: t('overview.openInsight'), icon: () => <ArrowUpRight />, href }]),
    ]
  }
  return (
    <Menu
      trigger={(attributes) => (
        <IconButton
          {...attributes}
          tone="ghost"
          size="small"
          name={t('overview.actionsOf', { panel: props.title })}
        >
          <Ellipsis />
        </IconButton>
      )}
      entries={entries()}
    />
  )
}

/** An insight filters events and not visits: with filters, no insight has the same numbers. */
function insightAt(view: OverviewView, dimension: DimensionName): string | undefined {
  if (view.state().filters.length > 0) return undefined
  const { days, interval } = view.asked()
  return insightOfDimension(dimension, {
    projectId: view.projectId(),
    days,
    interval,
    cohorts: view.state().cohorts,
  })
}

async function exportRows(view: OverviewView, dimension: DimensionName): Promise<void> {
  try {
    const { saveRows } = await import('./save-overview.ts')
    await saveRows(view, dimension)
  } catch {
    showToast({ text: t('overview.exportFailed'), tone: 'bad' })
  }
}
