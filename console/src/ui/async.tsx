import { createSignal, For, type JSX, Match, onCleanup, type Resource, Show, Switch } from 'solid-js'
import { t } from '../i18n/translate.ts'
import { ErrorState } from './states.tsx'

/** After this time the page shows that loading takes long. */
const SLOW_MS = 5000

/** Announces loading to screen readers, and shows it once it takes long. */
function Progress(): JSX.Element {
  const [isSlow, setSlow] = createSignal(false)
  const timer = setTimeout(() => setSlow(true), SLOW_MS)
  onCleanup(() => clearTimeout(timer))
  return (
    <span class={isSlow() ? 'quiet small slow' : 'visually-hidden'} role="status">
      {t(isSlow() ? 'ui.slow' : 'common.loading')}
    </span>
  )
}

/** A placeholder while something loads, of about the final height. */
export function Skeleton(props: { readonly lines?: number }): JSX.Element {
  return (
    <div class="skeleton" aria-busy="true">
      <Progress />
      <For each={Array.from({ length: props.lines ?? 4 })}>{() => <div class="skeleton-line" />}</For>
    </div>
  )
}

/**
 * The value of a resource, also while it reloads; `undefined` before the first value and after an error.
 * Reading the resource itself would suspend the whole page.
 */
export function readyOf<T>(resource: Resource<T>): T | undefined {
  return resource.state === 'ready' || resource.state === 'refreshing' ? resource.latest : undefined
}

/** Shows a resource, its progress or its error. An old value stays, faint, while the resource reloads. */
export function Async<T>(props: {
  readonly of: Resource<T>
  readonly retry: () => void
  /** The failure to load it, in a few words. */
  readonly title: string
  readonly lines?: number
  readonly children: (value: () => NonNullable<T>) => JSX.Element
}): JSX.Element {
  return (
    <Switch fallback={<Skeleton lines={props.lines ?? 4} />}>
      <Match when={props.of.error as unknown}>
        {(error) => (
          <ErrorState
            title={props.title}
            error={error()}
            onRetry={props.retry}
            isRetrying={props.of.loading}
          />
        )}
      </Match>
      <Match when={readyOf(props.of)}>
        {(ready) => (
          <div class="loaded" aria-busy={props.of.loading}>
            {props.children(ready)}
            <Show when={props.of.loading}>
              <Progress />
            </Show>
          </div>
        )}
      </Match>
    </Switch>
  )
}
