import type {
  RenderedDashboard,
  RenderedTile,
} from '@contract/dashboard/dashboards/v1/rendered_dashboard_pb.js'
import { type JSX, Show } from 'solid-js'
import { currentPlace } from '../app/router.ts'
import { useWorkspace } from '../app/workspace.ts'
import { writeTilePlace } from '../insight/tile-place.ts'
import { defaultPeriod } from './ask-before.ts'
import { writeTileQuestion } from './question-address.ts'
import { titleOfTile } from './tile.tsx'

/** Leads to the question of a tile, for the time that the dashboard shows, and to where it is stored again; nowhere for a text. */
export function EditQuestion(props: {
  readonly rendered: RenderedTile
  readonly dashboard: RenderedDashboard
}): JSX.Element {
  const workspace = useWorkspace()
  const address = (): string | undefined => {
    const { tile } = props.rendered
    const question = tile && writeTileQuestion(tile)
    if (!question) return undefined
    const range = currentPlace().query.get('range') ?? defaultPeriod(props.dashboard)
    const place = writeTilePlace({ dashboardId: props.dashboard.id, tileId: tile.id })
    return `/p/${workspace().project.id}/insights?${new URLSearchParams({ ...question, range, ...place })}`
  }
  return (
    <Show when={address()}>
      {(href) => (
        <a
          class="button quiet-button"
          href={href()}
          aria-label={`Edit question of ${titleOfTile(props.rendered)}`}
        >
          Edit question
        </a>
      )}
    </Show>
  )
}
