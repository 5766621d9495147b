import { For, Index, type JSX, Show } from 'solid-js'
import type { SetStoreFunction } from 'solid-js/store'
import { CheckField, choicesOf, ProblemLine, SelectField, TextField } from '../ui/field.tsx'
import type { FindProblem } from '../ui/form.tsx'
import { FilterEditor } from './filter-rows.tsx'
import { AGGREGATIONS, type Draft, needsProperty, newSeries, type SeriesDraft } from './model/draft.ts'
import type { Field } from './model/fields.ts'
import type { Schema } from './schema.ts'

/** Most breakdowns of a spec. */
const BREAKDOWNS_MAX = 5

/** The props of every part of the builder. */
export interface BuilderProps {
  readonly draft: Draft
  readonly setDraft: SetStoreFunction<Draft>
  readonly schema: Schema
  readonly problem: FindProblem
}

type FieldOf<Kind extends Field['kind']> = Extract<Field, { readonly kind: Kind }>
type FieldProps<Kind extends Field['kind']> = BuilderProps & { readonly field: FieldOf<Kind> }

/** One component for each kind of field. */
const COMPONENTS: { readonly [Kind in Field['kind']]: (props: FieldProps<Kind>) => JSX.Element } = {
  choice: ChoiceField,
  property: PropertyField,
  count: CountField,
  toggle: ToggleField,
  series: SeriesList,
  scope: ScopeFields,
  breakdowns: BreakdownFields,
  group: FieldGroup,
}

/** The fields of an insight type. */
export function Fields(props: BuilderProps & { readonly fields: readonly Field[] }): JSX.Element {
  return (
    <For each={props.fields}>
      {(field) => (
        <Show when={field.when?.(props.draft) ?? true}>
          <OneField {...props} field={field} />
        </Show>
      )}
    </For>
  )
}

function OneField<Kind extends Field['kind']>(props: FieldProps<Kind>): JSX.Element {
  const kind: Kind = props.field.kind
  return COMPONENTS[kind](props)
}

function ChoiceField(props: FieldProps<'choice'>): JSX.Element {
  return (
    <SelectField
      label={props.field.label}
      value={props.draft[props.field.name] as string}
      choices={choicesOf(props.field.choices)}
      problem={props.field.path === undefined ? undefined : props.problem(props.field.path)}
      onChange={(value) => props.setDraft({ [props.field.name]: value })}
    />
  )
}

function PropertyField(props: FieldProps<'property'>): JSX.Element {
  return (
    <TextField
      label={props.field.label}
      value={props.draft[props.field.name]}
      suggestions={props.schema.properties()}
      problem={props.problem(props.field.path)}
      onChange={(value) => props.setDraft({ [props.field.name]: value })}
    />
  )
}

function CountField(props: FieldProps<'count'>): JSX.Element {
  return (
    <TextField
      label={props.field.label}
      type="number"
      value={String(props.draft[props.field.name])}
      problem={props.problem(props.field.path)}
      onChange={(text) => props.setDraft({ [props.field.name]: parseCount(text) })}
    />
  )
}

function ToggleField(props: FieldProps<'toggle'>): JSX.Element {
  return (
    <CheckField
      label={props.field.label}
      isChecked={props.draft[props.field.name]}
      onChange={(isChecked) => props.setDraft({ [props.field.name]: isChecked })}
    />
  )
}

function FieldGroup(props: FieldProps<'group'>): JSX.Element {
  return (
    <fieldset>
      <legend>{props.field.legend}</legend>
      <Fields {...props} fields={props.field.fields} />
      <ProblemLine text={props.problem(props.field.path)} />
    </fieldset>
  )
}

function SeriesList(props: FieldProps<'series'>): JSX.Element {
  const nameOf = (index: number): string =>
    props.field.noun === 'series'
      ? `series ${props.field.titleOf(index)}`
      : `${props.field.noun} ${index + 1}`
  return (
    <>
      <Index each={props.draft.events}>
        {(series, index) => (
          <fieldset>
            <legend>{props.field.titleOf(index)}</legend>
            <SeriesFields
              series={series()}
              schema={props.schema}
              problem={props.problem}
              path={`spec.events[${index}].event`}
              metricPath={`spec.events[${index}].aggregation`}
              metric={props.field.metric}
              onChange={(part) => props.setDraft('events', index, part)}
            />
            <ProblemLine text={props.problem(`spec.events[${index}]`)} />
            <Show when={props.draft.events.length > 1}>
              <button
                type="button"
                class="button quiet-button"
                onClick={() => props.setDraft('events', (events) => events.filter((_, at) => at !== index))}
              >
                {`Delete ${nameOf(index)}`}
              </button>
            </Show>
          </fieldset>
        )}
      </Index>
      <ProblemLine text={props.problem('spec.events')} />
      <Show when={props.draft.events.length < props.field.countMax}>
        <button
          type="button"
          class="button"
          onClick={() => props.setDraft('events', (events) => [...events, newSeries()])}
        >
          {`Add ${props.field.noun}`}
        </button>
      </Show>
    </>
  )
}

function ScopeFields(props: FieldProps<'scope'>): JSX.Element {
  return (
    <SeriesFields
      series={props.draft.scope}
      schema={props.schema}
      problem={props.problem}
      path={`${props.field.path}.scope`}
      metricPath={`${props.field.path}.metric`}
      metric={props.field.metric}
      onChange={(part) => props.setDraft('scope', part)}
    />
  )
}

function SeriesFields(props: {
  readonly series: SeriesDraft
  readonly schema: Schema
  readonly problem: FindProblem
  readonly path: string
  readonly metricPath: string
  readonly metric: 'any' | 'none'
  readonly onChange: (part: Partial<SeriesDraft>) => void
}): JSX.Element {
  return (
    <>
      <TextField
        label="Event"
        placeholder="All events"
        value={props.series.kind}
        suggestions={props.schema.events()}
        problem={props.problem(`${props.path}.kind`)}
        onChange={(kind) => props.onChange({ kind })}
      />
      <Show when={props.metric === 'any'}>
        <SelectField
          label="Measure"
          value={props.series.aggregation}
          choices={choicesOf(AGGREGATIONS)}
          problem={props.problem(props.metricPath)}
          onChange={(aggregation) => props.onChange({ aggregation })}
        />
        <Show when={needsProperty(props.series.aggregation)}>
          <TextField
            label="Number property"
            value={props.series.property}
            suggestions={props.schema.properties()}
            problem={props.problem(`${props.metricPath}Property`)}
            onChange={(property) => props.onChange({ property })}
          />
        </Show>
      </Show>
      <FilterEditor
        filters={props.series.filters}
        schema={props.schema}
        event={props.series.kind}
        path={`${props.path}.filters`}
        problem={props.problem}
        onChange={(filters) => props.onChange({ filters })}
      />
    </>
  )
}

function BreakdownFields(props: FieldProps<'breakdowns'>): JSX.Element {
  return (
    <fieldset>
      <legend>Break down by</legend>
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
              aria-label={`Delete property ${index + 1}`}
              onClick={() => props.setDraft('breakdowns', (names) => names.filter((_, at) => at !== index))}
            >
              Delete
            </button>
          </div>
        )}
      </Index>
      <ProblemLine text={props.problem('spec.breakdowns')} />
      <Show when={props.draft.breakdowns.length > 0}>
        <TextField
          label="Show top (0 for 10)"
          type="number"
          value={String(props.draft.breakdownLimit)}
          problem={props.problem('spec.breakdownLimit')}
          onChange={(text) => props.setDraft({ breakdownLimit: parseCount(text) })}
        />
      </Show>
      <Show when={props.draft.breakdowns.length < BREAKDOWNS_MAX}>
        <button
          type="button"
          class="button quiet-button"
          onClick={() => props.setDraft('breakdowns', (names) => [...names, ''])}
        >
          + Breakdown
        </button>
      </Show>
    </fieldset>
  )
}

const INT32_MAX = 2 ** 31 - 1

/** A whole number within the bounds of a message; the rules of the service reject what is too large. */
function parseCount(text: string): number {
  const number = Math.trunc(Number(text))
  return Number.isNaN(number) ? 0 : Math.min(Math.max(number, -INT32_MAX), INT32_MAX)
}
