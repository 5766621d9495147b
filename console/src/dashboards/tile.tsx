import type { RenderedTile } from '@contract/dashboard/dashboards/v1/rendered_dashboard_pb.js'
import type { InsightQuerySpec } from '@contract/shared/insights/v1/insight_query_spec_pb.js'
import type { QueryResponse } from '@contract/shared/insights/v1/insights_service_pb.js'
import { createSignal, type JSX, lazy, Match, onCleanup, onMount, Show, Suspense, Switch } from 'solid-js'
import type { View } from '../charts/chart.ts'
import { Answer } from '../insights/answer.tsx'
import { chartOptionsOf } from '../insights/chart-options.ts'
import type { Result } from '../insights/model/insight-type.ts'
import { entryOfAnswer } from '../insights/types/insight-types.ts'
import { Skeleton } from '../ui/async.tsx'
import { InTurn } from '../ui/in-turn.tsx'
import { specOfTile, viewOfAnswer } from './tile-view.ts'

const Markdown = lazy(async () => ({ default: (await import('../ui/markdown.tsx')).Markdown }))

function specOf({ tile }: RenderedTile): InsightQuerySpec | undefined {
  return tile && specOfTile(tile)
}

function viewOf(rendered: RenderedTile, result: Result): View {
  return viewOfAnswer(result, { mode: rendered.tile?.viewMode ?? 0, spec: specOf(rendered) })
}

/** The title of a tile, or a name for one without. */
export function titleOfTile({ tile }: RenderedTile): string {
  return tile?.displayName || (tile?.content.case === 'markdown' ? 'Text' : 'Insight')
}

/** A tile: its title, its tools and its content. */
export function Tile(props: {
  readonly rendered: RenderedTile
  /** The answer for the previous period, where the tile compares. */
  readonly previous: QueryResponse | undefined
  readonly timeZone: string
  /** Edited tiles always show their titles. */
  readonly mode: 'shown' | 'edited'
  readonly tools?: JSX.Element
}): JSX.Element {
  const tile = () => props.rendered.tile
  const hidesTitle = (): boolean => props.mode === 'shown' && tile()?.header?.hideTitle === true
  const isTimed = (): boolean => {
    const { outcome } = props.rendered
    if (outcome.case !== 'result') return false
    const { result } = outcome.value
    const entry = entryOfAnswer(result, specOf(props.rendered))
    return entry?.timedViews.includes(viewOf(props.rendered, result)) ?? false
  }
  return (
    <>
      <header class="tile-head">
        <Show when={!hidesTitle() && tile()?.displayName}>{(title) => <h2>{title()}</h2>}</Show>
        {props.tools}
      </header>
      <Show when={tile()?.description}>{(description) => <p class="quiet small">{description()}</p>}</Show>
      <TileBody title={titleOfTile(props.rendered)}>
        <InTurn start="at once" fallback={<Skeleton lines={4} />}>
          <Content rendered={props.rendered} previous={props.previous} timeZone={props.timeZone} />
        </InTurn>
      </TileBody>
      <Show when={isTimed()}>
        <p class="quiet small tile-zone">Times in {props.timeZone}</p>
      </Show>
    </>
  )
}

/** The content of a tile, which scrolls if it is too large, also with the keyboard. */
function TileBody(props: { readonly title: string; readonly children: JSX.Element }): JSX.Element {
  let body: HTMLElement | undefined
  const [scrolls, setScrolls] = createSignal(false)
  onMount(() => {
    if (!body) return
    const box = body
    const observer = new ResizeObserver(() => setScrolls(box.scrollHeight > box.clientHeight + 1))
    observer.observe(box)
    for (const child of box.children) observer.observe(child)
    onCleanup(() => observer.disconnect())
  })
  return (
    <section ref={body} class="tile-body" tabindex={scrolls() ? 0 : undefined} aria-label={props.title}>
      <div class="tile-content">{props.children}</div>
    </section>
  )
}

function Content(props: {
  readonly rendered: RenderedTile
  readonly previous: QueryResponse | undefined
  readonly timeZone: string
}): JSX.Element {
  const tile = () => props.rendered.tile
  const response = () => (props.rendered.outcome.case === 'result' ? props.rendered.outcome.value : undefined)
  const failure = () =>
    props.rendered.outcome.case === 'errorMessage' ? props.rendered.outcome.value : undefined
  const text = () => {
    const content = tile()?.content
    return content?.case === 'markdown' ? content.value.body : undefined
  }
  const spec = () => specOf(props.rendered)
  return (
    <Switch>
      <Match when={text() !== undefined}>
        <Suspense fallback={<Skeleton lines={4} />}>
          <Markdown text={text() ?? ''} />
        </Suspense>
      </Match>
      <Match when={failure()}>{(message) => <p class="error-box">{message()}</p>}</Match>
      <Match when={response()}>
        {(response) => (
          <Suspense fallback={<Skeleton lines={4} />}>
            <Answer
              result={response().result}
              previous={props.previous?.result}
              spec={spec()}
              view={viewOf(props.rendered, response().result)}
              timeZone={props.timeZone}
              options={chartOptionsOf(spec(), {
                rules: tile()?.thresholds ?? [],
                options: tile()?.visualization,
              })}
            />
          </Suspense>
        )}
      </Match>
    </Switch>
  )
}
