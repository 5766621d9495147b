import { fromJson } from '@bufbuild/protobuf'
import { type PropertyFilter, PropertyFilterSchema } from '@contract/common/v1/filter_pb.js'
import { type Accessor, createMemo, createSignal, untrack } from 'solid-js'
import { currentLocation, replaceParameters } from '../context/router.ts'
import { type FilterDraft, isComplete } from '../picker/filter-draft.ts'
import { encodeFilter, parseFilters, writeFilters } from './model/filters.ts'

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
