import type { DashboardTile, DashboardTileInput } from '@contract/dashboard/dashboards/v1/dashboard_pb.js'
import type { DashboardsServiceQueryDashboardResponse } from '@contract/dashboard/dashboards/v1/dashboards_service_pb.js'
import type { RenderedDashboard } from '@contract/dashboard/dashboards/v1/rendered_dashboard_pb.js'
import { createResource, createSignal, type JSX, Show, untrack } from 'solid-js'
import { formatRange } from '../app/format.ts'
import { currentPlace, navigate } from '../app/router.ts'
import { isMember, useWorkspace } from '../app/workspace.ts'
import { type Arrangement, createArrangement } from '../dashboard/arrangement.ts'
import { askBefore, usualPeriod } from '../dashboard/ask-before.ts'
import { changeTiles, putTiles } from '../dashboard/change-tiles.ts'
import { titleOfTile } from '../dashboard/tile.tsx'
import { TileEditor } from '../dashboard/tile-editor.tsx'
import { placeDashboard, TileGrid } from '../dashboard/tile-grid.tsx'
import { CostLine } from '../insight/cost-line.tsx'
import type { RangeMs } from '../insight/days.ts'
import { PeriodField } from '../insight/period-field.tsx'
import {
  isRangeName,
  type Period,
  parsePeriod,
  problemOf,
  RANGES,
  rangeOf,
  toTimeRange,
  writePeriod,
} from '../insight/range.ts'
import { rpc } from '../rpc/clients.ts'
import { createAction } from '../ui/action.ts'
import { Async, ErrorBox, readyOf } from '../ui/async.tsx'
import { AddText, DeleteButton, ShareButton } from './dashboard-dialogs.tsx'

/** A dashboard as it was answered, and the time that it is about. */
interface Shown {
  readonly dashboard: RenderedDashboard
  readonly range: RangeMs
  /** The answer that the dashboard came with. */
  readonly answer: object
}

/** One dashboard with its answers. */
export function DashboardPage(props: { readonly id: string }): JSX.Element {
  const workspace = useWorkspace()
  const [period, setPeriod] = createSignal<Period | undefined>(
    untrack(() => parsePeriod(currentPlace().query.get('range'))),
  )
  const timeZone = (): string => workspace().timeZone
  const problem = (): string | undefined => {
    const chosen = period()
    return chosen && problemOf(chosen, { timeZone: timeZone() })
  }
  const [shown, { refetch }] = createResource(
    () => (problem() === undefined ? { id: props.id, period: period() } : undefined),
    async (asked) => await askDashboard(asked.id, asked.period, timeZone()),
  )
  const [before] = createResource(
    () => readyOf(shown),
    async ({ dashboard, range }) =>
      await askBefore(dashboard, range, async (asked) => (await queryDashboard(props.id, asked)).dashboard),
  )
  const choose = (chosen: Period | undefined): void => {
    setPeriod(chosen)
    const query = chosen && problem() === undefined ? `?range=${writePeriod(chosen)}` : ''
    navigate(`${currentPlace().path}${query}`, 'replace')
  }
  return (
    <Async of={shown} retry={() => void refetch()} lines={10}>
      {(loaded) => (
        <Board
          id={props.id}
          shown={loaded()}
          before={readyOf(before)}
          period={
            <PeriodField
              period={period()}
              usual={usualLabel(loaded().dashboard)}
              timeZone={timeZone()}
              problem={problem()}
              onChange={choose}
            />
          }
          reload={async () => (await refetch())?.dashboard}
        />
      )}
    </Async>
  )
}

async function askDashboard(
  id: string,
  period: Period | undefined,
  timeZone: string,
): Promise<Shown | undefined> {
  const now = { nowMs: Date.now(), timeZone }
  const range = period && rangeOf(period, now)
  const answer = await queryDashboard(id, range)
  const { dashboard } = answer
  return dashboard && { dashboard, range: range ?? rangeOf(usualPeriod(dashboard), now), answer }
}

async function queryDashboard(
  dashboardId: string,
  range: RangeMs | undefined,
): Promise<DashboardsServiceQueryDashboardResponse> {
  const timeRange = range && toTimeRange(range)
  return await rpc.dashboards.queryDashboard({ dashboardId, ...(timeRange && { timeRange }) })
}

function usualLabel(dashboard: RenderedDashboard): string {
  const period = usualPeriod(dashboard)
  return isRangeName(period) ? `${RANGES[period].label}, as set` : 'As set'
}

function Board(props: {
  readonly id: string
  readonly shown: Shown
  readonly before: Awaited<ReturnType<typeof askBefore>> | undefined
  readonly period: JSX.Element
  readonly reload: () => Promise<RenderedDashboard | undefined>
}): JSX.Element {
  const workspace = useWorkspace()
  const [isAdding, setAdding] = createSignal(false)
  const [arrangement, setArrangement] = createSignal<Arrangement>()
  const [edited, setEdited] = createSignal<DashboardTile>()
  const action = createAction()
  const dashboard = () => props.shown.dashboard
  const arrange = (of: RenderedDashboard): void => {
    setArrangement(createArrangement(placeDashboard(of)))
  }
  /** Stores a change, with the places that tiles have by now. */
  const store = async (change: (tiles: DashboardTileInput[]) => DashboardTileInput[]): Promise<void> => {
    const places = arrangement()?.tiles() ?? []
    await changeTiles(props.id, (tiles) => change(putTiles(tiles, places)))
    setEdited(undefined)
    const reloaded = await props.reload()
    if (reloaded && arrangement()) arrange(reloaded)
  }
  const finish = async (): Promise<void> => {
    await store((tiles) => tiles)
    setArrangement(undefined)
  }
  return (
    <>
      <header class="page-head">
        <div>
          <h1>{dashboard().displayName}</h1>
          <Show when={dashboard().description}>{(text) => <p class="quiet">{text()}</p>}</Show>
          <p class="quiet small">
            {formatRange(props.shown.range, workspace().timeZone)}, times in {workspace().timeZone}
          </p>
          <CostLine answer={props.shown.answer} />
        </div>
        <div class="row end">
          <Show
            when={!arrangement()}
            fallback={<EditBar action={action} finish={finish} cancel={() => setArrangement(undefined)} />}
          >
            {props.period}
            <Show when={isMember(workspace().org)}>
              <button type="button" class="button" onClick={() => arrange(dashboard())}>
                Edit
              </button>
              <button type="button" class="button" onClick={() => setAdding(true)}>
                Add text
              </button>
              <ShareButton id={props.id} />
              <DeleteButton id={props.id} />
            </Show>
          </Show>
        </div>
      </header>
      <Show when={action.failure()}>{(failure) => <ErrorBox error={failure()} />}</Show>
      <p class="visually-hidden" aria-live="polite">
        {arrangement()?.spoken()}
      </p>
      <TileGrid
        dashboard={dashboard()}
        before={props.before ?? new Map()}
        timeZone={workspace().timeZone}
        {...editingOf(arrangement(), setEdited)}
      />
      <Show when={edited()} keyed>
        {(tile) => (
          <TileEditor
            tile={tile}
            save={async (input) =>
              await store((tiles) =>
                tiles.map((one) => (one.id === tile.id ? { ...input, ...placeOf(one) } : one)),
              )
            }
            remove={async () => await store((tiles) => tiles.filter(({ id }) => id !== tile.id))}
            onClose={() => setEdited(undefined)}
          />
        )}
      </Show>
      <Show when={isAdding()}>
        <AddText
          id={props.id}
          onClose={() => setAdding(false)}
          onAdded={() => {
            setAdding(false)
            void props.reload()
          }}
        />
      </Show>
    </>
  )
}

function placeOf({ position }: DashboardTileInput): Pick<DashboardTileInput, 'position'> {
  return position ? { position } : {}
}

function editingOf(arrangement: Arrangement | undefined, edit: (tile: DashboardTile) => void) {
  if (!arrangement) return {}
  return {
    editing: {
      arrangement,
      tools: (rendered: RenderedDashboard['tiles'][number]) => (
        <button
          type="button"
          class="button quiet-button"
          aria-label={`Edit ${titleOfTile(rendered)}`}
          onClick={() => rendered.tile && edit(rendered.tile)}
        >
          Edit
        </button>
      ),
    },
  }
}

function EditBar(props: {
  readonly action: ReturnType<typeof createAction>
  readonly finish: () => Promise<void>
  readonly cancel: () => void
}): JSX.Element {
  return (
    <>
      <p class="quiet small wide-only" id="arranging">
        Drag tiles, or move and resize them with the arrow keys.
      </p>
      <button type="button" class="button" disabled={props.action.isRunning()} onClick={() => props.cancel()}>
        Cancel
      </button>
      <button
        type="button"
        class="button primary"
        disabled={props.action.isRunning()}
        onClick={() => props.action.run(props.finish)}
      >
        Save
      </button>
    </>
  )
}
