import {
  DashboardsService,
  type DashboardsServiceQueryDashboardResponse,
} from '@contract/dashboard/dashboards/v1/dashboards_service_pb.js'
import type {
  RenderedDashboard,
  RenderedTile,
} from '@contract/dashboard/dashboards/v1/rendered_dashboard_pb.js'
import type { RangeMs } from '@domain/time-ranges.ts'
import { createEffect, createResource, createSignal, type JSX, onCleanup, Show, untrack } from 'solid-js'
import { currentLocation, guardLeaving, navigate } from '../context/router.ts'
import { useMay, useWorkspace } from '../context/workspace.ts'
import { EditQueryLink } from '../dashboards/edit-query-link.tsx'
import { createEditing, type Editing } from '../dashboards/editing.ts'
import { defaultPeriod, queryPrevious } from '../dashboards/previous-answers.ts'
import { SettingsButton } from '../dashboards/settings-dialog.tsx'
import { titleOfTile } from '../dashboards/tile.tsx'
import { TileEditor } from '../dashboards/tile-editor.tsx'
import { type PreviousAnswers, TileGrid } from '../dashboards/tile-grid.tsx'
import { formatRange } from '../format/values.ts'
import { CostLine } from '../insights/cost-line.tsx'
import {
  findPeriodProblem,
  type Period,
  parsePeriod,
  rangeOfPeriod,
  toTimeRange,
  writePeriod,
} from '../insights/period.ts'
import { PeriodField } from '../insights/period-field.tsx'
import { clientOf } from '../rpc/client.ts'
import { createAction } from '../ui/action.ts'
import { Async, ErrorBox, readyOf } from '../ui/async.tsx'
import { AddText, DeleteButton, ShareButton } from './dashboard-dialogs.tsx'

const dashboardsClient = clientOf(DashboardsService)

/** An answered dashboard and its time range. */
interface Shown {
  readonly dashboard: RenderedDashboard
  readonly range: RangeMs
  /** The response that holds the dashboard. */
  readonly answer: object
}

/** One dashboard with its answers. */
export function DashboardPage(props: { readonly id: string }): JSX.Element {
  const workspace = useWorkspace()
  const [period, setPeriod] = createSignal<Period | undefined>(
    untrack(() => parsePeriod(currentLocation().query.get('range'))),
  )
  const timeZone = (): string => workspace().timeZone
  const problem = (): string | undefined => {
    const chosen = period()
    return chosen && findPeriodProblem(chosen, { timeZone: timeZone() })
  }
  const [shown, { refetch }] = createResource(
    () => (problem() === undefined ? { id: props.id, period: period() } : undefined),
    async (asked) => await readDashboard(asked.id, asked.period, timeZone()),
  )
  const [previous] = createResource(
    () => readyOf(shown),
    async (of) => ({
      of,
      answers: await queryPrevious(
        of.dashboard,
        of.range,
        async (asked) => (await queryDashboard(props.id, asked)).dashboard,
      ),
    }),
  )
  // An answer is compared with its own previous period only.
  const previousAnswers = (): PreviousAnswers | undefined => {
    const found = readyOf(previous)
    return found && found.of === readyOf(shown) ? found.answers : undefined
  }
  const choose = (chosen: Period, dashboard: RenderedDashboard): void => {
    // The default of the dashboard is not in the address: it follows later changes of the default.
    setPeriod(chosen === defaultPeriod(dashboard) ? undefined : chosen)
    const named = period()
    const query = named && problem() === undefined ? `?range=${writePeriod(named)}` : ''
    navigate(`${currentLocation().path}${query}`, 'replace')
  }
  return (
    <Async of={shown} retry={() => void refetch()} lines={10}>
      {(loaded) => (
        <Board
          id={props.id}
          shown={loaded()}
          previous={previousAnswers()}
          period={
            <PeriodField
              period={period() ?? defaultPeriod(loaded().dashboard)}
              timeZone={timeZone()}
              problem={problem()}
              onChange={(chosen) => choose(chosen, loaded().dashboard)}
            />
          }
          reload={async () => (await refetch())?.dashboard}
        />
      )}
    </Async>
  )
}

async function readDashboard(
  id: string,
  period: Period | undefined,
  timeZone: string,
): Promise<Shown | undefined> {
  const now = { nowMs: Date.now(), timeZone }
  const range = period && rangeOfPeriod(period, now)
  const answer = await queryDashboard(id, range)
  const { dashboard } = answer
  return dashboard && { dashboard, range: range ?? rangeOfPeriod(defaultPeriod(dashboard), now), answer }
}

async function queryDashboard(
  dashboardId: string,
  range: RangeMs | undefined,
): Promise<DashboardsServiceQueryDashboardResponse> {
  const timeRange = range && toTimeRange(range)
  return await dashboardsClient.queryDashboard({ dashboardId, ...(timeRange && { timeRange }) })
}

function Board(props: {
  readonly id: string
  readonly shown: Shown
  readonly previous: PreviousAnswers | undefined
  readonly period: JSX.Element
  readonly reload: () => Promise<RenderedDashboard | undefined>
}): JSX.Element {
  const workspace = useWorkspace()
  const editing = createEditing({
    id: untrack(() => props.id),
    shown: () => props.shown.dashboard,
    reload: () => props.reload(),
  })
  createEffect(() => {
    if (editing.isChanged()) onCleanup(guardLeaving())
  })
  return (
    <>
      <BoardHead
        id={props.id}
        shown={props.shown}
        period={props.period}
        editing={editing}
        reload={props.reload}
      />
      <p class="visually-hidden" aria-live="polite">
        {editing.arrangement()?.announcement()}
      </p>
      <TileGrid
        dashboard={props.shown.dashboard}
        previous={props.previous ?? new Map()}
        timeZone={workspace().timeZone}
        {...gridEditing(editing, props.shown.dashboard)}
      />
      <Show when={editing.edited()} keyed>
        {(tile) => (
          <TileEditor
            tile={tile}
            save={editing.save}
            remove={async () => await editing.remove(tile.id)}
            onClose={() => editing.open(undefined)}
          />
        )}
      </Show>
    </>
  )
}

function gridEditing({ arrangement, open }: Editing, dashboard: RenderedDashboard) {
  const current = arrangement()
  if (!current) return {}
  const tools = (rendered: RenderedTile): JSX.Element => (
    <div class="tile-tools">
      <EditQueryLink rendered={rendered} dashboard={dashboard} />
      <button
        type="button"
        class="button quiet-button"
        aria-label={`Edit ${titleOfTile(rendered)}`}
        onClick={() => open(rendered.tile)}
      >
        Edit
      </button>
    </div>
  )
  return { editing: { arrangement: current, tools } }
}

function BoardHead(props: {
  readonly id: string
  readonly shown: Shown
  readonly period: JSX.Element
  readonly editing: Editing
  readonly reload: () => Promise<RenderedDashboard | undefined>
}): JSX.Element {
  const workspace = useWorkspace()
  const may = useMay()
  const [isAdding, setAdding] = createSignal(false)
  return (
    <header class="page-head">
      <div>
        <h1>{props.shown.dashboard.displayName}</h1>
        <Show when={props.shown.dashboard.description}>{(text) => <p class="quiet">{text()}</p>}</Show>
        <p class="quiet small">
          {formatRange(props.shown.range, workspace().timeZone)}, times in {workspace().timeZone}
        </p>
        <CostLine answer={props.shown.answer} />
      </div>
      <div class="row end">
        <Show
          when={!props.editing.arrangement()}
          fallback={
            <EditBar editing={props.editing} dashboard={props.shown.dashboard} reload={props.reload} />
          }
        >
          {props.period}
          <Show when={may(DashboardsService.method.upsert)}>
            <button type="button" class="button" onClick={() => props.editing.begin()}>
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
    </header>
  )
}

function EditBar(props: {
  readonly editing: Editing
  readonly dashboard: RenderedDashboard
  readonly reload: () => Promise<unknown>
}): JSX.Element {
  const action = createAction()
  return (
    <>
      <p class="quiet small arranging" id="arranging">
        Drag tiles, or move and resize them with the arrow keys.
      </p>
      <SettingsButton dashboard={props.dashboard} reload={props.reload} />
      <button
        type="button"
        class="button"
        disabled={action.isRunning()}
        onClick={() => props.editing.cancel()}
      >
        Cancel
      </button>
      <button
        type="button"
        class="button primary"
        disabled={action.isRunning()}
        onClick={() => action.run(props.editing.finish)}
      >
        Save
      </button>
      <Show when={action.failure()}>{(failure) => <ErrorBox error={failure()} />}</Show>
    </>
  )
}
