import { createSignal, For, type JSX, Match, onCleanup, type Resource, Show, Switch } from 'solid-js'
import { t } from '../i18n/translate.ts'
import { Failure } from '../rpc/failure.ts'

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

/** An error with the request ID under which the service logged it. */
export function ErrorBox(props: {
  readonly error: unknown
  /** Shown for errors that a retry may fix. */
  readonly retry?: () => void
  readonly isRetrying?: boolean
}): JSX.Element {
  const failure = (): Failure => Failure.from(props.error)
  return (
    <div class="error-box" role="alert">
      <p>{failure().message}</p>
      <Show when={failure().requestId !== ''}>
        <p class="quiet small">
          {t('ui.request')} <code>{failure().requestId}</code>
        </p>
      </Show>
      <Show when={!failure().isFinal && props.retry}>
        {(retry) => (
          <button type="button" class="button" disabled={props.isRetrying} onClick={() => retry()()}>
            {t('common.retry')}
          </button>
        )}
      </Show>
    </div>
  )
}

/** An empty state, and what to do about it. */
export function Empty(props: { readonly title: string; readonly children?: JSX.Element }): JSX.Element {
  return (
    <div class="empty">
      <p class="empty-title">{props.title}</p>
      <div class="quiet">{props.children}</div>
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
  readonly lines?: number
  readonly children: (value: () => NonNullable<T>) => JSX.Element
}): JSX.Element {
  return (
    <Switch fallback={<Skeleton lines={props.lines ?? 4} />}>
      <Match when={props.of.error as unknown}>
        {(error) => <ErrorBox error={error()} retry={props.retry} isRetrying={props.of.loading} />}
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
