import { fromJson } from '@bufbuild/protobuf'
import { type PropertyFilter, PropertyFilterSchema } from '@contract/common/v1/filter_pb.js'
import { type Accessor, createMemo, createSignal, type JSX, Show, untrack } from 'solid-js'
import { currentLocation, replaceParameters } from '../context/router.ts'
import { type FilterDraft, isComplete, newFilter } from '../picker/filter-draft.ts'
import { FilterRows, type FilterRowsProps } from './filter-rows.tsx'
import { encodeFilter, parseFilters, writeFilters } from './model/filters.ts'
import { createSchema } from './schema.ts'

/** The filters of a list. */
export interface Filters {
  readonly drafts: Accessor<readonly FilterDraft[]>
  readonly setDrafts: (drafts: readonly FilterDraft[]) => void
  /** The complete filters as messages; they change only when their content changes. */
  readonly ready: Accessor<readonly PropertyFilter[]>
}

/** The filters of the address, which follows their changes. */
export function createFilters(): Filters {
  const [drafts, setDrafts] = createSignal<readonly FilterDraft[]>(
    untrack(() => parseFilters(currentLocation().query.get('filters'))),
  )
  const ready = createMemo<readonly PropertyFilter[]>(() => encodeComplete(drafts()), [], {
    equals: (one, other) => JSON.stringify(one) === JSON.stringify(other),
  })
  const change = (changed: readonly FilterDraft[]): void => {
    setDrafts(changed)
    replaceParameters({ filters: writeFilters(changed) })
  }
  return { drafts, setDrafts: change, ready }
}

function encodeComplete(drafts: readonly FilterDraft[]): readonly PropertyFilter[] {
  return drafts.filter(isComplete).map((draft) => fromJson(PropertyFilterSchema, encodeFilter(draft)))
}

interface FilterBarProps extends Pick<FilterRowsProps, 'subjects' | 'path' | 'problem'> {
  readonly filters: Filters
}

/** The filters of a list, one per line; all of them must match. */
export function FilterBar(props: FilterBarProps): JSX.Element {
  const add = (): void => {
    const [first] = props.subjects.choices
    const source = first?.value === 'person' ? 'PROPERTY_SOURCE_PROFILE' : 'PROPERTY_SOURCE_AUTO'
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

/** Loads the schema with the first filter. */
function BarRows(props: FilterBarProps): JSX.Element {
  const schema = createSchema()
  return (
    <FilterRows
      filters={props.filters.drafts()}
      schema={schema}
      subjects={props.subjects}
      event=""
      path={props.path}
      problem={props.problem}
      onChange={props.filters.setDrafts}
    />
  )
}
