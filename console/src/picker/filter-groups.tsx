import './messages.ts'
import ChevronDown from 'lucide-solid/icons/chevron-down'
import Plus from 'lucide-solid/icons/plus'
import Trash from 'lucide-solid/icons/trash'
import { Index, type JSX, Show } from 'solid-js'
import { t } from '../i18n/translate.ts'
import { Menu, type MenuEntry } from '../ui/menu.tsx'
import type { Catalog } from './catalog.ts'
import { FilterChips } from './filter-chips.tsx'
import type { FilterDraft, GroupDraft, Logic } from './filter-draft.ts'
import type { PropertyScope } from './pickers.tsx'

/** Groups of filters, and how the groups are combined. */
export interface FilterGroups {
  readonly groups: readonly GroupDraft[]
  readonly operator: Logic
}

/** The props of the filters of a query. */
export interface GroupChipsProps extends PropertyScope {
  readonly catalog: Catalog
  /** The heading of the filters. */
  readonly title: string
  readonly value: FilterGroups
  /** The service's error for a filter of a group. */
  readonly problem?: (group: number, filter: number) => string | undefined
  readonly role?: 'main'
  readonly onChange: (value: FilterGroups) => void
}

const EMPTY_GROUP: GroupDraft = { operator: 'LOGICAL_OPERATOR_AND', filters: [] }

/** The filters of a query under their heading: a row of chips for each group, with menus that combine them. */
export function GroupChips(props: GroupChipsProps): JSX.Element {
  // Without a group there is a row all the same, to add the first filter.
  const groups = (): readonly GroupDraft[] =>
    props.value.groups.length === 0 ? [EMPTY_GROUP] : props.value.groups
  const change = (changed: Partial<FilterGroups>): void => props.onChange({ ...props.value, ...changed })
  const changeGroup = (at: number, part: Partial<GroupDraft>): void =>
    change({ groups: groups().map((group, index) => (index === at ? { ...group, ...part } : group)) })
  const addGroup = (): void => change({ groups: [...groups(), EMPTY_GROUP] })
  const isOne = (): boolean => groups().length === 1
  return (
    <section class="filter-groups" aria-label={props.title}>
      <header class="filter-groups-head">
        <h3>{props.title}</h3>
        <MatchMenu
          label={t('picker.matchGroups')}
          logic={isOne() ? (groups()[0]?.operator ?? 'LOGICAL_OPERATOR_AND') : props.value.operator}
          onChange={(operator) => (isOne() ? changeGroup(0, { operator }) : change({ operator }))}
          entries={[{ label: t('picker.addGroup'), icon: () => <Plus />, onSelect: addGroup }]}
        />
      </header>
      <Index each={groups()}>
        {(group, at) => (
          <div class="filter-group" data-boxed={isOne() ? undefined : ''}>
            <Show when={!isOne()}>
              <MatchMenu
                label={t('picker.matchFilters', { group: String(at + 1) })}
                logic={group().operator}
                onChange={(operator) => changeGroup(at, { operator })}
                entries={[
                  {
                    label: t('picker.deleteGroup'),
                    icon: () => <Trash />,
                    tone: 'danger',
                    onSelect: () => change({ groups: groups().toSpliced(at, 1) }),
                  },
                ]}
              />
            </Show>
            <FilterChips
              catalog={props.catalog}
              kinds={props.kinds}
              label={isOne() ? props.title : t('picker.group', { group: String(at + 1) })}
              filters={group().filters}
              logic={group().operator}
              {...(props.role === 'main' && at === 0 && { role: 'main' })}
              problem={(filter) => props.problem?.(at, filter)}
              onChange={(filters: readonly FilterDraft[]) => changeGroup(at, { filters })}
            />
          </div>
        )}
      </Index>
    </section>
  )
}

function MatchMenu(props: {
  readonly label: string
  readonly logic: Logic
  readonly onChange: (logic: Logic) => void
  readonly entries: readonly MenuEntry[]
}): JSX.Element {
  const names = (): Readonly<Record<Logic, string>> => ({
    LOGICAL_OPERATOR_AND: t('picker.matchAll'),
    LOGICAL_OPERATOR_OR: t('picker.matchAny'),
  })
  const choose = (value: string): void =>
    props.onChange(value === 'LOGICAL_OPERATOR_OR' ? value : 'LOGICAL_OPERATOR_AND')
  return (
    <Menu
      trigger={(attributes) => (
        <button type="button" {...attributes} class="filter-match">
          {names()[props.logic]}
          <ChevronDown />
        </button>
      )}
      entries={[
        {
          label: props.label,
          value: props.logic,
          choices: Object.entries(names()).map(([value, label]) => ({ value, label })),
          onChange: choose,
        },
        'line',
        ...props.entries,
      ]}
    />
  )
}
