import { DashboardsService } from '@contract/dashboard/dashboards/v1/dashboards_service_pb.js'
import { clientOf } from '../rpc/client.ts'
import './insights.css'
import type { DashboardTileInput } from '@contract/dashboard/dashboards/v1/dashboard_pb.js'
import { createResource, type JSX, Show } from 'solid-js'
import { navigate } from '../app/router.ts'
import { useWorkspace } from '../app/workspace.ts'
import { changeTiles } from '../dashboard/change-tiles.ts'
import { Failure } from '../rpc/failure.ts'
import { createAction } from '../ui/action.ts'
import { ErrorBox, readyOf } from '../ui/async.tsx'
import { partsOfTile, type SavedInsight } from './saved-insight.ts'
import { writeSpec } from './spec-json.ts'
import type { TilePlace } from './tile-place.ts'
import { viewOfStored } from './tile-view.ts'

/** A tile as it was when its question was opened. */
interface OpenedTile {
  readonly title: string
  readonly dashboard: string
  readonly spec: string
}

function specOf({ content }: Pick<DashboardTileInput, 'content'>): string {
  const spec = content.case === 'insight' ? content.value.spec : undefined
  return spec ? writeSpec(spec) : ''
}

function missing(): Failure {
  return new Failure({ code: 'not_found', message: 'This tile is no longer on its dashboard.' })
}

async function openTile({ dashboardId, tileId }: TilePlace): Promise<OpenedTile> {
  const { dashboard } = await clientOf(DashboardsService).get({ id: dashboardId })
  const tile = dashboard?.tiles.find(({ id }) => id === tileId)
  if (!dashboard || !tile) throw missing()
  return { title: tile.displayName || 'Insight', dashboard: dashboard.displayName, spec: specOf(tile) }
}

/** A tile with another question; a mode that the console draws in the usual way stays until another view is chosen. */
function withQuestion(tile: DashboardTileInput, saved: SavedInsight): DashboardTileInput {
  const isSameView = viewOfStored(tile) === saved.view
  return { ...tile, ...partsOfTile(saved), ...(isSameView && { viewMode: tile.viewMode }) }
}

/** Says whose question it is that is changed, and stores it there. */
export function TileHead(props: SavedInsight & { readonly place: TilePlace }): JSX.Element {
  const workspace = useWorkspace()
  const action = createAction()
  const [opened, { mutate, refetch }] = createResource(async () => await openTile(props.place))
  const board = (): string => `/p/${workspace().project.id}/dashboards/${props.place.dashboardId}`
  const replace = (tile: DashboardTileInput, known: OpenedTile): DashboardTileInput => {
    const stored = specOf(tile)
    if (stored === known.spec) return withQuestion(tile, props)
    mutate({ ...known, spec: stored })
    const message = 'Somebody else changed this question meanwhile. Save once more to replace theirs.'
    throw new Failure({ code: 'aborted', message })
  }
  const save = async (): Promise<void> => {
    const { dashboardId, tileId } = props.place
    const known = readyOf(opened)
    if (!known) return
    await changeTiles(dashboardId, (tiles) => {
      if (!tiles.some(({ id }) => id === tileId)) throw missing()
      return tiles.map((tile) => (tile.id === tileId ? replace(tile, known) : tile))
    })
    navigate(board())
  }
  return (
    <>
      <header class="page-head">
        <div class="tile-question">
          <h1>Insights</h1>
          <p class="quiet ellipsis">
            <Show when={readyOf(opened)} fallback="The question of a tile">
              {(tile) => `The question of “${tile().title}” of the dashboard “${tile().dashboard}”`}
            </Show>
          </p>
          <p class="quiet small">The dashboard says what time it shows.</p>
        </div>
        <div class="row">
          <button
            type="button"
            class="button primary"
            disabled={action.isRunning() || !readyOf(opened)}
            onClick={() => action.run(save)}
          >
            Save to tile
          </button>
          <a class="button" href={board()}>
            Cancel
          </a>
        </div>
      </header>
      <Show when={opened.error as unknown}>
        {(error) => <ErrorBox error={error()} retry={() => void refetch()} isRetrying={opened.loading} />}
      </Show>
      <Show when={action.failure()}>{(failure) => <ErrorBox error={failure()} />}</Show>
    </>
  )
}
