import type { DashboardTile } from '@contract/dashboard/dashboards/v1/dashboard_pb.js'
import Copy from 'lucide-solid/icons/copy'
import Ellipsis from 'lucide-solid/icons/ellipsis'
import ImageDown from 'lucide-solid/icons/image-down'
import Move from 'lucide-solid/icons/move'
import Pencil from 'lucide-solid/icons/pencil'
import Sheet from 'lucide-solid/icons/sheet'
import SlidersHorizontal from 'lucide-solid/icons/sliders-horizontal'
import SquareArrowOutUpRight from 'lucide-solid/icons/square-arrow-out-up-right'
import Trash from 'lucide-solid/icons/trash'
import Unlink from 'lucide-solid/icons/unlink'
import type { JSX } from 'solid-js'
import { type NameKey, t } from '../i18n/translate.ts'
import '../library/messages.ts'
import { writeFailure } from '../rpc/failure-text.ts'
import { IconButton } from '../ui/button.tsx'
import { Menu, type MenuEntry } from '../ui/menu.tsx'
import { showToast } from '../ui/toast.tsx'
import type { TileActions } from './board-tile.tsx'
import type { Nudge } from './grid-layout.ts'
import { titleOfTile } from './tile.tsx'

interface TileMenuProps {
  readonly tile: DashboardTile
  readonly actions: TileActions
  /** The address of the insight, by itself and as that of the tile. */
  readonly openHref?: string
  readonly editHref?: string
  /** Present once there is an answer. */
  readonly exports?: { readonly csv: () => void; readonly png: (() => Promise<void>) | undefined } | undefined
}

/** The actions of a tile. */
export function TileMenu(props: TileMenuProps): JSX.Element {
  return (
    <Menu
      trigger={(attributes) => (
        <IconButton
          {...attributes}
          class="tile-menu"
          tone="ghost"
          size="small"
          name={t('dashboards.tileActions', { name: titleOfTile(props.tile) })}
        >
          <Ellipsis />
        </IconButton>
      )}
      entries={entriesOf(props)}
    />
  )
}

function entriesOf(props: TileMenuProps): readonly MenuEntry[] {
  const { tile, actions, openHref, editHref, exports } = props
  const open: readonly MenuEntry[] =
    openHref === undefined
      ? []
      : [{ label: t('dashboards.openInsight'), icon: () => <SquareArrowOutUpRight />, href: openHref }]
  return [
    ...open,
    ...(actions.mayEdit ? changesOf(tile, { actions, editHref }) : []),
    ...(exports ? exportsOf(exports) : []),
    ...(actions.mayEdit ? removalOf(tile, actions) : []),
  ]
}

function changesOf(
  tile: DashboardTile,
  { actions, editHref }: { readonly actions: TileActions; readonly editHref: string | undefined },
): readonly MenuEntry[] {
  const edit: readonly MenuEntry[] =
    editHref === undefined
      ? []
      : [{ label: t('dashboards.editInsight'), icon: () => <Pencil />, href: editHref }]
  return [
    ...edit,
    {
      label: t(editHref === undefined ? 'dashboards.editText' : 'dashboards.renameTile'),
      icon: () => <SlidersHorizontal />,
      onSelect: () => actions.onEdit(tile),
    },
    { label: t('dashboards.duplicate'), icon: () => <Copy />, onSelect: () => actions.onDuplicate(tile) },
    ...(follows(tile)
      ? [{ label: t('library.detach'), icon: () => <Unlink />, onSelect: () => actions.onDetach(tile) }]
      : []),
    ...(actions.mode === 'edited'
      ? stepsOf(tile, actions)
      : [
          {
            label: t('dashboards.move'),
            icon: () => <Move />,
            onSelect: () => actions.onMove(tile),
          },
        ]),
  ]
}

function follows({ content }: DashboardTile): boolean {
  return content.case === 'insight' && content.value.savedInsightId !== ''
}

const STEPS: readonly (readonly [NameKey, Nudge])[] = [
  ['dashboards.moveLeft', { change: 'move', x: -1, y: 0 }],
  ['dashboards.moveRight', { change: 'move', x: 1, y: 0 }],
  ['dashboards.moveUp', { change: 'move', x: 0, y: -1 }],
  ['dashboards.moveDown', { change: 'move', x: 0, y: 1 }],
  ['dashboards.wider', { change: 'resize', x: 1, y: 0 }],
  ['dashboards.narrower', { change: 'resize', x: -1, y: 0 }],
  ['dashboards.taller', { change: 'resize', x: 0, y: 1 }],
  ['dashboards.shorter', { change: 'resize', x: 0, y: -1 }],
]

/** Everything that is dragged can be done with the menu too. */
function stepsOf(tile: DashboardTile, actions: TileActions): readonly MenuEntry[] {
  return [
    'line',
    ...STEPS.map(([name, step]) => ({ label: t(name), onSelect: () => actions.onNudge(tile, step) })),
  ]
}

function exportsOf({ csv, png }: NonNullable<TileMenuProps['exports']>): readonly MenuEntry[] {
  const picture = async (draw: () => Promise<void>): Promise<void> => {
    try {
      await draw()
    } catch (thrown) {
      showToast({ tone: 'bad', text: `${t('ui.failed')}: ${await writeFailure(thrown)}` })
    }
  }
  return [
    'line',
    { label: t('dashboards.exportCsv'), icon: () => <Sheet />, onSelect: csv },
    ...(png
      ? [
          {
            label: t('dashboards.exportPng'),
            icon: () => <ImageDown />,
            onSelect: () => void picture(png),
          } as const,
        ]
      : []),
  ]
}

function removalOf(tile: DashboardTile, actions: TileActions): readonly MenuEntry[] {
  return [
    'line',
    {
      label: t('dashboards.removeTile'),
      icon: () => <Trash />,
      tone: 'danger',
      onSelect: () => actions.onRemove(tile),
    },
  ]
}
