import './messages.ts'
import ChevronLeft from 'lucide-solid/icons/chevron-left'
import ChevronRight from 'lucide-solid/icons/chevron-right'
import { createSignal, type JSX, Show } from 'solid-js'
import { formatNumber } from '../format/values.ts'
import { t } from '../i18n/translate.ts'
import { IconButton } from '../ui/button.tsx'

/** The page of a list whose pages follow each other by tokens. */
export interface Paging {
  /** The token of the page that is shown; empty for the first. */
  readonly token: () => string
  /** The index of the page, from 0. */
  readonly index: () => number
  readonly next: (token: string) => void
  readonly previous: () => void
  readonly reset: () => void
}

/** Starts at the first page. */
export function createPaging(): Paging {
  const [tokens, setTokens] = createSignal<readonly string[]>([''])
  return {
    token: () => tokens().at(-1) ?? '',
    index: () => tokens().length - 1,
    next: (token) => setTokens((before) => [...before, token]),
    previous: () => setTokens((before) => (before.length > 1 ? before.slice(0, -1) : before)),
    reset: () => setTokens((before) => (before.length > 1 ? [''] : before)),
  }
}

/** Which rows are shown, and buttons to the pages beside them where there is more than one. */
export function Pager(props: {
  readonly paging: Paging
  readonly pageSize: number
  readonly shown: number
  /** Absent while it is not known. */
  readonly total: number | undefined
  /** Empty on the last page. */
  readonly nextToken: string
}): JSX.Element {
  const from = (): number => props.paging.index() * props.pageSize
  return (
    <div class="people-pager">
      <span class="ui-tabular">
        {props.total === undefined
          ? `${formatNumber(from() + 1)}–${formatNumber(from() + props.shown)}`
          : t('people.pageOf', { from: from() + 1, to: from() + props.shown, count: props.total })}
      </span>
      <Show when={props.paging.index() > 0 || props.nextToken !== ''}>
        <IconButton
          size="small"
          name={t('people.previousPage')}
          isDisabled={props.paging.index() === 0}
          onClick={() => props.paging.previous()}
        >
          <ChevronLeft />
        </IconButton>
        <IconButton
          size="small"
          name={t('people.nextPage')}
          isDisabled={props.nextToken === ''}
          onClick={() => props.paging.next(props.nextToken)}
        >
          <ChevronRight />
        </IconButton>
      </Show>
    </div>
  )
}
