import { DashboardsService } from '@contract/dashboard/dashboards/v1/dashboards_service_pb.js'
import { clientOf } from '../rpc/client.ts'
import '../insights/insights.css'
import type { DashboardTileInput } from '@contract/dashboard/dashboards/v1/dashboard_pb.js'
import { createResource, type JSX, Show } from 'solid-js'
import { navigate } from '../context/router.ts'
import { useWorkspace } from '../context/workspace.ts'
import type { TileId } from '../insights/query-address.ts'
import { writeSpec } from '../insights/spec.ts'
import { Failure } from '../rpc/failure.ts'
import { createAction } from '../ui/action.ts'
import { ErrorBox, readyOf } from '../ui/async.tsx'
import { changeTiles } from './change-tiles.ts'
import { type SavedInsight, specOfTile, tileFieldsOf, viewOfStored } from './tile-view.ts'

const dashboardsClient = clientOf(DashboardsService)

/** A tile as it was when its query was opened. */
interface OpenedTile {
  readonly title: string
  readonly dashboard: string
  readonly spec: string
}

function specOf(tile: Pick<DashboardTileInput, 'content'>): string {
  const spec = specOfTile(tile)
  return spec ? writeSpec(spec) : ''
}

function missing(): Failure {
  return new Failure({ code: 'not_found', message: 'This tile is no longer on its dashboard.' })
}

async function openTile({ dashboardId, tileId }: TileId): Promise<OpenedTile> {
  const { dashboard } = await dashboardsClient.get({ id: dashboardId })
  const tile = dashboard?.tiles.find(({ id }) => id === tileId)
  if (!dashboard || !tile) throw missing()
  return { title: tile.displayName || 'Insight', dashboard: dashboard.displayName, spec: specOf(tile) }
}

/** A tile with another query; a mode that the console does not offer stays until another view is chosen. */
function withQuery(tile: DashboardTileInput, saved: SavedInsight): DashboardTileInput {
  const isSameView = viewOfStored(tile) === saved.view
  return { ...tile, ...tileFieldsOf(saved), ...(isSameView && { viewMode: tile.viewMode }) }
}

/** The head of the page of a tile's query, which saves it to the tile. */
export function TileQueryHead(props: SavedInsight & { readonly id: TileId }): JSX.Element {
  const workspace = useWorkspace()
  const action = createAction()
  const [opened, { mutate, refetch }] = createResource(async () => await openTile(props.id))
  const board = (): string => `/p/${workspace().project.id}/dashboards/${props.id.dashboardId}`
  const replace = (tile: DashboardTileInput, known: OpenedTile): DashboardTileInput => {
    const stored = specOf(tile)
    if (stored === known.spec) return withQuery(tile, props)
    mutate({ ...known, spec: stored })
    const message = 'Someone else changed this query. Save again to replace their version.'
    throw new Failure({ code: 'aborted', message })
  }
  const save = async (): Promise<void> => {
    const { dashboardId, tileId } = props.id
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
        <div class="tile-query">
          <h1>Insights</h1>
          <p class="quiet ellipsis">
            <Show when={readyOf(opened)} fallback="Query">
              {(tile) => `Query of “${tile().title}” on the dashboard “${tile().dashboard}”`}
            </Show>
          </p>
          <p class="quiet small">The dashboard sets the time range.</p>
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
