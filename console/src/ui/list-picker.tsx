import Check from 'lucide-solid/icons/check'
import CornerDownLeft from 'lucide-solid/icons/corner-down-left'
import Search from 'lucide-solid/icons/search'
import { createEffect, createMemo, createSignal, createUniqueId, For, type JSX, on, Show } from 'solid-js'
import { currentLocale } from '../i18n/language.ts'
import { t } from '../i18n/translate.ts'
import { keyTarget } from './arrow-keys.ts'
import { keepInView } from './keep-in-view.ts'
import './list-picker.css'
import { isSameName, matchNames, type NameMatch } from './match-names.ts'

/** One entry of a list. */
export interface Option<Value extends string = string> {
  readonly value: Value
  readonly label: string
  readonly description?: string
  /** Its frequency; shown at the right, and orders the matches. */
  readonly count?: number
  readonly icon?: () => JSX.Element
  readonly isDisabled?: boolean
}

/** More are found by typing: a list of thousands of elements would take long to open. */
const OPTIONS_SHOWN_MAX = 200

const counts = new Intl.NumberFormat(currentLocale)

/** The props of a list to choose from. */
export interface ListPickerProps<Value extends string> {
  readonly label: string
  readonly options: readonly Option<Value>[]
  readonly selected: readonly Value[]
  /** `many` shows checkboxes and stays open. */
  readonly mode: 'one' | 'many'
  readonly search: 'shown' | 'hidden'
  /** Chooses a value, or takes it back where many can be chosen. */
  readonly onChoose: (value: Value) => void
  /** Offers what was typed as a value of its own. */
  readonly onUseText?: ((text: string) => void) | undefined
  /** The typed text, for lists that the service searches. */
  readonly onSearch?: ((text: string) => void) | undefined
  readonly isLoading?: boolean | undefined
  /** The sentence when nothing matches. */
  readonly emptyText?: ((typed: string) => string) | undefined
}

type Row<Value extends string> = { readonly use: string } | NameMatch<Option<Value>>

/** A list with a search field, after the combobox pattern: focus stays in the field, arrows move, Enter chooses. */
export function ListPicker<Value extends string>(props: ListPickerProps<Value>): JSX.Element {
  const id = createUniqueId()
  const [typed, setTyped] = createSignal('')
  const rows = createMemo(() => findRows(props, typed()))
  const first = Math.max(
    0,
    props.options.findIndex(({ value }) => props.selected.includes(value)),
  )
  const [active, setActive] = createSignal(first)
  createEffect(on([typed, () => rows().length], () => setActive(0), { defer: true }))
  const choose = (row: Row<Value> | undefined): void => {
    if (row === undefined) return
    if ('use' in row) props.onUseText?.(row.use)
    else if (row.entry.isDisabled !== true) props.onChoose(row.entry.value)
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.isComposing) return
    const target = keyTarget(event.key, { at: active(), count: rows().length })
    if (target !== undefined) setActive(target)
    else if (event.key === 'Enter' || (event.key === ' ' && props.search === 'hidden'))
      choose(rows()[active()])
    else return
    event.preventDefault()
  }
  const shared = () => ({
    'aria-controls': `${id}-list`,
    'aria-activedescendant': rows().length > 0 ? `${id}-${active()}` : undefined,
  })
  return (
    <div class="ui-picker">
      <Show when={props.search === 'shown'}>
        <div class="ui-picker-search">
          <Search />
          <input
            {...shared()}
            type="text"
            role="combobox"
            aria-expanded="true"
            aria-autocomplete="list"
            aria-label={props.label}
            placeholder={t('common.search')}
            autocomplete="off"
            spellcheck={false}
            data-autofocus
            onInput={(event) => {
              setTyped(event.currentTarget.value)
              props.onSearch?.(event.currentTarget.value)
            }}
            onKeyDown={onKeyDown}
          />
        </div>
      </Show>
      <div
        {...(props.search === 'hidden' && { ...shared(), tabindex: 0, onKeyDown, 'data-autofocus': '' })}
        id={`${id}-list`}
        class="ui-picker-list"
        data-scrolls=""
        role="listbox"
        aria-label={props.label}
        aria-multiselectable={props.mode === 'many'}
        aria-busy={props.isLoading}
      >
        <For each={rows()}>
          {(row, at) => (
            <OptionRow
              id={`${id}-${at()}`}
              row={row}
              mode={props.mode}
              isActive={at() === active()}
              isSelected={!('use' in row) && props.selected.includes(row.entry.value)}
              onPoint={() => setActive(at())}
              onChoose={() => choose(row)}
            />
          )}
        </For>
      </div>
      <Show when={rows().length === 0}>
        <div class="ui-picker-note" role="status">
          {props.isLoading
            ? t('common.loading')
            : (props.emptyText?.(typed()) ?? t('ui.noMatch', { text: typed() }))}
        </div>
      </Show>
      <Show when={props.mode === 'many'}>
        <footer class="ui-picker-foot">
          <span class="ui-picker-hint" aria-hidden="true">
            <kbd class="ui-key">
              <CornerDownLeft size={11} />
            </kbd>
            {t('ui.toggle')}
          </span>
          <span role="status">{t('ui.selected', { count: props.selected.length })}</span>
        </footer>
      </Show>
    </div>
  )
}

function findRows<Value extends string>(
  { options, onUseText }: ListPickerProps<Value>,
  typed: string,
): readonly Row<Value>[] {
  const rows: readonly Row<Value>[] = matchNames(options, typed).slice(0, OPTIONS_SHOWN_MAX)
  const text = typed.trim()
  const isNew = text !== '' && !options.some(({ label }) => isSameName(label, text))
  return onUseText && isNew ? [...rows, { use: text }] : rows
}

function OptionRow<Value extends string>(props: {
  readonly id: string
  readonly row: Row<Value>
  readonly mode: 'one' | 'many'
  readonly isActive: boolean
  readonly isSelected: boolean
  readonly onPoint: () => void
  readonly onChoose: () => void
}): JSX.Element {
  let element: HTMLDivElement | undefined
  createEffect(() => {
    if (props.isActive) keepInView(element, 4)
  })
  const match = (): NameMatch<Option<Value>> | undefined => ('use' in props.row ? undefined : props.row)
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: keys are handled where the focus is
    // biome-ignore lint/a11y/useFocusableInteractive: focus stays in the field, which names the active option
    <div
      ref={element}
      id={props.id}
      class="ui-option"
      role="option"
      aria-selected={props.isSelected}
      aria-disabled={match()?.entry.isDisabled}
      data-active={props.isActive ? '' : undefined}
      onPointerMove={() => props.onPoint()}
      onPointerDown={(event) => event.preventDefault()}
      onClick={() => props.onChoose()}
    >
      <Show
        when={match()}
        fallback={
          <span class="ui-option-text">
            {t('ui.useText', { text: 'use' in props.row ? props.row.use : '' })}
          </span>
        }
      >
        {(found) => <MatchedOption match={found()} mode={props.mode} isSelected={props.isSelected} />}
      </Show>
    </div>
  )
}

function MatchedOption(props: {
  readonly match: NameMatch<Option>
  readonly mode: 'one' | 'many'
  readonly isSelected: boolean
}): JSX.Element {
  const entry = (): Option => props.match.entry
  return (
    <>
      <Show when={props.mode === 'many'}>
        <span class="ui-option-box">
          <Check />
        </span>
      </Show>
      {entry().icon?.()}
      <div class="ui-option-text">
        <div class="ui-option-label">
          <Marked text={entry().label} from={props.match.from} to={props.match.to} />
        </div>
        <Show when={entry().description}>
          {(description) => <div class="ui-option-description">{description()}</div>}
        </Show>
      </div>
      <Show when={entry().count}>
        {(count) => <span class="ui-option-count">{counts.format(count())}</span>}
      </Show>
      <Show when={props.mode === 'one' && props.isSelected}>
        <Check class="ui-option-tick" />
      </Show>
    </>
  )
}

/** A text with one part of it marked. */
export function Marked(props: {
  readonly text: string
  readonly from: number
  readonly to: number
}): JSX.Element {
  return (
    <Show when={props.from < props.to} fallback={props.text}>
      {props.text.slice(0, props.from)}
      <mark class="ui-mark">{props.text.slice(props.from, props.to)}</mark>
      {props.text.slice(props.to)}
    </Show>
  )
}
