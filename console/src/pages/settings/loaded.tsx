import type { UseQueryResult } from '@tanstack/solid-query'
import { type JSX, Match, Show, Switch } from 'solid-js'
import { t } from '../../i18n/translate.ts'
import { answerOf } from '../../rpc/query-client.ts'
import { ErrorState, SkeletonLines } from '../../ui/states.tsx'

/** An answer, the lines in its place while it loads, or why there is none. A newer answer replaces it in place. */
export function Loaded<T>(props: {
  readonly query: UseQueryResult<T>
  readonly lines?: number
  readonly children: (answer: () => NonNullable<T>) => JSX.Element
}): JSX.Element {
  return (
    <Switch
      fallback={
        <div class="settings-pad">
          <SkeletonLines count={props.lines ?? 3} />
        </div>
      }
    >
      <Match when={answerOf(props.query)}>
        {(loaded) => (
          <>
            {props.children(loaded)}
            <Show when={props.query.isRefetchError}>
              <Failed query={props.query} />
            </Show>
          </>
        )}
      </Match>
      <Match when={props.query.isError}>
        <Failed query={props.query} />
      </Match>
    </Switch>
  )
}

function Failed(props: { readonly query: UseQueryResult<unknown> }): JSX.Element {
  return (
    <div class="settings-pad">
      <ErrorState
        title={t('common.error')}
        error={props.query.error}
        onRetry={() => void props.query.refetch()}
        isRetrying={props.query.isFetching}
      />
    </div>
  )
}
