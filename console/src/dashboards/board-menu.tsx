import { DashboardsService } from '@contract/dashboard/dashboards/v1/dashboards_service_pb.js'
import Copy from 'lucide-solid/icons/copy'
import Mail from 'lucide-solid/icons/mail'
import Maximize from 'lucide-solid/icons/maximize'
import SlidersHorizontal from 'lucide-solid/icons/sliders-horizontal'
import Trash from 'lucide-solid/icons/trash'
import { useKeys } from '../context/keys.ts'
import { dashboardReportHref } from '../context/report-address.ts'
import { toggleStar } from '../context/starred.ts'
import { useMay } from '../context/workspace.ts'
import { t } from '../i18n/translate.ts'
import type { MenuEntry } from '../ui/menu.tsx'
import type { Board } from './board.ts'
import { duplicateBoard } from './board-changes.tsx'
import type { Layers } from './board-layers.tsx'
import type { Editing } from './editing.ts'
import { toggleFullScreen } from './full-screen.ts'

/** The targets of the menu and of the keys of a dashboard. */
interface BoardParts {
  readonly board: Board
  readonly layers: Layers
  readonly editing: Editing
}

/** The path of a dashboard below its project. */
export function pathOfBoard({ dashboard }: Pick<Board, 'dashboard'>): string {
  return `dashboards/${dashboard().id}`
}

/** The rows of the menu of a dashboard. */
export function boardEntries({ board, layers }: BoardParts, mayEdit: boolean): readonly MenuEntry[] {
  const fullScreen: MenuEntry = {
    label: t('dashboards.fullScreen'),
    icon: () => <Maximize />,
    keys: ['F'],
    onSelect: toggleFullScreen,
  }
  if (!mayEdit) return [fullScreen]
  return [
    fullScreen,
    {
      label: t('dashboards.settings'),
      icon: () => <SlidersHorizontal />,
      onSelect: () => layers.show({ kind: 'settings' }),
    },
    {
      label: t('dashboards.duplicate'),
      icon: () => <Copy />,
      onSelect: () => void duplicateBoard(board.projectId(), board.dashboard()),
    },
    {
      label: t('common.sendByMail'),
      icon: () => <Mail />,
      href: dashboardReportHref(board.projectId(), board.dashboard()),
    },
    'line',
    {
      label: t('dashboards.delete'),
      icon: () => <Trash />,
      tone: 'danger',
      onSelect: () => layers.show({ kind: 'delete' }),
    },
  ]
}

/** Binds the keys of a dashboard. */
export function useBoardKeys({ board, layers, editing }: BoardParts): void {
  const may = useMay()
  const star = (): void => {
    const name = board.dashboard().displayName
    toggleStar(board.projectId(), { path: pathOfBoard(board), name, kind: 'dashboard' })
  }
  useKeys([
    { keys: 'F', label: t('dashboards.fullScreen'), run: toggleFullScreen },
    { keys: 's', label: t('dashboards.star'), run: star },
  ])
  if (!may(DashboardsService.method.upsert)) return
  useKeys([
    { keys: 'e', label: t('dashboards.arrange'), run: () => editing.arrangement() ?? editing.begin() },
    { keys: 'n', label: t('dashboards.addTile'), run: () => layers.show({ kind: 'add' }) },
  ])
}
