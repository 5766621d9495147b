import './dashboard.css'
import type {
  RenderedDashboard,
  RenderedTile,
} from '@contract/dashboard/dashboards/v1/rendered_dashboard_pb.js'
import type { QueryResponse } from '@contract/shared/insights/v1/insights_service_pb.js'
import { createMemo, For, type JSX, Show } from 'solid-js'
import { SharedTime } from '../charts/shared-time.tsx'
import { Empty } from '../ui/async.tsx'
import type { Arrangement } from './arrangement.ts'
import { byPlace, COLUMNS, type PlacedTile, placeTiles } from './grid-layout.ts'
import { Tile, titleOfTile } from './tile.tsx'
import { GAP_PX, TileHandle } from './tile-handle.tsx'
import { defaultSize } from './tile-view.ts'

/** Answers for the previous period, by the id of their tile. */
export type PreviousAnswers = ReadonlyMap<string, QueryResponse>

/** The positions of the tiles of a dashboard. */
export function placeDashboard(dashboard: RenderedDashboard): readonly PlacedTile[] {
  return placeTiles(
    dashboard.tiles.flatMap(({ tile }) =>
      tile ? [{ id: tile.id, position: tile.position, defaultSize: defaultSize(tile) }] : [],
    ),
  )
}

/** The tiles at their positions; in one column on a narrow page. */
export function TileGrid(props: {
  readonly dashboard: RenderedDashboard
  readonly previous: PreviousAnswers
  readonly timeZone: string
  /** Present while tiles are edited. */
  readonly editing?: {
    readonly arrangement: Arrangement
    readonly tools: (rendered: RenderedTile) => JSX.Element
  }
}): JSX.Element {
  let grid: HTMLDivElement | undefined
  const stored = createMemo(() => placeDashboard(props.dashboard))
  const places = createMemo(
    () => new Map((props.editing?.arrangement.tiles() ?? stored()).map((tile) => [tile.id, tile])),
  )
  // The order of elements stays while tiles move: the focused one must not leave the page.
  const inOrder = createMemo(() => {
    const order = new Map([...stored()].sort(byPlace).map(({ id }, index) => [id, index]))
    const orderOf = ({ tile }: RenderedTile): number => order.get(tile?.id ?? '') ?? 0
    return [...props.dashboard.tiles].sort((a, b) => orderOf(a) - orderOf(b))
  })
  const columnPx = (): number => ((grid?.clientWidth ?? 0) + GAP_PX) / COLUMNS
  return (
    <Show
      when={props.dashboard.tiles.length > 0}
      fallback={
        <Empty title="This dashboard has no tiles. Add your first one.">
          Save an insight to this dashboard, or add text.
        </Empty>
      }
    >
      <div ref={grid} class="tiles" classList={{ editing: props.editing !== undefined }}>
        <SharedTime>
          <For each={inOrder()}>
            {(rendered) => {
              const id = (): string => rendered.tile?.id ?? ''
              return (
                <section
                  class="card tile"
                  classList={{
                    held: props.editing?.arrangement.isHeld(id()) ?? false,
                    borderless: rendered.tile?.header?.borderless ?? false,
                  }}
                  aria-label={titleOfTile(rendered)}
                  style={styleOf(places().get(id()))}
                >
                  <Tile
                    rendered={rendered}
                    previous={props.previous.get(id())}
                    timeZone={props.timeZone}
                    mode={props.editing ? 'edited' : 'shown'}
                    tools={props.editing?.tools(rendered)}
                  />
                  <Show when={props.editing}>
                    {(editing) => (
                      <Handles
                        id={id()}
                        title={titleOfTile(rendered)}
                        arrangement={editing().arrangement}
                        columnPx={columnPx}
                      />
                    )}
                  </Show>
                </section>
              )
            }}
          </For>
        </SharedTime>
      </div>
    </Show>
  )
}

function Handles(props: {
  readonly id: string
  readonly title: string
  readonly arrangement: Arrangement
  readonly columnPx: () => number
}): JSX.Element {
  return <For each={['move', 'resize'] as const}>{(change) => <TileHandle change={change} {...props} />}</For>
}

function styleOf(place: PlacedTile | undefined): JSX.CSSProperties {
  if (!place) return {}
  return {
    '--column': `${place.x + 1} / span ${place.w}`,
    '--row': `${place.y + 1} / span ${place.h}`,
  }
}
