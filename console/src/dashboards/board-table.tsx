import { timestampMs } from '@bufbuild/protobuf/wkt'
import type { Dashboard } from '@contract/dashboard/dashboards/v1/dashboard_pb.js'
import { DashboardsService } from '@contract/dashboard/dashboards/v1/dashboards_service_pb.js'
import Copy from 'lucide-solid/icons/copy'
import Ellipsis from 'lucide-solid/icons/ellipsis'
import Star from 'lucide-solid/icons/star'
import Trash from 'lucide-solid/icons/trash'
import { createSignal, type JSX, Show } from 'solid-js'
import { createClock } from '../context/clock.ts'
import { navigate } from '../context/router.ts'
import { readStarred, toggleStar } from '../context/starred.ts'
import { useMay, useWorkspace } from '../context/workspace.ts'
import { formatAge } from '../format/ago.ts'
import { t } from '../i18n/translate.ts'
import { Badge } from '../ui/badge.tsx'
import { IconButton } from '../ui/button.tsx'
import { Menu } from '../ui/menu.tsx'
import { type Column, Table } from '../ui/table.tsx'
import { DeleteBoard, duplicateBoard } from './board-changes.tsx'

/** The dashboards of the project. */
export function BoardTable(props: { readonly dashboards: readonly Dashboard[] }): JSX.Element {
  const workspace = useWorkspace()
  const may = useMay()
  const projectId = (): string => workspace().project.id
  const nowMs = createClock()
  const [deleted, setDeleted] = createSignal<Dashboard>()
  const columns: readonly Column<Dashboard>[] = [
    { key: 'star', title: '', cell: (board) => <StarCell board={board} projectId={projectId()} /> },
    {
      key: 'name',
      title: t('common.name'),
      kind: 'wide',
      cell: (board) => <NameCell board={board} projectId={projectId()} />,
    },
    { key: 'tiles', title: t('dashboards.tiles'), kind: 'number', cell: ({ tiles }) => tiles.length },
    {
      key: 'changed',
      title: t('dashboards.changed'),
      cell: ({ updateTime }) =>
        updateTime
          ? formatAge(timestampMs(updateTime), { nowMs: nowMs(), timeZone: workspace().timeZone })
          : '',
    },
    {
      key: 'actions',
      title: '',
      cell: (board) => (
        <Show when={may(DashboardsService.method.upsert)}>
          <RowMenu board={board} projectId={projectId()} onDelete={() => setDeleted(board)} />
        </Show>
      ),
    },
  ]
  return (
    <div class="ui-card" data-padding="none">
      <Table
        label={t('shell.dashboards')}
        columns={columns}
        rows={props.dashboards}
        onOpen={({ id }) => void navigate(`/p/${projectId()}/dashboards/${id}`)}
      />
      <Show when={deleted()} keyed>
        {(board) => (
          <DeleteBoard dashboard={board} projectId={projectId()} onClose={() => setDeleted(undefined)} />
        )}
      </Show>
    </div>
  )
}

interface CellProps {
  readonly board: Dashboard
  readonly projectId: string
}

function StarCell(props: CellProps): JSX.Element {
  const path = (): string => `dashboards/${props.board.id}`
  const isStarred = (): boolean => readStarred(props.projectId).some((page) => page.path === path())
  return (
    <IconButton
      class="board-star"
      tone="ghost"
      size="small"
      name={t(isStarred() ? 'dashboards.unstarOne' : 'dashboards.starOne', { name: props.board.displayName })}
      aria-pressed={isStarred()}
      onClick={() =>
        toggleStar(props.projectId, { path: path(), name: props.board.displayName, kind: 'dashboard' })
      }
    >
      <Star />
    </IconButton>
  )
}

function NameCell(props: CellProps): JSX.Element {
  return (
    <span class="board-name-cell">
      <a class="ui-ellipsis" href={`/p/${props.projectId}/dashboards/${props.board.id}`}>
        {props.board.displayName}
      </a>
      <Show when={props.board.shareId !== ''}>
        <Badge tone="info">{t('dashboards.shared')}</Badge>
      </Show>
      <span class="board-name-text ui-ellipsis">{props.board.description}</span>
    </span>
  )
}

function RowMenu(props: CellProps & { readonly onDelete: () => void }): JSX.Element {
  return (
    <Menu
      trigger={(attributes) => (
        <IconButton
          {...attributes}
          tone="ghost"
          size="small"
          name={t('dashboards.boardActions', { name: props.board.displayName })}
        >
          <Ellipsis />
        </IconButton>
      )}
      entries={[
        {
          label: t('dashboards.duplicate'),
          icon: () => <Copy />,
          onSelect: () => void duplicateBoard(props.projectId, props.board),
        },
        'line',
        {
          label: t('dashboards.delete'),
          icon: () => <Trash />,
          tone: 'danger',
          onSelect: () => props.onDelete(),
        },
      ]}
    />
  )
}
