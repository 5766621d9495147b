import type {
  RenderedDashboard,
  RenderedTile,
} from '@contract/dashboard/dashboards/v1/rendered_dashboard_pb.js'
import { For, type JSX, Match, Show, Switch } from 'solid-js'
import { Answer } from '../insight/answer.tsx'
import { isMapType, viewOfTile } from '../insight/tile-view.ts'
import { Empty } from '../ui/async.tsx'
import { Markdown } from '../ui/markdown.tsx'

const COLUMNS = 12

/** Tiles where they stand; on a narrow page one below the other. */
export function DashboardGrid(props: {
  readonly dashboard: RenderedDashboard
  readonly timeZone: string
}): JSX.Element {
  return (
    <Show
      when={props.dashboard.tiles.length > 0}
      fallback={<Empty title="No tiles yet">Ask an insight and add it to this dashboard.</Empty>}
    >
      <div class="tiles">
        <For each={props.dashboard.tiles}>
          {(rendered) => <Tile rendered={rendered} timeZone={props.timeZone} />}
        </For>
      </div>
    </Show>
  )
}

function Tile(props: { readonly rendered: RenderedTile; readonly timeZone: string }): JSX.Element {
  const tile = () => props.rendered.tile
  const response = () => (props.rendered.outcome.case === 'result' ? props.rendered.outcome.value : undefined)
  const failure = () =>
    props.rendered.outcome.case === 'errorMessage' ? props.rendered.outcome.value : undefined
  const text = () => {
    const content = tile()?.content
    return content?.case === 'markdown' ? content.value.body : undefined
  }
  const isMap = (): boolean => {
    const content = tile()?.content
    return content?.case === 'insight' && isMapType(content.value.spec?.insightType)
  }
  const column = (): string => {
    const width = tile()?.position?.w ?? 0
    return `span ${width > 0 ? Math.min(width, COLUMNS) : COLUMNS / 2}`
  }
  return (
    <section class="card" style={{ '--column': column() }}>
      <Show when={tile()?.displayName}>{(title) => <h2>{title()}</h2>}</Show>
      <Show when={tile()?.description}>{(description) => <p class="quiet small">{description()}</p>}</Show>
      <div class="tile-body">
        <Switch>
          <Match when={text() !== undefined}>
            <Markdown text={text() ?? ''} />
          </Match>
          <Match when={failure()}>{(message) => <p class="error-box">{message()}</p>}</Match>
          <Match when={response()}>
            {(answered) => (
              <Answer
                result={answered().result}
                view={viewOfTile(answered().result, tile()?.viewMode ?? 0)}
                timeZone={props.timeZone}
                isMap={isMap()}
                height={220}
              />
            )}
          </Match>
        </Switch>
      </div>
    </section>
  )
}
