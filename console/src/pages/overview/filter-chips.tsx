import { createSignal, For, type JSX, Show, Suspense } from 'solid-js'
import { useKeys } from '../../context/keys.ts'
import { t } from '../../i18n/translate.ts'
import { AddChip, ChipPart, FilterChip } from '../../ui/chip.tsx'
import { Combobox } from '../../ui/combobox.tsx'
import { Flag } from '../../ui/flag.tsx'
import { lazy } from '../../ui/lazy.ts'
import { Popover } from '../../ui/popover.tsx'
import { labelOfValue } from './dimensions.ts'
import { nameOfDimension, OPERATOR_NAMES, optionOfOperator, sentenceOf } from './filter-words.ts'
import { useView } from './overview-view.ts'
import { FILTERS_MAX, OPERATORS, takesValue, type VisitFilter } from './view-state.ts'

const FilterSteps = lazy(async () => ({ default: (await import('./filter-steps.tsx')).FilterSteps }))
const CohortFilters = lazy(async () => ({ default: (await import('./filter-steps.tsx')).CohortFilters }))
const ValueList = lazy(async () => ({ default: (await import('./filter-steps.tsx')).ValueList }))

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
      <Show when={view.state().cohorts.length > 0}>
        <Suspense>
          <CohortFilters filters={view.state().cohorts} onChange={(cohorts) => view.change({ cohorts })} />
        </Suspense>
      </Show>
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
          needs={ValueList.preload}
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

/** The chip that adds a filter. */
function AddFilter(): JSX.Element {
  const view = useView()
  const [isOpen, setOpen] = createSignal(false)
  useKeys([{ keys: 'f', label: t('overview.addFilter'), run: () => setOpen(true) }])
  return (
    <Popover
      label={t('overview.filters')}
      scroll="inside"
      needs={FilterSteps.preload}
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
          onAddCohort={(cohortId) => {
            setOpen(false)
            view.change({ cohorts: [...view.state().cohorts, { cohortId, negate: false }] })
          }}
        />
      )}
    </Popover>
  )
}
