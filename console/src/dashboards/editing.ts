import type { DashboardTile, DashboardTileInput } from '@contract/dashboard/dashboards/v1/dashboard_pb.js'
import type { RenderedDashboard } from '@contract/dashboard/dashboards/v1/rendered_dashboard_pb.js'
import { createMemo, createSignal } from 'solid-js'
import { type Arrangement, createArrangement } from './arrangement.ts'
import { changeTiles, putTiles } from './change-tiles.ts'
import type { PlacedTile } from './grid-layout.ts'
import { placeDashboard } from './tile-grid.tsx'

/** The edit mode of a dashboard. */
export interface Editing {
  /** The current positions; `undefined` outside edit mode. */
  readonly arrangement: () => Arrangement | undefined
  /** Whether positions differ from the stored ones. */
  readonly isChanged: () => boolean
  /** The tile that is open in the editor. */
  readonly edited: () => DashboardTile | undefined
  readonly begin: () => void
  readonly cancel: () => void
  readonly open: (tile: DashboardTile | undefined) => void
  /** Stores the positions and ends edit mode. Throws the errors of the calls. */
  readonly finish: () => Promise<void>
  /** Stores a tile and all positions. Throws the errors of the calls. */
  readonly save: (input: DashboardTileInput) => Promise<void>
  /** Deletes a tile and stores the other positions. Throws the errors of the calls. */
  readonly remove: (id: string) => Promise<void>
}

/** Creates the edit mode of the shown dashboard; `reload` reads it again. */
export function createEditing(board: {
  readonly id: string
  readonly shown: () => RenderedDashboard
  readonly reload: () => Promise<RenderedDashboard | undefined>
}): Editing {
  const [arrangement, setArrangement] = createSignal<Arrangement>()
  const [edited, setEdited] = createSignal<DashboardTile>()
  const arrange = (dashboard: RenderedDashboard): void => {
    setArrangement(createArrangement(placeDashboard(dashboard)))
  }
  const isChanged = createMemo(() => {
    const stored = new Map(placeDashboard(board.shown()).map((tile) => [tile.id, tile]))
    return (arrangement()?.tiles() ?? []).some((tile) => !isSamePlace(tile, stored.get(tile.id)))
  })
  const store = async (change: (tiles: DashboardTileInput[]) => DashboardTileInput[]): Promise<void> => {
    const places = arrangement()?.tiles() ?? []
    await changeTiles(board.id, (tiles) => change(putTiles(tiles, places)))
    setEdited(undefined)
    const reloaded = await board.reload()
    if (reloaded && arrangement()) arrange(reloaded)
  }
  return {
    arrangement,
    isChanged,
    edited,
    begin: () => arrange(board.shown()),
    cancel: () => setArrangement(undefined),
    open: (tile) => setEdited(tile),
    finish: async () => {
      await store((tiles) => tiles)
      setArrangement(undefined)
    },
    save: async (input) =>
      await store((tiles) => tiles.map((one) => (one.id === input.id ? withPlaceOf(one, input) : one))),
    remove: async (id) => await store((tiles) => tiles.filter((one) => one.id !== id)),
  }
}

function isSamePlace(a: PlacedTile, b: PlacedTile | undefined): boolean {
  return a.x === b?.x && a.y === b.y && a.w === b.w && a.h === b.h
}

function withPlaceOf({ position }: DashboardTileInput, input: DashboardTileInput): DashboardTileInput {
  return position ? { ...input, position } : input
}
