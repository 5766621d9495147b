import type { UseQueryResult } from '@tanstack/solid-query'
import { type JSX, Match, Switch } from 'solid-js'
import { t } from '../../i18n/translate.ts'
import { ErrorState, SkeletonLines } from '../../ui/states.tsx'

/** An answer, the lines in its place while it loads, or why there is none. A newer answer replaces it in place. */
export function Loaded<T>(props: {
  readonly query: UseQueryResult<T>
  readonly lines?: number
  readonly children: (answer: () => NonNullable<T>) => JSX.Element
}): JSX.Element {
  // Reading `data` before the first answer would suspend the whole page.
  const answer = (): T | undefined => (props.query.isSuccess ? props.query.data : undefined)
  return (
    <Switch
      fallback={
        <div class="settings-pad">
          <SkeletonLines count={props.lines ?? 3} />
        </div>
      }
    >
      <Match when={answer()}>{(loaded) => props.children(loaded)}</Match>
      <Match when={props.query.isError}>
        <div class="settings-pad">
          <ErrorState
            title={t('common.error')}
            error={props.query.error}
            onRetry={() => void props.query.refetch()}
            isRetrying={props.query.isFetching}
          />
        </div>
      </Match>
    </Switch>
  )
}
