import { fromJson } from '@bufbuild/protobuf'
import { type PropertyFilter, PropertyFilterSchema } from '@contract/common/v1/filter_pb.js'
import { type Accessor, createMemo, createSignal, type JSX, Show, untrack } from 'solid-js'
import { type FilterDraft, isFinished, newFilter } from '../insight/draft.ts'
import { FilterRows, type FilterRowsProps } from '../insight/filter-rows.tsx'
import { createSchema } from '../insight/schema.ts'
import { encodeFilter } from '../insight/spec-json.ts'
import { encodeFilters, keepInAddress, readFiltersOfAddress } from './filter-address.ts'

/** Conditions that are written. */
export interface Filters {
  readonly drafts: Accessor<readonly FilterDraft[]>
  readonly setDrafts: (drafts: readonly FilterDraft[]) => void
  /** Those that say enough to be asked, as messages have them; they change only when they say something else. */
  readonly ready: Accessor<readonly PropertyFilter[]>
}

/** The conditions that the address says; it follows what is written. */
export function createFilters(): Filters {
  const [drafts, setDrafts] = createSignal<readonly FilterDraft[]>(untrack(readFiltersOfAddress))
  const ready = createMemo<readonly PropertyFilter[]>(() => encodeFinished(drafts()), [], {
    equals: (one, other) => JSON.stringify(one) === JSON.stringify(other),
  })
  const change = (changed: readonly FilterDraft[]): void => {
    setDrafts(changed)
    keepInAddress({ filters: encodeFilters(changed) })
  }
  return { drafts, setDrafts: change, ready }
}

function encodeFinished(drafts: readonly FilterDraft[]): readonly PropertyFilter[] {
  return drafts.filter(isFinished).map((draft) => fromJson(PropertyFilterSchema, encodeFilter(draft)))
}

interface FilterBarProps extends Pick<FilterRowsProps, 'subjects' | 'path' | 'problem'> {
  readonly filters: Filters
}

/** Conditions of a list, each on its line, all of which have to hold. */
export function FilterBar(props: FilterBarProps): JSX.Element {
  const add = (): void => {
    const [first] = props.subjects.choices
    const source = first?.value === 'user' ? 'PROPERTY_SOURCE_PROFILE' : 'PROPERTY_SOURCE_AUTO'
    props.filters.setDrafts([...props.filters.drafts(), { ...newFilter(), source }])
  }
  return (
    <section class="filter-bar" aria-label="Filters">
      <Show when={props.filters.drafts().length > 0}>
        <BarRows {...props} />
      </Show>
      <button type="button" class="button" onClick={add}>
        Add filter
      </button>
    </section>
  )
}

/** The names are read when there is somebody to choose among them. */
function BarRows(props: FilterBarProps): JSX.Element {
  const schema = createSchema()
  return (
    <FilterRows
      filters={props.filters.drafts()}
      schema={schema}
      subjects={props.subjects}
      kind=""
      path={props.path}
      problem={props.problem}
      onChange={props.filters.setDrafts}
    />
  )
}
