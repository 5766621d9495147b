import { children, createUniqueId, type JSX, Show } from 'solid-js'
import './card.css'

/** A framed part of a page, named by its title. */
export function Card(props: {
  readonly title?: string
  /** Controls at the right of the title. */
  readonly actions?: JSX.Element
  readonly foot?: JSX.Element
  /** `none` where rows reach the border. */
  readonly padding?: 'normal' | 'none'
  /** While true the content is an older answer, and a newer one is on its way. */
  readonly isRefreshing?: boolean
  readonly class?: string
  readonly children: JSX.Element
}): JSX.Element {
  const id = createUniqueId()
  const actions = children(() => props.actions)
  const foot = children(() => props.foot)
  return (
    <section
      class={`ui-card ${props.class ?? ''}`}
      data-padding={props.padding}
      aria-labelledby={props.title === undefined ? undefined : id}
      aria-busy={props.isRefreshing ? 'true' : undefined}
    >
      <Show when={props.title !== undefined || actions() !== undefined}>
        <header class="ui-card-head">
          <h2 class="ui-card-title" id={id}>
            {props.title}
          </h2>
          <div class="ui-card-actions">{actions()}</div>
        </header>
      </Show>
      <div class="ui-card-body">{props.children}</div>
      <Show when={foot() !== undefined}>
        <footer class="ui-card-foot">{foot()}</footer>
      </Show>
    </section>
  )
}
