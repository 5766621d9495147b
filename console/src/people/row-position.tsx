import { type JSX, Show } from 'solid-js'
import { t } from '../i18n/translate.ts'
import { Button } from '../ui/button.tsx'
import type { LongList } from './long-list.ts'

/** Which rows of a long list are visible, and a retry when it could not be read further. */
export function RowPosition(props: { readonly list: LongList<unknown> }): JSX.Element {
  const last = (): number => Math.min(props.list.seen().to + 1, props.list.total())
  return (
    <div class="people-pager">
      <Show
        when={props.list.failure() !== undefined}
        fallback={
          <span class="ui-tabular">
            {t('people.pageOf', {
              from: Math.min(props.list.seen().from + 1, last()),
              to: last(),
              count: props.list.total(),
            })}
          </span>
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
