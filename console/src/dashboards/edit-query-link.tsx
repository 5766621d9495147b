import type {
  RenderedDashboard,
  RenderedTile,
} from '@contract/dashboard/dashboards/v1/rendered_dashboard_pb.js'
import { type JSX, Show } from 'solid-js'
import { currentLocation } from '../context/router.ts'
import { useWorkspace } from '../context/workspace.ts'
import { writeTile } from '../insights/query-address.ts'
import { defaultPeriod } from './previous-answers.ts'
import { titleOfTile } from './tile.tsx'
import { writeTileQuery } from './tile-view.ts'

/** Links to the query of a tile with the time of the dashboard; nothing for a text. */
export function EditQueryLink(props: {
  readonly rendered: RenderedTile
  readonly dashboard: RenderedDashboard
}): JSX.Element {
  const workspace = useWorkspace()
  const address = (): string | undefined => {
    const { tile } = props.rendered
    const query = tile && writeTileQuery(tile)
    if (!query) return undefined
    const range = currentLocation().query.get('range') ?? defaultPeriod(props.dashboard)
    const id = { dashboardId: props.dashboard.id, tileId: tile.id }
    return `/p/${workspace().project.id}/insights?${new URLSearchParams({ ...query, range, ...writeTile(id) })}`
  }
  return (
    <Show when={address()}>
      {(href) => (
        <a
          class="button quiet-button"
          href={href()}
          aria-label={`Edit query of ${titleOfTile(props.rendered)}`}
        >
          Edit query
        </a>
      )}
    </Show>
  )
}
