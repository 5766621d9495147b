import { createSignal, Index, type JSX } from 'solid-js'
import { FilterChips } from '../picker/filter-chips.tsx'
import type { FilterDraft, PropertyRef } from '../picker/filter-draft.ts'
import { moveEntry } from '../picker/filter-draft.ts'
import { type FilterGroups, GroupChips } from '../picker/filter-groups.tsx'
import { EventChip, MeasureChip, type MeasureOption } from '../picker/query-chips.tsx'
import { QueryRow } from '../picker/query-row.tsx'
import { Example } from './example.tsx'
import { createSampleCatalog } from './sample-catalog.ts'

const COUNTRY: FilterDraft = {
  property: '$country',
  source: 'PROPERTY_SOURCE_AUTO',
  operator: 'FILTER_OPERATOR_IN',
  values: ['DE', 'AT', 'FR'],
}
const PRICE: FilterDraft = {
  property: 'price',
  source: 'PROPERTY_SOURCE_CUSTOM',
  operator: 'FILTER_OPERATOR_GTE',
  values: ['100'],
}
const UNFINISHED: FilterDraft = { ...PRICE, operator: 'FILTER_OPERATOR_BETWEEN', values: ['1'] }
const LONG: FilterDraft = {
  property: '$pathname',
  source: 'PROPERTY_SOURCE_AUTO',
  operator: 'FILTER_OPERATOR_EQUALS',
  values: [`/a/very/long/path${'/that/does/not/fit'.repeat(8)}`],
}

const MEASURES: readonly MeasureOption<'total' | 'people' | 'sum'>[] = [
  { measure: 'total', label: 'Total events' },
  { measure: 'people', label: 'Unique people' },
  { measure: 'sum', label: 'Sum of', of: (property) => `Sum of ${property}` },
]

interface SampleRow {
  readonly event: string
  readonly measure: 'total' | 'people' | 'sum'
  readonly property: PropertyRef | undefined
  readonly filters: readonly FilterDraft[]
  readonly isHidden: boolean
}

function rowOf(event: string, part: Partial<SampleRow> = {}): SampleRow {
  return { event, measure: 'people', property: undefined, filters: [], isHidden: false, ...part }
}

/** Series, filters and groups of filters. */
export function PickerParts(): JSX.Element {
  const catalog = createSampleCatalog()
  const [filters, setFilters] = createSignal<readonly FilterDraft[]>([COUNTRY, UNFINISHED, LONG])
  const [groups, setGroups] = createSignal<FilterGroups>({
    operator: 'LOGICAL_OPERATOR_AND',
    groups: [
      { operator: 'LOGICAL_OPERATOR_OR', filters: [COUNTRY, PRICE] },
      { operator: 'LOGICAL_OPERATOR_AND', filters: [] },
    ],
  })
  return (
    <div class="gallery-wide gallery-column">
      <Example title="Query rows">
        <Rows catalog={catalog} />
      </Example>
      <Example title="Filters">
        <FilterChips
          catalog={catalog}
          filters={filters()}
          label="Filters of a list"
          problem={(at) => (at === 1 ? 'Enter two numbers' : undefined)}
          onChange={setFilters}
        />
      </Example>
      <Example title="Groups of filters">
        <GroupChips catalog={catalog} title="Query filters" value={groups()} onChange={setGroups} />
      </Example>
    </div>
  )
}

function Rows(props: { readonly catalog: ReturnType<typeof createSampleCatalog> }): JSX.Element {
  const price = { property: 'price', source: 'PROPERTY_SOURCE_CUSTOM' } as const
  const [rows, setRows] = createSignal<readonly SampleRow[]>([
    rowOf('page_view'),
    rowOf('signup', { isHidden: true }),
    rowOf('purchase', { measure: 'sum', property: price, filters: [PRICE] }),
  ])
  const change = (at: number, part: Partial<SampleRow>): void =>
    void setRows((before) => before.map((row, index) => (index === at ? { ...row, ...part } : row)))
  return (
    <div class="gallery-rows" data-query-rows>
      <Index each={rows()}>
        {(row, at) => (
          <QueryRow
            badge={String.fromCharCode(65 + at)}
            name={`series ${String.fromCharCode(65 + at)}`}
            index={at}
            count={rows().length}
            isHidden={row().isHidden}
            onHide={() => change(at, { isHidden: !row().isHidden })}
            onDuplicate={() => setRows((before) => before.toSpliced(at, 0, row()))}
            onDelete={() => setRows((before) => before.toSpliced(at, 1))}
            onMove={(move) => setRows((before) => moveEntry(before, move))}
            below={
              <FilterChips
                catalog={props.catalog}
                filters={row().filters}
                event={row().event}
                label={`Filters of series ${at + 1}`}
                onChange={(filters) => change(at, { filters })}
              />
            }
          >
            <EventChip
              catalog={props.catalog}
              event={row().event}
              onChoose={({ event }) => change(at, { event })}
            />
            <MeasureChip
              catalog={props.catalog}
              options={MEASURES}
              measure={row().measure}
              property={row().property}
              onChange={(measure, property) => change(at, { measure, property })}
            />
          </QueryRow>
        )}
      </Index>
    </div>
  )
}
