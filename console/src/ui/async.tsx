import { createSignal, For, type JSX, Match, onCleanup, type Resource, Show, Switch } from 'solid-js'
import { Failure } from '../rpc/failure.ts'

/** After this long, people want to know whether to wait. */
const SLOW_MS = 5000

/** Says that something loads: at first to screen readers, and to everybody once that takes long. */
function Progress(): JSX.Element {
  const [isSlow, setSlow] = createSignal(false)
  const timer = setTimeout(() => setSlow(true), SLOW_MS)
  onCleanup(() => clearTimeout(timer))
  return (
    <span class={isSlow() ? 'quiet small slow' : 'visually-hidden'} role="status">
      {isSlow() ? 'This takes longer than usual. The query is still running.' : 'Loading'}
    </span>
  )
}

/** What is shown while something loads: as high as what will be there. */
export function Skeleton(props: { readonly lines?: number }): JSX.Element {
  return (
    <div class="skeleton" aria-busy="true">
      <Progress />
      <For each={Array.from({ length: props.lines ?? 4 })}>{() => <div class="skeleton-line" />}</For>
    </div>
  )
}

/** What went wrong, with the id under which the service logged it. */
export function ErrorBox(props: {
  readonly error: unknown
  /** Offered where it may help. */
  readonly retry?: () => void
  readonly isRetrying?: boolean
}): JSX.Element {
  const failure = (): Failure => Failure.from(props.error)
  return (
    <div class="error-box" role="alert">
      <p>{failure().message}</p>
      <Show when={failure().requestId !== ''}>
        <p class="quiet small">
          Request <code>{failure().requestId}</code>
        </p>
      </Show>
      <Show when={!failure().isFinal && props.retry}>
        {(retry) => (
          <button type="button" class="button" disabled={props.isRetrying} onClick={() => retry()()}>
            {props.isRetrying ? 'Trying again…' : 'Try again'}
          </button>
        )}
      </Show>
    </div>
  )
}

/** What is shown where there is nothing yet, and what to do about it. */
export function Empty(props: { readonly title: string; readonly children?: JSX.Element }): JSX.Element {
  return (
    <div class="empty">
      <p class="empty-title">{props.title}</p>
      <div class="quiet">{props.children}</div>
    </div>
  )
}

/**
 * What a resource has, also while it is asked for again; `undefined` while there is nothing, or an error.
 * To read the resource itself would take the whole page away until it is there.
 */
export function readyOf<T>(resource: Resource<T>): T | undefined {
  return resource.state === 'ready' || resource.state === 'refreshing' ? resource.latest : undefined
}

/** Shows what was asked for, or how far it is. What is there stays while it is asked for again, faint, because it is old. */
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
