import { createSignal, Index, type JSX, Show } from 'solid-js'
import { type Choice, ProblemLine, SelectField, TextField } from '../ui/field.tsx'
import type { FindProblem } from '../ui/form.tsx'
import { TextAreaField } from '../ui/text-area-field.tsx'
import {
  type FilterDraft,
  isFinished,
  OPERATOR_CHOICES,
  OPERATORS,
  pathOfFilter,
  type Source,
} from './draft.ts'
import type { Schema } from './schema.ts'

/** Whose property a condition is about: the event's, or the user's traits. */
export type Subject = 'event' | 'user'

/** What conditions can be about. */
export interface FilterSubjects {
  /** How the two are called; the first is that of a new condition. */
  readonly choices: readonly Choice<Subject>[]
  /** Names of properties of events that may be asked for. */
  readonly properties: (schema: Schema) => readonly string[]
}

/** Conditions about an event and whose it is. */
export const EVENT_SUBJECTS: FilterSubjects = {
  choices: [
    { value: 'event', label: 'the event' },
    { value: 'user', label: 'the user' },
  ],
  properties: (schema) => schema.properties(),
}

/** Conditions that are written. */
export interface FilterRowsProps {
  readonly filters: readonly FilterDraft[]
  readonly schema: Schema
  readonly subjects: FilterSubjects
  /** Of the events whose values are offered; empty for all. */
  readonly kind: string
  /** Path of the list in the request. */
  readonly path: string
  readonly problem: FindProblem
  readonly onChange: (filters: FilterDraft[]) => void
}

/** The fields of each condition; what is wrong is said of those only that are asked. */
export function FilterRows(props: FilterRowsProps): JSX.Element {
  const change = (index: number, part: Partial<FilterDraft>): void =>
    props.onChange(props.filters.map((filter, at) => (at === index ? { ...filter, ...part } : filter)))
  return (
    <Index each={props.filters}>
      {(filter, index) => (
        <FilterRow
          title={`Filter ${index + 1}`}
          filter={filter()}
          schema={props.schema}
          subjects={props.subjects}
          kind={props.kind}
          path={pathOfFilter(props.path, props.filters, index)}
          problem={(path) => (isFinished(filter()) ? props.problem(path) : undefined)}
          onChange={(part) => change(index, part)}
          onRemove={() => props.onChange(props.filters.filter((_, at) => at !== index))}
        />
      )}
    </Index>
  )
}

interface FilterRowProps extends Pick<FilterRowsProps, 'schema' | 'subjects' | 'kind' | 'path' | 'problem'> {
  readonly title: string
  readonly filter: FilterDraft
  readonly onChange: (part: Partial<FilterDraft>) => void
  readonly onRemove: () => void
}

function FilterRow(props: FilterRowProps): JSX.Element {
  const subject = (): Subject => (props.filter.source === 'PROPERTY_SOURCE_PROFILE' ? 'user' : 'event')
  return (
    <fieldset class="filter" aria-label={props.title}>
      <SelectField
        label="Of"
        value={subject()}
        choices={props.subjects.choices}
        onChange={(chosen) => props.onChange({ source: sourceOf(chosen, ''), property: '' })}
      />
      <TextField
        label="Property"
        value={props.filter.property}
        suggestions={subject() === 'user' ? props.schema.traits() : props.subjects.properties(props.schema)}
        problem={props.problem(`${props.path}.property`)}
        onChange={(property) => props.onChange({ property, source: sourceOf(subject(), property) })}
      />
      <SelectField
        label="Condition"
        value={props.filter.operator}
        choices={OPERATOR_CHOICES}
        problem={props.problem(`${props.path}.operator`)}
        onChange={(operator) => props.onChange({ operator })}
      />
      <ValueField {...props} />
      <ProblemLine text={props.problem(props.path)} />
      <button type="button" class="button quiet-button filter-remove" onClick={() => props.onRemove()}>
        Remove filter
      </button>
    </fieldset>
  )
}

function sourceOf(subject: Subject, property: string): Source {
  if (subject === 'user') return 'PROPERTY_SOURCE_PROFILE'
  return property.startsWith('$') ? 'PROPERTY_SOURCE_AUTO' : 'PROPERTY_SOURCE_CUSTOM'
}

/** What the property is compared with, as many values as the operator takes. */
function ValueField(props: FilterRowProps): JSX.Element {
  const [values, setValues] = createSignal<readonly string[]>([])
  const takes = () => OPERATORS[props.filter.operator].takes
  const suggest = async (): Promise<void> => {
    const { property, source } = props.filter
    setValues(property === '' ? [] : await props.schema.readValues(property, source, props.kind))
  }
  return (
    <>
      <Show when={takes() === 'one'}>
        <TextField
          label="Value"
          value={props.filter.value}
          suggestions={values()}
          problem={props.problem(`${props.path}.value`)}
          onFocus={() => void suggest()}
          onChange={(value) => props.onChange({ value })}
        />
      </Show>
      <Show when={takes() === 'many'}>
        <TextAreaField
          label="Values, one a line"
          rows={2}
          value={props.filter.value}
          problem={['', '[0]', '[1]'].map((at) => props.problem(`${props.path}.values${at}`)).find(Boolean)}
          onChange={(value) => props.onChange({ value })}
        />
      </Show>
    </>
  )
}
