import type { JSX } from 'solid-js'
import { newFilter } from './draft.ts'
import { EVENT_SUBJECTS, FilterRows, type FilterRowsProps } from './filter-rows.tsx'

/** Conditions of a question, any number of them. */
export function FilterEditor(props: Omit<FilterRowsProps, 'subjects'>): JSX.Element {
  return (
    <>
      <FilterRows {...props} subjects={EVENT_SUBJECTS} />
      <div>
        <button
          type="button"
          class="button quiet-button"
          onClick={() => props.onChange([...props.filters, newFilter()])}
        >
          Add filter
        </button>
      </div>
    </>
  )
}
