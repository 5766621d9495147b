import { Index, type JSX, Show } from 'solid-js'
import type { SetStoreFunction } from 'solid-js/store'
import { ProblemLine, SelectField, TextField } from '../ui/field.tsx'
import type { FindProblem } from '../ui/form.tsx'
import type { Draft } from './draft.ts'
import { FilterEditor } from './filter-editor.tsx'
import type { Schema } from './schema.ts'
import { isAsked } from './spec-json.ts'

/** Most that a spec may have. */
const BREAKDOWNS_MAX = 5

/** What every part of the builder is given. */
export interface BuilderProps {
  readonly draft: Draft
  readonly setDraft: SetStoreFunction<Draft>
  readonly schema: Schema
  readonly problem: FindProblem
}

/** The choices of a closed table. */
export function choicesOf<K extends string>(
  table: Readonly<Record<K, string>>,
): { value: K; label: string }[] {
  return (Object.keys(table) as K[]).map((value) => ({ value, label: table[value] }))
}

/** Properties that answers are broken down by. */
export function BreakdownFields(props: BuilderProps): JSX.Element {
  return (
    <fieldset>
      <legend>Broken down by</legend>
      <Index each={props.draft.breakdowns}>
        {(name, index) => (
          <div class="two">
            <TextField
              label={`Property ${index + 1}`}
              value={name()}
              suggestions={props.schema.properties()}
              problem={props.problem(`spec.breakdowns[${index}].property`)}
              onChange={(property) => props.setDraft('breakdowns', index, property)}
            />
            <button
              type="button"
              class="button quiet-button"
              aria-label={`Remove property ${index + 1}`}
              onClick={() => props.setDraft('breakdowns', (names) => names.filter((_, at) => at !== index))}
            >
              Remove
            </button>
          </div>
        )}
      </Index>
      <ProblemLine text={props.problem('spec.breakdowns')} />
      <Show when={props.draft.breakdowns.length > 0}>
        <TextField
          label="Values (0: the ten largest)"
          type="number"
          value={String(props.draft.breakdownLimit)}
          problem={props.problem('spec.breakdownLimit')}
          onChange={(text) => props.setDraft({ breakdownLimit: toCount(text) })}
        />
      </Show>
      <Show when={props.draft.breakdowns.length < BREAKDOWNS_MAX}>
        <button
          type="button"
          class="button quiet-button"
          onClick={() => props.setDraft('breakdowns', (names) => [...names, ''])}
        >
          Add breakdown
        </button>
      </Show>
    </fieldset>
  )
}

const LOGIC = { LOGICAL_OPERATOR_AND: 'all of them', LOGICAL_OPERATOR_OR: 'any of them' } as const

/** Filters of the whole question. */
export function GroupFields(props: BuilderProps): JSX.Element {
  const { setDraft } = props
  return (
    <>
      <Index each={props.draft.groups}>
        {(group, index) => (
          <fieldset>
            <legend>Filter group {index + 1}</legend>
            <SelectField
              label="Match"
              value={group().operator}
              choices={choicesOf(LOGIC)}
              onChange={(operator) => setDraft('groups', index, { operator })}
            />
            <FilterEditor
              filters={group().filters}
              schema={props.schema}
              kind=""
              // Groups that have nothing to ask yet are not sent.
              path={`spec.filterGroups[${props.draft.groups.slice(0, index).filter(isAsked).length}].filters`}
              problem={props.problem}
              onChange={(filters) => setDraft('groups', index, { filters })}
            />
            <button
              type="button"
              class="button quiet-button"
              onClick={() => setDraft('groups', (groups) => groups.filter((_, at) => at !== index))}
            >
              Remove group
            </button>
          </fieldset>
        )}
      </Index>
      <Show when={props.draft.groups.length > 1}>
        <SelectField
          label="Groups: match"
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
        Add filter group
      </button>
    </>
  )
}

/** Something to turn on or off. */
export function Check(props: {
  readonly label: string
  readonly isOn: boolean
  readonly onChange: (isOn: boolean) => void
}): JSX.Element {
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={props.isOn}
        onChange={(event) => props.onChange(event.currentTarget.checked)}
      />
      {props.label}
    </label>
  )
}

const INT32_MAX = 2 ** 31 - 1

/** A whole number from what was typed; one that is too large for a message is the largest, which rules refuse. */
export function toCount(text: string): number {
  const number = Math.trunc(Number(text))
  return Number.isNaN(number) ? 0 : Math.min(Math.max(number, -INT32_MAX), INT32_MAX)
}
