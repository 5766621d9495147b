import ArrowUpRight from 'lucide-solid/icons/arrow-up-right'
import Check from 'lucide-solid/icons/check'
import ListFilter from 'lucide-solid/icons/list-filter'
import { For, type JSX, Show } from 'solid-js'
import { t } from '../i18n/translate.ts'
import './bar-list.css'

/** A row of a panel: a value of a property with its number. */
export interface BarRow {
  readonly key: string
  readonly name: string
  readonly icon?: () => JSX.Element
  /** The length of the bar, as a share of the longest. */
  readonly barShare: number
  /** The number and its share of all, as they are written. */
  readonly value: string
  readonly share?: string | undefined
  /** Whether the page is filtered by this row. */
  readonly isChosen?: boolean
  /** Opens what the row is about, for example the page itself. */
  readonly href?: string | undefined
  readonly hrefName?: string | undefined
}

/** Rows with a bar behind them. A click filters by the row, with Alt it leaves the row out. */
export function BarList(props: {
  readonly label: string
  /** The heads of the columns: of the names, the values and the shares. */
  readonly heads: readonly [name: string, value: string, share?: string]
  readonly rows: readonly BarRow[]
  readonly onChoose: (row: BarRow, mode: 'is' | 'is not') => void
}): JSX.Element {
  return (
    <div>
      <div class="ui-bar-head" aria-hidden="true">
        <span class="ui-ellipsis">{props.heads[0]}</span>
        <span>{props.heads[1]}</span>
        <Show when={props.heads[2]}>{(share) => <span class="ui-bar-share">{share()}</span>}</Show>
      </div>
      <ol class="ui-bar-list" aria-label={props.label}>
        <For each={props.rows}>
          {(row) => (
            <BarListRow row={row} heads={props.heads} onChoose={(mode) => props.onChoose(row, mode)} />
          )}
        </For>
      </ol>
    </div>
  )
}

function BarListRow(props: {
  readonly row: BarRow
  readonly heads: readonly [string, string, string?]
  readonly onChoose: (mode: 'is' | 'is not') => void
}): JSX.Element {
  return (
    <li class="ui-bar-row" style={{ '--bar-share': String(Math.min(1, Math.max(0, props.row.barShare))) }}>
      <span class="ui-bar-fill" aria-hidden="true" />
      <button
        type="button"
        class="ui-bar-name"
        aria-pressed={props.row.isChosen ?? false}
        onClick={(event) => props.onChoose(event.altKey ? 'is not' : 'is')}
      >
        <Show when={props.row.isChosen} fallback={props.row.icon?.()}>
          <Check />
        </Show>
        <span class="ui-ellipsis">{props.row.name}</span>
      </button>
      <span class="ui-bar-icons">
        <button
          type="button"
          tabindex="-1"
          data-tip={t('ui.filterBy', { name: props.row.name })}
          aria-label={t('ui.filterBy', { name: props.row.name })}
          onClick={(event) => props.onChoose(event.altKey ? 'is not' : 'is')}
        >
          <ListFilter />
        </button>
        <Show when={props.row.href}>
          {(href) => (
            <a
              href={href()}
              target="_blank"
              rel="noreferrer"
              data-tip={props.row.hrefName}
              aria-label={props.row.hrefName ?? href()}
            >
              <ArrowUpRight />
            </a>
          )}
        </Show>
      </span>
      <span class="ui-bar-value">
        <span class="ui-hidden">{props.heads[1]} </span>
        {props.row.value}
      </span>
      <Show when={props.row.share}>
        {(share) => (
          <span class="ui-bar-share">
            <span class="ui-hidden">{props.heads[2]} </span>
            {share()}
          </span>
        )}
      </Show>
    </li>
  )
}
