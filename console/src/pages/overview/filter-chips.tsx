import { createEffect, createSignal, For, type JSX, on, Show } from 'solid-js'
import { useKeys } from '../../context/keys.ts'
import { type MessageKey, t } from '../../i18n/translate.ts'
import { AddChip, ChipPart, FilterChip } from '../../ui/chip.tsx'
import { Combobox } from '../../ui/combobox.tsx'
import { Flag } from '../../ui/flag.tsx'
import { ListPicker } from '../../ui/list-picker.tsx'
import { Popover } from '../../ui/popover.tsx'
import { DIMENSION_NAMES, DIMENSIONS, type DimensionName, labelOfValue } from './dimensions.ts'
import { type OverviewView, useTable, useView } from './overview-view.ts'
import { FILTERS_MAX, OPERATORS, type Operator, takesValue, type VisitFilter } from './view-state.ts'

/** Values that a list of choices shows; others are found by typing. */
const VALUES_MAX = 100

const OPERATOR_NAMES = {
  is: 'overview.is',
  'is-not': 'overview.isNot',
  contains: 'overview.contains',
  'does-not-contain': 'overview.containsNot',
  'is-set': 'overview.isSet',
  'is-not-set': 'overview.isNotSet',
} as const satisfies Record<Operator, MessageKey>

function nameOfDimension(dimension: DimensionName): string {
  return t(DIMENSIONS[dimension].name)
}

function sentenceOf({ dimension, operator, value }: VisitFilter): string {
  const parts = [nameOfDimension(dimension), t(OPERATOR_NAMES[operator])]
  return takesValue(operator) ? [...parts, labelOfValue(dimension, value)].join(' ') : parts.join(' ')
}

/** The filters of the page as chips, and the chip that adds one. */
export function FilterChips(): JSX.Element {
  const view = useView()
  const replace = (at: number, filter: VisitFilter | undefined): void => {
    const filters = view.state().filters
    view.change({ filters: filter ? filters.with(at, filter) : filters.toSpliced(at, 1) })
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a row of chips is no form
    <div class="overview-chips" role="group" aria-label={t('overview.filters')}>
      <For each={view.state().filters}>
        {(filter, at) => <Chip filter={filter} onChange={(changed) => replace(at(), changed)} />}
      </For>
      <Show when={view.state().filters.length < FILTERS_MAX}>
        <AddFilter />
      </Show>
    </div>
  )
}

function Chip(props: {
  readonly filter: VisitFilter
  readonly onChange: (filter: VisitFilter | undefined) => void
}): JSX.Element {
  const name = (): string => sentenceOf(props.filter)
  const { dimension, operator } = props.filter
  return (
    <FilterChip
      name={name()}
      removeName={t('overview.removeFilter', { filter: name() })}
      onRemove={() => props.onChange(undefined)}
    >
      <ChipPart part="property" disabled>
        {nameOfDimension(dimension)}
      </ChipPart>
      <Combobox
        label={t('overview.chooseOperator')}
        options={OPERATORS.filter((known) => takesValue(known) === takesValue(operator)).map(
          optionOfOperator,
        )}
        value={operator}
        search="by length"
        onChange={(next) => props.onChange({ ...props.filter, operator: next })}
        trigger={(attributes) => (
          <ChipPart {...attributes} part="operator">
            {t(OPERATOR_NAMES[operator])}
          </ChipPart>
        )}
      />
      <Show when={takesValue(operator)}>
        <Popover
          label={t('overview.chooseValue')}
          scroll="inside"
          trigger={(attributes) => (
            <ChipPart
              {...attributes}
              part="value"
              icon={dimension === 'country' ? <Flag country={props.filter.value} /> : undefined}
            >
              {labelOfValue(dimension, props.filter.value)}
            </ChipPart>
          )}
        >
          {(close) => (
            <ValueList
              dimension={dimension}
              chosen={props.filter.value}
              onChoose={(value) => {
                close()
                props.onChange({ ...props.filter, value })
              }}
            />
          )}
        </Popover>
      </Show>
    </FilterChip>
  )
}

function optionOfOperator(value: Operator) {
  return { value, label: t(OPERATOR_NAMES[value]) }
}

/** The chip that adds a filter. */
function AddFilter(): JSX.Element {
  const view = useView()
  const [isOpen, setOpen] = createSignal(false)
  useKeys([{ keys: 'f', label: t('overview.addFilter'), run: () => setOpen(true) }])
  return (
    <Popover
      label={t('overview.filters')}
      scroll="inside"
      isOpen={isOpen()}
      onOpenChange={setOpen}
      trigger={(attributes) => <AddChip {...attributes}>{t('overview.addFilter')}</AddChip>}
    >
      {() => (
        <FilterSteps
          onAdd={(filter) => {
            setOpen(false)
            view.change({ filters: [...view.state().filters, filter] })
          }}
        />
      )}
    </Popover>
  )
}

/** Property, operator and value, one list after another in the same layer. */
function FilterSteps(props: { readonly onAdd: (filter: VisitFilter) => void }): JSX.Element {
  const [dimension, setDimension] = createSignal<DimensionName>()
  const [operator, setOperator] = createSignal<Operator>()
  let box: HTMLDivElement | undefined
  // The list that had the focus is gone.
  const focusNext = (): void => box?.querySelector<HTMLElement>('[data-autofocus]')?.focus()
  createEffect(on([dimension, operator], () => queueMicrotask(focusNext), { defer: true }))
  const chooseOperator = (property: DimensionName, chosen: Operator): void => {
    if (takesValue(chosen)) setOperator(chosen)
    else props.onAdd({ dimension: property, operator: chosen, value: '' })
  }
  return (
    <div ref={box} class="filter-steps">
      <Show
        when={dimension()}
        keyed
        fallback={
          <ListPicker
            label={t('overview.chooseProperty')}
            mode="one"
            search="shown"
            selected={[]}
            options={DIMENSION_NAMES.map((value) => ({ value, label: nameOfDimension(value) }))}
            onChoose={setDimension}
          />
        }
      >
        {(property) => (
          <Show
            when={operator()}
            keyed
            fallback={
              <ListPicker
                label={t('overview.chooseOperator')}
                mode="one"
                search="hidden"
                selected={[]}
                options={OPERATORS.map(optionOfOperator)}
                onChoose={(chosen) => chooseOperator(property, chosen)}
              />
            }
          >
            {(chosen) => (
              <ValueList
                dimension={property}
                chosen={undefined}
                onChoose={(value) => props.onAdd({ dimension: property, operator: chosen, value })}
              />
            )}
          </Show>
        )}
      </Show>
    </div>
  )
}

/** A view without filters, so that values of another choice can be found. */
function withoutFilters(view: OverviewView): OverviewView {
  return { ...view, state: () => ({ ...view.state(), filters: [] }) }
}

/** The values of a dimension in the range, the most frequent first; any other text can be used too. */
function ValueList(props: {
  readonly dimension: DimensionName
  readonly chosen: string | undefined
  readonly onChoose: (value: string) => void
}): JSX.Element {
  const view = withoutFilters(useView())
  const [search, setSearch] = createSignal('')
  const table = useTable(view, () => ({
    dimension: DIMENSIONS[props.dimension].number,
    limit: VALUES_MAX,
    search: search(),
  }))
  return (
    <ListPicker
      label={t('overview.chooseValue')}
      mode="one"
      search="shown"
      selected={props.chosen === undefined ? [] : [props.chosen]}
      isLoading={table.answer() === undefined && table.failure() === undefined}
      options={(table.answer()?.rows ?? [])
        .filter(({ value }) => value !== '')
        .map(({ value, metrics }) => ({
          value,
          label: labelOfValue(props.dimension, value),
          count: Number(metrics?.visitors ?? 0),
        }))}
      onSearch={props.dimension === 'country' || props.dimension === 'language' ? undefined : setSearch}
      onChoose={props.onChoose}
      onUseText={props.onChoose}
    />
  )
}
