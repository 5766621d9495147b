import { Index, type JSX, Show } from 'solid-js'
import { hasCompleteFilter } from '../picker/filter-draft.ts'
import { choicesOf, SelectField } from '../ui/field.tsx'
import type { BuilderProps } from './builder-fields.tsx'
import { FilterEditor } from './filter-rows.tsx'

const LOGIC = { LOGICAL_OPERATOR_AND: 'Match all', LOGICAL_OPERATOR_OR: 'Match any' } as const

/** The groups of filters that apply to the whole query. */
export function GroupFields(props: BuilderProps): JSX.Element {
  const { setDraft } = props
  return (
    <>
      <Index each={props.draft.groups}>
        {(group, index) => (
          <fieldset>
            <legend>Filter group {index + 1}</legend>
            <SelectField
              label="Filters"
              value={group().operator}
              choices={choicesOf(LOGIC)}
              onChange={(operator) => setDraft('groups', index, { operator })}
            />
            <FilterEditor
              filters={group().filters}
              schema={props.schema}
              event=""
              // The request leaves out groups without a complete filter.
              path={`spec.filterGroups[${props.draft.groups.slice(0, index).filter(hasCompleteFilter).length}].filters`}
              problem={props.problem}
              onChange={(filters) => setDraft('groups', index, { filters })}
            />
            <button
              type="button"
              class="button quiet-button"
              onClick={() => setDraft('groups', (groups) => groups.filter((_, at) => at !== index))}
            >
              Delete group
            </button>
          </fieldset>
        )}
      </Index>
      <Show when={props.draft.groups.length > 1}>
        <SelectField
          label="Groups"
          value={props.draft.groupsOperator}
          choices={choicesOf(LOGIC)}
          onChange={(groupsOperator) => setDraft({ groupsOperator })}
        />
      </Show>
      <button
        type="button"
        class="button"
        onClick={() =>
          setDraft('groups', (groups) => [...groups, { operator: 'LOGICAL_OPERATOR_AND', filters: [] }])
        }
      >
        Add group
      </button>
    </>
  )
}
