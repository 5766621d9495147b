import type { DashboardTile } from '@contract/dashboard/dashboards/v1/dashboard_pb.js'
import { createSignal, type JSX, onCleanup, onMount, Show, Suspense } from 'solid-js'
import { t } from '../i18n/translate.ts'
import { lazy } from '../ui/lazy.ts'
import { SkeletonChart, SkeletonLines } from '../ui/states.tsx'

const Markdown = lazy(async () => ({ default: (await import('../ui/markdown.tsx')).Markdown }))

/** The title of a tile, or a name for one without. */
export function titleOfTile({ displayName, content }: DashboardTile): string {
  if (displayName !== '') return displayName
  return t(content.case === 'markdown' ? 'dashboards.text' : 'dashboards.insight')
}

/** A tile: its title, what it shows in a line, its actions and its content. */
export function Tile(props: {
  readonly tile: DashboardTile
  /** The address of the tile's insight. */
  readonly href?: string | undefined
  readonly subtitle?: string | undefined
  /** The names of the tile's settings that the dashboard overrides. */
  readonly overrides?: readonly string[]
  /** Edited tiles always show their titles. */
  readonly mode: 'shown' | 'edited'
  readonly isOld?: boolean
  readonly actions?: JSX.Element
  readonly children: JSX.Element
}): JSX.Element {
  const hasTitle = (): boolean =>
    props.tile.displayName !== '' && (props.mode === 'edited' || props.tile.header?.hideTitle !== true)
  return (
    <>
      <header class="tile-head">
        <Show when={hasTitle()}>
          <h2 class="tile-title">
            <Show when={props.href} fallback={props.tile.displayName}>
              {(href) => <a href={href()}>{props.tile.displayName}</a>}
            </Show>
          </h2>
        </Show>
        <Show when={props.tile.description || props.subtitle}>
          {(line) => (
            <p class="tile-subtitle">
              {line()}
              <Show when={props.overrides?.length}>
                <span class="tile-overrides"> · {props.overrides?.join(' · ')}</span>
              </Show>
            </p>
          )}
        </Show>
        <div class="tile-actions">{props.actions}</div>
      </header>
      <TileBody title={titleOfTile(props.tile)} isOld={props.isOld === true}>
        {props.children}
      </TileBody>
    </>
  )
}

/** The content of a tile, which scrolls if it is too large, also with the keyboard. */
function TileBody(props: {
  readonly title: string
  readonly isOld: boolean
  readonly children: JSX.Element
}): JSX.Element {
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
    <section
      ref={body}
      class="tile-body"
      tabindex={scrolls() ? 0 : undefined}
      aria-label={props.title}
      aria-busy={props.isOld ? 'true' : undefined}
    >
      <div class="tile-content">{props.children}</div>
    </section>
  )
}

/** A placeholder of what a tile shows. */
export function TileSkeleton(props: { readonly tile: DashboardTile }): JSX.Element {
  return (
    <Show when={props.tile.content.case === 'insight'} fallback={<SkeletonLines count={3} />}>
      <SkeletonChart />
    </Show>
  )
}

/** The text of a tile. */
export function TileText(props: { readonly tile: DashboardTile }): JSX.Element {
  const body = (): string => (props.tile.content.case === 'markdown' ? props.tile.content.value.body : '')
  return (
    <Suspense fallback={<SkeletonLines count={3} />}>
      <Markdown text={body()} />
    </Suspense>
  )
}
