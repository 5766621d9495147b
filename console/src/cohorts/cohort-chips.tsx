import type { Cohort } from '@contract/millrace/cohorts/v1/cohort_pb.js'
import Users from 'lucide-solid/icons/users'
import { Index, type JSX, Show } from 'solid-js'
import { t } from '../i18n/translate.ts'
import { AddChip, ChipPart, FilterChip } from '../ui/chip.tsx'
import { Combobox } from '../ui/combobox.tsx'
import type { Option } from '../ui/list-picker.tsx'
import type { TriggerAttributes } from '../ui/popover.tsx'
import type { CohortFilterDraft } from './cohort-filters.ts'
import './messages.ts'

/** Most filters by cohort of a query; the service refuses more. */
const FILTERS_MAX = 20

/** The name of a cohort, also of one that is gone. */
export function nameOfCohort(cohorts: readonly Cohort[], id: string): string {
  return cohorts.find((cohort) => cohort.id === id)?.name ?? t('cohorts.unknown')
}

/** A list of cohorts to choose one from. */
export function CohortPicker(props: {
  readonly cohorts: readonly Cohort[]
  readonly label: string
  readonly value: string | undefined
  readonly onChoose: (id: string) => void
  readonly trigger: (attributes: TriggerAttributes) => JSX.Element
}): JSX.Element {
  const options = (): readonly Option[] =>
    props.cohorts.map(({ id, name, description }) => ({
      value: id,
      label: name,
      ...(description !== '' && { description }),
    }))
  return (
    <Combobox
      label={props.label}
      options={options()}
      value={props.value}
      search="by length"
      onChange={props.onChoose}
      trigger={props.trigger}
    />
  )
}

/** Filters by cohort as chips, and the chip that adds one; nothing where the project has no cohorts. */
export function CohortChips(props: {
  readonly cohorts: readonly Cohort[]
  readonly filters: readonly CohortFilterDraft[]
  readonly onChange: (filters: readonly CohortFilterDraft[]) => void
}): JSX.Element {
  const sentence = ({ cohortId, negate }: CohortFilterDraft): string =>
    t(negate ? 'cohorts.filterNotIn' : 'cohorts.filterIn', { name: nameOfCohort(props.cohorts, cohortId) })
  return (
    <Show when={props.cohorts.length > 0 || props.filters.length > 0}>
      {/* biome-ignore lint/a11y/useSemanticElements: a row of chips is no form */}
      <div class="ui-chip-row" role="group" aria-label={t('cohorts.title')}>
        <Index each={props.filters}>
          {(filter, at) => (
            <FilterChip
              name={sentence(filter())}
              removeName={t('cohorts.removeFilter', { filter: sentence(filter()) })}
              onRemove={() => props.onChange(props.filters.toSpliced(at, 1))}
            >
              <ChipPart
                part="operator"
                icon={<Users />}
                aria-label={sentence(filter())}
                onClick={() =>
                  props.onChange(props.filters.with(at, { ...filter(), negate: !filter().negate }))
                }
              >
                {t(filter().negate ? 'cohorts.isNotIn' : 'cohorts.isIn')}
              </ChipPart>
              <CohortPicker
                cohorts={props.cohorts}
                label={t('cohorts.chooseCohort')}
                value={filter().cohortId}
                onChoose={(cohortId) => props.onChange(props.filters.with(at, { ...filter(), cohortId }))}
                trigger={(attributes) => (
                  <ChipPart {...attributes} part="value">
                    <bdi>{nameOfCohort(props.cohorts, filter().cohortId)}</bdi>
                  </ChipPart>
                )}
              />
            </FilterChip>
          )}
        </Index>
        <Show when={props.filters.length < FILTERS_MAX}>
          <CohortPicker
            cohorts={props.cohorts}
            label={t('cohorts.chooseCohort')}
            value={undefined}
            onChoose={(cohortId) => props.onChange([...props.filters, { cohortId, negate: false }])}
            trigger={(attributes) => <AddChip {...attributes}>{t('cohorts.filter')}</AddChip>}
          />
        </Show>
      </div>
    </Show>
  )
}
