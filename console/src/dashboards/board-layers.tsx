import type { DashboardTile, DashboardTileInput } from '@contract/dashboard/dashboards/v1/dashboard_pb.js'
import { type Accessor, createSignal, type JSX, Match, Show, Suspense, Switch } from 'solid-js'
import { lazy } from '../ui/lazy.ts'
import { useBoard } from './board.ts'
import type { Editing } from './editing.ts'
import { insertTile } from './tile-changes.ts'

const AddTilePanel = lazy(async () => ({ default: (await import('./add-tile-panel.tsx')).AddTilePanel }))
const TileSettings = lazy(async () => ({ default: (await import('./tile-settings.tsx')).TileSettings }))
const ShareDialog = lazy(async () => ({ default: (await import('./share-dialog.tsx')).ShareDialog }))
const BoardSettings = lazy(async () => ({
  default: (await import('./board-settings.tsx')).BoardSettingsDialog,
}))
const DeleteBoard = lazy(async () => ({ default: (await import('./board-changes.tsx')).DeleteBoard }))

/** A layer over a dashboard; `tile` is the one whose settings are open. */
export type OpenLayer =
  | { readonly kind: 'add' | 'share' | 'settings' | 'delete' }
  | { readonly kind: 'tile'; readonly tile: DashboardTile }

/** The open layer. */
export interface Layers {
  readonly open: Accessor<OpenLayer | undefined>
  readonly show: (layer: OpenLayer) => void
  readonly close: () => void
}

/** No layer is open at first. */
export function createLayers(): Layers {
  const [open, setOpen] = createSignal<OpenLayer>()
  return { open, show: (layer) => void setOpen(layer), close: () => void setOpen(undefined) }
}

/** The open layer of a dashboard. Each loads when it is opened first. */
export function BoardLayers(props: { readonly layers: Layers; readonly editing: Editing }): JSX.Element {
  const board = useBoard()
  const kind = (): OpenLayer['kind'] | undefined => props.layers.open()?.kind
  const tile = (): DashboardTile | undefined => {
    const open = props.layers.open()
    return open?.kind === 'tile' ? open.tile : undefined
  }
  return (
    <Suspense>
      <Switch>
        <Match when={kind() === 'add'}>
          <AddTilePanel
            onAdd={async (added) => await insertTile(props.editing, added)}
            onClose={props.layers.close}
          />
        </Match>
        <Match when={kind() === 'share'}>
          <ShareDialog onClose={props.layers.close} />
        </Match>
        <Match when={kind() === 'settings'}>
          <BoardSettings onClose={props.layers.close} />
        </Match>
        <Match when={kind() === 'delete'}>
          <DeleteBoard
            dashboard={board.dashboard()}
            projectId={board.projectId()}
            onClose={props.layers.close}
          />
        </Match>
      </Switch>
      <Show when={tile()} keyed>
        {(shown) => (
          <TileSettings
            tile={shown}
            save={async (input) => await props.editing.store((tiles) => replaceTile(tiles, input))}
            onClose={props.layers.close}
          />
        )}
      </Show>
    </Suspense>
  )
}

/** The tiles with one replaced, which stays where it is. */
function replaceTile(
  tiles: readonly DashboardTileInput[],
  input: DashboardTileInput,
): readonly DashboardTileInput[] {
  return tiles.map((one) => {
    if (one.id !== input.id) return one
    return one.position ? { ...input, position: one.position } : input
  })
}
