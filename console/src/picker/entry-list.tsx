import './messages.ts'
import CornerDownLeft from 'lucide-solid/icons/corner-down-left'
import { createEffect, For, type JSX, Show } from 'solid-js'
import { formatNumber } from '../format/values.ts'
import { t } from '../i18n/translate.ts'
import { keepInView } from '../ui/keep-in-view.ts'
import { Marked } from '../ui/list-picker.tsx'
import { CATEGORY_NAMES, type Category, type Entry, isProperty } from './entries.ts'
import { EntryIcon } from './entry-icons.tsx'
import type { Found, FoundGroup } from './search-entries.ts'
import { VALUE_TYPE_NAMES } from './value-types.ts'

/** Room for the heading of a group above its first row. */
const HEAD_PX = 34

/** The second line of an entry: its description, after the type and the name as sent of a property. */
function secondLine(entry: Entry, description: string | undefined): string {
  if (!isProperty(entry)) return description ?? t('picker.noDescription')
  return [t(VALUE_TYPE_NAMES[entry.valueType]), entry.sentName, description]
    .filter((part) => part !== undefined)
    .join(' · ')
}

/** The matches of a picker, under their headings. The field that has the focus names the active one. */
export function EntryList(props: {
  readonly id: string
  readonly label: string
  readonly groups: readonly FoundGroup[]
  readonly active: Entry | undefined
  readonly selected: (entry: Entry) => boolean
  readonly describe: (entry: Entry) => string | undefined
  readonly isBusy: boolean
  readonly optionId: (entry: Entry) => string
  readonly onPoint: (entry: Entry) => void
  readonly onChoose: (entry: Entry) => void
  readonly onShowAll: (category: Category) => void
}): JSX.Element {
  return (
    <div
      id={props.id}
      class="entry-list"
      role="listbox"
      aria-label={props.label}
      aria-busy={props.isBusy}
      tabindex={-1}
    >
      <For each={props.groups}>
        {(group, at) => (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset is no group of options
          <div role="group" aria-label={t(CATEGORY_NAMES[group.kind])}>
            <div class="entry-group" aria-hidden="true">
              <span>{t(CATEGORY_NAMES[group.kind])}</span>
              <Show
                when={group.hiddenCount > 0}
                fallback={
                  <Show when={at() === 0 && group.kind === 'event'}>
                    <span class="entry-group-note">{t('picker.last30Days')}</span>
                  </Show>
                }
              >
                <button
                  type="button"
                  class="entry-group-more"
                  tabindex={-1}
                  onPointerDown={(event) => event.preventDefault()}
                  onClick={() => props.onShowAll(group.kind)}
                >
                  {t('picker.more', { count: group.hiddenCount })}
                </button>
              </Show>
            </div>
            <For each={group.found}>
              {(found) => (
                <EntryRow
                  id={props.optionId(found.entry)}
                  found={found}
                  description={props.describe(found.entry)}
                  isActive={props.active === found.entry}
                  isSelected={props.selected(found.entry)}
                  onPoint={() => props.onPoint(found.entry)}
                  onChoose={() => props.onChoose(found.entry)}
                />
              )}
            </For>
          </div>
        )}
      </For>
    </div>
  )
}

function EntryRow(props: {
  readonly id: string
  readonly found: Found
  readonly description: string | undefined
  readonly isActive: boolean
  readonly isSelected: boolean
  readonly onPoint: () => void
  readonly onChoose: () => void
}): JSX.Element {
  let element: HTMLDivElement | undefined
  createEffect(() => {
    if (props.isActive) keepInView(element, HEAD_PX)
  })
  const entry = (): Entry => props.found.entry
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: keys are handled where the focus is
    // biome-ignore lint/a11y/useFocusableInteractive: focus stays in the field, which names the active option
    <div
      ref={element}
      id={props.id}
      class="entry-row"
      role="option"
      aria-selected={props.isSelected}
      data-active={props.isActive ? '' : undefined}
      onPointerMove={() => props.onPoint()}
      onPointerDown={(event) => event.preventDefault()}
      onClick={() => props.onChoose()}
    >
      <span class="entry-icon">
        <EntryIcon entry={entry()} />
      </span>
      <span class="entry-text">
        <span class="entry-name">
          <bdi>
            <Marked text={entry().label} from={props.found.from} to={props.found.to} />
          </bdi>
        </span>
        <span class="entry-description">{secondLine(entry(), props.description)}</span>
      </span>
      <Show when={entry().count !== undefined}>
        <span class="entry-count">{formatNumber(entry().count ?? 0)}</span>
      </Show>
      <span class="entry-enter" aria-hidden="true">
        <kbd class="ui-key">
          <CornerDownLeft size={11} />
        </kbd>
      </span>
    </div>
  )
}
