import type { DashboardTile } from '@contract/dashboard/dashboards/v1/dashboard_pb.js'
import { ComparePeriod } from '@contract/dashboard/dashboards/v1/tile_options_pb.js'
import type { Granularity, InsightQuerySpec } from '@contract/shared/insights/v1/insight_query_spec_pb.js'
import type { RangeMs } from '@domain/time-ranges.ts'
import { createMemo, type JSX, Show } from 'solid-js'
import { formatRange } from '../format/values.ts'
import { INSIGHT_TYPES, typeOfSpec } from '../insights/types/insight-types.ts'
import { type Board, useBoard } from './board.ts'
import { bucketsOfTile, comparedRange } from './board-range.ts'
import { describeInsight, listOverrides } from './describe-tile.ts'
import type { Nudge } from './grid-layout.ts'
import { Tile, TileText, titleOfTile } from './tile.tsx'
import { insightAddress } from './tile-address.ts'
import { type TileQuery, useTileAnswer } from './tile-answer.ts'
import { exportCsv, exportPng } from './tile-export.ts'
import type { TileProps } from './tile-grid.tsx'
import { TileMenu } from './tile-menu.tsx'
import { TileResult, viewOfTile } from './tile-result.tsx'
import { granularityOfTile, specOfTile } from './tile-view.ts'

/** The actions of the tiles of a dashboard. */
export interface TileActions {
  readonly mode: 'shown' | 'edited'
  readonly mayEdit: boolean
  readonly onEdit: (tile: DashboardTile) => void
  readonly onMove: (tile: DashboardTile) => void
  /** In edit mode: changes the place or the size of a tile. */
  readonly onNudge: (tile: DashboardTile, step: Nudge) => void
  readonly onDuplicate: (tile: DashboardTile) => void
  /** Gives a tile that follows a saved insight a query of its own. */
  readonly onDetach: (tile: DashboardTile) => void
  readonly onRemove: (tile: DashboardTile) => void
}

/** A tile of a dashboard of the project. */
export function BoardTile(props: TileProps & { readonly actions: TileActions }): JSX.Element {
  return (
    <Show
      when={specOfTile(props.tile)}
      fallback={
        <Tile
          tile={props.tile}
          mode={props.actions.mode}
          actions={<TileMenu tile={props.tile} actions={props.actions} />}
        >
          <TileText tile={props.tile} />
        </Tile>
      }
    >
      {(spec) => <InsightTile {...props} spec={spec()} />}
    </Show>
  )
}

function InsightTile(
  props: TileProps & { readonly actions: TileActions; readonly spec: InsightQuerySpec },
): JSX.Element {
  const board = useBoard()
  let box: HTMLDivElement | undefined
  const buckets = createMemo((): Granularity => {
    const own = granularityOfTile(props.tile)
    const stored = board.dashboard().defaultGranularity
    const isStoredPeriod = board.isStoredPeriod()
    return bucketsOfTile({ own, type: props.spec.insightType }, { ...board.range(), stored, isStoredPeriod })
  })
  const query = createMemo(
    (): TileQuery => ({
      projectId: board.projectId(),
      spec: props.spec,
      granularity: buckets(),
      range: board.range().range,
      compared: comparedOf(board, props.tile, props.spec),
      filters: board.state().filters,
      timeZone: board.asOf().timeZone,
    }),
  )
  const shown = useTileAnswer({ query, isNear: () => props.isNear && !board.isWaiting() })
  const addressTo = (use: 'open' | 'edit'): string =>
    insightAddress(
      props.tile,
      {
        projectId: board.projectId(),
        dashboardId: board.dashboard().id,
        period: board.period(),
        state: board.state(),
        granularity: buckets(),
      },
      use,
    )
  const time = (): string => formatRange(board.range().range, board.asOf().timeZone)
  const exports = () => {
    const answer = shown.answer()
    if (!answer) return undefined
    const name = titleOfTile(props.tile)
    return {
      csv: () => exportCsv(answer, { name, spec: props.spec, timeZone: board.asOf().timeZone }),
      png:
        viewOfTile(props.tile, answer) === 'table'
          ? undefined
          : async () => {
              if (box) await exportPng(box, { name, time: time() })
            },
    }
  }
  return (
    <Tile
      tile={props.tile}
      href={addressTo('open')}
      subtitle={describeInsight(props.spec, buckets())}
      overrides={listOverrides(props.tile, {
        state: board.state(),
        buckets: buckets(),
        isComparable: isComparable(props.spec),
      })}
      mode={props.actions.mode}
      isOld={shown.isOld()}
      actions={
        <TileMenu
          tile={props.tile}
          actions={props.actions}
          openHref={addressTo('open')}
          editHref={addressTo('edit')}
          exports={exports()}
        />
      }
    >
      <div ref={box} class="tile-answer">
        <TileResult
          tile={props.tile}
          shown={shown}
          timeZone={board.asOf().timeZone}
          comparedTo={board.state().compare === 'year' ? 'year' : 'previous'}
        />
      </div>
    </Tile>
  )
}

function isComparable(spec: InsightQuerySpec): boolean {
  return INSIGHT_TYPES[typeOfSpec(spec)].comparable !== undefined
}

/** The range that a tile is compared with: as the dashboard is, else as the tile is stored. */
function comparedOf(board: Board, tile: DashboardTile, spec: InsightQuerySpec): RangeMs | undefined {
  if (!isComparable(spec)) return undefined
  const own = tile.compare === ComparePeriod.PRIOR ? 'previous' : 'none'
  const { compare } = board.state()
  const chosen = compare === 'tile' ? own : compare
  if (chosen === 'none') return undefined
  return comparedRange(board.range(), { compare: chosen, timeZone: board.asOf().timeZone })
}
