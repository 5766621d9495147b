import type { Cohort } from '@contract/millrace/cohorts/v1/cohort_pb.js'
import { Index, type JSX, Show } from 'solid-js'
import { CohortPicker, nameOfCohort } from '../../cohorts/cohort-chips.tsx'
import { t } from '../../i18n/translate.ts'
import type { Catalog } from '../../picker/catalog.ts'
import type { PropertyRef } from '../../picker/filter-draft.ts'
import { labelOfProperty } from '../../picker/names.ts'
import { PropertyPicker } from '../../picker/pickers.tsx'
import { AddChip, ChipPart, FilterChip } from '../../ui/chip.tsx'
import type { BreakdownDraft } from '../model/draft.ts'
import { BREAKDOWNS_MAX } from '../model/series.ts'
import { PanelSection } from './panel-section.tsx'
import { TopMenu } from './top-menu.tsx'

/** The values that answers show for a breakdown without a limit. */
const LIMIT_DEFAULT = 10

/** The properties that an answer is broken down by, as chips. */
export function BreakdownSection(props: {
  readonly catalog: Catalog
  readonly breakdown: BreakdownDraft
  /** The cohorts of the project, which can be compared in place of properties. */
  readonly cohorts: readonly Cohort[]
  readonly onChange: (breakdown: BreakdownDraft) => void
}): JSX.Element {
  const properties = (): readonly PropertyRef[] => props.breakdown.properties
  const cohortIds = (): readonly string[] => props.breakdown.cohortIds ?? []
  const change = (changed: readonly PropertyRef[]): void =>
    props.onChange({ properties: changed, limit: changed.length === 0 ? 0 : props.breakdown.limit })
  /** The service refuses a property twice, also from different sources. */
  const put = (at: number, property: PropertyRef): void => {
    const isKnown = properties().some((other, index) => index !== at && other.property === property.property)
    if (!isKnown) change(properties().toSpliced(at, 1, property))
  }
  return (
    <PanelSection
      title={t('insights.breakdownBy')}
      after={
        <Show when={properties().length > 0}>
          <TopMenu
            count={props.breakdown.limit || LIMIT_DEFAULT}
            onChange={(limit) => props.onChange({ ...props.breakdown, limit })}
          />
        </Show>
      }
    >
      <div class="ui-chip-row">
        <Index each={properties()}>
          {(property, at) => (
            <FilterChip
              name={labelOfProperty(property())}
              removeName={t('insights.removeBreakdown', { property: labelOfProperty(property()) })}
              onRemove={() => change(properties().toSpliced(at, 1))}
            >
              <PropertyPicker
                catalog={props.catalog}
                label={t('insights.breakdownBy')}
                property={property()}
                onChoose={(chosen) => put(at, chosen)}
                trigger={(attributes) => (
                  <ChipPart {...attributes} part="property">
                    <bdi>{labelOfProperty(property())}</bdi>
                  </ChipPart>
                )}
              />
            </FilterChip>
          )}
        </Index>
        <Show when={properties().length < BREAKDOWNS_MAX && cohortIds().length === 0}>
          <PropertyPicker
            catalog={props.catalog}
            label={t('insights.breakdownBy')}
            property={undefined}
            onChoose={(chosen) => put(properties().length, chosen)}
            trigger={(attributes) => <AddChip {...attributes}>{t('insights.breakdown')}</AddChip>}
          />
        </Show>
        <Show when={properties().length === 0}>
          <ComparedCohorts
            cohorts={props.cohorts}
            ids={cohortIds()}
            onChange={(ids) => props.onChange({ properties: [], limit: 0, cohortIds: ids })}
          />
        </Show>
      </div>
    </PanelSection>
  )
}

/** Most cohorts that an answer compares; the service refuses more. */
const COHORTS_MAX = 10

/** The cohorts that an answer compares, as chips; nothing where the project has none. */
function ComparedCohorts(props: {
  readonly cohorts: readonly Cohort[]
  readonly ids: readonly string[]
  readonly onChange: (ids: readonly string[]) => void
}): JSX.Element {
  const nameOf = (id: string): string => nameOfCohort(props.cohorts, id)
  const others = (): readonly Cohort[] => props.cohorts.filter(({ id }) => !props.ids.includes(id))
  return (
    <>
      <Index each={props.ids}>
        {(id, at) => (
          <FilterChip
            name={nameOf(id())}
            removeName={t('insights.removeBreakdown', { property: nameOf(id()) })}
            onRemove={() => props.onChange(props.ids.toSpliced(at, 1))}
          >
            <CohortPicker
              cohorts={props.cohorts.filter((cohort) => cohort.id === id() || others().includes(cohort))}
              label={t('cohorts.compareBy')}
              value={id()}
              onChoose={(chosen) => props.onChange(props.ids.with(at, chosen))}
              trigger={(attributes) => (
                <ChipPart {...attributes} part="value">
                  <bdi>{nameOf(id())}</bdi>
                </ChipPart>
              )}
            />
          </FilterChip>
        )}
      </Index>
      <Show when={others().length > 0 && props.ids.length < COHORTS_MAX}>
        <CohortPicker
          cohorts={others()}
          label={t('cohorts.compareBy')}
          value={undefined}
          onChoose={(id) => props.onChange([...props.ids, id])}
          trigger={(attributes) => <AddChip {...attributes}>{t('cohorts.compareBy')}</AddChip>}
        />
      </Show>
    </>
  )
}
