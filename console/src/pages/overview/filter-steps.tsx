import { createEffect, createSignal, type JSX, on, Show } from 'solid-js'
import { CohortChips } from '../../cohorts/cohort-chips.tsx'
import type { CohortFilterDraft } from '../../cohorts/cohort-filters.ts'
import { createCohortList } from '../../cohorts/cohort-list.ts'
import '../../cohorts/messages.ts'
import { t } from '../../i18n/translate.ts'
import { ListPicker } from '../../ui/list-picker.tsx'
import { DIMENSION_NAMES, DIMENSIONS, type DimensionName, labelOfValue } from './dimensions.ts'
import { nameOfDimension, optionOfOperator } from './filter-words.ts'
import { type OverviewView, useTable, useView } from './overview-view.ts'
import { OPERATORS, type Operator, takesValue, type VisitFilter } from './view-state.ts'

/** Values that a list of choices shows; others are found by typing. */
const VALUES_MAX = 100

/** The entry of the list of properties that leads to the cohorts. */
const COHORT = 'cohort'

/** Property, operator and value, one list after another in the same layer. */
export function FilterSteps(props: {
  readonly onAdd: (filter: VisitFilter) => void
  readonly onAddCohort: (id: string) => void
}): JSX.Element {
  const [dimension, setDimension] = createSignal<DimensionName | typeof COHORT>()
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
            options={[
              ...DIMENSION_NAMES.map((value) => ({ value, label: nameOfDimension(value) })),
              { value: COHORT, label: t('cohorts.filter') } as const,
            ]}
            onChoose={setDimension}
          />
        }
      >
        {(property) =>
          property === COHORT ? (
            <CohortList onChoose={props.onAddCohort} />
          ) : (
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
          )
        }
      </Show>
    </div>
  )
}

/** The cohorts of the project. */
function CohortList(props: { readonly onChoose: (id: string) => void }): JSX.Element {
  const list = createCohortList()
  return (
    <ListPicker
      label={t('cohorts.chooseCohort')}
      mode="one"
      search="shown"
      selected={[]}
      isLoading={list.cohorts() === undefined && list.failure() === undefined}
      options={(list.cohorts() ?? []).map(({ id, name }) => ({ value: id, label: name }))}
      onChoose={props.onChoose}
    />
  )
}

/** A view without filters, so that values of another choice can be found. */
function withoutFilters(view: OverviewView): OverviewView {
  return { ...view, state: () => ({ ...view.state(), filters: [] }) }
}

/** The values of a dimension in the range, the most frequent first; any other text can be used too. */
export function ValueList(props: {
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

/** The filters of the page by cohort, as chips: the page opens without the cohorts of the project. */
export function CohortFilters(props: {
  readonly filters: readonly CohortFilterDraft[]
  readonly onChange: (filters: readonly CohortFilterDraft[]) => void
}): JSX.Element {
  const list = createCohortList()
  return <CohortChips cohorts={list.cohorts() ?? []} filters={props.filters} onChange={props.onChange} />
}
