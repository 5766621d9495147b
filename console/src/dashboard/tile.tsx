import type { RenderedTile } from '@contract/dashboard/dashboards/v1/rendered_dashboard_pb.js'
import type { InsightQuerySpec } from '@contract/shared/insights/v1/insight_query_spec_pb.js'
import type { QueryResponse } from '@contract/shared/insights/v1/insights_service_pb.js'
import { createSignal, type JSX, lazy, Match, onCleanup, onMount, Show, Suspense, Switch } from 'solid-js'
import { Answer } from '../insight/answer.tsx'
import { looksOf } from '../insight/looks.ts'
import { isMapType, viewOfTile } from '../insight/tile-view.ts'
import type { View } from '../insight/view.ts'
import { Skeleton } from '../ui/async.tsx'
import { InTurn } from '../ui/in-turn.tsx'

const Markdown = lazy(async () => ({ default: (await import('../ui/markdown.tsx')).Markdown }))

/** Views of trends without an axis of time. */
const TIMELESS: readonly View[] = ['kpi', 'pie']

function specOf({ tile }: RenderedTile): InsightQuerySpec | undefined {
  return tile?.content.case === 'insight' ? tile.content.value.spec : undefined
}

function viewOf(rendered: RenderedTile, result: QueryResponse['result']): View {
  return viewOfTile(result, { mode: rendered.tile?.viewMode ?? 0, spec: specOf(rendered) })
}

/** What a tile is called where it has no title. */
export function titleOfTile({ tile }: RenderedTile): string {
  return tile?.displayName || (tile?.content.case === 'markdown' ? 'Text' : 'Insight')
}

/** What a tile shows, below what can be done with it. */
export function Tile(props: {
  readonly rendered: RenderedTile
  /** The answer for the time before, where that is to be compared with. */
  readonly before: QueryResponse | undefined
  readonly timeZone: string
  /** Titles are always there while tiles are edited. */
  readonly mode: 'shown' | 'edited'
  readonly tools?: JSX.Element
}): JSX.Element {
  const tile = () => props.rendered.tile
  const hidesTitle = (): boolean => props.mode === 'shown' && tile()?.header?.hideTitle === true
  const isTimed = (): boolean => {
    const { outcome } = props.rendered
    if (outcome.case !== 'result') return false
    const { result } = outcome.value
    if (result.case === 'retention') return true
    return result.case === 'trends' && !TIMELESS.includes(viewOf(props.rendered, result))
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
          <Content rendered={props.rendered} before={props.before} timeZone={props.timeZone} />
        </InTurn>
      </TileBody>
      <Show when={isTimed()}>
        <p class="quiet small tile-zone">Times in {props.timeZone}</p>
      </Show>
    </>
  )
}

/** What is too large for its tile scrolls, also with the keyboard. */
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
  readonly before: QueryResponse | undefined
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
        {(answered) => (
          <Suspense fallback={<Skeleton lines={4} />}>
            <Answer
              result={answered().result}
              before={props.before?.result}
              view={viewOf(props.rendered, answered().result)}
              timeZone={props.timeZone}
              isMap={isMapType(spec()?.insightType)}
              looks={looksOf(spec(), { rules: tile()?.thresholds ?? [], options: tile()?.visualization })}
            />
          </Suspense>
        )}
      </Match>
    </Switch>
  )
}
