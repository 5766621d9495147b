import './messages.ts'
import { type JSX, Show } from 'solid-js'
import { t } from '../i18n/translate.ts'
import { Button } from '../ui/button.tsx'
import type { LongList } from './long-list.ts'

/** Which rows of a long list are visible and how many are loaded, and a retry when it could not be read further. */
export function RowPosition(props: {
  readonly list: LongList<unknown>
  /** Begins the list with its last row, which is far to scroll to. Absent for a list with one order. */
  readonly onReverse?: () => void
}): JSX.Element {
  const isPartial = (): boolean => props.list.readCount() < props.list.total()
  const last = (): number => Math.min(props.list.seen().to + 1, props.list.total())
  return (
    <div class="people-pager">
      <Show
        when={props.list.failure() !== undefined}
        fallback={
          <>
            <span class="ui-tabular">
              {t('people.pageOf', {
                from: Math.min(props.list.seen().from + 1, last()),
                to: last(),
                count: props.list.total(),
              })}
            </span>
            <Show when={isPartial()}>
              <span class="ui-tabular">{t('people.loadedCount', { count: props.list.readCount() })}</span>
              <Show when={props.onReverse}>
                {(reverse) => (
                  <Button size="small" tone="ghost" onClick={() => reverse()()}>
                    {t('people.reverse')}
                  </Button>
                )}
              </Show>
            </Show>
          </>
        }
      >
        <span role="alert">{t('people.listFailed')}</span>
        <Button size="small" onClick={props.list.retry}>
          {t('common.retry')}
        </Button>
      </Show>
    </div>
  )
}
