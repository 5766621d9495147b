import type { Dashboard, DashboardTile } from '@contract/dashboard/dashboards/v1/dashboard_pb.js'
import { DashboardsService } from '@contract/dashboard/dashboards/v1/dashboards_service_pb.js'
import { useQuery } from '@tanstack/solid-query'
import LayoutGrid from 'lucide-solid/icons/layout-grid'
import Plus from 'lucide-solid/icons/plus'
import { createEffect, type JSX, Match, Show, Switch } from 'solid-js'
import { unwrap } from 'solid-js/store'
import { createCohortList } from '../cohorts/cohort-list.ts'
import { currentLocation, stateBrokenLink } from '../context/router.ts'
import { updateStar } from '../context/starred.ts'
import { useMay, useWorkspace } from '../context/workspace.ts'
import { parseRefresh, refreshEvery } from '../dashboards/auto-refresh.ts'
import { BoardProvider, createBoard } from '../dashboards/board.ts'
import { BoardBar } from '../dashboards/board-bar.tsx'
import { BoardLayers, createLayers, type Layers } from '../dashboards/board-layers.tsx'
import { BoardLine } from '../dashboards/board-line.tsx'
import { boardEntries, pathOfBoard, useBoardKeys } from '../dashboards/board-menu.tsx'
import { isBrokenBoardState } from '../dashboards/board-state.ts'
import { BoardTile, type TileActions } from '../dashboards/board-tile.tsx'
import { dashboardKey } from '../dashboards/change-tiles.ts'
import { createEditing, type Editing } from '../dashboards/editing.ts'
import { useFullScreen } from '../dashboards/full-screen.ts'
import { NoSuchBoard } from '../dashboards/no-such-board.tsx'
import { titleOfTile } from '../dashboards/tile.tsx'
import { detachTile, duplicateTile, removeTile } from '../dashboards/tile-changes.ts'
import { TileGrid } from '../dashboards/tile-grid.tsx'
import { t } from '../i18n/translate.ts'
import { NotesLayer } from '../library/notes-layer.tsx'
import { clientOf } from '../rpc/client.ts'
import { isNotFound } from '../rpc/failure.ts'
import { answerOf } from '../rpc/query-client.ts'
import { Button } from '../ui/button.tsx'
import { EmptyState, ErrorState, SkeletonLines } from '../ui/states.tsx'

const dashboardsClient = clientOf(DashboardsService)

/** One dashboard; its tiles are answered one by one. */
export function DashboardPage(props: { readonly id: string }): JSX.Element {
  stateBrokenLink(isBrokenBoardState)
  const workspace = useWorkspace()
  const stored = useQuery(() => ({
    queryKey: dashboardKey(workspace().project.id, props.id),
    queryFn: async () => (await dashboardsClient.get({ id: props.id })).dashboard ?? null,
    // Someone else may have changed it since it was shown last.
    staleTime: 0,
  }))
  // Every tile reads its query often: the store of the answer would watch each read.
  const dashboard = (): Dashboard | null | undefined => unwrap(answerOf(stored))
  return (
    <div class="board" data-page="full">
      <Switch
        fallback={
          <div class="board-loading">
            <SkeletonLines count={8} />
          </div>
        }
      >
        <Match when={isNotFound(stored.error)}>
          <NoSuchBoard />
        </Match>
        <Match when={dashboard()}>{(shown) => <BoardPage dashboard={shown()} />}</Match>
        <Match when={stored.isError}>
          <div class="board-loading">
            <ErrorState
              title={t('dashboards.failed')}
              error={stored.error}
              onRetry={() => void stored.refetch()}
            />
          </div>
        </Match>
      </Switch>
    </div>
  )
}

function comparesCohorts({ content }: DashboardTile): boolean {
  return content.case === 'insight' && (content.value.spec?.breakdownCohortIds ?? []).length > 0
}

function BoardPage(props: { readonly dashboard: Dashboard }): JSX.Element {
  const may = useMay()
  const board = createBoard(() => props.dashboard)
  const editing = createEditing(board)
  const layers = createLayers()
  const parts = { board, editing, layers }
  const mayEdit = (): boolean => may(DashboardsService.method.upsert)
  const actions = createTileActions({ editing, layers, mayEdit })
  refreshEvery(() => parseRefresh(currentLocation().query.get('refresh')), board.refresh)
  createEffect(() => updateStar(board.projectId(), pathOfBoard(board), board.dashboard().displayName))
  // Labels of charts have the names of the cohorts that tiles compare.
  createCohortList(() => board.dashboard().tiles.some(comparesCohorts))
  useFullScreen()
  useBoardKeys(parts)
  const add = (): void => layers.show({ kind: 'add' })
  return (
    <BoardProvider value={board}>
      <BoardBar
        editing={editing}
        entries={boardEntries(parts, mayEdit())}
        onShare={() => layers.show({ kind: 'share' })}
        onAdd={add}
      />
      <BoardLine />
      <p class="ui-hidden" aria-live="polite">
        {editing.arrangement()?.announcement()}
      </p>
      <Show when={board.dashboard().tiles.length > 0} fallback={<NoTiles mayEdit={mayEdit()} onAdd={add} />}>
        <NotesLayer dashboardId={board.dashboard().id}>
          <TileGrid
            tiles={board.dashboard().tiles}
            arrangement={editing.arrangement()}
            draw={(tile) => <BoardTile tile={tile.tile} isNear={tile.isNear} actions={actions} />}
          />
        </NotesLayer>
      </Show>
      <BoardLayers layers={layers} editing={editing} />
    </BoardProvider>
  )
}

function createTileActions(of: {
  readonly editing: Editing
  readonly layers: Layers
  readonly mayEdit: () => boolean
}): TileActions {
  const { editing, layers, mayEdit } = of
  return {
    get mode() {
      return editing.arrangement() ? 'edited' : 'shown'
    },
    get mayEdit() {
      return mayEdit()
    },
    onEdit: (tile) => layers.show({ kind: 'tile', tile }),
    onMove: ({ id }) => {
      if (!editing.arrangement()) editing.begin()
      // The handle is in the page once edit mode is drawn, and the menu has given its focus back.
      setTimeout(() =>
        document.querySelector<HTMLElement>(`[data-tile="${id}"][data-change="move"]`)?.focus(),
      )
    },
    onNudge: (tile, step) => editing.arrangement()?.nudge({ id: tile.id, title: titleOfTile(tile) }, step),
    onDuplicate: (tile) => void duplicateTile(editing, tile),
    onDetach: (tile) => void detachTile(editing, tile),
    onRemove: (tile) => void removeTile(editing, tile),
  }
}

function NoTiles(props: { readonly mayEdit: boolean; readonly onAdd: () => void }): JSX.Element {
  return (
    <EmptyState
      icon={<LayoutGrid />}
      title={t('dashboards.emptyTitle')}
      text={t('dashboards.emptyText')}
      actions={
        <Show when={props.mayEdit}>
          <Button icon={<Plus />} onClick={() => props.onAdd()}>
            {t('dashboards.addTile')}
          </Button>
        </Show>
      }
    />
  )
}
