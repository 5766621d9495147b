import './messages.ts'
import ArrowDown from 'lucide-solid/icons/arrow-down'
import ArrowUp from 'lucide-solid/icons/arrow-up'
import CornerDownLeft from 'lucide-solid/icons/corner-down-left'
import Search from 'lucide-solid/icons/search'
import X from 'lucide-solid/icons/x'
import { createEffect, createMemo, createSignal, createUniqueId, For, type JSX, on, Show } from 'solid-js'
import { loadKnownNames } from '../i18n/known-names.ts'
import { t } from '../i18n/translate.ts'
import { keyTarget } from '../ui/arrow-keys.ts'
import { IconButton } from '../ui/button.tsx'
import type { Catalog } from './catalog.ts'
import { CATEGORY_NAMES, type Category, type Entry, type EntryKind } from './entries.ts'
import { CategoryIcon } from './entry-icons.tsx'
import { EntryList } from './entry-list.tsx'
import './entry-picker.css'
import { EntryPreview } from './entry-preview.tsx'
import {
  countByCategory,
  type Found,
  findRecent,
  groupFound,
  nextCategory,
  searchEntries,
} from './search-entries.ts'

/** The props of the content of a picker. */
export interface EntryPickerProps {
  readonly catalog: Catalog
  /** The accessible name of the search field and its list. */
  readonly label: string
  /** The choices, most frequent first. */
  readonly entries: readonly Entry[]
  /** The kinds of the entries, in the order of their categories. */
  readonly kinds: readonly EntryKind[]
  readonly selected: (entry: Entry) => boolean
  readonly onChoose: (entry: Entry) => void
  /** ⌘Enter: chooses, and the picker stays for another. */
  readonly onChooseAnother?: ((entry: Entry) => void) | undefined
  readonly onClose: () => void
}

/** Categories, matches and a preview of the highlighted one, with a search field that keeps the focus. */
export function EntryPicker(props: EntryPickerProps): JSX.Element {
  props.catalog.load()
  const id = createUniqueId()
  const search = createSearch(props)
  const describe = createDescriptions()
  const choose = (entry: Entry | undefined, how: 'once' | 'another'): void => {
    if (entry === undefined) return
    props.catalog.remember(entry)
    if (how === 'another' && props.onChooseAnother) props.onChooseAnother(entry)
    else props.onChoose(entry)
  }
  const press = (event: KeyboardEvent): void => {
    if (event.isComposing) return
    const target = keyTarget(event.key, { at: search.activeAt(), count: search.shown().length })
    if (target !== undefined) search.setActiveAt(target)
    else if (event.key === 'Enter')
      choose(search.active(), event.metaKey || event.ctrlKey ? 'another' : 'once')
    // Without a match Tab leads to the link.
    else if (event.key === 'Tab' && search.shown().length > 0) search.turn(event.shiftKey ? -1 : 1)
    else return
    event.preventDefault()
  }
  const optionId = (entry: Entry): string => `${id}-${search.shown().findIndex((one) => one.entry === entry)}`
  return (
    <div class="entry-picker">
      <div class="entry-search">
        <Search />
        <input
          type="text"
          role="combobox"
          aria-label={props.label}
          aria-expanded="true"
          aria-autocomplete="list"
          aria-controls={`${id}-list`}
          aria-activedescendant={search.shown().length > 0 ? `${id}-${search.activeAt()}` : undefined}
          placeholder={t('common.search')}
          autocomplete="off"
          spellcheck={false}
          data-autofocus
          onInput={(event) => search.type(event.currentTarget.value)}
          onKeyDown={press}
        />
        <span class="entry-matches" role="status">
          {t('picker.matches', { count: search.counts().all })}
        </span>
        <span class="entry-escape" aria-hidden="true">
          <kbd class="ui-key">esc</kbd>
        </span>
        <IconButton
          class="entry-close"
          name={t('common.close')}
          tone="ghost"
          size="small"
          onClick={props.onClose}
        >
          <X />
        </IconButton>
      </div>
      <div class="entry-columns">
        <Categories search={search} />
        <div class="entry-results" data-scrolls="">
          <EntryList
            id={`${id}-list`}
            label={props.label}
            groups={search.groups()}
            active={search.active()}
            selected={props.selected}
            describe={describe}
            isBusy={props.catalog.isLoading()}
            optionId={optionId}
            onPoint={(entry) => search.setActiveAt(search.shown().findIndex((one) => one.entry === entry))}
            onChoose={(entry) => choose(entry, 'once')}
            onShowAll={search.setCategory}
          />
          <Show when={search.shown().length === 0}>
            <NoMatch {...props} typed={search.typed()} />
          </Show>
        </div>
        <div class="entry-preview">
          <Show when={search.active()}>
            {(entry) => (
              <EntryPreview entry={entry()} description={describe(entry())} catalog={props.catalog} />
            )}
          </Show>
        </div>
      </div>
      <Foot hasAnother={props.onChooseAnother !== undefined} />
    </div>
  )
}

/** Descriptions of entries; those of well-known names load with the first picker. */
function createDescriptions(): (entry: Entry) => string | undefined {
  const [names, setNames] = createSignal<ReadonlyMap<string, string>>()
  // Without the file the picker works as well: its rows then have no description.
  void loadKnownNames().then(setNames, () => undefined)
  return (entry) => {
    if (entry.description !== undefined) return entry.description
    return entry.kind === 'property' || entry.kind === 'person' ? undefined : names()?.get(entry.id)
  }
}

interface EntrySearch {
  readonly typed: () => string
  readonly type: (text: string) => void
  readonly categories: () => readonly Category[]
  readonly category: () => Category
  readonly setCategory: (category: Category) => void
  /** The next or the previous category with a match. */
  readonly turn: (by: 1 | -1) => void
  readonly counts: () => Readonly<Record<Category, number>>
  readonly groups: () => ReturnType<typeof groupFound>
  /** The rows of all groups. */
  readonly shown: () => readonly Found[]
  readonly activeAt: () => number
  readonly setActiveAt: (at: number) => void
  readonly active: () => Entry | undefined
}

function createSearch(props: EntryPickerProps): EntrySearch {
  const [typed, setTyped] = createSignal('')
  const [category, setCategory] = createSignal<Category>('all')
  // The list keeps its order while it is open: choosing another moves no row.
  const recentKeys = props.catalog.recent()
  const found = createMemo(() => searchEntries(props.entries, typed()))
  const recent = createMemo(() => findRecent(found(), recentKeys))
  const counts = createMemo(() => countByCategory(found(), recent()))
  const groups = createMemo(() => groupFound({ found: found(), recent: recent() }, category(), props.kinds))
  const shown = createMemo(() => groups().flatMap((group) => group.found))
  const categories = (): readonly Category[] => ['all', 'recent', ...props.kinds]
  const firstSelected = (): number =>
    Math.max(
      0,
      shown().findIndex(({ entry }) => props.selected(entry)),
    )
  const [activeAt, setActiveAt] = createSignal(firstSelected())
  createEffect(on(shown, () => setActiveAt(typed() === '' ? firstSelected() : 0), { defer: true }))
  return {
    typed,
    type: (text) => {
      setTyped(text)
      // What was typed may be in another category only.
      if (counts()[category()] === 0) setCategory('all')
    },
    categories,
    category,
    setCategory,
    turn: (by) => void setCategory(nextCategory(categories(), counts(), { from: category(), by })),
    counts,
    groups,
    shown,
    activeAt,
    setActiveAt,
    active: () => shown()[activeAt()]?.entry,
  }
}

function Categories(props: { readonly search: EntrySearch }): JSX.Element {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a column of buttons is no form
    <div class="entry-categories" role="group" aria-label={t('picker.categories')}>
      <For each={props.search.categories()}>
        {(category) => (
          <button
            type="button"
            class="entry-category"
            aria-pressed={props.search.category() === category}
            disabled={props.search.counts()[category] === 0 && props.search.category() !== category}
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => props.search.setCategory(category)}
          >
            <CategoryIcon category={category} />
            <span>{t(CATEGORY_NAMES[category])}</span>
            <Show when={props.search.counts()[category] > 0}>
              <span class="entry-category-count">{props.search.counts()[category]}</span>
            </Show>
          </button>
        )}
      </For>
    </div>
  )
}

function NoMatch(props: EntryPickerProps & { readonly typed: string }): JSX.Element {
  const text = (): string => {
    if (props.catalog.isLoading()) return t('common.loading')
    if (props.catalog.hasFailed()) return t('picker.failed')
    if (props.typed === '') return t('picker.noNames')
    const isEvents = props.kinds.includes('event')
    return isEvents
      ? t('picker.noEvent', { name: props.typed })
      : t('picker.noProperty', { name: props.typed })
  }
  return (
    <div class="entry-none" role="status">
      <p>{text()}</p>
      <Show when={!props.catalog.isLoading() && !props.catalog.hasFailed()}>
        <a href={props.catalog.liveHref()}>{t('picker.openLive')}</a>
      </Show>
    </div>
  )
}

function Foot(props: { readonly hasAnother: boolean }): JSX.Element {
  return (
    <footer class="entry-foot" aria-hidden="true">
      <span>
        <kbd class="ui-key">
          <ArrowUp size={11} />
        </kbd>
        <kbd class="ui-key">
          <ArrowDown size={11} />
        </kbd>
        {t('picker.move')}
      </span>
      <span>
        <kbd class="ui-key">
          <CornerDownLeft size={11} />
        </kbd>
        {t('picker.select')}
      </span>
      <span>
        <kbd class="ui-key">Tab</kbd>
        {t('picker.nextCategory')}
      </span>
      <Show when={props.hasAnother}>
        <span>
          <kbd class="ui-key">{navigator.platform.startsWith('Mac') ? '⌘' : 'Ctrl'}</kbd>
          <kbd class="ui-key">
            <CornerDownLeft size={11} />
          </kbd>
          {t('picker.addAnother')}
        </span>
      </Show>
    </footer>
  )
}
