import { Index, type JSX, Show } from 'solid-js'
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
  readonly onChange: (breakdown: BreakdownDraft) => void
}): JSX.Element {
  const properties = (): readonly PropertyRef[] => props.breakdown.properties
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
        <Show when={properties().length < BREAKDOWNS_MAX}>
          <PropertyPicker
            catalog={props.catalog}
            label={t('insights.breakdownBy')}
            property={undefined}
            onChoose={(chosen) => put(properties().length, chosen)}
            trigger={(attributes) => <AddChip {...attributes}>{t('insights.breakdown')}</AddChip>}
          />
        </Show>
      </div>
    </PanelSection>
  )
}
