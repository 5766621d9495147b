import { create, type JsonObject, toJson } from '@bufbuild/protobuf'
import { FilterOperator, type PropertyFilter, PropertyFilterSchema } from '@contract/common/v1/filter_pb.js'
import { PropertySource } from '@contract/common/v1/property_pb.js'
import { createSignal, type JSX } from 'solid-js'
import { t } from '../i18n/translate.ts'
import { createCatalog } from '../picker/catalog.ts'
import { FilterChips } from '../picker/filter-chips.tsx'
import { type FilterDraft, isComplete, OPERATORS, type Operator, SOURCES } from '../picker/filter-draft.ts'
import { useBoard } from './board.ts'

function toDraft(filter: PropertyFilter): FilterDraft {
  const { operator, source } = toJson(PropertyFilterSchema, filter) as JsonObject
  const known = Object.keys(OPERATORS).find((name) => name === operator) as Operator | undefined
  const usual = filter.property.startsWith('$') ? 'PROPERTY_SOURCE_AUTO' : 'PROPERTY_SOURCE_CUSTOM'
  return {
    property: filter.property,
    source: SOURCES.find((name) => name === source) ?? usual,
    operator: known ?? 'FILTER_OPERATOR_EQUALS',
    values: filter.values.length > 0 ? filter.values : [filter.value].filter((value) => value !== ''),
  }
}

function toFilter({ property, source, operator, values }: FilterDraft): PropertyFilter {
  const { takes } = OPERATORS[operator]
  const name = <Prefix extends string>(prefix: Prefix, full: string) => full.slice(prefix.length)
  return create(PropertyFilterSchema, {
    property,
    source: PropertySource[name('PROPERTY_SOURCE_', source) as keyof typeof PropertySource],
    operator: FilterOperator[name('FILTER_OPERATOR_', operator) as keyof typeof FilterOperator],
    value: takes === 'one' ? (values[0] ?? '') : '',
    values: takes === 'many' || takes === 'two' ? [...values] : [],
  })
}

/** The filters above all tiles. One that is not complete yet is not in the address. */
export function BoardFilters(): JSX.Element {
  const board = useBoard()
  const catalog = createCatalog()
  const [incomplete, setIncomplete] = createSignal<readonly FilterDraft[]>([])
  return (
    <FilterChips
      catalog={catalog}
      label={t('dashboards.filters')}
      role="main"
      filters={[...board.state().filters.map(toDraft), ...incomplete()]}
      onChange={(drafts) => {
        setIncomplete(drafts.filter((draft) => !isComplete(draft)))
        board.change({ filters: drafts.filter(isComplete).map(toFilter) })
      }}
    />
  )
}
