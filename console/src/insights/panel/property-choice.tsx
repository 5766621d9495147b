import { type JSX, Show } from 'solid-js'
import { type NameKey, t } from '../../i18n/translate.ts'
import type { Catalog } from '../../picker/catalog.ts'
import { labelOfProperty } from '../../picker/names.ts'
import { PropertyPicker } from '../../picker/pickers.tsx'
import { SelectChip } from '../../ui/chip.tsx'
import { Select } from '../../ui/combobox.tsx'
import type { RankedDraft } from '../model/draft.ts'
import { decodeSource } from '../model/filters.ts'

/** One of a few choices, or a property. */
export function PropertyOrChoice(props: {
  readonly catalog: Catalog
  readonly label: string
  readonly choices: Readonly<Partial<Record<'events' | 'people', NameKey>>>
  readonly value: RankedDraft
  readonly onChange: (value: RankedDraft) => void
}): JSX.Element {
  const property = (): string => (props.value.of === 'property' ? props.value.property : '')
  const reference = () =>
    property() === '' ? undefined : { property: property(), source: decodeSource(undefined, property()) }
  const names = (): Readonly<Partial<Record<RankedDraft['of'], NameKey>>> => ({
    ...props.choices,
    property: 'insights.valuesOfProperty',
  })
  return (
    <div class="query-choice">
      <Select
        label={props.label}
        labelDisplay="hidden"
        value={props.value.of}
        options={(Object.keys(names()) as RankedDraft['of'][]).map((value) => ({
          value,
          label: t(names()[value] ?? 'insights.events'),
        }))}
        onChange={(of) => props.onChange(of === 'property' ? { of, property: property() } : { of })}
      />
      <Show when={props.value.of === 'property'}>
        <PropertyPicker
          catalog={props.catalog}
          label={t('insights.chooseProperty')}
          kinds={['property', 'page']}
          property={reference()}
          onChoose={(chosen) => props.onChange({ of: 'property', property: chosen.property })}
          trigger={(attributes) => (
            <SelectChip {...attributes} state={property() === '' ? 'error' : 'plain'}>
              <bdi>{labelOf(reference())}</bdi>
            </SelectChip>
          )}
        />
      </Show>
    </div>
  )
}

function labelOf(reference: Parameters<typeof labelOfProperty>[0] | undefined): string {
  return reference ? labelOfProperty(reference) : t('insights.chooseProperty')
}
