import type { DashboardTileInput } from '@contract/dashboard/dashboards/v1/dashboard_pb.js'
import { createMemo, createSignal } from 'solid-js'
import { guardChanges } from '../context/router.ts'
import { type Arrangement, createArrangement } from './arrangement.ts'
import type { Board } from './board.ts'
import { putTiles } from './change-tiles.ts'
import type { PlacedTile } from './grid-layout.ts'
import { placeBoard } from './tile-grid.tsx'

/** The edit mode of a dashboard. */
export interface Editing {
  /** The current positions; `undefined` outside edit mode. */
  readonly arrangement: () => Arrangement | undefined
  /** Whether positions differ from the stored ones. */
  readonly isChanged: () => boolean
  readonly begin: () => void
  readonly cancel: () => void
  /** Stores the positions and ends edit mode. Throws the errors of the calls. */
  readonly finish: () => Promise<void>
  /** Changes the stored tiles, together with the positions of edit mode. Throws the errors of the calls. */
  readonly store: (
    change: (tiles: readonly DashboardTileInput[]) => readonly DashboardTileInput[],
  ) => Promise<void>
}

/** Creates the edit mode of a dashboard. Leaving the page with unsaved positions needs a confirmation. */
export function createEditing(board: Board): Editing {
  const [arrangement, setArrangement] = createSignal<Arrangement>()
  const stored = createMemo(() => placeBoard(board.dashboard().tiles))
  const isChanged = createMemo(() => {
    const places = new Map(stored().map((tile) => [tile.id, tile]))
    return (arrangement()?.tiles() ?? []).some((tile) => !isSamePlace(tile, places.get(tile.id)))
  })
  guardChanges(isChanged)
  const store: Editing['store'] = async (change) => {
    const places = arrangement()?.tiles() ?? []
    const { tiles: changed } = await board.store((tiles) => change(putTiles(tiles, places)))
    if (arrangement()) setArrangement(createArrangement(placeBoard(changed)))
  }
  return {
    arrangement,
    isChanged,
    begin: () => void setArrangement(createArrangement(stored())),
    cancel: () => setArrangement(undefined),
    finish: async () => {
      if (isChanged()) await store((tiles) => tiles)
      // The page has the stored positions with the next task: tiles must not jump back before it.
      await new Promise((resolve) => setTimeout(resolve))
      setArrangement(undefined)
    },
    store,
  }
}

function isSamePlace(a: PlacedTile, b: PlacedTile | undefined): boolean {
  return a.x === b?.x && a.y === b.y && a.w === b.w && a.h === b.h
}
