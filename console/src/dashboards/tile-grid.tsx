import './dashboard.css'
import '../ui/card.css'
import type { DashboardTile } from '@contract/dashboard/dashboards/v1/dashboard_pb.js'
import { createMemo, createSignal, For, type JSX, onCleanup, onMount, Show } from 'solid-js'
import { SharedTime } from '../charts/shared-time.tsx'
import type { Arrangement, Change } from './arrangement.ts'
import { byPlace, COLUMNS, type PlacedTile, placeTiles, sharedEdges } from './grid-layout.ts'
import { titleOfTile } from './tile.tsx'
import { GAP_PX, ROW_PX, TileHandle } from './tile-handle.tsx'
import { defaultSize } from './tile-view.ts'

/** Tiles this near to the window are queried, so that their answers are there before they scroll into view. */
const NEAR_PX = 400

/** The positions of tiles. */
export function placeBoard(tiles: readonly DashboardTile[]): readonly PlacedTile[] {
  return placeTiles(
    tiles.map((tile) => ({ id: tile.id, position: tile.position, defaultSize: defaultSize(tile) })),
  )
}

/** The properties of a tile. */
export interface TileProps {
  readonly tile: DashboardTile
  /** Whether the tile is in view or soon will be; it stays true. */
  readonly isNear: boolean
}

/** The tiles at their positions; in one column on a narrow page. */
export function TileGrid(props: {
  readonly tiles: readonly DashboardTile[]
  readonly draw: (tile: TileProps) => JSX.Element
  /** Present while tiles are arranged. */
  readonly arrangement?: Arrangement | undefined
}): JSX.Element {
  let grid: HTMLDivElement | undefined
  const byId = createMemo(() => new Map(props.tiles.map((tile) => [tile.id, tile])))
  const stored = createMemo(() => placeBoard(props.tiles))
  const places = createMemo(
    () => new Map((props.arrangement?.tiles() ?? stored()).map((tile) => [tile.id, tile])),
  )
  // The order of elements stays while tiles move: the focused one must not leave the page.
  const ids = createMemo(() => [...stored()].sort(byPlace).map(({ id }) => id))
  const columnPx = (): number => ((grid?.clientWidth ?? 0) + GAP_PX) / COLUMNS
  return (
    <div ref={grid} class="tiles" classList={{ editing: props.arrangement !== undefined }}>
      <SharedTime>
        <For each={ids()}>
          {(id) => (
            <Show when={byId().get(id)}>
              {(tile) => (
                <GridTile
                  tile={tile()}
                  place={places().get(id)}
                  draw={props.draw}
                  arrangement={props.arrangement}
                  columnPx={columnPx}
                />
              )}
            </Show>
          )}
        </For>
      </SharedTime>
      <Show when={props.arrangement}>{(arrangement) => <SnapLines arrangement={arrangement()} />}</Show>
    </div>
  )
}

const CHANGES: readonly Change[] = ['move', 'resize']

function GridTile(props: {
  readonly tile: DashboardTile
  readonly place: PlacedTile | undefined
  readonly draw: (tile: TileProps) => JSX.Element
  readonly arrangement: Arrangement | undefined
  readonly columnPx: () => number
}): JSX.Element {
  let box: HTMLElement | undefined
  const [isNear, setNear] = createSignal(false)
  onMount(() => {
    if (!box) return
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return
        setNear(true)
        observer.disconnect()
      },
      { rootMargin: `${NEAR_PX}px` },
    )
    observer.observe(box)
    onCleanup(() => observer.disconnect())
  })
  return (
    <section
      ref={box}
      class="ui-card tile"
      classList={{
        held: props.arrangement?.isHeld(props.tile.id) ?? false,
        borderless: props.tile.header?.borderless ?? false,
        wide: (props.place?.w ?? 0) > COLUMNS / 2,
        narrow: (props.place?.w ?? 0) <= COLUMNS / 4,
      }}
      aria-label={titleOfTile(props.tile)}
      style={styleOf(props.place)}
    >
      {/* A component, so that its props follow the tile. */}
      <DrawnTile draw={props.draw} tile={props.tile} isNear={isNear()} />
      <Show when={props.arrangement}>
        {(arrangement) => (
          <For each={CHANGES}>
            {(change) => (
              <TileHandle
                change={change}
                id={props.tile.id}
                title={titleOfTile(props.tile)}
                arrangement={arrangement()}
                columnPx={props.columnPx}
              />
            )}
          </For>
        )}
      </Show>
    </section>
  )
}

function DrawnTile(props: TileProps & { readonly draw: (tile: TileProps) => JSX.Element }): JSX.Element {
  return props.draw(props)
}

/** Lines at the edges that the held tile has in common with others, and the columns below them. */
function SnapLines(props: { readonly arrangement: Arrangement }): JSX.Element {
  const edges = createMemo(() => {
    const tiles = props.arrangement.tiles()
    const held = tiles.find(({ id }) => props.arrangement.isHeld(id))
    return held && sharedEdges(held, tiles)
  })
  return (
    <Show when={edges()}>
      {(shown) => (
        <div class="tile-lines" aria-hidden="true">
          <For each={Array.from({ length: COLUMNS })}>{() => <span class="tile-column" />}</For>
          <For each={shown().columns}>
            {(column) => <span class="tile-snap" data-axis="x" style={{ '--at': column }} />}
          </For>
          <For each={shown().rows}>
            {(row) => (
              <span class="tile-snap" data-axis="y" style={{ '--at': `${row * (ROW_PX + GAP_PX)}px` }} />
            )}
          </For>
        </div>
      )}
    </Show>
  )
}

function styleOf(place: PlacedTile | undefined): JSX.CSSProperties {
  if (!place) return {}
  return {
    '--column': `${place.x + 1} / span ${place.w}`,
    '--row': `${place.y + 1} / span ${place.h}`,
    '--rows': place.h,
  }
}
